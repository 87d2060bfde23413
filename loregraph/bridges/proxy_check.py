"""`loregraph proxy --check`: checks the file's mappings against the upstream's tools."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from msgspec import UNSET

from loregraph.bridges import messages
from loregraph.bridges.lines import shown
from loregraph.bridges.messages import Message
from loregraph.bridges.proxy_file import Fault, ProxyFile, step, target_of
from loregraph.bridges.session import Session
from loregraph.bridges.upstream import SECONDS, Outcome, Upstream
from loregraph.errors import UpstreamError

PAGES: Final = 100
"""Maximum tools/list pages; more means a loop."""
MAX_TOOLS: Final = 10_000
"""Maximum tools examined."""
LISTED: Final = 50
"""Maximum names listed in a fault."""


def check(file: ProxyFile, *, seconds: float = SECONDS) -> tuple[dict[str, str], list[Fault]]:
    """The upstream's identity, and the faults of the file. Raises UpstreamError."""
    upstream = Upstream(file.launch, on_request=lambda _: None, on_notification=lambda _: None, seconds=seconds)
    try:
        session = Session(upstream)
        failure = opened(session)
        if failure is not None:
            raise failure
        return session.server, list(faults_against(file, tools_of(session)))
    finally:
        upstream.close()


def opened(session: Session) -> UpstreamError | None:
    """Waits until the session is open. Returns the reason if it cannot be opened."""
    failures: list[UpstreamError | None] = []
    done = threading.Event()

    def then(failure: UpstreamError | None) -> None:
        failures.append(failure)
        done.set()

    session.when_open(then)
    done.wait()
    return failures[0]


def tools_of(session: Session) -> dict[str, dict[str, Any]]:
    """The upstream's tools by name, from all pages."""
    tools: dict[str, dict[str, Any]] = {}
    cursor: Any = None
    for _ in range(PAGES):
        found, cursor = page_of(ask(session, "tools/list", {} if cursor is None else {"cursor": cursor}))
        tools |= dict(islice(found.items(), MAX_TOOLS - len(tools)))
        if cursor is None or len(tools) >= MAX_TOOLS:
            break
    return tools


def page_of(outcome: Outcome) -> tuple[dict[str, dict[str, Any]], Any]:
    """The valid tools in an answer to tools/list by name, and the cursor of the next page."""
    if isinstance(outcome, UpstreamError) or outcome.error is not UNSET:
        return {}, None
    body = messages.read_object(outcome.result)
    found = body.get("tools")
    named = (tool for tool in (found if isinstance(found, list) else ()) if isinstance(tool, dict))
    return {tool["name"]: tool for tool in named if isinstance(tool.get("name"), str)}, body.get("nextCursor")


def ask(session: Session, method: str, params: dict[str, Any]) -> Message:
    """Sends a request and waits for its answer. Raises UpstreamError."""
    answers: list[Outcome] = []
    done = threading.Event()

    def answered(outcome: Outcome) -> None:
        answers.append(outcome)
        done.set()

    session.request(method, params, answered)
    done.wait()
    outcome = answers[0]
    if isinstance(outcome, UpstreamError):
        raise outcome
    if outcome.error is not UNSET:
        error = messages.error_of(outcome)
        raise UpstreamError(f"the upstream server refused {method}: {shown(error.message)} ({error.code})")
    if messages.size_of(outcome.result) > messages.MAX_READ:
        raise UpstreamError(f"the upstream server answered {method} with more than {messages.MAX_READ:,} bytes")
    return outcome


def faults_against(file: ProxyFile, tools: Mapping[str, dict[str, Any]]) -> Iterator[Fault]:
    """Names in the file that the upstream does not have, and required parameters that are missing."""
    for number, entry in enumerate(file.source):
        at = f"$.tools[{number}].upstream"
        name, mapping = entry["upstream"]["tool"], entry["upstream"].get("paramMapping", {})
        if name not in tools:
            yield f"{at}.tool", f"the upstream has no tool {name!r}; it has {listed(tools)}"
            continue
        schema = tools[name].get("inputSchema")
        schema = schema if isinstance(schema, dict) else {}
        for mine, theirs in mapping.items():
            fault = fault_of_path(schema, schema, target_of(theirs))
            if fault:
                yield step(f"{at}.paramMapping", mine), f"{name!r} has no parameter {theirs!r}; {fault}"
        reached = {target_of(theirs)[0] for theirs in mapping.values()}
        for needed in as_list(schema.get("required")):
            if isinstance(needed, str) and needed not in reached:
                yield f"{at}.paramMapping", f"{name!r} needs {shown(needed)!r}, and nothing is mapped to it"
        for needed in entry["inputSchema"].get("required", []):
            if needed not in mapping:
                yield f"{at}.paramMapping", f"{needed!r} is required of hosts and mapped to nothing"


def fault_of_path(root: dict[str, Any], schema: Any, path: tuple[str, ...]) -> str:
    """Why `path` is not in `schema`, "" where it is or where the schema does not tell."""
    shapes = list(shapes_of(root, schema))
    properties: dict[str, Any] = {}
    for shape in shapes:
        found = shape.get("properties")
        properties |= found if isinstance(found, dict) else {}
    if path[0] in properties:
        return fault_of_path(root, properties[path[0]], path[1:]) if path[1:] else ""
    if properties or any(shape.get("additionalProperties") is False for shape in shapes):
        return f"there is {listed(properties)}"
    kinds = {kind for shape in shapes for kind in as_list(shape.get("type")) if isinstance(kind, str)}
    if kinds and "object" not in kinds:
        return f"{path[0]!r} would be in a {' or '.join(sorted(kinds))}"
    return ""


def shapes_of(root: dict[str, Any], schema: Any) -> Iterator[dict[str, Any]]:
    """`schema` and the schemas that it refers to or combines, each once: references may be cyclic and shared."""
    open_: list[Any] = [schema]
    seen: set[int] = set()
    while open_:
        shape = open_.pop()
        if not isinstance(shape, dict) or id(shape) in seen:
            continue
        seen.add(id(shape))
        yield shape
        inner = [part for key in ("allOf", "anyOf", "oneOf") for part in as_list(shape.get(key))]
        reference = shape.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/"):
            found: Any = root
            for part in reference[2:].split("/"):
                found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
            inner.insert(0, found)
        open_ += reversed(inner)


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def listed(names: Mapping[str, Any]) -> str:
    told = ", ".join(shown(name) for name in islice(names, LISTED))
    return f"{told} and {len(names) - LISTED:,} more" if len(names) > LISTED else told or "none"
