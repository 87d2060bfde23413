"""The memory of a project: what people and agents have learned, written to a journal and recalled when relevant.

Uses the graph for anchors and distances; independent of parsing, command lines and MCP.
"""
