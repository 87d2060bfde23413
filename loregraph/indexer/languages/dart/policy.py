"""Dart's rules of naming and calling."""

from __future__ import annotations

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

_CORE = (
    "ArgumentError AssertionError BigInt Comparable DateTime Deprecated Duration Enum Error Exception Expando "
    "FormatException Function Future FutureOr Invocation Iterable Iterator List Map MapEntry Match Never Null Object "
    "Pattern RangeError Record RegExp Set Sink StackTrace StateError Stopwatch Stream String StringBuffer StringSink "
    "Symbol Type TypeError UnimplementedError UnsupportedError Uri bool double identical int num override print"
).split()

POLICY: Final = Policy(
    language="dart",
    modules=Modules(style="uri", private_prefix="_", imports_passed=False),
    scopes=Scopes(
        members_in_scope=True, class_scope_visible=False, default_externals=dict.fromkeys(_CORE, "dart:core")
    ),
    members=Members(extensions=True),
    construction=Construction(named_constructors=True, instantiation=CALL_ANY),
    calls=Calls(dispatch_self=True),
    implicit=ImplicitCalls(call_methods=("call",)),
    types=Types(
        static_types=True,
        literal_types={"str": ("dart:core", "String"), "int": ("dart:core", "int"), "float": ("dart:core", "double")},
        type_wrappers=frozenset({"Future", "FutureOr", "WeakReference"}),
        type_containers=words(
            "HashMap HashSet Iterable Iterator LinkedHashMap LinkedHashSet List ListQueue Map Queue Set SplayTreeMap "
            "SplayTreeSet Stream UnmodifiableListView UnmodifiableMapView"
        ),
    ),
    library=Library(
        container_methods=grouped(
            append="add",
            filter="any every where",
            element="elementAt remove removeAt removeFirst removeLast",
            map="expand map",
            find="firstWhere lastWhere singleWhere",
            same="followedBy skip sublist take toList toSet",
            each="forEach listen",
            reduce="reduce",
        )
    ),
)
POLICIES: Final = {"dart": POLICY}
