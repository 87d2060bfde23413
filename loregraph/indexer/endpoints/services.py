"""The services that a project declares, which methods of the project answer for them, and which calls request them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from loregraph.indexer.endpoints.model import FileEndpoints, Rpc
from loregraph.indexer.endpoints.references import Context, Place
from loregraph.indexer.endpoints.rpc_names import client_type, extended, method_key

MAX_SAME_NAME: Final = 64
"""Services of one name in different packages that are told apart."""


class Called(NamedTuple):
    """`method` is `package.Service/Method`, `source` the id of what answers or requests it."""

    method: str
    source: str
    line: int
    how: str


class Services:
    """What all files say of remote procedure calls; `records` are sorted by path."""

    def __init__(self, records: Mapping[str, FileEndpoints]) -> None:
        self._records = {path: record.rpcs for path, record in records.items() if record.rpcs}
        self._methods: dict[str, dict[str, str]] = {}
        """Full name of a service → key of a method → its name."""
        self._named: dict[str, list[str]] = {}
        for rows in self._records.values():
            for row in rows:
                if row.role == "declares":
                    if row.service not in self._methods:
                        self._named.setdefault(row.service.rpartition(".")[2], []).append(row.service)
                    self._methods.setdefault(row.service, {}).setdefault(method_key(row.method), row.method)

    def declared(self) -> Iterator[tuple[str, str]]:
        """`package.Service/Method` and the file that declares it; several may declare the same."""
        for path, rows in self._records.items():
            for row in rows:
                if row.role == "declares":
                    yield f"{row.service}/{row.method}", path

    def handled(self, context: Context) -> Iterator[Called]:
        """The methods that answer."""
        for path, rows in self._records.items():
            for row in rows:
                service = self._service(row) if row.role in ("serves", "handles") else ""
                if not service:
                    continue
                place = context.find(path, row.handler) if row.named else Place(path, ".".join(row.handler))
                if row.role == "handles":
                    source = context.node(place) if place is not None else ""
                    method = self._methods[service].get(method_key(row.method))
                    if source and method:
                        yield Called(f"{service}/{method}", source, row.line, row.how)
                elif place is not None:
                    yield from self._answers(context, place, service, row)

    def _answers(self, context: Context, place: Place, service: str, row: Rpc) -> Iterator[Called]:
        """The methods of a type that are those of a service, but those of generated code, which refuse."""
        methods = self._methods[service]
        for name, method in context.methods_of(place):
            found = methods.get(method_key(name))
            holder = tuple(method.partition("::")[2].split("."))[:-1]
            if found is not None and extended(holder, implements=False) != service.rpartition(".")[2]:
                yield Called(f"{service}/{found}", method, row.line, row.how)

    def requested(self, context: Context) -> Iterator[Called]:
        """The calls of clients."""
        for path, rows in self._records.items():
            for row in rows:
                if row.role != "requests":
                    continue
                service = self._service(_found_elsewhere(context, path, row) if row.named else row)
                if not service:
                    continue
                key, methods = method_key(row.method), self._methods[service]
                method = methods.get(key) or methods.get(key.removesuffix("async"))
                if method:
                    source = f"{path}::{row.scope}" if row.scope else path
                    yield Called(f"{service}/{method}", source, row.line, row.how)

    def _service(self, row: Rpc) -> str:
        """The full name of the service that a row is about, "" where there is none, or more than one may be meant."""
        if "." in row.service:
            return row.service if row.service in self._methods else ""
        found = self._named.get(row.service, [])[:MAX_SAME_NAME]
        if len(found) < 2:
            return found[0] if found else ""
        words = set(row.hint.split())
        ranked = sorted((-sum(part in words for part in one.lower().split(".")[:-1]), one) for one in found)
        return ranked[0][1] if ranked[0][0] < ranked[1][0] else ""


def _found_elsewhere(context: Context, path: str, row: Rpc) -> Rpc:
    """`row` with the service that the field of a type of another file is a client of."""
    names = context.field_type(path, row.handler)
    return replace(row, service=client_type(names), hint=" ".join(names[:-1]).lower()) if names else row
