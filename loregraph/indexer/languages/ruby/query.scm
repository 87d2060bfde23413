; Ruby: what becomes facts. See languages/spec.py for the captures.

(class) @definition.class
(module) @definition.module
(method) @definition.method
(singleton_method) @definition.method
(lambda) @definition.lambda
(call block: [(block) (do_block)] @definition.lambda)
(assignment left: (constant) right: (call receiver: (constant))) @definition.class

(call) @call
(super) @call.super
(identifier) @reference.bare

(assignment) @assignment
(operator_assignment) @assignment.operator
(call block: [(block) (do_block)] @assignment.block)
(for) @assignment.for
(rescue) @assignment.rescue
(alias) @assignment.alias

(return) @return.given
(method body: (body_statement (_) @return.last))
(singleton_method body: (body_statement (_) @return.last))
(method body: (_) @return.last)
(singleton_method body: (_) @return.last)
(block_body (_) @return.last)

(if consequence: (_) @block.branch)
(unless consequence: (_) @block.branch)
(else) @block.branch
(elsif) @block.branch
(when) @block.branch
(in_clause) @block.branch
(while body: (_) @block.loop)
(until body: (_) @block.loop)
(for body: (_) @block.loop)
(if_modifier body: (_) @block.branch)
(unless_modifier body: (_) @block.branch)
(rescue) @block.handler

(if) @decision
(elsif) @decision
(unless) @decision
(if_modifier) @decision
(unless_modifier) @decision
(while) @decision
(until) @decision
(for) @decision
(when) @decision
(in_clause) @decision
(rescue) @decision
(conditional) @decision
(binary operator: ["&&" "||" "and" "or"]) @decision
