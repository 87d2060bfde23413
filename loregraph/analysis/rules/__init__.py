"""Rules over the graph, one per module: rule.py defines what a rule is, registry.py lists them."""
