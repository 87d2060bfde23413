"""The records of all files → `Endpoint` nodes, HANDLES and REQUESTS edges.

Prefixes cross files: a router is mounted on others, those on others again, until an application. A router that is
mounted several times answers at several paths. Bounds count routes and paths, and what they leave out is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import Struct

from loregraph.graph.endpoint_paths import agree, agree_literally, normalised, segments
from loregraph.graph.model import Edge, Endpoint
from loregraph.indexer.endpoints.how import CONFIDENCE
from loregraph.indexer.endpoints.kinds import KINDS
from loregraph.indexer.endpoints.model import (
    ANY,
    CALLED,
    DECLARED,
    GRPC,
    HTTP,
    TOPIC,
    FileEndpoints,
    Request,
    Route,
)
from loregraph.indexer.endpoints.references import Context, Place
from loregraph.indexer.endpoints.services import Services
from loregraph.indexer.problems import PathProblem

# Implements REQ-NET-006.
MAX_PATHS: Final = 64
"""Prefixes of one router: it may be mounted many times."""
MAX_MOUNTS: Final = 32
"""Routers above one another."""
MAX_ENDPOINTS: Final = 50_000
MAX_TOPIC: Final = 255
"""Characters of a topic's name: brokers take no more."""
MAX_VIEW_METHODS: Final = 40
_METHODS: Final = {name: name.upper() for name in ("get", "post", "put", "delete", "patch", "head", "options")}
_VIEWSET: Final = (
    ("list", "GET", False), ("create", "POST", False), ("retrieve", "GET", True), ("update", "PUT", True),
    ("partial_update", "PATCH", True), ("destroy", "DELETE", True),
)  # fmt: skip
_HOST: Final = re.compile(r"(?:https?|wss?|lb)://([^/]*)")
_SCHEME: Final = re.compile(r"\A\x00://")
_SLASHES: Final = re.compile(r"//+")
_LOCAL: Final = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|[A-Za-z][\w-]*|\x00.*|.*\x00)(?::[\d\x00]*)?")
"""Hosts of the project's own services: this machine, a name without dots, one that is not known."""


class Joined(Struct, frozen=True):
    """What the records give: nodes, edges sorted by identity, the files that the result depends on besides those with a
    record, and what was left out."""

    nodes: tuple[Endpoint, ...]
    edges: tuple[Edge, ...]
    consulted: frozenset[str]
    problems: tuple[PathProblem, ...] = ()


class _Answer(NamedTuple):
    """One handled path."""

    method: str
    path: str
    known: bool
    """Whether its beginning is known."""


# Implements REQ-NET-001, REQ-NET-003.
def join(records: Mapping[str, FileEndpoints], context: Context) -> Joined:
    """The endpoints of a project. `records` are those of the files that have any, `context` answers for all files."""
    return _Join(records, context).joined()


