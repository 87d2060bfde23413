"""The server: tools and resources of a profile, answered by functions that run in threads.

Built on the SDK's low-level server: schemas are our own (short), arguments are checked strictly, and no tool module is
imported before `initialize` has been answered.
"""

from __future__ import annotations

import threading
import time
import uuid
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from loregraph import __version__
from loregraph.errors import LoregraphError
from loregraph.mcp_server import log, profiles
from loregraph.mcp_server.live import Live
from loregraph.mcp_server.sessions import Sessions
from loregraph.mcp_server.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

    from loregraph.mcp_server.call import Call
    from loregraph.mcp_server.jobs import Jobs
    from loregraph.mcp_server.registry import Tool

NAME: Final = "loregraph"
SESSION_HEADER: Final = "mcp-session-id"
AFTER_ANSWER: Final = 0.05
"""Seconds between the first answer and preloading for the next ones."""

Context = Any


class Service:
    """One server for one project. `server` is run by a transport; `close` ends its jobs."""

    def __init__(
        self, workspace: Workspace, profile: str = profiles.DEFAULT, *, warm: bool = False, watch: bool = False
    ) -> None:
        """`warm`: preloads after the first answer. `watch`: brings the graph up to date, from then on."""
        self.workspace = workspace
        self.profile = profiles.get(profile)
        resources = self.profile.resources
        self.server: Server[Any] = Server(
            NAME,
            version=__version__,
            title="loregraph",
            instructions=self.profile.instructions,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources if resources else None,
            on_read_resource=self._read_resource if resources else None,
        )
        if warm or watch:
            self.server.middleware.append(self._warm_after_first)
        self._warms, self._warmed = warm, not (warm or watch)
        self.live = Live(workspace, watch=watch)
        self._lanes: dict[str, anyio.CapacityLimiter] = {}
        self._listed: list[types.Tool] | None = None
        self._sessions = Sessions()

    def close(self) -> None:
        if "jobs" in self.__dict__:
            self.jobs.close()
        self.live.close()
        self.workspace.close()

    @cached_property
    def jobs(self) -> Jobs:
        from loregraph.mcp_server.jobs import Jobs

        return Jobs(self.workspace.root, self._after_job)

    def _after_job(self) -> None:
        if self._warms:
            self.workspace.warm()
        self.live.before_call()

    # tools

    async def _list_tools(self, context: Context, params: Any) -> types.ListToolsResult:
        if self._listed is None:
            self._listed = [listed(*found) for found in profiles.load(self.profile)]
        return types.ListToolsResult(tools=self._listed)

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        from loregraph.mcp_server.call import Call

        call = Call(
            self.workspace,
            self.jobs,
            uuid.uuid4().hex,
            client_of(context),
            reporter(context),
            live=self.live,
            sent=self._sessions.sent(session_of(context)),
        )
        started = time.monotonic()
        lane = await self._lane(params.name)
        try:
            answer, outcome = await anyio.to_thread.run_sync(
                partial(self._answer, call, params.name, params.arguments or {}),
                abandon_on_cancel=True,
                limiter=lane,
            )
        except anyio.get_cancelled_exc_class():
            call.cancelled.set()
            self.workspace.analyst.cancel(call.cancelled)
            self._log(call, params.name, started, "cancelled")
            raise
        self._log(call, params.name, started, outcome)
        return answer

    async def _lane(self, tool: str) -> anyio.CapacityLimiter:
        """The queue for calls of the tool."""
        from loregraph.mcp_server.registry import LANES, TOOLS

        if tool in TOOLS:
            name = TOOLS[tool].lane
        else:  # not in this thread: it imports the tool's module
            name = await anyio.to_thread.run_sync(profiles.lane, self.profile, tool)
        if name not in self._lanes:
            self._lanes[name] = anyio.CapacityLimiter(LANES[name])
        return self._lanes[name]

    def _answer(self, call: Call, name: str, arguments: dict[str, Any]) -> tuple[types.CallToolResult, str]:
        """Runs the tool in this thread. Returns the outcome for the log, too."""
        from loregraph.mcp_server import answers

        self.workspace.name_project()
        body, outcome = answers.answered(call, self.profile, name, arguments)
        return result(body, is_error=outcome != "ok"), outcome

    def _log(self, call: Call, tool: str, started: float, outcome: str) -> None:
        log.write(
            "INFO" if outcome in ("ok", "cancelled") else "WARNING",
            "tool call",
            tool=tool[:100],
            correlation_id=call.correlation_id,
            project_id=self.workspace.project_id,
            duration_ms=round((time.monotonic() - started) * 1000, 1),
            outcome=outcome,
        )

    # resources

    async def _list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=uri, name=name, description=description, mime_type="application/json")
                for uri, (name, description) in self.profile.resources.items()
            ]
        )

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        started, correlation_id = time.monotonic(), uuid.uuid4().hex
        if uri not in self.profile.resources:
            raise MCPError(code=types.INVALID_PARAMS, message=f"there is no resource {uri}", data={"uri": uri})
        outcome, text = await anyio.to_thread.run_sync(partial(self._resource, uri, correlation_id))
        log.write(
            "INFO" if outcome == "ok" else "WARNING",
            "resource read",
            resource=uri,
            correlation_id=correlation_id,
            project_id=self.workspace.project_id,
            duration_ms=round((time.monotonic() - started) * 1000, 1),
            outcome=outcome,
        )
        if outcome != "ok":
            raise MCPError(code=types.INTERNAL_ERROR, message=text, data={"uri": uri, "code": outcome})
        contents = types.TextResourceContents(uri=uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    def _resource(self, uri: str, correlation_id: str) -> tuple[str, str]:
        from loregraph.mcp_server import errors, resources

        try:
            return "ok", resources.read(self.workspace, uri)
        except LoregraphError as error:
            told = errors.body(error, self.workspace.root, correlation_id)["error"]
        except Exception as error:
            log.write("ERROR", "unexpected", resource=uri, correlation_id=correlation_id, exception=log.traced(error))
            told = errors.unexpected(correlation_id)["error"]
        return told["code"], told["message"]

    # preloading

    async def _warm_after_first(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        answer = await call_next(ctx)
        if not self._warmed and ctx.request_id is not None:
            self._warmed = True
            # Late enough for the answer to be sent: importing blocks the interpreter for a second.
            timer = threading.Timer(AFTER_ANSWER, self._warm)
            timer.daemon = True
            timer.start()
        return answer

    def _warm(self) -> None:
        if self._warms:
            profiles.load(self.profile)
            self.workspace.warm()
        self.live.start()


def result(body: bytes, *, is_error: bool = False) -> types.CallToolResult:
    """`body`, JSON, as structured content and, the same, as text."""
    import msgspec

    content: list[Any] = [types.TextContent(type="text", text=body.decode())]
    return types.CallToolResult(content=content, structured_content=msgspec.json.decode(body), is_error=is_error)


# Implements REQ-MCP-009.
def listed(tool: Tool, description: str, shown: profiles.Shown) -> types.Tool:
    """The tool as listed to clients."""
    from loregraph.mcp_server import schema

    return types.Tool(
        name=tool.name,
        description=description,
        input_schema=schema.arguments_schema(tool.arguments, shown),
        output_schema=schema.output_schema(tool.output, tool.shows, brief=shown.brief),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads, destructive_hint=tool.destroys, idempotent_hint=tool.repeats
        ),
    )


def session_of(context: Context) -> str | None:
    """The key of the session that a call belongs to: over HTTP its id, None where it has none; else there is one."""
    if context.request is None:
        return ""
    key: str | None = context.request.headers.get(SESSION_HEADER)
    return key


def client_of(context: Context) -> str:
    """The client's name, "" where it gave none."""
    params = context.session.client_params
    return params.client_info.name if params is not None and params.client_info is not None else ""


def asked_in_process(context: Context) -> bool:
    """Whether a client in this process wants progress: it passes a function, not a token, which the SDK does not
    show."""
    outbound = getattr(context.session, "_request_outbound", None)
    return getattr(getattr(outbound, "_inner", outbound), "_on_progress", None) is not None


def reporter(context: Context) -> Any:
    """Sends progress from a call's thread; None where the client did not ask for it."""
    if (context.meta or {}).get("progress_token") is None and not asked_in_process(context):
        return None

    def report(progress: float, message: str) -> None:
        anyio.from_thread.run(context.session.report_progress, progress, 1.0, message)

    return report
