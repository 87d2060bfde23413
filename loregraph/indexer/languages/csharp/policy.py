"""C#'s rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolution.policy import Policy

_SYSTEM = (
    "Action Activator AggregateException ArgumentException ArgumentNullException ArgumentOutOfRangeException "
    "Array Attribute BitConverter Buffer Console Convert DateTime DateTimeOffset Enum Environment EventArgs "
    "Exception Func GC Guid IDisposable InvalidOperationException Lazy Math NotImplementedException "
    "NotSupportedException Nullable Object ObjectDisposedException OperationCanceledException Random String "
    "StringComparer TimeSpan Tuple Type Uri Version bool byte char decimal double float int long object short "
    "string uint ulong ushort"
).split()

POLICY: Final = Policy(
    language="csharp",
    modules="package",
    members_in_scope=True,
    package_scope=True,
    package_lookup="outer",
    extensions=True,
    overloads=True,
    functions_apart=True,
    static_types=True,
    dispatch_self=True,
    default_externals=dict.fromkeys(_SYSTEM, "System"),
    literal_types={"str": ("System", "string")},
    type_wrappers=frozenset({"Task", "ValueTask", "Lazy", "Nullable", "IOptions", "Func", "WeakReference"}),
    type_containers=frozenset(
        {
            "[]",
            "ConcurrentBag",
            "ConcurrentDictionary",
            "ConcurrentQueue",
            "Dictionary",
            "HashSet",
            "IAsyncEnumerable",
            "ICollection",
            "IDictionary",
            "IEnumerable",
            "IEnumerator",
            "IList",
            "IQueryable",
            "IReadOnlyCollection",
            "IReadOnlyDictionary",
            "IReadOnlyList",
            "ISet",
            "ImmutableArray",
            "ImmutableList",
            "LinkedList",
            "List",
            "Queue",
            "ReadOnlySpan",
            "SortedDictionary",
            "Span",
            "Stack",
        }
    ),
    passing_methods=frozenset({"Value", "Result", "ConfigureAwait", "GetAwaiter", "GetResult"}),
    container_methods={
        "Add": "append",
        "Any": "filter",
        "All": "filter",
        "Dequeue": "element",
        "ElementAt": "element",
        "Enqueue": "append",
        "First": "find",
        "FirstOrDefault": "find",
        "ForEach": "each",
        "GetEnumerator": "same",
        "Last": "find",
        "LastOrDefault": "find",
        "OrderBy": "filter",
        "OrderByDescending": "filter",
        "Peek": "element",
        "Pop": "element",
        "Push": "append",
        "Reverse": "same",
        "Select": "map",
        "Single": "find",
        "SingleOrDefault": "find",
        "Skip": "same",
        "Take": "same",
        "ToArray": "same",
        "ToList": "same",
        "Values": "values",
        "Where": "filter",
    },
)
POLICIES: Final = {"csharp": POLICY}
