; Python: what becomes facts. See languages/spec.py for the captures.

(function_definition) @definition.function
(class_definition) @definition.class
(lambda) @definition.lambda

(call) @call

(assignment) @assignment
(augmented_assignment) @assignment.augmented
(named_expression) @assignment.named
(for_statement) @assignment.for
(for_in_clause) @assignment.for
(with_item) @assignment.with
(except_clause) @assignment.except
(global_statement) @assignment.global
(nonlocal_statement) @assignment.nonlocal
(type_alias_statement) @assignment.alias
(case_clause) @assignment.case
(delete_statement) @assignment.del

(if_statement condition: (_) @assignment.read)
(elif_clause condition: (_) @assignment.read)
(while_statement condition: (_) @assignment.read)
(if_clause (_) @assignment.read)
(assert_statement . (_) @assignment.read)
(conditional_expression (_) . "if" . (_) @assignment.read)
(interpolation expression: (_) @assignment.read)

(return_statement) @return
(lambda body: (_) @return.lambda)
(yield) @return.yield
(raise_statement) @return.throw

(import_statement) @import
(import_from_statement) @import.from

(if_statement consequence: (block) @block.branch)
(elif_clause consequence: (block) @block.branch)
(else_clause body: (block) @block.branch)
(for_statement body: (block) @block.loop)
(while_statement body: (block) @block.loop)
(try_statement body: (block) @block.try)
(except_clause (block) @block.handler)
(case_clause consequence: (block) @block.branch)

; What tests of types say of names. Parts of expressions are blocks only where such a test stands before them.
(if_statement) @assignment.narrow
(while_statement) @assignment.narrow
(assert_statement) @assignment.narrow
((boolean_operator left: (_) @_test right: (_) @block.branch) @assignment.narrow
  (#match? @_test "isinstance|issubclass|callable"))
((conditional_expression . (_) @block.branch . "if" . (_) @_test . "else" . (_) @block.branch) @assignment.narrow
  (#match? @_test "isinstance|issubclass|callable"))
((list_comprehension body: (_) @block.branch (if_clause) @_test) @assignment.narrow
  (#match? @_test "isinstance|issubclass|callable"))
((set_comprehension body: (_) @block.branch (if_clause) @_test) @assignment.narrow
  (#match? @_test "isinstance|issubclass|callable"))
((generator_expression body: (_) @block.branch (if_clause) @_test) @assignment.narrow
  (#match? @_test "isinstance|issubclass|callable"))

(if_statement) @decision
(elif_clause) @decision
(for_statement) @decision
(while_statement) @decision
(except_clause) @decision
(conditional_expression) @decision
(boolean_operator) @decision
(for_in_clause) @decision
(if_clause) @decision
(case_clause) @decision
(assert_statement) @decision
