"""Kotlin's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import (
    CALL_ANY,
    Calls,
    Construction,
    ImplicitCalls,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
    grouped,
    words,
)

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

_ANY = ("Comparable", "Any")
_BASIC: Final[dict[str, tuple[str, ...]]] = {
    "Int": ("Long", "Short", "Byte", "UInt", "Number", *_ANY),  # a literal is of the type that is asked for
    "Double": ("Float", "Number", *_ANY),
    "Boolean": _ANY,
    "String": ("CharSequence", *_ANY),
    "Any": (),
    **dict.fromkeys(("Long", "Short", "Byte", "Float", "UInt", "ULong"), ("Number", *_ANY)),
    "Char": _ANY,
    **{f"{name}Array": ("Any",) for name in ("Byte", "Char", "Int", "Long")},
}
"""Kotlin's own types and what takes them too."""

POLICY: Final = Policy(
    language="kotlin",
    family="jvm",
    modules=Modules(
        style="package",
        package_scope=True,
        package_lookup="own",
        shared_values=re.compile(r"."),
        platform_variants=True,
    ),
    scopes=Scopes(
        members_in_scope=True,
        functions_apart=True,
        default_externals={**dict.fromkeys(_KOTLIN, "kotlin"), **dict.fromkeys(_COLLECTIONS, "kotlin.collections")},
    ),
    members=Members(extensions=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(
        functions_passed=True,
        dispatch_self=True,
        function_calls=frozenset({"invoke"}),
        handed=grouped(result="let run use", receiver="also apply takeIf takeUnless onSuccess"),
        callbacks={
            "kotlin.lazy": (0, 1),  # a mode or lock may come first
            **{f"kotlin.{name}": (0,) for name in ("run", "runCatching")},
            **{f"kotlin.{name}": (1,) for name in ("check", "repeat", "require")},
        },
        passing_methods=frozenset({"await", "get", "value", "getOrNull", "getOrThrow"}),
    ),
    implicit=ImplicitCalls(
        call_methods=("invoke",),
        text_methods=("toString",),
        text_takers=frozenset(
            {
                "kotlin.print",
                "kotlin.println",
                "kotlin.io.print",
                "kotlin.io.println",
                *(f"kotlin.text.StringBuilder.{name}" for name in ("append", "appendLine", "insert")),
                *(f"java.lang.StringBuilder.{name}" for name in ("append", "appendLine", "insert")),
            }
        ),
        operators={
            "+": ("plus",),
            "-": ("minus",),
            "*": ("times",),
            "/": ("div",),
            "%": ("rem",),
            "[]": ("get",),
            "[]=": ("set",),
        },
    ),
    types=Types(
        basic_types=_BASIC,
        literal_names={"str": "String", "int": "Int", "float": "Double", "bool": "Boolean"},
        top_types=frozenset({"Any"}),
        static_types=True,
        literal_types={"str": ("kotlin", "String")},
        type_wrappers=frozenset({"Deferred", "Lazy", "AtomicReference", "Result", "StateFlow", "MutableStateFlow"}),
        type_containers=words(
            "Array ArrayDeque ArrayList Collection Flow HashMap HashSet Iterable Iterator LinkedHashMap List Map "
            "MutableCollection MutableList MutableMap MutableSet Sequence Set"
        ),
    ),
    library=Library(
        models={
            **{f"kotlin.collections.{name}": "listed" for name in _COLLECTIONS if "map" not in name.lower()},
            **{f"kotlin.collections.{name}": "mapped" for name in _COLLECTIONS if "map" in name.lower()},
            "kotlin.collections.sequenceOf": "listed",
        },
        mappings_give_pairs=True,
        container_methods=grouped(
            append="add",
            filter="all any filter none sortedBy",
            same="asSequence filterNotNull reversed toList toSet",
            each="associateBy forEach forEachIndexed onEach sumOf",
            find="find first firstOrNull last lastOrNull single singleOrNull",
            map="flatMap map mapIndexed mapNotNull",
            element="get getOrNull",
            insert="put",
            values="values",
        ),
    ),
)
POLICIES: Final = {"kotlin": POLICY}
