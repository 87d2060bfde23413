"""Scala's rules of naming and calling."""

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
)

_SCALA = (
    "Any AnyRef AnyVal App Array BigDecimal BigInt Boolean Byte Char Console Double Either Enumeration Equiv "
    "Error Exception Float Function IllegalArgumentException IllegalStateException IndexedSeq Int Integer "
    "Iterable Iterator LazyList Left List Long Map Math NoSuchElementException None Nothing Null "
    "NullPointerException Numeric Object Option Ordered Ordering PartialFunction Product Range Right "
    "RuntimeException Seq Serializable Set Short Some Stream String StringBuilder StringContext Symbol Thread "
    "Throwable Traversable Unit UnsupportedOperationException Vector assert assume classOf identity implicitly "
    "locally print printf println require summon"
).split()
_CONTAINERS = (
    "Array ArrayBuffer Buffer Chain Chunk Deque Either Eval Future Generator IO Id IndexedSeq Iterable Iterator "
    "LazyList LinkedHashMap List ListBuffer ListMap Map MutableList NonEmptyChain NonEmptyList NonEmptyVector "
    "Option PriorityQueue Promise Queue Resource Right Seq Set Some SortedMap SortedSet Stack Stream Task "
    "Traversable TreeMap Try Vector Await Var AsyncStream Spool Offer Event Local"
).split()

_BASIC: Final[dict[str, tuple[str, ...]]] = {
    "Boolean": ("AnyVal", "Any"),
    "Byte": ("Short", "Int", "Long", "Float", "Double", "AnyVal", "Any"),
    "Char": ("Int", "Long", "Float", "Double", "AnyVal", "Any"),
    "Double": ("AnyVal", "Any"),
    "Float": ("Double", "AnyVal", "Any"),
    "Int": ("Long", "Float", "Double", "AnyVal", "Any"),
    "Long": ("Float", "Double", "AnyVal", "Any"),
    "Short": ("Int", "Long", "Float", "Double", "AnyVal", "Any"),
    "String": ("CharSequence", "AnyRef", "Object", "Any"),
    "Unit": ("AnyVal", "Any"),
}
"""A type → the types that take its values too, nearest first."""

POLICY: Final = Policy(
    language="scala",
    family="jvm",
    modules=Modules(
        style="package", package_scope=True, package_lookup="own", relative_imports=True, shared_values=re.compile(r".")
    ),
    scopes=Scopes(members_in_scope=True, default_externals=dict.fromkeys(_SCALA, "scala")),
    members=Members(companions=True, extensions=True, extensions_imported=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(overload_results=True, dispatch_self=True, passing_methods=frozenset({"copy", "get"})),
    implicit=ImplicitCalls(call_methods=("apply",)),
    types=Types(
        basic_types=_BASIC,
        literal_names={"str": "String", "int": "Int", "float": "Double", "bool": "Boolean"},
        value_types=frozenset({"Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Short", "Unit"}),
        top_types=frozenset({"Any", "AnyRef", "Object"}),
        static_types=True,
        literal_types={"str": ("scala", "String")},
        type_wrappers=frozenset({"AtomicReference", "WeakReference", "Provider", "Lazy"}),
        type_containers=frozenset(_CONTAINERS),
    ),
    library=Library(
        container_methods=grouped(
            append="+= append enqueue",
            element="apply get getOrElse head last next",
            map="collect collectFirst map",
            same=(
                "concat distinct drop headOption iterator lastOption orElse reverse sorted tail take toIndexedSeq "
                "toList toSeq toSet toVector"
            ),
            filter="count dropWhile exists filter filterNot find forall partition sortBy takeWhile withFilter",
            each="flatMap foreach groupBy maxBy minBy onComplete onFailure onSuccess",
            insert="put",
            values="values",
        )
    ),
)
POLICIES: Final = {"scala": POLICY}
