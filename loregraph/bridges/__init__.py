"""Bridges to other MCP servers: `loregraph proxy` and `loregraph wrap`. They know JSON-RPC, and no SDK."""
