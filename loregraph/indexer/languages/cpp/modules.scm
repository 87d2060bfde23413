; Modules of C++, which other grammars on this base do not have.

(import_declaration) @import.module
