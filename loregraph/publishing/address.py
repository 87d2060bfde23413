"""Addresses of places: which are accepted, and how they are shown.

fsspec's own addresses can be chained (`zip://…::https://…`), name protocols that run commands or read other things than
the user thinks (`ssh`, `reference`, `local`, `memory`), and carry credentials. So an address is parsed here, and only
what is in `SCHEMES` reaches fsspec, in parts.
"""

from __future__ import annotations

import ipaddress
import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from loregraph.errors import UsageError

FOLDER: Final = "file"
SCHEMES: Final[dict[str, str]] = {
    FOLDER: FOLDER,
    "s3": "s3",
    "gs": "gs",
    "gcs": "gs",
    "az": "az",
    "abfs": "az",
    "https": "https",
    "http": "http",
}
"""The scheme of an address → the protocol."""
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""Two letters at least: `C:` is a drive."""
_USER: Final = re.compile(r"//[^/@\s]{1,2000}@")
_SIX: Final = re.compile(r"//\[[0-9A-Fa-f:.]{2,45}\]")
"""A host by its address of 128 bits, the only place where two colons belong."""
_FORMS: Final = "name a folder, or file://, s3://BUCKET/PREFIX, gs://…, az://CONTAINER/PREFIX, https://HOST/PATH"


class Address(msgspec.Struct, frozen=True):
    """A place: its protocol, `host` (or bucket, or container) and `path`, without slashes at its ends but for a folder
    here, which is absolute. `user` has what stood before the host: a user's name, perhaps with a password."""

    protocol: str
    host: str
    path: str
    user: str = ""

    @property
    def shown(self) -> str:
        """The address for messages and results, without credentials."""
        if self.protocol == FOLDER:
            return self.path
        return f"{self.protocol}://{self.host}" + (f"/{self.path}" if self.path else "")


# Implements REQ-PUB-008.
def parsed(text: str) -> Address:
    """The address that `text` is. Raises UsageError for every other form than those in docs/publishing.md."""
    if not text or any(ord(character) < 32 for character in text):
        raise UsageError("an empty address, or one with control characters, names no place", _FORMS)
    found = _SCHEME.match(text)
    if found is None:
        return Address(FOLDER, "", os.path.abspath(os.path.expanduser(text)))  # noqa: PTH100, PTH111 - as written
    protocol = SCHEMES.get(found[1].lower())
    if protocol is None or "::" in _SIX.sub("//", text) or not text[found.end() :].startswith("//"):
        raise UsageError(f"{redacted(text)} is not an address that graphs are published at", _FORMS)
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise UsageError(f"{redacted(text)} is not an address", _FORMS) from None
    if parts.query or parts.fragment:
        raise UsageError(f"{redacted(text).partition('?')[0]} has a query or a fragment", "give the address without")
    user, at, shown_host = parts.netloc.rpartition("@")
    if protocol == FOLDER:
        return _folder(text, shown_host, parts.path)
    if at and protocol not in ("http", "https"):
        raise UsageError(
            f"{redacted(text)} has a user name", "credentials come from the environment, as the driver documents"
        )
    if protocol == "http" and not _is_here(host):
        raise UsageError(f"{redacted(text)} is neither encrypted nor on this machine", "use https://")
    path = parts.path.strip("/")
    if not host or any(part in ("", ".", "..") for part in path.split("/") if path):
        raise UsageError(f"{redacted(text)} names no place", _FORMS)
    return Address(protocol, shown_host, path, user)


def _folder(text: str, host: str, path: str) -> Address:
    if host not in ("", "localhost") or not path:
        raise UsageError(f"{redacted(text)} names no folder of this machine", "file:///absolute/path is one")
    from urllib.request import url2pathname  # with all of HTTP, 50 ms

    return Address(FOLDER, "", str(Path(url2pathname(path)).absolute()))


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def redacted(text: str) -> str:
    """`text` without what stands before a host in the addresses in it: users and passwords."""
    return _USER.sub("//***@", text)