class _Join:
    def __init__(self, records: Mapping[str, FileEndpoints], context: Context) -> None:
        self.records = dict(sorted(records.items()))
        self.context = context
        context.records = self.records
        self.mounts: dict[tuple[str, str], list[tuple[tuple[str, str], str]]] = {}
        self.prefixes: dict[tuple[str, str], list[tuple[str, bool]]] = {}
        self.rows = {(path, row.key): row for path, record in self.records.items() for row in record.routers}
        self.nodes: dict[str, Endpoint] = {}
        self.edges: dict[tuple[str, str, str], Edge] = {}
        self.taken: frozenset[str] = frozenset()
        """The ids of the topics that something handles."""
        self.cut: dict[str, int] = {path: record.cut for path, record in self.records.items() if record.cut}

    def joined(self) -> Joined:
        self._mount()
        for path, record in self.records.items():
            for route in record.routes:
                if route.how != DECLARED:
                    self._handle(path, record, route)
        self._remote()
        answers = _Answers(self.nodes.values())
        self.taken = frozenset(identity for identity, node in self.nodes.items() if node.protocol == TOPIC)
        handled = frozenset(self.nodes)
        for path, record in self.records.items():
            for route in record.routes:
                if route.how == DECLARED:
                    self._declare(path, route, answers)
        declared = _Answers(node for identity, node in self.nodes.items() if identity not in handled)
        for path, record in self.records.items():
            for request in record.requests:
                self._request(path, request, answers, declared)
        problems = tuple(
            PathProblem(path, 0, f"{count:,} routes or requests beyond the limits were left out")
            for path, count in sorted(self.cut.items())
        )
        nodes = tuple(node for _, node in sorted(self.nodes.items()))
        edges = tuple(edge for _, edge in sorted(self.edges.items()))
        return Joined(nodes, edges, frozenset(self.context.consulted), problems)

    # prefixes

    def _mount(self) -> None:
        for path, record in self.records.items():
            for mount in record.mounts:
                parents = [(path, mount.parent)] if mount.parent else self._routers(path, mount.parent_ref, mount.scope)
                if mount.module:
                    children = self._module(path, mount.module)
                elif mount.child:
                    children = [(path, mount.child)]
                else:
                    children = self._routers(path, mount.child_ref, mount.scope)
                text = self.context.text(path, mount.prefix)
                for parent in parents:
                    for child in children:
                        if parent != child:
                            self.mounts.setdefault(child, []).append((parent, text))

    def _module(self, path: str, module: str) -> list[tuple[str, str]]:
        file = self.context.module(path, module)
        record = self.records.get(file) if file is not None else None
        return [] if record is None or file is None else [
            (file, router.key) for router in record.routers if "urlpatterns" in router.names
        ]  # fmt: skip

    def _routers(self, path: str, names: Iterable[str], scope: int) -> list[tuple[str, str]]:
        """The routers that names in a file denote."""
        found = self.context.find(path, tuple(names))
        if found is None:
            return []
        record = self.records.get(found.path)
        if record is None:
            return []
        wanted = found.name
        own = [router.key for router in record.routers if wanted in router.names]
        if not own and not wanted:
            own = [
                router.key for router in record.routers if {"urlpatterns", "=", "default"}.intersection(router.names)
            ]
        if not own and wanted.endswith((f".{CALLED}", CALLED)):
            own = [router.key for router in record.routers if f"{wanted}.{CALLED}" in router.names]
        return [(found.path, key) for key in own]

    def prefixes_of(self, router: tuple[str, str], depth: int = 0) -> list[tuple[str, bool]]:
        """The beginnings of the paths below a router, and whether each is known up to an application."""
        known = self.prefixes.get(router)
        if known is not None:
            return known
        self.prefixes[router] = []  # a cycle gives nothing
        row = self.rows.get(router)
        own = self.context.text(router[0], row.prefix) if row is not None else ""
        if row is not None and row.kind == "nest":
            own = self._global_prefix()
        found: dict[tuple[str, bool], None] = {}
        above = self.mounts.get(router, [])
        if depth < MAX_MOUNTS:
            for parent, prefix in above:
                for before, is_known in self.prefixes_of(parent, depth + 1):
                    found[_put(_put(before, prefix), own), is_known] = None
        if len(found) > MAX_PATHS:
            self.cut[router[0]] = self.cut.get(router[0], 0) + len(found) - MAX_PATHS
        result = list(found)[:MAX_PATHS]
        if not result:
            is_root = row is not None and row.root
            if row is not None and row.kind == "parameter" and not is_root:
                result = []
                if not above and row.key.startswith("p"):
                    result = [("", False)]
            else:
                result = [(own, is_root)]
        self.prefixes[router] = result
        return result

    def _global_prefix(self) -> str:
        """What an application puts before the paths of all classes, where there is one of which that is known."""
        found = {
            self.context.text(path, row.prefix) for (path, _), row in self.rows.items() if row.kind == "nest-global"
        }
        return next(iter(found)) if len(found) == 1 else ""

    # handlers

    def _handle(self, path: str, record: FileEndpoints, route: Route) -> None:
        text = self.context.text(path, route.path)
        if route.protocol == TOPIC and not _is_topic(text):
            return
        if route.path and text.strip("\0/") == "" and "\0" in text:
            return  # nothing is known of where it answers
        prefixes = self.prefixes_of((path, route.key)) if route.key else [("", True)]
        sources = self._sources(path, route)
        for prefix, known in prefixes:
            whole = _put(prefix, text)
            if whole.startswith("\0"):
                whole, known = whole.lstrip("\0"), False
            for method, tail, source, how in sources:
                self._handles(path, method, _put(whole, tail) if tail else whole, source, route, how, known)

    def _sources(self, path: str, route: Route) -> list[tuple[str, str, str, str]]:
        """(method, what comes behind the path, id of the handler or "", how) for each endpoint of a route."""
        handler = ""
        place: Place | None = None
        if route.handler and not route.named:
            handler = f"{path}::{route.handler[0]}"
            place = Place(path, route.handler[0])
        elif route.handler:
            place = self.context.find(path, route.handler)
            if place is None:
                place = self.context.beside(path, route.handler[-1])
            handler = self.context.node(place) if place is not None else ""
        methods = route.methods
        if place is not None and handler:
            view = self.context.class_at(place)
            if view is not None:
                if route.how == "viewset":
                    return self._viewset(place, handler, view)
                if methods == (CALLED,) or methods == (ANY,):
                    own = [
                        (method, "", f"{handler}.{name}" if name in view.methods else handler, "class-view")
                        for name, method in _METHODS.items()
                        if name in view.methods or name in view.inherited
                    ]
                    return own or [(ANY, "", handler, "class-view")]
            elif methods == (ANY,):
                methods = self.context.allowed(place) or methods
        if route.how == "viewset" or methods == (CALLED,):
            methods = (ANY,)
        return [(method, "", handler, route.how if route.how != "viewset" else "class-view") for method in methods]

    def _viewset(self, place: Place, handler: str, view: Any) -> list[tuple[str, str, str, str]]:
        made: list[tuple[str, str, str, str]] = []
        lookup = "{pk}"
        for name, method, detail in _VIEWSET:
            if name in view.methods:
                made.append((method, f"/{lookup}" if detail else "", f"{handler}.{name}", "convention"))
            elif name in view.inherited:
                made.append((method, f"/{lookup}" if detail else "", handler, "convention"))
        for name, methods, detail, tail in view.actions[:MAX_VIEW_METHODS]:
            for method in methods:
                made.append((method, (f"/{lookup}" if detail else "") + f"/{tail}", f"{handler}.{name}", "convention"))
        return made

    def _handles(self, path: str, method: str, whole: str, source: str, route: Route, how: str, known: bool) -> None:
        node = self._endpoint(route.protocol, method, whole, path)
        if node is None:
            return
        if not source:
            source = path
            scope = route.scope
            source = self.context.definition_id(path, scope) or path
            how = "registered" if route.protocol == HTTP else "consumes"
            line = route.line
        else:
            line = self.context.line(source) or route.line
        if not known and how == "route":
            how = "unmounted"
        self._edge("HANDLES", source, node.id, line, how)

    def _endpoint(self, protocol: str, method: str, whole: str, path: str) -> Endpoint | None:
        whole = _tidy(whole) if protocol == HTTP else whole
        identity = f"endpoint:{protocol}:{method}:{normalised(whole) if protocol == HTTP else whole}"
        known = self.nodes.get(identity)
        if known is not None:
            return known
        if len(self.nodes) >= MAX_ENDPOINTS:
            self.cut[path] = self.cut.get(path, 0) + 1
            return None
        name = f"{method} {whole}".strip()
        node = self.nodes[identity] = Endpoint(identity, name, name, method, whole, protocol)
        return node

    def _edge(self, rel: str, source: str, target: str, line: int, how: str) -> None:
        confidence = CONFIDENCE[how]
        key = (rel, source, target)
        before = self.edges.get(key)
        if before is None or (-confidence, line) < (-before.confidence, before.line):
            first = line if before is None else min(line, before.line)
            self.edges[key] = Edge(rel, source, target, line=first, confidence=confidence, how=how)
        elif line < before.line:
            self.edges[key] = Edge(rel, source, target, line=line, confidence=before.confidence, how=before.how)

    # Implements REQ-NET-007.
    def _remote(self) -> None:
        """Remote procedure calls: every declared one is an endpoint."""
        services = Services(self.records)
        for method, path in services.declared():
            self._endpoint(GRPC, "", method, path)
        answered: set[str] = set()
        for call in services.handled(self.context):
            node = self.nodes.get(f"endpoint:{GRPC}::{call.method}")
            if node is not None:
                answered.add(node.id)
                self._edge("HANDLES", call.source, node.id, self.context.line(call.source) or call.line, call.how)
        for call in services.requested(self.context):
            node = self.nodes.get(f"endpoint:{GRPC}::{call.method}")
            if node is not None:
                how = call.how if node.id in answered else "unanswered"
                self._edge("REQUESTS", call.source, node.id, call.line, how)

    # requests

    # Implements REQ-NET-009.
    def _declare(self, path: str, route: Route, answers: _Answers) -> None:
        """A document's endpoint: the one that code handles at this path, at this path without the server's, or behind a
        beginning that the document does not say; else one of its own."""
        base, own = (part if isinstance(part, str) else "" for part in route.path)
        method = route.methods[0]
        found: list[Endpoint] = []
        for whole in dict.fromkeys((base + own, own)):
            found = found or answers.same(method, whole)
        if not found and not base:
            found = answers.behind(method, own)
        if not found:
            made = self._endpoint(HTTP, method, base + own, path)
            found = [made] if made is not None else []
        for node in found:
            key = ("DECLARES", path, node.id)
            before = self.edges.get(key)
            line = route.line if before is None else min(route.line, before.line)
            self.edges[key] = Edge("DECLARES", path, node.id, line=line, how=DECLARED)

    def _request(self, path: str, request: Request, answers: _Answers, declared: _Answers) -> None:
        text = self.context.text(path, request.url)
        if request.protocol == TOPIC:
            self._sent(path, request, text)
            return
        if request.client:
            rows = [self.rows[one] for one in self._routers(path, request.client, -1) if one in self.rows]
            clients = [row for row in rows if row.kind in KINDS and KINDS[row.kind].role == "client"]
            if not clients:
                return
            found_at = self.context.find(path, request.client)
            before = self.context.text(found_at.path, clients[0].prefix) if found_at is not None else ""
            if "://" not in text[:12]:
                text = _put(before, text) if before else text
        bare, is_open = _without_host(text, request.has_base)
        if bare is None:
            return
        source = f"{path}::{request.scope}" if request.scope else path
        found, how = answers.find(request.method, bare, is_open)
        if not found:
            found, how = declared.find(request.method, bare, is_open)
        if request.how in ("test-client", "presumed"):
            if not found or how not in ("same", "open"):
                return
            if request.how == "test-client":
                how = "test-client"
        for node in found:
            said = {"same": "path", "open": "base-url", "tail": "suffix"}.get(how, how)
            self._edge("REQUESTS", source, node.id, request.line, said)
        if not found and request.how == "client" and any(part not in ("{}", "{*}") for part in segments(bare)):
            made = self._endpoint(request.protocol, request.method, bare, path)
            if made is not None:
                self._edge("REQUESTS", source, made.id, request.line, "unanswered")

    # Implements REQ-NET-008.
    def _sent(self, path: str, request: Request, name: str) -> None:
        """A message to a topic, by an object of this file or of another one that makes it."""
        if not _is_topic(name):
            return
        if request.client:
            made = [self.rows[one].kind for one in self._routers(path, request.client, -1) if one in self.rows]
            if request.how not in made:
                return
        node = self._endpoint(TOPIC, "", name, path)
        if node is not None:
            how = "topic" if node.id in self.taken else "unanswered"
            self._edge("REQUESTS", f"{path}::{request.scope}" if request.scope else path, node.id, request.line, how)


