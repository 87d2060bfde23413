"""The application: addresses to pages. Every question is answered in a thread, with a project of its own."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

from loregraph.errors import LoregraphError
from loregraph.pages import assets
from loregraph.pages.links import Links
from loregraph.pages.page import Answer, Data, File, Moved, Page, Part
from loregraph.viewer import frame
from loregraph.viewer.asked import Asked
from loregraph.viewer.routes import ACTIONS, DATA, PAGES, PARTS, Answering
from loregraph.viewer.security import Access, Guard

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from loregraph.viewer.served import ServedProject

THREADS: Final = 6
MOST_FIELDS: Final = 200
MOST_BODY: Final = 2 << 20
"""Bytes of a posted form: a memory may be long."""
BODY_SECONDS: Final = 20.0
EVENT_SECONDS: Final = 0.5
"""How often it is looked whether the graph has changed: two calls of `stat`."""
BEAT_SECONDS: Final = 15.0
"""How often something is sent although nothing changed, so that a lost connection shows."""

log: Final = logging.getLogger("loregraph.viewer")


class Service:
    """The pages of one project for those whom `access` lets in."""

    def __init__(self, served: ServedProject, access: Access, links: Links | None = None) -> None:
        self.served = served
        self.access = access
        self.links = links or Links()
        self._limiter: Any = None
        self._ending = asyncio.Event()

    def application(self) -> ASGIApp:
        from starlette.applications import Starlette
        from starlette.routing import Route

        routes = [
            Route(prefix + name, self._endpoint(function, prefix), methods=[method])
            for prefix, table, method in (
                ("", PAGES, "GET"),
                ("/part/", PARTS, "GET"),
                ("/data/", DATA, "GET"),
                ("/do/", ACTIONS, "POST"),
            )
            for name, function in table.items()
        ]
        routes.append(Route("/assets/{name}", self._asset, methods=["GET"]))
        routes.append(Route("/events", self._events, methods=["GET"]))
        app = Starlette(routes=routes, exception_handlers={404: self._missing, 405: self._missing})
        return Guard(app, self.access)

    def end(self) -> None:
        """Ends the streams of events, which would keep the server from ending."""
        self._ending.set()

    def _endpoint(self, function: Answering, prefix: str) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            posted = await self._form(request) if request.method == "POST" else None
            query = fields(request.scope["query_string"].decode("latin-1"))
            if posted is None and request.method == "POST":
                return self._plain(413, "the form is too large, or not a form")
            if posted is not None and not self.access.is_key((posted.get("key") or ("",))[0]):
                return self._plain(403, "the form is not of this run of the viewer: reload the page and try again")
            return await self._in_thread(self._answer, function, {**query, **(posted or {})}, prefix)

        return endpoint

    async def _form(self, request: Request) -> Mapping[str, tuple[str, ...]] | None:
        import anyio

        from loregraph.http_connections import whole

        if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return None
        try:
            with anyio.fail_after(BODY_SECONDS):
                body = await whole(request.receive, MOST_BODY)
        except (TimeoutError, ValueError):
            return None
        return None if body is None else fields(body.decode("latin-1"))

    async def _in_thread(self, function: Callable[..., Response], *arguments: Any) -> Response:
        import anyio

        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(THREADS)
        return await anyio.to_thread.run_sync(lambda: function(*arguments), limiter=self._limiter)

    def _answer(self, function: Answering, values: Mapping[str, tuple[str, ...]], prefix: str) -> Response:
        with self.served.reading() as project:
            kept = self.served.kept(self.served.state())
            asked = Asked(project, self.links, values, kept, writes=True)
            try:
                return self._response(function(asked), asked)
            except LoregraphError as error:
                failed = frame.error_page(error) if prefix not in ("/part/", "/data/") else frame.error_part(error)
                return self._response(failed, asked)
            except Exception:
                # The top of this front end: what nobody foresaw ends one answer, not the viewer.
                log.exception("a page could not be made")
                unforeseen = LoregraphError(
                    "loregraph could not make this page", "its log has the details; please report it"
                )
                return self._response(frame.error_page(unforeseen), asked)

    def _response(self, answer: Answer, asked: Asked) -> Response:
        import msgspec
        from starlette.responses import RedirectResponse, Response

        fresh = {"cache-control": "no-store"}
        if isinstance(answer, Moved):
            return RedirectResponse(answer.address, status_code=303, headers=fresh)
        if isinstance(answer, Data):
            return Response(msgspec.json.encode(answer.value), media_type="application/json", headers=fresh)
        if isinstance(answer, File):
            name = "".join(c if c.isalnum() or c in "-_." else "_" for c in answer.name if c.isascii())
            attached = {**fresh, "content-disposition": f'attachment; filename="{name}"'}
            return Response(answer.content, media_type=answer.media_type, headers=attached)
        key = self.access.key
        if isinstance(answer, Part):
            text = frame.fragment(answer, asked, key=key)
        else:
            text = frame.whole_page(answer, asked, state_line(asked), key=key)
        content = text.encode("utf-8", "backslashreplace")
        return Response(content, status_code=answer.status, media_type="text/html; charset=utf-8", headers=fresh)

    async def _asset(self, request: Request) -> Response:
        from starlette.responses import Response

        name = request.path_params["name"]
        content = assets.asset(name)
        if content is None:
            return self._plain(404, "there is no such file")
        headers = {"cache-control": "max-age=31536000, immutable"}
        return Response(content, media_type=assets.MEDIA_TYPES[name], headers=headers)

    async def _missing(self, request: Request, error: Exception) -> Response:
        def make(asked: Asked) -> Answer:
            return Page(
                "Not found",
                "error.html",
                {"message": "There is no such page.", "suggestion": "", "candidates": ()},
                status=404,
            )

        return await self._in_thread(self._answer, make, {}, "")

    async def _events(self, request: Request) -> Response:
        from starlette.responses import StreamingResponse

        return StreamingResponse(
            self._changes(request), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    async def _changes(self, request: Request) -> AsyncIterator[bytes]:
        """An event for the state of the graph now, and for each later one."""
        import anyio

        known, silent = "", 0.0
        while not self._ending.is_set() and not await request.is_disconnected():
            state = await anyio.to_thread.run_sync(self.served.state)
            if state != known:
                known, silent = state, 0.0
                digest = hashlib.sha256(state.encode()).hexdigest()[:16]
                yield f"event: graph\ndata: {digest}\n\n".encode()
            elif silent >= BEAT_SECONDS:
                silent = 0.0
                yield b": still here\n\n"
            silent += EVENT_SECONDS
            try:
                await asyncio.wait_for(self._ending.wait(), EVENT_SECONDS)
            except TimeoutError:
                continue

    def _plain(self, status: int, text: str) -> Response:
        from starlette.responses import PlainTextResponse

        return PlainTextResponse(text, status_code=status, headers={"cache-control": "no-store"})


def fields(text: str) -> dict[str, tuple[str, ...]]:
    """The fields of a query or form, each with its values in order. Raises nothing: what is too much is left out."""
    found: dict[str, tuple[str, ...]] = {}
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return {}
    for name, value in pairs:
        found[name] = (*found.get(name, ()), value)
    return found


def state_line(asked: Asked) -> str:
    """The line at the bottom: which graph is shown, and whether files have changed since."""
    try:
        current = asked.project.store.current()
        behind = asked.project.behind()
    except LoregraphError as error:
        return error.message
    if current is None:
        return "not indexed"
    changed = len(behind.changed) + behind.unsure
    late = f" · {changed:,} changed files are not in it yet" if changed else ""
    return f"graph {current.generation}{late}"
