; Protocol Buffers: what becomes facts. See languages/spec.py for the captures.

(message) @definition.struct
(enum) @definition.enum
(service) @definition.interface
(rpc) @definition.method

(field) @assignment.field
(oneof_field) @assignment.field
(import) @import
(message_or_enum_type) @reference.type
