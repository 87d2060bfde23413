"""Packages that are imported by the name which a file in their folder gives them, and files that are run or included by
their paths: R's."""

from __future__ import annotations

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import packages
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.import_styles import external_cell, imported_file
from loregraph.indexer.resolve.imports import STYLES
from loregraph.indexer.resolve.layout import NamedLayout
from loregraph.indexer.resolve.model import Cell, Constant, FileIndex


def library_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`library(shop)`, `shop::total`, `source("shop.R")`; "" is the file's own package."""
    layout: NamedLayout = engine.project.layout.of(file.policy.language)
    if file.policy.modules.inside.search(fact.module):
        return imported_file(engine, file, layout.file_of(file.path, fact.module), fact, inside=True)
    declared = layout.declared_package(fact.module) if fact.module else file.facts.package
    found = packages.package(engine, file.policy.language, declared) if declared is not None else ()
    return Constant(found) if found else external_cell(engine, file, fact.module)


STYLES.update({"library": library_import})
