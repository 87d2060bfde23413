"""Builds the graph from the stored facts: one run, what changed, what is written."""
