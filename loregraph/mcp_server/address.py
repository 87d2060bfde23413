"""Access to a server over HTTP: only from this machine, or with a token."""

from __future__ import annotations

from typing import Final

from loregraph.errors import UsageError

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
TOKEN: Final = "LOREGRAPH_TOKEN"
"""The environment variable with the token."""
SHORTEST_TOKEN: Final = 16


# Implements REQ-MCP-011.
def check_address(host: str, token: str) -> None:
    """Raises UsageError for an address reachable by other machines without a token, and for a token that can be
    guessed."""
    if host not in LOOPBACK and not token:
        raise UsageError(
            f"--host {host} would let anyone who reaches it read and change this project",
            f"set {TOKEN} to a long random text that clients send as `Authorization: Bearer ...`, or use 127.0.0.1",
        )
    if token and len(token) < SHORTEST_TOKEN:
        raise UsageError(f"{TOKEN} is shorter than {SHORTEST_TOKEN} characters", "use a long random text")
