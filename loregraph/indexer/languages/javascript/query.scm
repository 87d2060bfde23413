; JavaScript: what becomes facts. See languages/spec.py for the captures. TypeScript shares this file: only node types
; that both grammars have.

(function_declaration) @definition.function
(generator_function_declaration) @definition.function
(function_expression) @definition.function
(generator_function) @definition.function
(arrow_function) @definition.lambda
(method_definition) @definition.method
(class_declaration) @definition.class
(class) @definition.class

(call_expression) @call
(new_expression) @call.new

(variable_declarator) @assignment
(assignment_expression) @assignment.to
(augmented_assignment_expression) @assignment.augmented
(for_in_statement) @assignment.for
(catch_clause parameter: (_) @assignment.catch)
(function_expression name: (identifier) @assignment.own_name)
(generator_function name: (identifier) @assignment.own_name)

(return_statement) @return
(yield_expression) @return.yield
(throw_statement) @return.throw
(arrow_function body: (expression) @return.arrow)

(import_statement) @import
(export_statement) @export

(if_statement consequence: (_) @block.branch)
(else_clause (statement) @block.branch)
(for_statement body: (_) @block.loop)
(for_in_statement body: (_) @block.loop)
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(try_statement body: (_) @block.try)
(catch_clause body: (_) @block.handler)
(switch_case) @block.branch
(switch_default) @block.branch

(if_statement) @decision
(for_statement) @decision
(for_in_statement) @decision
(while_statement) @decision
(do_statement) @decision
(catch_clause) @decision
(switch_case) @decision
(ternary_expression) @decision
(binary_expression operator: ["&&" "||" "??"]) @decision
