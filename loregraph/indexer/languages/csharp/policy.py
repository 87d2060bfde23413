"""C#'s rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import (
    Calls,
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

_SYSTEM = (
    "Action Activator AggregateException ArgumentException ArgumentNullException ArgumentOutOfRangeException "
    "Array Attribute BitConverter Buffer Console Convert DateTime DateTimeOffset Enum Environment EventArgs "
    "Exception Func GC Guid IDisposable InvalidOperationException Lazy Math NotImplementedException "
    "NotSupportedException Nullable Object ObjectDisposedException OperationCanceledException Random String "
    "StringComparer TimeSpan Tuple Type Uri Version bool byte char decimal double float int long object short "
    "string uint ulong ushort"
).split()

_OBJECT = ("IComparable", "IConvertible", "IFormattable", "object", "dynamic")
_BASIC: Final[dict[str, tuple[str, ...]]] = {
    "byte": ("short", "ushort", "int", "uint", "long", "ulong", "float", "double", "decimal", *_OBJECT),
    "short": ("int", "long", "float", "double", "decimal", *_OBJECT),
    "char": ("ushort", "int", "uint", "long", "ulong", "float", "double", "decimal", *_OBJECT),
    "int": ("long", "float", "double", "decimal", "uint", "ulong", "short", "byte", *_OBJECT),
    "uint": ("long", "ulong", "float", "double", "decimal", *_OBJECT),
    "long": ("float", "double", "decimal", *_OBJECT),
    "ulong": ("float", "double", "decimal", *_OBJECT),
    "float": ("double", *_OBJECT),
    "double": _OBJECT,
    "decimal": _OBJECT,
    "bool": _OBJECT,
    "string": ("String", "ReadOnlySpan", "IEnumerable", "FormattableString", *_OBJECT),
    "object": ("dynamic",),
}
"""C#'s own types and what takes them too (its specification, 10.2)."""

POLICY: Final = Policy(
    language="csharp",
    modules=Modules(style="package", package_scope=True, package_lookup="outer"),
    scopes=Scopes(members_in_scope=True, functions_apart=True, default_externals=dict.fromkeys(_SYSTEM, "System")),
    members=Members(extensions=True),
    calls=Calls(
        dispatch_self=True,
        function_calls=frozenset({"BeginInvoke", "DynamicInvoke", "Invoke"}),
        passing_methods=frozenset({"Value", "Result", "ConfigureAwait", "GetAwaiter", "GetResult"}),
    ),
    implicit=ImplicitCalls(
        text_methods=("ToString",),
        text_takers=frozenset(
            {
                *(f"System.Console.{name}" for name in ("Write", "WriteLine")),
                *(f"System.Console.{out}.{name}" for out in ("Out", "Error") for name in ("Write", "WriteLine")),
                *(f"System.{text}.{name}" for text in ("string", "String") for name in ("Concat", "Format")),
                *(f"System.Text.StringBuilder.{name}" for name in ("Append", "AppendFormat", "AppendLine", "Insert")),
            }
        ),
    ),
    types=Types(
        basic_types=_BASIC,
        literal_names={"str": "string", "int": "int", "float": "double", "bool": "bool"},
        value_types=words("bool byte char decimal double float int long short uint ulong"),
        top_types=frozenset({"object", "dynamic"}),
        static_types=True,
        literal_types={"str": ("System", "string")},
        type_wrappers=frozenset({"Task", "ValueTask", "Lazy", "Nullable", "IOptions", "Func", "WeakReference"}),
        type_containers=words(
            "[] ConcurrentBag ConcurrentDictionary ConcurrentQueue Dictionary HashSet IAsyncEnumerable ICollection "
            "IDictionary IEnumerable IEnumerator IList IQueryable IReadOnlyCollection IReadOnlyDictionary "
            "IReadOnlyList ISet ImmutableArray ImmutableList LinkedList List Queue ReadOnlySpan SortedDictionary "
            "Span Stack"
        ),
    ),
    library=Library(
        container_methods=grouped(
            append="Add Enqueue Push",
            filter="Any All OrderBy OrderByDescending Where",
            element="Dequeue ElementAt Peek Pop",
            find="First FirstOrDefault Last LastOrDefault Single SingleOrDefault",
            each="ForEach",
            same="GetEnumerator Reverse Skip Take ToArray ToList",
            map="Select",
            values="Values",
        )
    ),
)
POLICIES: Final = {"csharp": POLICY}
