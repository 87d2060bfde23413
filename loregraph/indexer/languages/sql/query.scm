; SQL: what becomes facts. The tree is of a text in which each definition is one statement: see statements.py.

(program (statement) @definition.function)
