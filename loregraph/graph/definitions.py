"""A definition together with its text: what is read of files that are not, or not yet, in the graph."""

from __future__ import annotations

from msgspec import Struct

from loregraph.graph.model import Class, Function


class DeclaredParameter(Struct, frozen=True):
    """`kind`: "" plain, "*" rest, "**" keyword rest, "kw" by name only. `type` stands for the declared type, "" for
    none: equal types have equal texts, and nothing else is to be read into it; so does `default` for the value."""

    name: str
    kind: str = ""
    is_optional: bool = False
    type: str = ""
    default: str = ""


class SourceDefinition(Struct, frozen=True):
    """`text` is the definition's own source: without the definitions in it that have a name of their own.

    `parameters` are without the receiver; `returns` stands for the declared return type as a parameter's `type` does.
    """

    node: Function | Class
    text: str
    parameters: tuple[DeclaredParameter, ...] = ()
    returns: str = ""
