"""Rules over the graph, one a module: see rule.py for what one is and registry.py for the list of them."""
