"""Definitions with their source text, read from files that are not, or not yet, in the graph."""

from __future__ import annotations

from msgspec import Struct

from loregraph.graph.model import Class, Function


class DeclaredParameter(Struct, frozen=True):
    """`kind`: "" plain, "*" rest, "**" keyword rest, "kw" by name only. `type` is an opaque text for the declared type,
    "" for none: equal types have equal texts; so is `default` for the default value."""

    name: str
    kind: str = ""
    is_optional: bool = False
    type: str = ""
    default: str = ""


class SourceDefinition(Struct, frozen=True):
    """`text` is the definition's own source, without the nested definitions that have names of their own.

    `parameters` exclude the receiver; `returns` is an opaque text for the declared return type, like a parameter's
    `type`.
    """

    node: Function | Class
    text: str
    parameters: tuple[DeclaredParameter, ...] = ()
    returns: str = ""
