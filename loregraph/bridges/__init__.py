"""Bridges to other MCP servers: `loregraph proxy` and `loregraph wrap`. They use JSON-RPC directly, without an SDK."""
