"""From a call to the body of its answer, in the server and in its worker. All errors of tools are caught here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from loregraph.errors import LoregraphError
from loregraph.mcp_server import budget, errors, log, profiles, registry, validation
from loregraph.mcp_server.analyst import SMALLER, AnalysisLimitError

if TYPE_CHECKING:
    from loregraph.mcp_server.call import Call


Body = dict[str, Any]


def answered(call: Call, profile: profiles.Profile, name: str, arguments: dict[str, Any]) -> tuple[bytes, str]:
    """The answer's body as JSON within its token budget, and "ok" or the error's code."""
    most, rest = budget.DEFAULT_TOKENS, ""

    def work() -> tuple[Body, str]:
        nonlocal most, rest
        tool = profiles.find(profile, name)
        values = validation.read(tool.arguments, arguments)
        most, rest = getattr(values, "max_tokens", most), tool.rest
        if tool.apart and not call.workspace.in_worker:
            analyst = call.workspace.analyst
            body, outcome = analyst.answer(profile.name, name, arguments, call.correlation_id, call.cancelled)
            return msgspec.json.decode(body), outcome
        given = {field: getattr(values, field) for field in values.__struct_fields__}
        return tool.body(plain(tool.function(call, **given))), "ok"

    def attempt() -> tuple[Body, str]:
        return guarded(call.workspace.root, call.correlation_id, work, tool=name[:100])

    def current() -> tuple[Body, str]:
        from loregraph.mcp_server.staleness import current_answer

        assert call.live is not None
        return current_answer(call, call.live, arguments, attempt)

    tool = registry.TOOLS.get(name)
    if call.live is not None and (tool is None or (tool.reads and tool.lane != registry.JOBS)):
        body, outcome = guarded(call.workspace.root, call.correlation_id, current, tool=name[:100])
    else:
        body, outcome = attempt()
    if outcome == "ok":
        body = budget.fit(body, most, rest)
    return encoded(body), outcome


def guarded(root: Path, correlation_id: str, work: Callable[[], tuple[Body, str]], **logged: str) -> tuple[Body, str]:
    """The result of `work`, or the body and code of the error that it raised."""
    try:
        return work()
    except LoregraphError as error:
        body = errors.body(error, root, correlation_id)
    except MemoryError:
        body = errors.body(AnalysisLimitError("this needs more memory than it may have", SMALLER), root, correlation_id)
    except Exception as error:
        log.write("ERROR", "unexpected", **logged, correlation_id=correlation_id, exception=log.traced(error))
        body = errors.unexpected(correlation_id)
    return body, body["error"]["code"]


def plain(output: Any) -> dict[str, Any]:
    """An answer as JSON values. Invalid Unicode, as in some file names, is replaced."""
    body: dict[str, Any] = msgspec.json.decode(encoded(output))
    return body


def encoded(output: Any) -> bytes:
    """`output` as JSON, with invalid Unicode replaced."""
    try:
        return msgspec.json.encode(output)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(output), ensure_ascii=False)
        return text.encode("utf-8", "replace")
