"""The state's facts to the graph: one run, what changed, what is written."""
