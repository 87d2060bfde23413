; Erlang: what becomes facts. See languages/spec.py for the captures.

(source_file) @definition.object
(fun_decl) @definition.function
(callback) @definition.function
(record_decl) @definition.record
(type_alias) @definition.type
(opaque) @definition.type
(pp_define lhs: (macro_lhs args: (_))) @definition.macro
(anonymous_fun) @definition.lambda

(spec) @ignore
(callback sigs: (_) @ignore)
(type_alias ty: (_) @ignore)
(opaque ty: (_) @ignore)
(field_type) @ignore
(wild_attribute) @ignore

(call) @call
(macro_call_expr args: (_)) @call.macro

(match_expr) @assignment
(cond_match_expr) @assignment
(generator) @assignment.generator
(b_generator) @assignment.generator
(pp_define lhs: (macro_lhs !args)) @assignment.macro
(function_clause) @assignment.clause
(clause_body) @return.body

(import_attribute) @import
(pp_include) @import.include
(pp_include_lib) @import.include
(record_name) @reference.record
(tuple) @reference.start

(cr_clause) @block.branch
(if_clause) @block.branch
(catch_clause) @block.handler
(list_comprehension) @block.loop

(cr_clause) @decision
(if_clause) @decision
(catch_clause) @decision
(binary_op_expr ["andalso" "orelse"]) @decision
(list_comprehension) @decision