class _Answers:
    """The handled endpoints, by the number of their segments and their first literal ones."""

    def __init__(self, nodes: Iterable[Endpoint]) -> None:
        self.by_last: dict[tuple[str, int], list[tuple[list[str], Endpoint]]] = {}
        self.by_tail: dict[str, list[tuple[list[str], Endpoint]]] = {}
        self.rest: list[tuple[list[str], Endpoint]] = []
        for node in nodes:
            if node.protocol != HTTP:
                continue
            parts = segments(node.path)
            if parts and parts[-1] == "{*}":
                if len(parts) > 1 and "{}" not in parts[0]:
                    self.rest.append((parts, node))
                continue
            self.by_last.setdefault((parts[0].lower() if parts else "", len(parts)), []).append((parts, node))
            literal = next((part for part in reversed(parts) if "{}" not in part), "")
            if literal:
                self.by_tail.setdefault(literal.lower(), []).append((parts, node))

    def same(self, method: str, path: str) -> list[Endpoint]:
        """The endpoints of a path that says parameters where they do."""
        wanted = [part.lower() for part in segments(path)]
        near = self.by_last.get((wanted[0] if wanted else "", len(wanted)), ())
        return _best(method, [one for one in near if [part.lower() for part in one[0]] == wanted], wanted)

    def behind(self, method: str, path: str) -> list[Endpoint]:
        """The endpoints of the only path that ends like this one, which is more than one segment."""
        wanted = [part.lower() for part in segments(path)]
        literal = next((part for part in reversed(wanted) if "{" not in part), "")
        longer = [
            (parts, node)
            for parts, node in self.by_tail.get(literal, ())
            if len(parts) > len(wanted) > 1 and [part.lower() for part in parts[len(parts) - len(wanted) :]] == wanted
        ]
        return _best(method, longer, wanted) if len({tuple(parts) for parts, _ in longer}) == 1 else []

    def find(self, method: str, path: str, is_open: bool) -> tuple[list[Endpoint], str]:
        """The endpoints that answer a request, and how that is known."""
        wanted = segments(path)
        literal = next((part for part in reversed(wanted) if "{}" not in part and part != "{*}"), "")
        if not is_open or literal:
            same = [
                (parts, node)
                for first in {wanted[0].lower() if wanted else "", "{}"}
                for parts, node in self.by_last.get((first, len(wanted)), ())
                if agree(wanted, parts)
            ]
            found = _best(method, same, wanted)
            if found:
                return found, "open" if is_open else "same"
        if not literal:
            return [], ""
        near = self.by_tail.get(literal.lower(), ())
        longer = [(parts, node) for parts, node in near if is_open and len(parts) > len(wanted) > 1
                  and agree_literally(wanted, parts[len(parts) - len(wanted):])]  # fmt: skip
        found = _best(method, longer, wanted)
        if found and len({tuple(parts) for parts, _ in longer}) == 1:
            return found, "tail"
        shorter = [(parts, node) for parts, node in near if 0 < len(parts) < len(wanted)
                   and agree_literally(wanted[len(wanted) - len(parts):], parts)]  # fmt: skip
        if shorter:
            most = max(len(parts) for parts, _ in shorter)
            shorter = [(parts, node) for parts, node in shorter if len(parts) == most]
            found = _best(method, shorter, wanted)
            if found and len({tuple(parts) for parts, _ in shorter}) == 1:
                return found, "tail"
        rest = [(parts, node) for parts, node in self.rest if agree(wanted, parts)]
        found = _best(method, rest, wanted)
        return (found, "tail") if found else ([], "")


