; Objective-C: what it adds to C. See languages/spec.py for the captures.

(class_interface) @definition.class
(class_implementation) @definition.class
(protocol_declaration) @definition.protocol
(method_declaration) @definition.method
(method_definition) @definition.method
(block_literal) @definition.lambda

(message_expression) @call
(field_expression operator: "." field: (_)) @call.property

(property_declaration) @assignment.property
(instance_variable) @assignment.field
(for_statement . "for" . "(" . type: (_)) @assignment.each
(catch_clause (type_name)) @assignment.catch

(throw_statement) @return.throw

(module_import) @import.module
(selector_expression) @reference.selector

(try_statement (compound_statement) @block.try)
(catch_clause (compound_statement) @block.handler)
(catch_clause) @decision
