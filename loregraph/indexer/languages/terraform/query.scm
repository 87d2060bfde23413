; Terraform: what becomes facts. See languages/spec.py for the captures.

(config_file (body (block) @definition.object))
(config_file (body (block (identifier) @_locals (body (attribute) @definition.object)) (#eq? @_locals "locals")))

(function_call) @call

(attribute) @reference.attribute
(variable_expr) @reference.value

(conditional) @decision
(for_cond) @decision
(template_if) @decision
