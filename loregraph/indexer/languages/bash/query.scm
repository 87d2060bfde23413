; Bash: what becomes facts. See languages/spec.py for the captures.

(function_definition) @definition.function

(command) @call
(declaration_command) @reference.exported

(if_statement) @block.branch
(elif_clause) @block.branch
(else_clause) @block.branch
(case_item) @block.branch
(for_statement) @block.loop
(c_style_for_statement) @block.loop
(while_statement) @block.loop

(if_statement) @decision
(elif_clause) @decision
(case_item) @decision
(for_statement) @decision
(c_style_for_statement) @decision
(while_statement) @decision
(list ["&&" "||"]) @decision
