"""Who may ask the viewer: the person who was given its address, from pages of its own.

It listens on the loopback address only, but every page that this person has open in a browser can send requests there.
So a request needs a cookie that the address with the token sets, `Host` must be the address itself (a name that is made
to lead to it is another site's: DNS rebinding), `Origin` and `Sec-Fetch-Site` must be the viewer's own, and a form
brings a key that only its own pages have. Cookies do not keep ports apart: hence the port in its name.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    # Nothing is told to other sites. To ourselves it is: with "no-referrer" the `Origin` of our forms would be "null".
    (b"referrer-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
TOKEN_BYTES: Final = 32
MOST_FIELDS: Final = 100
OWN_SITES: Final = (None, "same-origin", "none")
"""What a browser says of who sent a request: one of our pages, or the person at the address line."""


class Access:
    """The secrets of one run of the viewer at `port`; `token` is random and long. Thread-safe."""

    def __init__(self, token: str, port: int) -> None:
        self.token = token
        self.port = port
        self._tickets: set[str] = set()

    @property
    def hosts(self) -> tuple[str, ...]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    @property
    def address(self) -> str:
        """What the person opens."""
        return f"http://{self.hosts[0]}/?token={self.token}"

    def ticket(self) -> str:
        """An address that lets in one browser once: others on this machine can read the arguments of a command."""
        ticket = secrets.token_urlsafe(TOKEN_BYTES)
        self._tickets.add(ticket)
        return f"http://{self.hosts[0]}/?token={ticket}"

    @property
    def cookie_name(self) -> str:
        return f"loregraph-{self.port}"

    @property
    def session(self) -> str:
        """The cookie's value."""
        return self._derived("session")

    @property
    def key(self) -> str:
        """What a form brings along."""
        return self._derived("form")

    def _derived(self, purpose: str) -> str:
        return hmac.new(self.token.encode(), purpose.encode(), hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        """Whether it lets in; a ticket does only once."""
        held = next((one for one in tuple(self._tickets) if hmac.compare_digest(given.encode(), one.encode())), None)
        if held is not None:
            self._tickets.discard(held)
            return True
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_key(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.key.encode())

    def is_known(self, cookies: str) -> bool:
        try:
            held = SimpleCookie(cookies).get(self.cookie_name)
        except CookieError:
            return False
        return held is not None and hmac.compare_digest(held.value.encode(), self.session.encode())


# Implements REQ-WEB-002.
class Guard:
    """Passes only requests that may be answered to `app`, and adds the headers of all answers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # lifespan
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        status, reason = self._refusal(scope)
        if status == 200:
            await self._let_in(sent)
        elif status:
            await refused(sent, status, reason)
        else:
            await self._app(scope, receive, sent)

    def _refusal(self, scope: Scope) -> tuple[int, str]:
        """(0, "") for a request to be answered, (200, "") for one that brings the token, else a status and why."""
        headers = single(scope["headers"])
        if headers is None:
            return 400, "A header stands twice."
        if headers.get("host", "").lower() not in self._access.hosts:
            return 421, "This is not the address of the viewer."
        method = scope["method"]
        if method not in ("GET", "HEAD", "POST"):
            return 405, "Only GET and POST are answered."
        origin = headers.get("origin")
        if origin is not None and origin not in [f"http://{host}" for host in self._access.hosts]:
            return 403, "A page of another site asked."
        try:
            given = (
                parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=MOST_FIELDS).get("token")
                if (method == "GET" and scope["path"] == "/")
                else None
            )
        except ValueError:
            return 400, "The address has too many fields."
        if given is not None:
            if len(given) == 1 and self._access.is_token(given[0]):
                return 200, ""
            return 403, "The token is not that of this run: open the address that `loregraph view` printed."
        if headers.get("sec-fetch-site") not in OWN_SITES:
            return 403, "A page of another site asked."
        if not self._access.is_known(headers.get("cookie", "")):
            return 403, "Open the address that `loregraph view` printed: it lets this browser in."
        if method == "POST" and origin is None:
            return 403, "A form has to say where it comes from."
        return 0, ""

    async def _let_in(self, send: Send) -> None:
        """Sets the cookie on a page that goes on by itself: a redirect would still count as sent by whoever linked to
        the address, and the cookie would be withheld."""
        from loregraph.pages.rendering import render

        access = self._access
        page = render("closed.html", {"title": "loregraph", "message": "Opening the viewer.", "address": "/"})
        cookie = f"{access.cookie_name}={access.session}; Path=/; HttpOnly; SameSite=Strict"
        await answered(send, 200, page, {"set-cookie": cookie})


def single(headers: list[tuple[bytes, bytes]]) -> Mapping[str, str] | None:
    """The headers that decide, by name; None where one stands twice."""
    deciding = ("host", "origin", "cookie", "sec-fetch-site")
    found: dict[str, str] = {}
    for name, value in headers:
        key = name.decode("latin-1").lower()
        if key in deciding:
            if key in found:
                return None
            found[key] = value.decode("latin-1")
    return found


async def refused(send: Send, status: int, reason: str) -> None:
    from loregraph.pages.rendering import render

    page = render("closed.html", {"title": "Not answered", "message": reason, "address": ""})
    await answered(send, status, page, {"connection": "close"})


async def answered(send: Send, status: int, page: str, extra: Mapping[str, str]) -> None:
    body = page.encode()
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        **extra,
    }
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
