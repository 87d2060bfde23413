"""Import cycles between files."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from loregraph.analysis.findings import Place
from loregraph.analysis.rules.code import FILE, Code
from loregraph.analysis.rules.imports import imports_of, when
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule
from loregraph.indexer.languages import registry

if TYPE_CHECKING:
    from networkx import DiGraph

_LOADED: Final = registry.where(lambda language: language.loads_files_in_turn)
"""Languages in which files are loaded one after the other. Other languages compile a package as a whole: there cycles
between its files are normal, and a cycle of packages is a compiler error."""


def check(code: Code, members: Sequence[int]) -> Outcome:
    files = {int(code.file[member]) for member in members}
    groups = code.once("import cycles", lambda: _cycles(code))
    found = [_deviation(code, steps) for steps in groups if any(code.columns.source[s] in files for s in steps)]
    return Outcome(tuple(found), (), len(files))


def _cycles(code: Code) -> list[list[int]]:
    """A shortest cycle of each strongly connected group of files, as its import edges."""
    import networkx as nx

    columns = code.columns
    graph = nx.DiGraph()
    for file, edges in imports_of(code).items():
        if columns.language(file) in _LOADED and not code.is_stub(columns.path(file)):
            for edge in edges:
                target = int(columns.target[edge])
                if columns.labels[target] == FILE and target != file:
                    graph.add_edge(file, target, edge=edge)
    found = []
    for loose in _groups(graph):
        inner = graph.subgraph(loose).copy()
        # Only sources of files that could be in a cycle are read.
        inner.remove_edges_from([(a, b) for a, b, edge in inner.edges(data="edge") if when(code, edge) != "load"])
        found += [
            _shortest(inner, group)
            for group in _groups(inner)
            # Test data is full of deliberate cycles.
            if not all(code.is_test_path(columns.path(file)) for file in group)
        ]
    return sorted(found, key=lambda steps: columns.path(int(columns.source[steps[0]])))


def _groups(graph: DiGraph) -> list[list[int]]:
    import networkx as nx

    return sorted(sorted(group) for group in nx.strongly_connected_components(graph) if len(group) > 1)


def _shortest(graph: DiGraph, group: Sequence[int]) -> list[int]:
    """The edges of a shortest cycle within `group`, starting at its first file."""
    inside = set(group)
    best: list[int] = []
    for start in group:
        back = {start: -1}
        queue = deque([start])
        while queue:
            file = queue.popleft()
            for other in sorted(graph.successors(file)):
                if other == start:
                    cycle = [file]
                    while back[cycle[-1]] >= 0:
                        cycle.append(back[cycle[-1]])
                    if not best or len(cycle) < len(best):
                        best = cycle[::-1]
                    queue.clear()
                    break
                if other in inside and other not in back:
                    back[other] = file
                    queue.append(other)
        if len(best) == 2:
            break
    return [graph.edges[a, b]["edge"] for a, b in zip(best, [*best[1:], best[0]], strict=True)]


def _deviation(code: Code, steps: Sequence[int]) -> Deviation:
    columns = code.columns
    files = [int(columns.source[edge]) for edge in steps]
    places = [
        Place(columns.path(file), int(columns.line[edge]), int(columns.line[edge]), columns.id(file))
        for file, edge in zip(files, steps, strict=True)
    ]
    chain = " → ".join(columns.path(file) for file in [*files, files[0]])
    said = tuple(
        f"{place.file_path}:{place.start_line} imports {columns.path(int(columns.target[edge]))}"
        for place, edge in zip(places, steps, strict=True)
    )
    return Deviation(
        places[0],
        f"files import each other as they are loaded: {chain}",
        "no import cycle",
        chain,
        said,
        " ".join(sorted(columns.path(file) for file in files)),
        tuple(places[1:]),
    )


RULE = Rule(
    name="import-cycles",
    short="Files import each other as they are loaded.",
    full="For each group of files that reach each other one shortest cycle, with the line of every import in it."
    " Imports inside functions, under TYPE_CHECKING, `import type` and imports of what TypeScript erases do not count."
    " Languages that compile a package as a whole (Java, Go, Rust), stubs and cycles within test code"
    " are left alone.",
    severity="warning",
    check=check,
    valid=(
        Case(
            "one direction",
            {"a.py": "import b\n", "b.py": "import c\n", "c.py": "X = 1\n"},
        ),
        Case(
            "imports that run later or never",
            {
                "a.py": "import b\n\nclass A: ...\n",
                "b.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from a import A\n\n\n"
                "def make(\n    x=1,\n) -> 'A':\n    from a import A\n\n    return A()\n\n\n"
                "if __name__ == '__main__':\n    import a\n",
            },
        ),
        Case(
            "types that TypeScript erases, and a lazy require",
            {
                "a.ts": 'import { make } from "./b";\n\nexport interface Shape { area: number }\n\nmake();\n',
                "b.ts": 'import { Shape } from "./a";\nimport "./c";\n\n'
                "export function make(): Shape { return { area: 1 }; }\n",
                "c.ts": 'import { type Shape } from "./b";\n\nexport class C { go() { return require("./b"); } }\n',
            },
        ),
    ),
    invalid=(
        Case("two files", {"a.py": "import os\nimport b\n", "b.py": "import a\n"}, (("a.py", 2),)),
        Case(
            "three files",
            {
                "a.js": 'import { b } from "./b.js";\nexport const a = () => b;\n',
                "b.js": 'import { c } from "./c.js";\nexport const b = () => c;\n',
                "c.js": 'import { a } from "./a.js";\nexport const c = () => a;\n',
            },
            (("a.js", 1),),
        ),
    ),
)
