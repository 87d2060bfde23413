"""The MCP server: `loregraph serve`. One thin function per tool, which calls `Project` and formats the answer."""
