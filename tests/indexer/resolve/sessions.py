"""A project that is edited: resolved once from nothing, and after that, where it can be, only as far as edits reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from loregraph.graph.model import Edge, External
from loregraph.indexer.discover.layout import ProjectLayout, read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts, decode, encode
from loregraph.indexer.languages import registry
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.resolve import FileResolution, Limits, Resolution, recording, resolve
from loregraph.indexer.resolve import summary as summaries
from loregraph.indexer.resolve.again import Again, resolve_again
from loregraph.indexer.resolve.differences import difference
from loregraph.indexer.resolve.engine import LATE
from loregraph.indexer.resolve.records import Export

Texts = Mapping[str, str]
"""Path → text."""
ResolveAgain = Callable[..., Again | None]

TRACED = {"traced": True} if "traces" in Resolution.__struct_fields__ else {}
"""What asks `resolve` for traces."""

_extracted: dict[tuple[str, str], bytes] = {}
"""(path, text) → encoded facts: the states of one project have most of their files in common."""


def facts_in_store(path: str, text: str) -> bytes | None:
    """The encoded facts of a file; None for what is no code."""
    language = registry.by_path(path)
    if language is None or language not in registry.SUPPORTED:
        return None
    found = _extracted.get((path, text))
    if found is None:
        if len(_extracted) > 2_000:
            _extracted.clear()
        found = _extracted[path, text] = encode(extract(path, text.encode(), language))
    return found


class Session:
    """The resolution of a project that is edited.

    `root` is a folder for the packaging files, which the layout is read from; `again` is what resolves edits.
    """

    def __init__(self, root: Path, texts: Texts, limits: Limits | None = None, again: ResolveAgain = resolve_again):
        self.root = root
        self.limits = limits
        self.texts: dict[str, str] = {}
        self.stored: dict[str, bytes] = {}
        self.incremental: list[bool] = []
        """Of each edit, whether it was resolved without resolving all."""
        self.reached: list[frozenset[str]] = []
        """Of each such edit, the files that were resolved again."""
        self.within: list[bool] = []
        """Of each edit, whether it changed files inside function bodies alone."""
        self.traces: dict[str, bytes] = {}
        self._again = again
        self._packaging: dict[str, str] | None = None
        self._take(texts)
        self.layout = self._layout()
        self.resolution = self._solve()

    def edit(self, changed: Mapping[str, str | None]) -> None:
        """Gives files new texts; None removes one."""
        edited = {path: text for path, text in changed.items() if self.texts.get(path) != text}
        code = [p for p, text in edited.items() if p in self.stored or facts_in_store(p, text or "") is not None]
        before = {path: self.stored[path] for path in code if path in self.stored}
        self._take(edited)
        self.layout = self._layout()
        found = None
        within = False
        # What is added, removed or packaging has all resolved anew, whoever asks.
        kept = self.traces or self._again is not resolve_again
        if len(before) == len(code) == len(edited) and kept and all(text is not None for text in edited.values()):
            facts = {path: self.facts(path) for path in code if self.stored[path] != before[path]}
            old = {path: decode(before[path]) for path in facts}
            within = bool(facts) and not any(difference(old[path], new) for path, new in facts.items())
            found = self._again(
                facts,
                old,
                self.facts,
                {path: decode(held).language for path, held in self.stored.items()},
                self.traces.get,
                self.layout,
                limits=self.limits,
            )
        self.incremental.append(found is not None)
        self.within.append(within)
        if found is None:
            self.reached.append(frozenset(self.stored))
            self.resolution = self._solve()
        else:
            self.reached.append(frozenset(found.files))
            self.traces.update(found.traces)
            self.resolution = merged(self.resolution, found)

    def facts(self, path: str) -> FileFacts:
        """The facts of a file as the store gives them: no two calls give one object."""
        return decode(self.stored[path])

    def fresh(self, *, traced: bool = False) -> Resolution:
        """All resolved from nothing."""
        facts = {path: self.facts(path) for path in self.stored}
        return resolve(facts, self.layout, limits=self.limits, traced=traced)

    def differences(self, *, traced: bool = False) -> list[str]:
        """What is not as it is when all is resolved from nothing, `traced` with the traces; empty where all is."""
        fresh = self.fresh(traced=traced)
        told = differences(fresh, self.resolution)
        return told + traced_differences(fresh.traces, self.traces) if traced else told

    def _take(self, texts: Mapping[str, str | None]) -> None:
        for path, text in texts.items():
            stored = facts_in_store(path, text) if text is not None else None
            if text is None:
                self.texts.pop(path, None)
            else:
                self.texts[path] = text
            if stored is None:
                self.stored.pop(path, None)
            else:
                self.stored[path] = stored

    def _layout(self) -> ProjectLayout:
        packaging = {path: text for path, text in self.texts.items() if path not in self.stored}
        if packaging != self._packaging:
            for path, text in packaging.items():
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).write_text(text)
            self._packaging = packaging
        declared = {path: facts.package for path in self.stored if (facts := self.facts(path)).package}
        return read_layout(self.root, self.texts).with_packages(declared)

    def _solve(self) -> Resolution:
        facts = {path: self.facts(path) for path in self.stored}
        found = resolve(facts, self.layout, limits=self.limits, **TRACED)
        self.traces = dict(getattr(found, "traces", {}))
        return found


def merged(kept: Resolution, found: Again) -> Resolution:
    """A resolution in which those of some files are replaced, and external symbols and problems with them."""
    files = dict(sorted({**kept.files, **found.files}.items()))
    ends = {edge.target for file in files.values() for edge in file.edges}
    externals: dict[str, External] = {one.id: one for one in (*kept.externals, *found.externals) if one.id in ends}
    problems = [one for one in kept.problems if one.path not in found.files]
    problems += [one for one in found.problems if one.path in found.files]
    return Resolution(files, tuple(one for _, one in sorted(externals.items())), tuple(sorted(problems)))


def differences(expected: Resolution, found: Resolution) -> list[str]:
    """Lines that say, file by file, what `found` lacks (−) and has too much (+)."""
    told = [
        line
        for path in sorted(expected.files.keys() | found.files.keys())
        if expected.files.get(path) != found.files.get(path)
        for line in [f"{path}:", *_of_file(expected.files.get(path), found.files.get(path))]
    ]
    told += _lines({one.id: str(one) for one in expected.externals}, {one.id: str(one) for one in found.externals})
    return told + _lines(_problems(expected.problems), _problems(found.problems))


def traced_differences(expected: Mapping[str, bytes], found: Mapping[str, bytes]) -> list[str]:
    """Lines that say which parts of which traces differ."""
    told = [f"the trace of {path}" for path in sorted(expected.keys() ^ found.keys())]
    for path in sorted(expected.keys() & found.keys()):
        if path == "/javascript":
            told += ["the types"] if expected[path] != found[path] else []
            continue
        if path.startswith("/"):
            one, other = summaries.decode(expected[path]), summaries.decode(found[path])
            told += [f"the summary {path}"] if one != other else []
            continue
        one, other = recording.decode(expected[path]), recording.decode(found[path])
        for part in ("exports", "inbox"):
            held, new = getattr(one, part), getattr(other, part)
            told += [
                f"{path}, {part}: {key}\n  − {held.get(key)}\n  + {new.get(key)}"
                for key in sorted(held.keys() | new.keys(), key=repr)
                if _rounded(held.get(key)) != _rounded(new.get(key))
            ]
        told += [f"{path}: told and words"] if (one.told, one.words) != (other.told, other.words) else []
    return told


def _rounded(part: Any) -> Any:
    """An export without its height where that is a bound: what starts in fewer steps than before may keep the old."""
    if isinstance(part, Export) and part.height < LATE:
        return (part.birth, part.history, part.askers)
    return part


def _of_file(expected: FileResolution | None, found: FileResolution | None) -> list[str]:
    if expected is None or found is None:
        return ["  − the file" if found is None else "  + the file"]
    told = _lines(_edges(expected.edges), _edges(found.edges))
    for name in ("unresolved", "resolved", "external"):
        one, other = getattr(expected, name), getattr(found, name)
        if one != other:
            told.append(f"  {name}: {one}, but incrementally {other}")
    return told or ["  the same edges in another order"]


def _edges(edges: tuple[Edge, ...]) -> dict[str, str]:
    return {f"{e.rel} {e.source} → {e.target}": _said(e) for e in edges}


def _said(edge: Edge) -> str:
    what = f"line {edge.line}, {edge.count} times, {edge.confidence}"
    return ", ".join([what, *filter(None, [edge.how, " ".join(edge.names), edge.evidence])])


def _problems(problems: tuple[PathProblem, ...]) -> dict[str, str]:
    return {f"{one.path}:{one.line} {one.message}": "" for one in problems}


def _lines(expected: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    return [
        line
        for key in sorted(expected.keys() | found.keys())
        if expected.get(key) != found.get(key)
        for sign, held in (("−", expected), ("+", found))
        if key in held
        for line in [f"  {sign} {key} ({held[key]})"]
    ]
