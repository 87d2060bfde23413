"""A web server that shows a folder or a bucket: it is read, and cannot say what it has.

HTTP without TLS is for this machine only (`address`). A redirection is not followed: it could lead away from TLS, or
to where only this machine may ask. Credentials are those of the address, else those that `.netrc` has for the host;
proxies are those of the environment.
"""

from __future__ import annotations

import base64
from typing import Any, Final
from urllib.parse import unquote

from loregraph.errors import PlaceError
from loregraph.publishing.remote_place import RemotePlace

_MOVED: Final = range(300, 400)


class WebPlace(RemotePlace):
    """See `places.Place`."""

    lists = False

    def _options(self) -> dict[str, Any]:
        session: dict[str, Any] = {"trust_env": True, "auto_decompress": False}
        if self.address.user:
            # Not in the address, which the driver logs.
            said = base64.b64encode(unquote(self.address.user).encode()).decode("ascii")
            session["headers"] = {"Authorization": f"Basic {said}"}
        return {"client_kwargs": session, "allow_redirects": False, "headers": {"Accept-Encoding": "identity"}}

    def _opened(self, path: str) -> Any:
        # As a stream, and not asked for its size before: the driver takes every answer to that for a missing file.
        file = self._files.open(path, "rb", block_size=0, size=1)
        if file.r.status in _MOVED:
            file.close()
            raise PlaceError(
                f"{self.address.shown} sends elsewhere, which is not followed", "give the address that it sends to"
            )
        return file

    def _path(self, name: str) -> str:
        return f"{self.address.protocol}://{self._root}/{name}"
