"""The record of one file: what it registers, mounts and requests, in the same form for all frameworks.

A `Template` is a text with gaps: a part is a str as written, or a list of names that may stand for a constant
(`["settings", "API"]`), empty for a gap that nothing is known of. A `Ref` denotes something by names looked up from a
scope of the file: `["users", "router"]`; `"()"` behind a name is the result of calling it.
"""

from __future__ import annotations

from typing import Final

import msgspec

Template = list[str | list[str]]
Ref = list[str]
CALLED: Final = "()"
ANY: Final = "ANY"
"""The method of an endpoint that takes all."""
HTTP_METHODS: Final = frozenset({"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"})
HTTP: Final = "http"
GRPC: Final = "grpc"
TOPIC: Final = "topic"
DECLARED: Final = "openapi"
"""The `how` of a route that an OpenAPI document declares, and no code registers."""


class Router(msgspec.Struct, array_like=True, frozen=True):
    """An object that routes are registered with. `key` is unique in its file, `kind` a name in `kinds.KINDS`, `names`
    the dotted names that other files reach it by. `root` is an application: it needs no parent."""

    key: str
    kind: str
    prefix: Template = []
    root: bool = False
    names: tuple[str, ...] = ()


class Route(msgspec.Struct, array_like=True, frozen=True):
    """A handler at a path. `router` is a key of the file's routers, or a Ref to one of another file (then `key` is "").

    `handler` is a definition's qualname where `named` is False, else a Ref; `scope` is where that is looked up (a
    definition's index, −1 for the file)."""

    key: str
    methods: tuple[str, ...]
    path: Template
    line: int
    how: str
    handler: tuple[str, ...] = ()
    named: bool = False
    scope: int = -1
    router: tuple[str, ...] = ()
    protocol: str = HTTP


class Mount(msgspec.Struct, array_like=True, frozen=True):
    """A router below another one, each a key of this file's or a Ref. `files` are mounts of all routes of a module
    (`include("shop.urls")`): then `child` is the module's name."""

    parent: str
    prefix: Template
    child: str = ""
    child_ref: tuple[str, ...] = ()
    parent_ref: tuple[str, ...] = ()
    scope: int = -1
    module: str = ""


class Request(msgspec.Struct, array_like=True, frozen=True):
    """A request by `scope` (a definition's qualname, "" for the file). `how` is "client", "test-client", "declared" or
    "presumed"."""

    scope: str
    method: str
    url: Template
    line: int
    how: str
    protocol: str = HTTP
    has_base: bool = False
    """Whether the client may add an address in front that is not known here."""
    client: tuple[str, ...] = ()
    """A Ref to the client where another file makes it; () where it is known."""


class Rpc(msgspec.Struct, array_like=True, frozen=True):
    """A remote procedure call. `role`: "declares" (a `.proto` file does), "serves" (an object of the type `handler`
    answers for the service), "handles" (`handler` does for one method), "requests".

    `service` is the full name where it is declared, else as far as a convention of generated code says it. `handler` is
    a definition's qualname where `named` is False, else a Ref. `scope` is a definition's qualname, "" for the file.
    `hint` is what is written around the service's name: it tells packages apart."""

    role: str
    service: str
    method: str
    line: int
    scope: str = ""
    how: str = ""
    handler: tuple[str, ...] = ()
    named: bool = False
    hint: str = ""


class FileEndpoints(msgspec.Struct, array_like=True):
    """All of one file. `names` are the imports that Refs and Templates begin with: alias → (module, level, name).
    `cut` counts what bounds left out."""

    routers: tuple[Router, ...] = ()
    routes: tuple[Route, ...] = ()
    mounts: tuple[Mount, ...] = ()
    requests: tuple[Request, ...] = ()
    names: dict[str, tuple[str, int, str]] = {}
    cut: int = 0
    rpcs: tuple[Rpc, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.routers or self.routes or self.mounts or self.requests or self.cut or self.rpcs)


_encoder: Final = msgspec.msgpack.Encoder(order="deterministic")
_decoder: Final = msgspec.msgpack.Decoder(FileEndpoints)


def encode(record: FileEndpoints) -> bytes:
    """`record` as msgpack; b"" for an empty one."""
    return b"" if record.is_empty else _encoder.encode(record)


def decode(blob: bytes) -> FileEndpoints:
    """The inverse of `encode`. Raises `msgspec.DecodeError` for malformed data."""
    return _decoder.decode(blob) if blob else FileEndpoints()


def lines_of(record: FileEndpoints) -> list[int]:
    """The lines of a record's routes, requests and remote calls, in their order."""
    return [*(r.line for r in record.routes), *(r.line for r in record.requests), *(r.line for r in record.rpcs)]


def without_lines(record: FileEndpoints) -> bytes:
    """`record` encoded with no lines: equal for records that differ in nothing else."""
    routes = tuple(msgspec.structs.replace(one, line=0) for one in record.routes)
    requests = tuple(msgspec.structs.replace(one, line=0) for one in record.requests)
    rpcs = tuple(msgspec.structs.replace(one, line=0) for one in record.rpcs)
    return _encoder.encode(msgspec.structs.replace(record, routes=routes, requests=requests, rpcs=rpcs))
