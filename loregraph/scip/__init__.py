"""SCIP, the exchange format of code indexers: the graph written as an index, and indexes of compilers read."""
