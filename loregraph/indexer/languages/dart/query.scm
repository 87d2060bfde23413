; Dart: what becomes facts. See languages/spec.py for the captures.
; The grammar has no node for a call or for a function with its body: `a.b(c).d` is a run of siblings, and so are a
; signature and the body behind it. See `expressions.py` for runs and `definitions.py` for bodies.

(class_definition) @definition.class
(mixin_declaration) @definition.trait
(extension_declaration) @definition.type
(extension_type_declaration) @definition.class
(enum_declaration) @definition.enum
(method_signature) @definition.method
(declaration [(function_signature) (getter_signature) (setter_signature) (operator_signature)]) @definition.method
(declaration [(constructor_signature) (constant_constructor_signature)]) @definition.constructor
(declaration
  [(factory_constructor_signature) (redirecting_factory_constructor_signature)]) @definition.constructor
(program [(function_signature) (getter_signature) (setter_signature)] @definition.function)
(local_function_declaration (lambda_expression) @definition.function)
(function_expression) @definition.lambda

(argument_part) @call
(constructor_invocation) @call.written
(new_expression) @call.written
(const_object_expression) @call.written
(initializer_list_entry (arguments)) @call.initializer
(redirection (arguments)) @call.initializer
(redirecting_factory_constructor_signature) @call.redirecting
(enum_constant (arguments)) @call.constant

(program [(initialized_identifier_list) (static_final_declaration_list)] @assignment.top)
(declaration [(initialized_identifier_list) (static_final_declaration_list)] @assignment.field)
(initialized_variable_definition) @assignment.local
(enum_constant) @assignment.constant
(assignment_expression) @assignment.expression
(pattern_variable_declaration) @assignment.pattern
(pattern_assignment) @assignment.pattern
(cascade_section) @assignment.cascade
(constructor_param) @assignment.parameter
(field_initializer) @assignment.initializer
(for_loop_parts value: (_)) @assignment.for
(catch_clause) @assignment.catch
(type_alias) @assignment.alias
(if_statement consequence: (_) @assignment.tested)

(return_statement) @return.statement
(yield_statement) @return.yielded
(yield_each_statement) @return.each
(throw_expression) @return.thrown
(function_body) @return.body
(function_expression_body) @return.body

(library_import) @import
(library_export) @import.export
(part_directive) @import.part
(part_of_directive) @import.library

(type_cast (type_identifier) @reference.type)
(type_test (type_identifier) @reference.type)
(argument_part (type_arguments (type_identifier) @reference.type))
(object_pattern (type_identifier) @reference.type)

(if_statement consequence: (_) @block.branch)
(if_statement alternative: (_) @block.branch)
(switch_statement_case) @block.branch
(switch_statement_default) @block.branch
(switch_expression_case) @block.branch
(for_statement body: (_) @block.loop)
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(try_statement body: (_) @block.try)

(if_statement) @decision
(if_element) @decision
(for_statement) @decision
(for_element) @decision
(while_statement) @decision
(do_statement) @decision
(switch_statement_case) @decision
(switch_expression_case) @decision
(catch_clause) @decision
(conditional_expression) @decision
(if_null_expression) @decision
(logical_and_expression) @decision
(logical_or_expression) @decision