def _best(method: str, found: list[tuple[list[str], Endpoint]], wanted: list[str]) -> list[Endpoint]:
    """Of endpoints that agree, those of the method, with the fewest parameters."""
    fitting = [(parts, node) for parts, node in found if node.method in (method, ANY)]
    if not fitting:
        return []
    least = min(_loose(parts) for parts, _ in fitting)
    chosen = [node for parts, node in fitting if _loose(parts) == least]
    exact = [node for node in chosen if node.method == method]
    return exact or chosen


def _loose(parts: list[str]) -> int:
    return sum("{" in part for part in parts)


def _without_host(text: str, has_base: bool) -> tuple[str | None, bool]:
    """The path of an address, and whether something unknown may stand before it; None for another's address."""
    text = _SCHEME.sub("http://", text.split("#", 1)[0])
    found = _HOST.match(text)
    is_open = False
    if found is not None:
        host = found[1]
        if _LOCAL.fullmatch(host) is None:
            return None, False
        rest = text[found.end() :]
        is_open = "\0" in host
    elif text.startswith("//"):
        return None, False
    elif text.startswith("\0"):
        rest = text.lstrip("\0")
        is_open = True
        if rest and not rest.startswith("/"):
            if "/" not in rest and "\0" in rest:
                return None, False
            rest = rest if "\0" not in rest.split("/", 1)[0] else rest[rest.index("/") :]
    else:
        rest = text
        is_open = has_base
    rest = rest.split("?", 1)[0].split("&", 1)[0] if "?" in rest else rest
    while rest.endswith("\0") and len(rest) > 1 and rest[-2] != "/" and rest[-2] != "\0":
        rest = rest[:-1]  # a query string that is put together elsewhere
    return rest.replace("\0", "{}"), is_open


def _is_topic(name: str) -> bool:
    """Whether a name is known as a whole, and can be one of a topic."""
    return 0 < len(name) <= MAX_TOPIC and name.isprintable() and not name.isspace()


def _put(before: str, after: str) -> str:
    """Two parts of a path with one slash between them."""
    if not before or not after:
        return before or after
    return f"{before.rstrip('/')}/{after.lstrip('/')}"


def _tidy(path: str) -> str:
    path = _SLASHES.sub("/", path.replace("\0", "{}"))
    return path if path.startswith("/") else f"/{path}"
