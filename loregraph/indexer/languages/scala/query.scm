; Scala: what becomes facts. See languages/spec.py for the captures.

(class_definition) @definition.class
(trait_definition) @definition.trait
(object_definition) @definition.object
(enum_definition) @definition.enum
(full_enum_case) @definition.class
(given_definition body: (with_template_body)) @definition.object
(given_definition body: (template_body)) @definition.object
(instance_expression (template_body)) @definition.class
(infix_expression left: (instance_expression)) @definition.class
(infix_expression left: (infix_expression left: (instance_expression))) @definition.class
(function_definition) @definition.function
(function_declaration) @definition.function
(lambda_expression) @definition.lambda
(case_block) @definition.lambda
(colon_argument lambda_start: (_)) @definition.lambda
(arguments [(field_expression) (call_expression) (infix_expression)] @definition.lambda)
(infix_expression right: (parenthesized_expression (field_expression) @definition.lambda))

(call_expression) @call
(instance_expression) @call.new
(infix_expression) @call.infix
(prefix_expression) @call.prefix

(field_expression) @reference.field
(block (identifier) @reference.name)
(indented_block (identifier) @reference.name)
(template_body (identifier) @reference.name)
(interpolation (identifier) @reference.name)
(parenthesized_expression (identifier) @reference.name)
(if_expression [(identifier)] @reference.name)
(match_expression value: (identifier) @reference.name)
(guard condition: (identifier) @reference.name)

(val_definition) @assignment
(var_definition) @assignment
(val_declaration) @assignment
(var_declaration) @assignment
(class_parameter) @assignment.component
(self_type) @assignment.self
(simple_enum_case) @assignment.constant
(type_definition) @assignment.type
(given_definition) @assignment.given
(assignment_expression) @assignment.expression
(enumerator) @assignment.enumerator
(case_clause) @assignment.case

(function_definition body: (_) @return.body)
(lambda_expression) @return.lambda
(colon_argument lambda_start: (_)) @return.lambda
(case_block) @return.cases
(arguments [(field_expression) (call_expression) (infix_expression)] @return.placeholder)
(return_expression) @return.given
(throw_expression) @return.throw

(import_declaration) @import
(export_declaration) @import.export

(typed_pattern type: (_) @reference.type)
(case_class_pattern type: (_) @reference.type)
(generic_function (type_arguments (_) @reference.type))

(if_expression consequence: (_) @block.branch)
(if_expression alternative: (_) @block.branch)
(case_clause) @block.branch
(while_expression body: (_) @block.loop)
(for_expression body: (_) @block.loop)
(try_expression body: (_) @block.try)
(catch_clause) @block.handler

(if_expression) @decision
(case_clause) @decision
(while_expression) @decision
(do_while_expression) @decision
(for_expression) @decision
(guard) @decision
