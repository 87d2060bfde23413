"""Loads all rules: importing this module completes the dispatch tables."""

from __future__ import annotations

from types import ModuleType
from typing import Final

from loregraph.indexer.resolve import (
    absolute,
    builtin_objects,
    calls,
    class_objects,
    container_methods,
    definitions,
    expressions,
    fixtures,
    forwarding,
    import_styles,
    imports,
    items,
    library,
    members,
    module_lists,
    named_packages,
    names,
    operations,
    outside,
    passing,
    protocols,
    results,
    scope_functions,
    shaped,
    taken_in,
    types,
)
from loregraph.indexer.resolve.dispatch import evaluate

FILLED: Final[tuple[ModuleType, ...]] = (
    absolute,
    builtin_objects,
    calls,
    class_objects,
    container_methods,
    definitions,
    expressions,
    fixtures,
    forwarding,
    scope_functions,
    import_styles,
    imports,
    items,
    library,
    members,
    module_lists,
    named_packages,
    names,
    operations,
    outside,
    passing,
    protocols,
    results,
    shaped,
    taken_in,
    types,
)
"""The modules that register rows in the tables of `dispatch`, `names` and `imports`."""

__all__ = ["FILLED", "evaluate"]
