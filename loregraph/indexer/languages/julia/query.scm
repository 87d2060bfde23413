; Julia: what becomes facts. See languages/spec.py for the captures.

(module_definition) @definition.module
(struct_definition) @definition.struct
(abstract_definition) @definition.class
(primitive_definition) @definition.struct
(function_definition) @definition.function
(macro_definition) @definition.function
(assignment . [(call_expression) (where_expression) (typed_expression)]) @definition.function
(arrow_function_expression) @definition.lambda
(do_clause) @definition.lambda
(macrocall_expression) @definition.function

(call_expression) @call
(broadcast_call_expression) @call
(macrocall_expression) @call
(binary_expression (operator) @_pipe (#any-of? @_pipe "|>" ".|>")) @call

(assignment) @assignment
(compound_assignment_expression) @assignment
(for_binding) @assignment.for
(struct_definition (block [(typed_expression) (identifier)] @assignment.field))
(global_statement [(identifier) (assignment)] @assignment.global)

(return_statement) @return
(function_definition (block) @return.last)
(arrow_function_expression (_) @return.last .)
(do_clause (block) @return.last)

(import_statement) @import
(using_statement) @import

(quote_statement) @ignore
(quote_expression) @ignore

(if_statement (block) @block.branch)
(elseif_clause) @block.branch
(else_clause) @block.branch
(for_statement (block) @block.loop)
(while_statement (block) @block.loop)
(try_statement (block) @block.try)
(catch_clause) @block.handler

(if_statement) @decision
(elseif_clause) @decision
(for_statement) @decision
(while_statement) @decision
(catch_clause) @decision
(ternary_expression) @decision
(binary_expression (operator) @_and (#any-of? @_and "&&" "||")) @decision
