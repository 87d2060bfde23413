; Haskell: what becomes facts. See languages/spec.py for the captures.

(class) @definition.trait
(instance) @definition.module
(data_type) @definition.type
(newtype) @definition.type
(type_synomym) @definition.type
(function) @definition.function
(declarations (bind) @definition.function)
(class_declarations (bind) @definition.function)
(instance_declarations (bind) @definition.function)
(class_declarations (signature) @definition.method)
(foreign_import) @definition.function
(lambda) @definition.lambda
(lambda_case) @definition.lambda

(apply function: (_)) @call
(infix operator: (_)) @call.infix
(left_section) @call.section
(right_section) @call.section
(record expression: (constructor)) @call.record
(record expression: (qualified)) @call.record

(match expression: [(variable) (qualified) (prefix_id)] @reference.result)
(exp [(variable) (qualified) (prefix_id)] @reference.read)
(apply argument: [(variable) (qualified) (prefix_id)] @reference.read)
(parens expression: [(variable) (qualified) (prefix_id)] @reference.read)
(tuple element: [(variable) (qualified) (prefix_id)] @reference.read)
(list element: [(variable) (qualified) (prefix_id)] @reference.read)
(conditional [(variable) (qualified)] @reference.read)
(case (variable) @reference.read)
(boolean (variable) @reference.read)
(let_in expression: [(variable) (qualified)] @reference.read)
(field_update expression: [(variable) (qualified) (prefix_id)] @reference.read)
(bind expression: [(variable) (qualified)] @reference.read)
(generator expression: [(variable) (qualified)] @reference.read)
(pattern_guard expression: [(variable) (qualified)] @reference.read)
(list_comprehension expression: [(variable) (qualified)] @reference.read)
(lambda expression: [(variable) (qualified)] @reference.read)
(signature expression: [(variable) (qualified)] @reference.read)

(function) @assignment.equation
(local_binds (bind) @assignment.local)
(declarations (bind) @assignment.pattern)
(alternative pattern: (_)) @assignment.alternative
(bind expression: (_)) @assignment.statement
(pattern_guard pattern: (_)) @assignment.statement
(generator pattern: (_)) @assignment.statement
(data_type) @assignment.data
(newtype) @assignment.data
(class_declarations) @assignment.methods

(import) @import

(signature type: (_) @ignore)
(default_signature) @ignore
(function patterns: (_) @ignore)
(function (infix) @ignore)
(lambda patterns: (_) @ignore)
(alternative pattern: (_) @ignore)
(bind pattern: (_) @ignore)
(generator pattern: (_) @ignore)
(pattern_guard pattern: (_) @ignore)
(data_type constructors: (_) @ignore)
(newtype constructor: (_) @ignore)
(type_synomym type: (_) @ignore)
(instance patterns: (_) @ignore)
(class patterns: (_) @ignore)
(context context: (_) @ignore)
(deriving) @ignore
(deriving_instance) @ignore
(type_application) @ignore
(type_family) @ignore
(type_instance) @ignore
(data_family) @ignore
(data_instance) @ignore
(pattern_synonym) @ignore
(quasiquote) @ignore
(fixity) @ignore
(pragma) @ignore

(alternative) @block.branch
(conditional then: (_) @block.branch)
(conditional else: (_) @block.branch)

(alternative) @decision
(conditional) @decision
(guards) @decision
