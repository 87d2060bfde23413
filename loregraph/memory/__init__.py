"""What people and agents learned about a project: written once into a journal, recalled when it matters.

Knows the graph for anchors and nearness; knows nothing of parsing, command lines or MCP.
"""
