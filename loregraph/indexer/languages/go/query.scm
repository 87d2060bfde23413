; Go: what becomes facts. See languages/spec.py for the captures.

(function_declaration) @definition.function
(method_declaration) @definition.method
(func_literal) @definition.lambda
(type_spec) @definition.type
(type_spec type: (interface_type (method_elem) @definition.method))

(call_expression) @call
(type_conversion_expression type: (generic_type)) @call.instantiation

(type_spec) @assignment.members
(type_alias) @assignment.alias
(type_parameter_list) @assignment.constraints
(function_declaration result: (parameter_list) @assignment.results)
(method_declaration result: (parameter_list) @assignment.results)
(func_literal result: (parameter_list) @assignment.results)
(const_declaration) @assignment.constants
(var_spec) @assignment.variables
(short_var_declaration) @assignment.short
(assignment_statement) @assignment
(range_clause) @assignment.range
(receive_statement left: (_)) @assignment.receive
(type_case) @assignment.case
(type_switch_statement) @assignment.switch
(composite_literal) @assignment.literal

(return_statement) @return

(import_spec) @import

(type_assertion_expression type: (_) @reference.type)

(if_statement initializer: (_)) @block.branch
(if_statement consequence: (block) @block.branch)
(if_statement alternative: (_) @block.branch)
(for_statement) @block.loop
(expression_switch_statement) @block.branch
(type_switch_statement) @block.branch
(expression_case) @block.branch
(type_case) @block.branch
(default_case) @block.branch
(communication_case) @block.branch

(if_statement) @decision
(for_statement) @decision
(expression_case) @decision
(type_case) @decision
(communication_case) @decision
(binary_expression operator: ["&&" "||"]) @decision
