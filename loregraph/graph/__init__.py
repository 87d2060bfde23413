"""The graph: data model, store, reads and search. Independent of parsing and of front ends."""
