; R: what becomes facts. See languages/spec.py for the captures.

(function_definition) @definition.function
((call function: [(identifier) (namespace_operator)] @_maker) @definition.class
 (#match? @_maker "^(R6::)?(R6Class|setClass|setRefClass|ggproto)$|^(S7::)?new_class$"))
((call function: [(identifier) (namespace_operator)] @_test) @definition.function
 (#match? @_test "^(testthat::)?(test_that|describe|it)$"))

(call) @call
((binary_operator operator: "special") @call.operator)

(binary_operator operator: ["<-" "<<-" "=" "->" "->>"]) @assignment
(for_statement) @assignment.for
(call arguments: (arguments (argument
  value: (call function: (identifier) arguments: (arguments (argument name: (identifier)) @assignment.member)))))

(function_definition body: (_) @return)

(if_statement consequence: (_) @block.branch)
(if_statement alternative: (_) @block.branch)
(for_statement body: (_) @block.loop)
(while_statement body: (_) @block.loop)
(repeat_statement body: (_) @block.loop)

(if_statement) @decision
(for_statement) @decision
(while_statement) @decision
(repeat_statement) @decision
(binary_operator operator: ["&&" "||"]) @decision
