; Kotlin: what becomes facts. See languages/spec.py for the captures.

(class_declaration) @definition.class
(object_declaration) @definition.object
(object_literal) @definition.class
(enum_entry (class_body)) @definition.object
(function_declaration) @definition.function
(secondary_constructor) @definition.constructor
(getter (function_body)) @definition.getter
(setter (function_body)) @definition.setter
(lambda_literal) @definition.lambda
(anonymous_function) @definition.lambda

(call_expression) @call
(constructor_delegation_call) @call.constructor
(interpolated_identifier) @call.text
(interpolated_expression) @call.text

(property_declaration) @assignment
(class_parameter) @assignment.component
(enum_entry) @assignment.constant
(assignment) @assignment.expression
(for_statement) @assignment.for
(catch_block) @assignment.catch
(when_subject (variable_declaration)) @assignment.subject

(jump_expression) @return.jump
(function_body) @return.body
(lambda_literal (statements (_) @return.last))

(import_header) @import

(as_expression (user_type) @reference.type)
(check_expression (user_type) @reference.type)
(type_test (user_type) @reference.type)

(if_expression consequence: (_) @block.branch)
(if_expression alternative: (_) @block.branch)
(when_entry) @block.branch
(for_statement) @block.loop
(while_statement) @block.loop
(do_while_statement) @block.loop
(try_expression (statements) @block.try)
(catch_block) @block.handler

(if_expression) @decision
(when_entry (when_condition)) @decision
(for_statement) @decision
(while_statement) @decision
(do_while_statement) @decision
(catch_block) @decision
(elvis_expression) @decision
(conjunction_expression) @decision
(disjunction_expression) @decision
