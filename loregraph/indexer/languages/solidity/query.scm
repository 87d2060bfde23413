; Solidity: what becomes facts. See languages/spec.py for the captures.

(contract_declaration) @definition.class
(library_declaration) @definition.class
(interface_declaration) @definition.interface
(struct_declaration) @definition.struct
(enum_declaration) @definition.enum
(event_definition) @definition.record
(error_declaration) @definition.record
(user_defined_type_definition) @definition.type
(function_definition) @definition.function
(modifier_definition) @definition.function
(constructor_definition) @definition.constructor
(fallback_receive_definition) @definition.function
(yul_function_definition) @definition.function

(call_expression) @call
(emit_statement) @call.emit
(revert_statement) @call.revert
(modifier_invocation) @call.modifier
(inheritance_specifier ancestor_arguments: (_)) @call.base
(yul_function_call function: (yul_identifier)) @call.yul

(state_variable_declaration) @assignment.variable
(constant_variable_declaration) @assignment.variable
(struct_member) @assignment.variable
(variable_declaration_statement) @assignment.local
(return_type_definition (parameter)) @assignment.parameters
(try_statement (parameter)) @assignment.parameters
(catch_clause (parameter)) @assignment.parameters
(enum_body (enum_value) @assignment.constant)
(assignment_expression) @assignment
(augmented_assignment_expression) @assignment.augmented

(return_statement) @return
(import_directive) @import
(using_directive) @reference.using
(meta_type_expression) @reference.type

(if_statement body: (_) @block.branch)
(for_statement) @block.loop
(while_statement) @block.loop
(do_while_statement) @block.loop
(catch_clause) @block.handler

(if_statement) @decision
(for_statement) @decision
(while_statement) @decision
(do_while_statement) @decision
(catch_clause) @decision
(ternary_expression) @decision
(binary_expression operator: ["&&" "||"]) @decision
(yul_if_statement) @decision
(yul_for_statement) @decision
