; Swift: what becomes facts. See languages/spec.py for the captures.

(class_declaration) @definition.class
(protocol_declaration) @definition.protocol
(function_declaration) @definition.function
(protocol_function_declaration) @definition.method
(init_declaration) @definition.constructor
(deinit_declaration) @definition.method
(computed_property) @definition.getter
(lambda_literal) @definition.lambda

(call_expression) @call

(property_declaration) @assignment
(protocol_property_declaration) @assignment
(enum_entry) @assignment.case
(assignment) @assignment.expression
(if_statement) @assignment.bound
(guard_statement) @assignment.bound
(while_statement) @assignment.bound
(for_statement) @assignment.for
(catch_block) @assignment.catch

(control_transfer_statement) @return.control
(function_body (statements . (_) @return.only .))
(computed_property (statements . (_) @return.only .))
(lambda_literal (statements . (_) @return.only .))

(import_declaration) @import

(if_statement (statements) @block.branch)
(switch_entry) @block.branch
(for_statement) @block.loop
(while_statement) @block.loop
(repeat_while_statement) @block.loop
(do_statement (statements) @block.try)
(catch_block) @block.handler

(if_statement) @decision
(guard_statement) @decision
(for_statement) @decision
(while_statement) @decision
(repeat_while_statement) @decision
(switch_entry (switch_pattern)) @decision
(catch_block) @decision
(ternary_expression) @decision
(nil_coalescing_expression) @decision
(conjunction_expression) @decision
(disjunction_expression) @decision
