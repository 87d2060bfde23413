; PHP: what becomes facts. See languages/spec.py for the captures.

(class_declaration) @definition.class
(anonymous_class) @definition.class
(interface_declaration) @definition.interface
(trait_declaration) @definition.trait
(enum_declaration) @definition.enum
(function_definition) @definition.function
(method_declaration) @definition.method
(anonymous_function) @definition.lambda
(arrow_function) @definition.lambda

(function_call_expression) @call
(member_call_expression) @call.member
(nullsafe_member_call_expression) @call.member
(scoped_call_expression) @call.scoped
(object_creation_expression) @call.new

(class_declaration body: (_) @assignment.documented)
(interface_declaration body: (_) @assignment.documented)
(trait_declaration body: (_) @assignment.documented)
(property_declaration) @assignment.property
(property_promotion_parameter) @assignment.promoted
(const_element) @assignment.constant
(enum_case) @assignment.case
(assignment_expression) @assignment.expression
(reference_assignment_expression) @assignment.expression
(augmented_assignment_expression) @assignment.expression
(static_variable_declaration) @assignment.static
(foreach_statement) @assignment.for
(catch_clause) @assignment.catch
(global_declaration) @assignment.global

(return_statement) @return
(yield_expression) @return.yield
(throw_expression) @return.throw
(arrow_function body: (_) @return.arrow)

(use_as_clause) @assignment.trait

(namespace_use_declaration) @import.use
(require_expression) @import.require
(require_once_expression) @import.require
(include_expression) @import.require
(include_once_expression) @import.require

(class_constant_access_expression) @reference.constant
(binary_expression operator: "instanceof" right: [(name) (qualified_name)] @reference.type)

(if_statement body: (_) @block.branch)
(else_if_clause) @block.branch
(else_clause) @block.branch
(for_statement) @block.loop
(foreach_statement) @block.loop
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(try_statement body: (_) @block.try)
(catch_clause) @block.handler
(case_statement) @block.branch
(default_statement) @block.branch

(if_statement) @decision
(else_if_clause) @decision
(for_statement) @decision
(foreach_statement) @decision
(while_statement) @decision
(do_statement) @decision
(catch_clause) @decision
(case_statement) @decision
(match_conditional_expression) @decision
(conditional_expression) @decision
(binary_expression operator: ["&&" "||" "and" "or" "??"]) @decision
