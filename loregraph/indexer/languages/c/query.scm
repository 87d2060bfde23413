; C, and the part of C++ that is C: what becomes facts. See languages/spec.py for the captures.

(function_definition) @definition.function
(declaration declarator: (function_declarator) @definition.function)
(declaration declarator: (pointer_declarator declarator: (function_declarator) @definition.function))
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator) @definition.function)))
(translation_unit (compound_statement) @definition.function)
(struct_specifier body: (_)) @definition.struct
(union_specifier body: (_)) @definition.union
(enum_specifier body: (_)) @definition.enum
(preproc_function_def) @definition.macro

(call_expression) @call

(declaration) @assignment.declaration
(field_declaration) @assignment.declaration
(enumerator) @assignment.enumerator
(type_definition) @assignment.typedef
(assignment_expression operator: "=") @assignment
(preproc_def value: (_)) @assignment.macro
(preproc_function_def value: (_) @assignment.expansion)

(return_statement) @return

(preproc_include) @import

(sizeof_expression type: (type_descriptor type: [(type_identifier) (struct_specifier)]) @reference.type)

; What is written but never run.
(attribute_specifier) @ignore
(attribute_declaration) @ignore
(preproc_if condition: (_) @ignore)
(preproc_elif condition: (_) @ignore)

(if_statement consequence: (_) @block.branch)
(else_clause (_) @block.branch)
(for_statement body: (_) @block.loop)
(while_statement body: (_) @block.loop)
(do_statement body: (_) @block.loop)
(case_statement) @block.branch
(compound_statement (preproc_if) @block.branch)
(compound_statement (preproc_if alternative: (_) @block.branch))
(compound_statement (preproc_ifdef) @block.branch)
(compound_statement (preproc_ifdef alternative: (_) @block.branch))

(if_statement) @decision
(for_statement) @decision
(while_statement) @decision
(do_statement) @decision
(case_statement value: (_)) @decision
(conditional_expression) @decision
(binary_expression operator: ["&&" "||"]) @decision
