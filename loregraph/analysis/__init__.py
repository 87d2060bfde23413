"""Analyses of the graph: copies, consistency, context, traces. Independent of front ends, parsers and memory."""
