"""Kotlin's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.resolution.policy import CALL_ANY, Policy

_KOTLIN = (
    "Any Array Boolean Byte Char CharSequence Comparable Double Enum Error Exception Float IllegalArgumentException "
    "IllegalStateException IndexOutOfBoundsException Int Lazy Long Nothing Number Pair Result RuntimeException Short "
    "String Throwable Triple Unit UnsupportedOperationException check checkNotNull error lazy print println repeat "
    "require requireNotNull run runCatching with"
).split()
_COLLECTIONS = (
    "arrayListOf arrayOf emptyList emptyMap emptySet hashMapOf hashSetOf linkedMapOf listOf mapOf mutableListOf "
    "mutableMapOf mutableSetOf sequenceOf setOf"
).split()

POLICY: Final = Policy(
    language="kotlin",
    modules="package",
    family="jvm",
    members_in_scope=True,
    package_scope=True,
    package_lookup="own",
    shared_values=re.compile(r"."),
    extensions=True,
    overloads=True,
    functions_apart=True,
    static_types=True,
    dispatch_self=True,
    instantiation=CALL_ANY,
    call_methods=("invoke",),
    default_externals={**dict.fromkeys(_KOTLIN, "kotlin"), **dict.fromkeys(_COLLECTIONS, "kotlin.collections")},
    literal_types={"str": ("kotlin", "String")},
    type_wrappers=frozenset({"Deferred", "Lazy", "AtomicReference", "Result", "StateFlow", "MutableStateFlow"}),
    type_containers=frozenset(
        {
            "Array",
            "ArrayDeque",
            "ArrayList",
            "Collection",
            "Flow",
            "HashMap",
            "HashSet",
            "Iterable",
            "Iterator",
            "LinkedHashMap",
            "List",
            "Map",
            "MutableCollection",
            "MutableList",
            "MutableMap",
            "MutableSet",
            "Sequence",
            "Set",
        }
    ),
    passing_methods=frozenset({"await", "get", "value", "getOrNull", "getOrThrow"}),
    container_methods={
        "add": "append",
        "all": "filter",
        "any": "filter",
        "asSequence": "same",
        "associateBy": "each",
        "filter": "filter",
        "filterNotNull": "same",
        "find": "find",
        "first": "find",
        "firstOrNull": "find",
        "flatMap": "map",
        "forEach": "each",
        "get": "element",
        "getOrNull": "element",
        "last": "find",
        "lastOrNull": "find",
        "map": "map",
        "none": "filter",
        "onEach": "each",
        "put": "insert",
        "reversed": "same",
        "single": "find",
        "singleOrNull": "find",
        "sortedBy": "filter",
        "sumOf": "each",
        "toList": "same",
        "toSet": "same",
        "values": "values",
    },
)
POLICIES: Final = {"kotlin": POLICY}
