"""The MCP server: `loregraph serve`. One function a tool, thin; each asks `Project` and shapes the answer."""
