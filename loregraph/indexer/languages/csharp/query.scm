; C#: what becomes facts. See languages/spec.py for the captures.

(class_declaration) @definition.class
(record_declaration) @definition.record
(struct_declaration) @definition.struct
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(delegate_declaration) @definition.function
(method_declaration) @definition.method
(constructor_declaration) @definition.constructor
(destructor_declaration) @definition.method
(operator_declaration) @definition.method
(conversion_operator_declaration) @definition.method
(accessor_declaration body: (_)) @definition.getter
(property_declaration value: (arrow_expression_clause) @definition.getter)
(indexer_declaration value: (arrow_expression_clause) @definition.getter)
(local_function_statement) @definition.function
(lambda_expression) @definition.lambda
(anonymous_method_expression) @definition.lambda

(invocation_expression) @call
(object_creation_expression) @call.new
(implicit_object_creation_expression) @call.new
(constructor_initializer) @call.constructor
(interpolation) @call.text

(variable_declaration) @assignment
(property_declaration) @assignment.property
(indexer_declaration) @assignment.property
(event_declaration) @assignment.property
(class_declaration (parameter_list) @assignment.components)
(struct_declaration (parameter_list) @assignment.components)
(record_declaration (parameter_list) @assignment.components)
(enum_member_declaration) @assignment.constant
(assignment_expression) @assignment.expression
(foreach_statement) @assignment.for
(from_clause) @assignment.from
(catch_declaration) @assignment.catch
(declaration_pattern) @assignment.pattern
(recursive_pattern) @assignment.pattern
(declaration_expression) @assignment.pattern
(type_parameter_constraints_clause) @assignment.bound

(return_statement) @return
(yield_statement (_)) @return.yield
(throw_statement) @return.throw
(throw_expression) @return.throw
(arrow_expression_clause) @return.arrow
(lambda_expression body: (_) @return.arrow)

(using_directive) @import

(cast_expression type: (_) @reference.type)
(typeof_expression type: (_) @reference.type)
(as_expression right: (_) @reference.type)
(is_expression right: (_) @reference.type)

(if_statement consequence: (_) @block.branch)
(if_statement alternative: (_) @block.branch)
(for_statement) @block.loop
(foreach_statement) @block.loop
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(try_statement body: (_) @block.try)
(catch_clause) @block.handler
(switch_section) @block.branch

(if_statement) @decision
(for_statement) @decision
(foreach_statement) @decision
(while_statement) @decision
(do_statement) @decision
(catch_clause) @decision
(conditional_expression) @decision
(switch_expression_arm) @decision
(switch_section (_)) @decision
(binary_expression operator: ["&&" "||" "??"]) @decision
