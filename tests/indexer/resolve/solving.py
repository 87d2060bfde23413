"""Engines over facts: a solved one with all cells that got values in it, and one that has not computed anything."""

from __future__ import annotations

from collections.abc import Mapping

from loregraph.indexer.discover.layout import ProjectLayout
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve import resolver, rules
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.hierarchy import common_base
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.model import Cell, Values
from loregraph.indexer.resolve.policies import family_of, policy_of
from loregraph.indexer.resolve.project import arrange


class NotingEngine(Engine):
    """An engine that keeps the cells that grew or were started, in order."""

    noted: dict[Cell, None]

    def _grow(self, cell: Cell, values: Values) -> None:
        self.noted[cell] = None
        super()._grow(cell, values)

    def start(self, cell: Cell) -> None:
        self.noted[cell] = None
        super().start(cell)


def families(facts: Mapping[str, FileFacts]) -> list[dict[str, FileFacts]]:
    """The facts of each family of languages."""
    found: dict[str, dict[str, FileFacts]] = {}
    for path, own in sorted(facts.items()):
        found.setdefault(family_of(own.language), {})[path] = own
    return list(found.values())


def prepared(facts: Mapping[str, FileFacts], layout: ProjectLayout) -> NotingEngine:
    """An engine over facts of one family that has not computed anything."""
    index = {path: build_index(own, policy_of(own.language)) for path, own in sorted(facts.items())}
    engine = NotingEngine(arrange(index, layout), rules.evaluate, common_base)
    engine.noted = {}
    resolver.prepare(engine, index.values())
    return engine


def solved(facts: Mapping[str, FileFacts], layout: ProjectLayout) -> NotingEngine:
    """An engine that has computed all that is asked for."""
    engine = prepared(facts, layout)
    resolver.demand(engine, engine.project.files.values())
    engine.run()
    return engine
