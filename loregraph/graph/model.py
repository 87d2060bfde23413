"""The data model of the graph: node and edge types. See docs/graph.md for the contract in words.

Nodes and edges are frozen records with plain values, so that they can be sorted, compared and written in bulk. `id` is
the readable id of the contract (`path`, `path::Qualified.Name`, `component:<path>`, `external:<package>.<name>`). Lines
are 1-based and inclusive; paths are POSIX and relative to the project root.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

SCHEMA_VERSION: Final = 8
"""Version of the node and relationship tables, raised when one changes; a newer store is refused, an older one
rebuilt."""


class Component(Struct, frozen=True):
    """A package or module folder: Python, npm or cargo package, Go or Java package, a folder built on its own.

    `provides` and `requires` are what its packaging files say: the names under which other projects depend on it, and
    on which it depends, each after the family of languages and a colon (`python:flask`, `javascript:@scope/name`,
    `java:group:artifact`). `entries` are what is imported by a name of its own: the name, `=`, and the file or folder
    that it means, `.` for the root (`bs4=bs4/__init__.py`).
    """

    id: str
    name: str
    qualified_name: str
    kind: str
    path: str
    language: str
    provides: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()


class File(Struct, frozen=True):
    """A source or document file. `status` is indexed, partial, unsupported or failed; `problems` are readable lines;
    `orphan_markers` are "line: ID" of markers without a matching requirement or design. The calls in the file by
    outcome: `calls_resolved` reach something in the project, `calls_external` only something outside it, the targets of
    `calls_unresolved` are unknown. `generated` is the reason why the file is not the project's own writing ("minified",
    "says that it is generated", …), "" where it is. `commits` and `authors` as for a Function."""

    id: str
    name: str
    qualified_name: str
    path: str
    language: str
    content_hash: str
    lines: int
    status: str
    problems: tuple[str, ...] = ()
    orphan_markers: tuple[str, ...] = ()
    calls_resolved: int = 0
    calls_external: int = 0
    calls_unresolved: int = 0
    generated: str = ""
    commits: int = 0
    authors: tuple[str, ...] = ()


class Class(Struct, frozen=True):
    """A class, interface, struct, trait, enum, protocol or type with members."""

    id: str
    name: str
    qualified_name: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    language: str
    signature: str = ""
    docstring: str = ""
    content_hash: str = ""
    is_exported: bool = False
    decorators: tuple[str, ...] = ()


class Function(Struct, frozen=True):
    """A function, method, constructor or named lambda.

    `parameters` are names, rest parameters with `*` or `**` before them, `{}` for a pattern; `modifiers` are `async`,
    `static`, `abstract`, `property` and the like; `raises` and `handles` are names of types that the function itself
    throws and catches, `*` for a handler without a type. `commits` is how many commits changed it, `authors` who did
    last, the latest first: git's history is read when it is asked for, before that they are 0 and empty. `executed`
    says whether a run that was imported ran it, None where none measured it as it is; `outdated` that one measured it
    before it changed.
    """

    id: str
    name: str
    qualified_name: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    language: str
    signature: str = ""
    docstring: str = ""
    is_test: bool = False
    is_exported: bool = False
    decorators: tuple[str, ...] = ()
    complexity: int = 1
    content_hash: str = ""
    parameters: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    commits: int = 0
    authors: tuple[str, ...] = ()
    executed: bool | None = None
    outdated: bool = False


class Requirement(Struct, frozen=True):
    """One requirement in a document. `parents` are ids that it refines or derives from according to its document."""

    id: str
    name: str
    qualified_name: str
    title: str
    text: str
    status: str
    priority: str
    path: str
    line: int
    parents: tuple[str, ...] = ()


class Design(Struct, frozen=True):
    """An architecture decision record or a design section."""

    id: str
    name: str
    qualified_name: str
    title: str
    kind: str
    status: str
    text: str
    path: str
    line: int


class Memory(Struct, frozen=True):
    """A record written by a person or agent about the project; its source is the journal."""

    id: str
    name: str
    qualified_name: str
    kind: str
    content: str
    tags: tuple[str, ...]
    importance: float
    scope: str
    state: str
    author: str
    created_at: str
    updated_at: str


# Implements REQ-GRA-009.
class External(Struct, frozen=True):
    """A symbol outside the project: a library's or the language's own. `package` is empty for built-ins."""

    id: str
    name: str
    qualified_name: str
    package: str


# Implements REQ-NET-001.
class Endpoint(Struct, frozen=True):
    """What a request over a network reaches: `method` of HTTP, ANY where all are taken, "" for other protocols; `path`
    as the handler spells it, else the client; `protocol` is http, grpc or topic. The id has the path's normal form."""

    id: str
    name: str
    qualified_name: str
    method: str
    path: str
    protocol: str


Node = Component | File | Class | Function | Requirement | Design | Memory | External | Endpoint

NODE_TYPES: Final[tuple[type[Node], ...]] = (
    *(Component, File, Class, Function, Requirement, Design, Memory, External, Endpoint),
)
LABELS: Final = tuple(t.__name__ for t in NODE_TYPES)

FUNCTION_KINDS: Final = ("function", "method", "constructor", "getter", "setter", "lambda")
CLASS_KINDS: Final = (
    *("class", "interface", "struct", "trait", "enum", "union", "protocol", "type", "annotation", "record", "object"),
)
SYMBOL_KINDS: Final = FUNCTION_KINDS + CLASS_KINDS
"""The values of `kind` for Function and Class, in all languages."""
CONSTANT: Final = "constant"
"""The kind of search results that are no nodes: exported constants, whose id is that of their file."""
FOUND_KINDS: Final = (*SYMBOL_KINDS, CONSTANT)

