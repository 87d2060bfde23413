"""Where chosen tests are, as their runners have to find them, and which runner is whose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from loregraph.analysis.selection.selected import SelectedTest
from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.running import Holder, TestPlace, TestRunner

MOST_INHERITED: Final = 20_000
"""Places of tests in classes that inherit them, in one selection. Beyond, the files of these classes are whole."""

Lines = Callable[[str], Sequence[str]]
"""Path → the lines of the file, () where they are not known."""

_BASES: Final = ("EXTENDS", "IMPLEMENTS")


class Places:
    """The places of tests in a project. `lines_of` gives the lines of a file as they were indexed."""

    def __init__(self, columns: GraphColumns, lines_of: Lines = lambda path: ()) -> None:
        self._columns = columns
        self._lines_of = cache(lines_of)
        self._heirs: dict[int, list[int]] = {}
        self._holders: dict[int, Holder] = {}
        self._inherited = 0
        self._given_whole: set[int] = set()
        self._components: dict[str, list[int]] = defaultdict(list)
        for node in columns.nodes("Component").tolist():
            self._components[columns.path(node)].append(node)

    # Implements REQ-RUN-012.
    def of(self, test: SelectedTest) -> Iterator[TestPlace]:
        """The place of a test, and one for each class that inherits it."""
        columns = self._columns
        node = columns.find_id(test.id)
        root, package = self._packaged(test.path, self.language(test))
        if node is None or columns.label(node) != "Function":
            yield TestPlace(test.id, test.path, test.name, is_named=False, root=root, package=package)
            return
        around = self._around(node)
        heirs = self._heirs_of(around[-1]) if around and columns.label(around[-1]) == "Class" else []
        outermost = around[0] if around else node
        place = TestPlace(
            id=test.id,
            path=test.path,
            name=self._name(node, around),
            holders=tuple(map(self._holder, around)),
            prefix=self._prefix(outermost),
            head=columns.signature(node),
            decorators=tuple(columns.own(node, "decorators") or ()),
            line=int(columns.start_line[node]),
            is_named=not columns.name(node).startswith("<"),
            has_heirs=bool(heirs),
            is_called=columns.into(node, "CALLS").size > 0,
            is_conditional=self._is_indented(outermost),
            root=root,
            package=package,
        )
        yield place
        whole = self._inherited >= MOST_INHERITED
        if whole and (not heirs or around[-1] in self._given_whole):
            return
        self._inherited += len(heirs)
        if whole:
            self._given_whole.add(around[-1])
        for heir in heirs:
            path = columns.path(heir)
            classes = [*self._around(heir), heir]
            at, name = self._packaged(path, columns.language(heir))
            holders, prefix = tuple(map(self._holder, classes)), self._prefix(classes[0])
            yield replace(
                place, path=path, holders=holders, prefix=prefix, line=int(columns.start_line[heir]), root=at,
                package=name, is_named=place.is_named and not whole, inherited=True, has_heirs=False,
                is_conditional=self._is_indented(classes[0]),
            )  # fmt: skip

    def language(self, test: SelectedTest) -> str:
        """The language of a test, "" where nothing tells it."""
        node = self._columns.find_id(test.id)
        return (self._columns.language(node) if node is not None else registry.by_path(test.path)) or ""

    def runner(self, place: TestPlace, language: str) -> TestRunner | None:
        """What the project runs the test with; None where that is not known."""
        runners = registry.runners_of(language)
        for folder in _folders(place.path):
            for node in self._components.get(folder, ()):
                kind, needs = self._columns.kind(node), frozenset(self._columns.own(node, "requires") or ())
                for runner in runners:
                    if kind in runner.kinds or not needs.isdisjoint(runner.packages):
                        return runner
        return next((runner for runner in runners if not runner.kinds and runner.claims(place)), None)

    def _packaged(self, path: str, language: str) -> tuple[str, str]:
        """The nearest folder around a path that is built on its own, and its name there."""
        record = registry.BY_NAME.get(language)
        kinds = {packaging.kind for packaging in record.packaging} if record is not None else set()
        kinds.update(kind for runner in registry.runners_of(language) for kind in runner.kinds)
        for folder in _folders(path):
            for node in self._components.get(folder, ()):
                if self._columns.kind(node) in kinds:
                    return folder, self._columns.name(node)
        return ".", ""

    def _is_indented(self, node: int) -> bool:
        """Whether a definition that is in no other does not begin its line."""
        lines, line = self._lines_of(self._columns.path(node)), int(self._columns.start_line[node])
        return 0 < line <= len(lines) and lines[line - 1][:1].isspace()

    def _around(self, node: int) -> list[int]:
        """The definitions around a node, the outermost first."""
        columns, found = self._columns, [node]
        while True:
            edges = columns.into(found[-1], "CONTAINS").tolist()
            parent = int(columns.source[edges[0]]) if edges else -1
            if parent < 0 or parent in found or columns.label(parent) not in ("Class", "Function"):
                return found[:0:-1]
            found.append(parent)

    def _holder(self, node: int) -> Holder:
        if node not in self._holders:
            columns = self._columns
            is_class = columns.label(node) == "Class"
            chain = self._reached(node, bases=True) if is_class else [node]
            heads = tuple(
                " ".join([*(columns.own(one, "decorators") or ()), columns.signature(one)]) if is_class
                else columns.signature(one)
                for one in chain
            )  # fmt: skip
            constructed = any(
                columns.kind(held) == "constructor"
                for one in chain if is_class
                for held in columns.target[columns.out(one, "CONTAINS")].tolist()
            )  # fmt: skip
            self._holders[node] = Holder(columns.name(node), is_class, heads, constructed)
        return self._holders[node]

    def _heirs_of(self, node: int) -> list[int]:
        if node not in self._heirs:
            self._heirs[node] = self._reached(node, bases=False)[1:]
        return self._heirs[node]

    def _reached(self, node: int, *, bases: bool) -> list[int]:
        """A class and those that it inherits from, or that inherit from it, the nearer first."""
        columns, found, seen = self._columns, [node], {node}
        for one in found:
            for rel in _BASES:
                edges = columns.out(one, rel) if bases else columns.into(one, rel)
                for other in (columns.target if bases else columns.source)[edges].tolist():
                    if other not in seen and columns.label(other) == "Class":
                        seen.add(other)
                        found.append(other)
        return found

    def _name(self, node: int, around: Sequence[int]) -> str:
        """The name below what is around it: with that of a module in the file, which is no node (`tests.adds`)."""
        columns = self._columns
        start = columns.qualified_name(around[-1]) if around else self._prefix(node)
        name = columns.qualified_name(node)
        return name[len(start) + 1 :] if start and name.startswith(f"{start}.") else columns.name(node)

    def _prefix(self, node: int) -> str:
        """The qualified name without the part that names the definition in its file."""
        local = self._columns.id(node).rpartition("::")[2].partition("#")[0]
        name = self._columns.qualified_name(node)
        return name[: -len(local) - 1] if name.endswith(f".{local}") else ""


def _folders(path: str) -> Iterator[str]:
    """The folders around a path, the nearest first, `.` last."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path
    yield "."
