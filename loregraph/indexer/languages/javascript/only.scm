; JavaScript: node types that TypeScript's grammar names otherwise.

(field_definition) @assignment.field
