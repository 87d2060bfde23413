; Java: what becomes facts. See languages/spec.py for the captures.

(class_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(record_declaration) @definition.record
(annotation_type_declaration) @definition.annotation
(object_creation_expression (class_body) @definition.class)
(enum_constant body: (class_body)) @definition.object

(method_declaration) @definition.method
(annotation_type_element_declaration) @definition.method
(constructor_declaration) @definition.constructor
(compact_constructor_declaration) @definition.constructor
(lambda_expression) @definition.lambda

(method_invocation) @call
(object_creation_expression) @call.new
(explicit_constructor_invocation) @call.constructor

(field_declaration) @assignment
(constant_declaration) @assignment
(local_variable_declaration) @assignment
(record_declaration parameters: (formal_parameters) @assignment.components)
(enum_constant) @assignment.constant
(assignment_expression) @assignment.expression
(enhanced_for_statement) @assignment.for
(resource) @assignment.resource
(catch_formal_parameter) @assignment.catch
(instanceof_expression) @assignment.instanceof
(record_pattern_component) @assignment.pattern
(type_pattern) @assignment.pattern
(type_parameter (type_bound)) @assignment.bound

(return_statement) @return
(throw_statement) @return.throw
(lambda_expression body: (_) @return.lambda)

(import_declaration) @import

(cast_expression type: (_) @reference.type)
(class_literal) @reference.literal
(throws) @reference.types
(permits) @reference.types
(uses_module_directive type: (_) @reference.type)
(provides_module_directive) @reference.provides

(if_statement consequence: (_) @block.branch)
(if_statement alternative: (_) @block.branch)
(for_statement) @block.loop
(enhanced_for_statement) @block.loop
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(try_statement body: (_) @block.try)
(try_with_resources_statement body: (_) @block.try)
(catch_clause) @block.handler
(switch_block_statement_group) @block.branch
(switch_rule) @block.branch

(if_statement) @decision
(for_statement) @decision
(enhanced_for_statement) @decision
(while_statement) @decision
(do_statement) @decision
(catch_clause) @decision
(ternary_expression) @decision
(switch_label (_)) @decision
(binary_expression operator: ["&&" "||"]) @decision
