"""The graph: its vocabulary, its store, reads and search. Knows no parsing and no front end."""
