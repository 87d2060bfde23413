"""What a change touches: definitions, statements outside of them, and files that are no code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from textwrap import dedent

from msgspec import Struct

from loregraph.analysis.changes.definitions import Compared
from loregraph.graph.model import Class


class TouchedDefinition(Struct, frozen=True):
    """A function or class that is `now`, and was `then`, by id; "" where it is not there on that side. `kind` as in
    `changes.definitions.DefinitionChange`."""

    now: str
    then: str
    kind: str
    is_class: bool = False


class TouchedStatement(Struct, frozen=True):
    """A statement outside all definitions of the file `path`. `names` are those that it binds. `kind`: "binding",
    "import", or "effect" for one that does something when the file is loaded."""

    path: str
    kind: str
    names: tuple[str, ...]


class Change(Struct, frozen=True):
    """`others` are paths of changed files that hold no code: data, configuration, documents. `added` and `removed` are
    files of code."""

    definitions: tuple[TouchedDefinition, ...] = ()
    statements: tuple[TouchedStatement, ...] = ()
    others: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def touched_definitions(compared: Compared, is_same: Callable[[str, str, str], bool]) -> Iterable[TouchedDefinition]:
    """The definitions that do something else than before; `is_same` compares two texts in a language."""
    for one in compared.changes:
        if (
            one.kind == "body"
            and one.old is not None
            and one.new is not None
            and is_same(dedent(one.old.text), dedent(one.new.text), one.new.node.language)
        ):
            continue
        then = one.old.node.id if one.old is not None else ""
        now = one.new.node.id if one.new is not None else ""
        yield TouchedDefinition(now, then, one.kind, isinstance(one.definition.node, Class))
