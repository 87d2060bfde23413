; Rust: what becomes facts. See languages/spec.py for the captures.

(function_item) @definition.function
(function_signature_item) @definition.function
(struct_item) @definition.struct
(enum_item) @definition.enum
(union_item) @definition.union
(trait_item) @definition.trait
(macro_definition) @definition.macro
(mod_item body: (_)) @definition.module
(closure_expression) @definition.lambda

(call_expression) @call
(macro_invocation) @call.macro
(macro_rule right: (token_tree) @reference.tokens)

(struct_item body: (field_declaration_list) @assignment.fields)
(union_item body: (field_declaration_list) @assignment.fields)
(struct_item body: (ordered_field_declaration_list) @assignment.positions)
(enum_variant) @assignment.variant
(const_item) @assignment.constant
(static_item) @assignment.constant
(type_item) @assignment.alias
(associated_type bounds: (_)) @assignment.alias
(type_parameter bounds: (_)) @assignment.bound
(where_predicate) @assignment.bound
(impl_item) @assignment.impl
(function_item) @assignment.inherited
(let_declaration) @assignment.let
(let_condition) @assignment.condition
(for_expression) @assignment.for
(match_arm) @assignment.arm
(assignment_expression) @assignment
(compound_assignment_expr) @assignment.augmented

(return_expression) @return
(function_item body: (block) @return.tail)
(closure_expression body: (_) @return.tail)

(use_declaration) @import
(extern_crate_declaration) @import.crate
(mod_item !body) @import.module

(type_cast_expression type: (_) @reference.type)

(if_expression condition: [(let_condition) (let_chain)]) @block.branch
(if_expression consequence: (block) @block.branch)
(else_clause) @block.branch
(let_declaration alternative: (block) @block.branch)
(match_arm) @block.branch
(loop_expression body: (block) @block.loop)
(while_expression) @block.loop
(for_expression) @block.loop

(if_expression) @decision
(while_expression) @decision
(for_expression) @decision
(loop_expression) @decision
(match_arm) @decision
(binary_expression operator: ["&&" "||"]) @decision