CODE: Final = ("File", "Class", "Function")
NO_FILES: Final = ("Endpoint",)
"""Labels whose `path` is not that of a file."""

ACCEPTED: Final = "accepted"
"""`how` of an IMPLEMENTS_REQ edge that was accepted by a person: its source is a journal, not the code."""

MENTION: Final = "mention"
"""`how` of an edge based on a bare id, without a word that gives its purpose."""
MENTION_CONFIDENCE: Final = 0.5
"""Confidence that code which mentions a requirement implements it: below that of any declaration."""
DIRECTIONS: Final = ("OUTGOING", "INCOMING", "BOTH")
"""The directions in which edges of a node are followed."""

RELATIONSHIPS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "CONTAINS": (
        ("Component", "Component"),
        ("Component", "File"),
        ("File", "Class"),
        ("File", "Function"),
        ("Class", "Function"),
        ("Class", "Class"),
        ("Function", "Function"),
        ("Function", "Class"),
    ),
    "IMPORTS": (("File", "File"), ("File", "Component"), ("File", "External")),
    "CALLS": tuple((a, b) for a in CODE for b in ("Function", "Class", "External")),
    "EXTENDS": (("Class", "Class"), ("Class", "External")),
    "IMPLEMENTS": (("Class", "Class"), ("Class", "External")),
    "OVERRIDES": (("Function", "Function"),),
    "REFERENCES": tuple((a, b) for a in CODE for b in ("Class", "Function")),
    "TESTS": (("Function", "Function"), ("Function", "Class")),
    "IMPLEMENTS_REQ": tuple((a, "Requirement") for a in ("Function", "Class", "File", "Component")),
    "SATISFIES": (("Design", "Requirement"),),
    "FOLLOWS_DESIGN": tuple((a, "Design") for a in ("Function", "Class", "Component")),
    "DEPENDS_ON": (("Component", "Component"), ("Component", "External")),
    "HANDLES": tuple((a, "Endpoint") for a in CODE),
    "REQUESTS": tuple((a, "Endpoint") for a in CODE),
    "DECLARES": (("File", "Endpoint"),),
    "SIMILAR_TO": (("Function", "Function"),),
    "CO_CHANGES": (("Function", "Function"),),
    "ABOUT": tuple(("Memory", b) for b in LABELS),
    "RELATES_TO": (("Memory", "Memory"),),
    "SUPERSEDES": (("Memory", "Memory"),),
}
"""Relationship name → the label pairs that it may connect."""

RELATIONSHIP_PROPERTIES: Final[dict[str, tuple[str, ...]]] = {
    "CONTAINS": (),
    "IMPORTS": ("names", "line"),
    "CALLS": ("line", "lines", "count", "confidence", "how", "unseen"),
    "EXTENDS": ("line",),
    "IMPLEMENTS": ("line",),
    "OVERRIDES": (),
    "REFERENCES": ("line", "how"),
    "TESTS": ("how",),
    "IMPLEMENTS_REQ": ("how", "confidence", "evidence"),
    "SATISFIES": ("how", "evidence"),
    "FOLLOWS_DESIGN": ("how", "evidence"),
    "DEPENDS_ON": ("count",),
    "HANDLES": ("line", "confidence", "how"),
    "REQUESTS": ("line", "confidence", "how"),
    "DECLARES": ("line", "how"),
    "SIMILAR_TO": ("similarity", "clone_type"),
    "CO_CHANGES": ("support", "confidence"),
    "ABOUT": (),
    "RELATES_TO": ("type",),
    "SUPERSEDES": ("type",),
}
"""Relationship name → the fields of `Edge` that it stores; `lines` is `line` and `more_lines` together."""


GUESSED: Final = frozenset({"CO_CHANGES"})
"""Relationships that are no facts about the code: they come from git's history, are followed only where they are named,
and are left out of exports, which are the same for the same files, in a shallow clone too."""
OF_HISTORY: Final = frozenset({"commits", "authors"})
"""The same of properties of nodes."""


class Edge(Struct, frozen=True):
    """One relationship. Which fields are used depends on `rel`: see `RELATIONSHIP_PROPERTIES`.

    There is at most one edge per (rel, source, target): `line` is the first place, `count` the number of places,
    `confidence` and `how` those with the highest confidence. `more_lines` are the lines of a CALLS edge behind `line`,
    ascending, each once: most edges have none, and several calls in one line are one line. `unseen` is the number of
    tests in which the source of a CALLS edge ran and the recorder, which could have seen this call, did not; 0 where
    it was seen or nothing recorded it.
    """

    rel: str
    source: str
    target: str
    line: int = 0
    count: int = 1
    confidence: float = 1.0
    how: str = ""
    names: tuple[str, ...] = ()
    evidence: str = ""
    similarity: float = 0.0
    clone_type: str = ""
    type: str = ""
    more_lines: tuple[int, ...] = ()
    support: int = 0
    unseen: int = 0

    @property
    def lines(self) -> tuple[int, ...]:
        """Every line of the edge, ascending; empty where it has none."""
        return (self.line, *self.more_lines) if self.line else ()


# Implements REQ-GRA-001.
class Graph(Struct, frozen=True):
    """A whole graph in memory, as the pipeline makes it and the store writes it.

    `nodes` has unique ids and `edges` unique (rel, source, target); every end of an edge is a node, and its pair of
    labels is allowed by `RELATIONSHIPS`. Both are sorted by id so that equal projects give equal graphs.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
