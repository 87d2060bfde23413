; Elixir: what becomes facts. See languages/spec.py for the captures.
; Nearly everything is a call here, `def` and `if` too: the hooks tell by the word. Predicates would, but are slow.

(call target: (identifier) (arguments)) @definition.function
(anonymous_function) @definition.lambda
(unary_operator operator: "&") @definition.lambda

((unary_operator operator: "@" operand: (call target: (identifier) @_word)) @ignore
  (#match? @_word
    "^(spec|typep?|opaque|(macro)?callback|(module|type|short)?doc|impl|behaviour|optional_callbacks|dialyzer|derive)$"))

(call) @call
(binary_operator operator: "|>" right: (identifier) @call.piped)

(binary_operator operator: "=") @assignment
(binary_operator operator: "<-") @assignment.generator
(unary_operator operator: "@" operand: (call) @assignment.attribute)
(struct (alias) @reference.type)

(do_block (_) @return .)
(pair value: (_) @return.keyword)
(body (_) @return .)

(stab_clause right: (body) @block.branch)
(else_block) @block.branch
(rescue_block) @block.handler
(catch_block) @block.handler

(stab_clause) @decision
(else_block) @decision
(binary_operator operator: ["&&" "||" "and" "or"]) @decision
