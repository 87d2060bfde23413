"""The record of one file: which of its calls and declarations register, mount and request endpoints.

A call counts only where it is known what its receiver is (`view`, `kinds`): `.get("/x")` may be a dictionary's.
"""

from __future__ import annotations

from typing import Final

from loregraph.indexer.endpoints import declared, kinds, rpc_files, topics, url_patterns
from loregraph.indexer.endpoints.clients import addressed, called_function, described, generic_request
from loregraph.indexer.endpoints.collecting import Collected
from loregraph.indexer.endpoints.exported import exported
from loregraph.indexer.endpoints.mentions import may_have_rpcs
from loregraph.indexer.endpoints.model import FileEndpoints, Rpc
from loregraph.indexer.endpoints.routers import called_method, passed_on
from loregraph.indexer.facts import Call, FileFacts

MAX_ENTRIES: Final = 20_000
"""Routes, mounts and requests of one file; what is beyond is counted."""


# Implements REQ-NET-001.
def collect(facts: FileFacts, source: bytes) -> FileEndpoints:
    """The record of a file with this text."""
    c = Collected(facts, source)
    found = rpc_files.collect(c, MAX_ENTRIES) if may_have_rpcs(facts) else ()
    return _record(c, found)


def _record(c: Collected, rpcs: tuple[Rpc, ...]) -> FileEndpoints:
    for number, call in enumerate(c.facts.calls):
        if len(c.routes) + len(c.mounts) + len(c.requests) >= MAX_ENTRIES:
            c.cut += 1
            continue
        function = call.function
        if function[0] == "a":
            if function[2] in kinds.METHODS:
                called_method(c, number, call)
            elif function[2] in kinds.ADDRESSED:
                addressed(c, call)
            elif function[2] == "request":
                generic_request(c, call, (0, 1))
        if function[0] in ("n", "a"):
            name = function[1] if function[0] == "n" else function[2]
            if name in kinds.CALLED or (function[0] == "n" and (name in c.view.imports or _is_described(call))):
                called_function(c, number, call)
            if c.is_ecmascript and call.arguments:
                described(c, call)
    passed_on(c)
    url_patterns.collect(c)
    declared.collect(c)
    topics.collect(c)
    exported(c)
    return FileEndpoints(
        tuple(router for _, router in sorted(c.routers.items())),
        tuple(c.routes),
        tuple(c.mounts),
        tuple(c.requests),
        dict(sorted(c.names.items())),
        c.cut + c.texts.cut,
        rpcs,
    )


def _is_described(call: Call) -> bool:
    """Whether a call is given an object: `api({url, method})`."""
    return bool(call.arguments) and call.arguments[0][0] == "d"
