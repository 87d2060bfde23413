; C++: what it adds to C.

(declaration declarator: (reference_declarator (function_declarator) @definition.function))
(field_declaration declarator: (function_declarator) @definition.function)
(field_declaration declarator: (pointer_declarator declarator: (function_declarator) @definition.function))
(field_declaration declarator: (reference_declarator (function_declarator) @definition.function))
(declaration declarator: (operator_cast) @definition.function)
(field_declaration declarator: (operator_cast) @definition.function)
(class_specifier body: (_)) @definition.class
(namespace_definition) @definition.namespace
(lambda_expression) @definition.lambda
(namespace_definition body: (declaration_list (compound_statement) @definition.function))

(new_expression) @call.new
(compound_literal_expression) @call.new
(field_initializer) @call.new.field

(for_range_loop) @assignment.range
(catch_clause) @assignment.catch
(alias_declaration) @assignment.alias
(namespace_alias_definition) @assignment.alias
(using_declaration) @assignment.using
(lambda_capture_initializer) @assignment.capture

(co_return_statement) @return
(co_yield_statement) @return.yield
(throw_statement) @return.throw

(template_function arguments: (template_argument_list
  (type_descriptor type: [(type_identifier) (qualified_identifier) (template_type)]) @reference.type))
(template_method arguments: (template_argument_list
  (type_descriptor type: [(type_identifier) (qualified_identifier) (template_type)]) @reference.type))

(decltype) @ignore
(requires_clause) @ignore
(requires_expression) @ignore
(noexcept) @ignore
(static_assert_declaration) @ignore
(concept_definition) @ignore

(for_range_loop body: (_) @block.loop)
(try_statement body: (_) @block.try)
(catch_clause body: (_) @block.handler)

(for_range_loop) @decision
(catch_clause) @decision
(binary_expression operator: ["and" "or"]) @decision
