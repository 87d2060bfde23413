"""Where a server is, and as whom it is asked: the address comes from the user, the credentials from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from typing import Final
from urllib.parse import urlsplit

import msgspec

from loregraph.errors import UsageError

USER_VARIABLE: Final = "LOREGRAPH_BOLT_USER"
PASSWORD_VARIABLE: Final = "LOREGRAPH_BOLT_PASSWORD"

PLAIN: Final = ("bolt", "neo4j")
SCHEMES: Final = (*PLAIN, *(f"{scheme}+{kind}" for scheme in PLAIN for kind in ("s", "ssc")))
"""The driver's schemes: `+s` is TLS with a certificate that the system trusts, `+ssc` TLS with any."""

_FORM: Final = "write bolt://HOST:PORT, or bolt+s://HOST:PORT for TLS"
_DATABASE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


class Server(msgspec.Struct, frozen=True):
    """A server and one of its databases, "" for the one that it opens by itself."""

    url: str
    database: str = ""

    @property
    def shown(self) -> str:
        """The server in messages."""
        return f"{self.url} ({self.database})" if self.database else self.url


# Implements REQ-SRV-008.
def server_at(url: str, database: str = "") -> Server:
    """The server at `url`. Raises UsageError for what is no address of a server, and for one with credentials in it,
    which are not repeated."""
    if "@" in url:
        raise UsageError(
            "an address of a server has no user and no password in it: others can read it",
            f"set {USER_VARIABLE} and {PASSWORD_VARIABLE}, and leave out what is before the @",
        )
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise UsageError(f"{url!r} is no address of a server", _FORM) from None
    if parts.scheme not in SCHEMES:
        raise UsageError(f"{url!r} is no address of a server", f"it begins with {'://, '.join(SCHEMES)}://")
    if not host or parts.path not in ("", "/") or parts.query or parts.fragment or not url.isprintable():
        raise UsageError(f"{url!r} is no address of a server", _FORM)
    if database and not _DATABASE.fullmatch(database):
        raise UsageError(f"{database!r} is no name of a database", "letters, digits, `.`, `_` and `-`, at most 63")
    return Server(url.rstrip("/"), database)


def credentials() -> tuple[str, str] | None:
    """User and password from the environment; None where no user is set. Raises UsageError for a password alone."""
    user, password = os.environ.get(USER_VARIABLE, ""), os.environ.get(PASSWORD_VARIABLE, "")
    if password and not user:
        raise UsageError(f"{PASSWORD_VARIABLE} is set without {USER_VARIABLE}", f"set {USER_VARIABLE} too")
    return (user, password) if user else None


def sends_password_in_the_clear(server: Server) -> bool:
    """Whether the password leaves this machine without encryption."""
    parts = urlsplit(server.url)
    return parts.scheme in PLAIN and credentials() is not None and not _is_loopback(parts.hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
