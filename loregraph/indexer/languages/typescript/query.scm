; TypeScript: what it adds to javascript/query.scm.

(abstract_class_declaration) @definition.class
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(type_alias_declaration) @definition.type
(internal_module) @definition.namespace
(module) @definition.namespace
(function_signature) @definition.function
(class_body (method_signature) @definition.method)
(class_body (abstract_method_signature) @definition.method)
(interface_body (method_signature) @definition.method)
(type_alias_declaration value: (object_type (method_signature) @definition.method))
(type_alias_declaration value: (intersection_type (object_type (method_signature) @definition.method)))

(public_field_definition) @assignment.field
(interface_body (property_signature) @assignment.field)
(type_alias_declaration value: (object_type (property_signature) @assignment.field))
(type_alias_declaration value: (intersection_type (object_type (property_signature) @assignment.field)))
(enum_body name: (_) @assignment.enum)
(enum_assignment) @assignment.enum
(required_parameter (accessibility_modifier)) @assignment.parameter
(required_parameter "readonly") @assignment.parameter
(optional_parameter (accessibility_modifier)) @assignment.parameter
(optional_parameter "readonly") @assignment.parameter
(type_alias_declaration) @assignment.alias
(import_alias) @assignment.import

; Types that no other fact carries.
(call_expression type_arguments: (_) @reference.type)
(new_expression type_arguments: (_) @reference.type)
(satisfies_expression (_) (_) @reference.type)
(constraint) @reference.type
(function_type) @reference.type
(constructor_type) @reference.type
(conditional_type) @reference.type
(lookup_type) @reference.type
(index_type_query) @reference.type
(type_predicate) @reference.type
(call_signature) @reference.type
(construct_signature) @reference.type
(index_signature) @reference.type
