; Lua: what becomes facts. See languages/spec.py for the captures.

(function_declaration) @definition.function
(function_definition) @definition.lambda
(assignment_statement) @definition.class

(function_call) @call

(assignment_statement) @assignment
(variable_declaration) @assignment.local
(function_declaration name: (_) @assignment.method)
(table_constructor (field) @assignment.field)
(for_generic_clause) @assignment.for
(for_numeric_clause) @assignment.count

(return_statement) @return

(if_statement consequence: (_) @block.branch)
(elseif_statement) @block.branch
(else_statement) @block.branch
(for_statement body: (_) @block.loop)
(while_statement body: (_) @block.loop)
(repeat_statement body: (_) @block.loop)

(if_statement) @decision
(elseif_statement) @decision
(for_statement) @decision
(while_statement) @decision
(repeat_statement) @decision
(binary_expression ["and" "or"]) @decision
