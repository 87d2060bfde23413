"""Java's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolution.policy import Policy

_LANG = (
    "Boolean Byte Character Class Double Enum Error Exception Float IllegalArgumentException IllegalStateException "
    "IndexOutOfBoundsException Integer InterruptedException Iterable Long Math NullPointerException Number Object "
    "Override Process Record Runnable Runtime RuntimeException Short String StringBuffer StringBuilder System Thread "
    "Throwable UnsupportedOperationException Void"
).split()

POLICY: Final = Policy(
    language="java",
    modules="java",
    family="jvm",
    members_in_scope=True,
    package_scope=True,
    overloads=True,
    functions_apart=True,
    static_types=True,
    dispatch_self=True,
    default_externals=dict.fromkeys(_LANG, "java.lang"),
    literal_types={"str": ("java.lang", "String")},
    type_wrappers=frozenset({"Optional", "CompletableFuture", "Future", "AtomicReference", "Supplier", "Class"}),
    type_containers=frozenset(
        {
            "List",
            "ArrayList",
            "LinkedList",
            "Set",
            "HashSet",
            "Collection",
            "Iterable",
            "Iterator",
            "Map",
            "HashMap",
            "TreeMap",
            "LinkedHashMap",
            "ConcurrentHashMap",
            "Queue",
            "Deque",
            "Stream",
            "[]",
        }
    ),
    passing_methods=frozenset({"get", "orElse", "orElseThrow", "orElseGet", "join"}),
    container_methods={
        "add": "append",
        "get": "element",
        "put": "insert",
        "forEach": "each",
        "stream": "same",
        "filter": "filter",
        "map": "map",
        "values": "values",
        "iterator": "same",
        "next": "element",
        "remove": "element",
        "findFirst": "find",
    },
)
POLICIES: Final = {"java": POLICY}
