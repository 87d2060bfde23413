"""Java's rules of naming and calling."""

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

_LANG = (
    "Boolean Byte Character Class Double Enum Error Exception Float IllegalArgumentException IllegalStateException "
    "IndexOutOfBoundsException Integer InterruptedException Iterable Long Math NullPointerException Number Object "
    "Override Process Record Runnable Runtime RuntimeException Short String StringBuffer StringBuilder System Thread "
    "Throwable UnsupportedOperationException Void"
).split()

_OBJECT = ("Comparable", "Serializable", "Object")
_NUMBER = ("Number", *_OBJECT)
_BASIC: Final[dict[str, tuple[str, ...]]] = {
    "byte": ("short", "int", "long", "float", "double", "Byte", *_NUMBER),
    "short": ("int", "long", "float", "double", "Short", *_NUMBER),
    "char": ("int", "long", "float", "double", "Character", *_OBJECT),
    "int": ("long", "float", "double", "Integer", *_NUMBER),
    "long": ("float", "double", "Long", *_NUMBER),
    "float": ("double", "Float", *_NUMBER),
    "double": ("Double", *_NUMBER),
    "boolean": ("Boolean", *_OBJECT),
    "Byte": (*_NUMBER, "byte", "short", "int", "long", "float", "double"),
    "Short": (*_NUMBER, "short", "int", "long", "float", "double"),
    "Character": (*_OBJECT, "char", "int", "long", "float", "double"),
    "Integer": (*_NUMBER, "int", "long", "float", "double"),
    "Long": (*_NUMBER, "long", "float", "double"),
    "Float": (*_NUMBER, "float", "double"),
    "Double": (*_NUMBER, "double"),
    "Boolean": (*_OBJECT, "boolean"),
    "String": ("CharSequence", *_OBJECT),
    "CharSequence": ("Object",),
    "Object": (),
    "Class": ("Type", "GenericDeclaration", "AnnotatedElement", "Serializable", "Object"),
    "Number": ("Serializable", "Object"),
}
"""Java's own types and what takes them too: widening before boxing (JLS 5.1, 15.12.2)."""

_APPENDING: Final = [
    f"java.lang.{made}.{name}" for made in ("StringBuilder", "StringBuffer") for name in ("append", "insert")
]

POLICY: Final = Policy(
    language="java",
    replayed=True,
    family="jvm",
    modules=Modules(style="type", package_scope=True, platform_variants=True),
    scopes=Scopes(members_in_scope=True, functions_apart=True, default_externals=dict.fromkeys(_LANG, "java.lang")),
    members=Members(
        class_objects=True,
        common_methods=frozenset("clone equals finalize getClass hashCode notify notifyAll toString wait".split()),
    ),
    calls=Calls(
        functions_passed=True,
        handles=True,
        dispatch_self=True,
        passing_methods=frozenset({"get", "orElse", "orElseThrow", "orElseGet", "join"}),
        function_calls=words(
            "accept apply applyAsDouble applyAsInt applyAsLong call compare get getAsDouble getAsInt getAsLong "
            "invoke run test"
        ),
        handed=grouped(
            result="map flatMap ifPresent ifPresentOrElse thenApply thenAccept thenCompose",
            receiver="filter whenComplete",
        ),
    ),
    implicit=ImplicitCalls(
        text_methods=("toString",),
        text_takers=frozenset(
            {
                "java.lang.String.valueOf",
                "java.lang.String.format",
                "java.util.Objects.toString",
                *(
                    f"java.lang.System.{out}.{name}"
                    for out in ("out", "err")
                    for name in ("print", "println", "printf")
                ),
                *(f"java.io.{out}.{name}" for out in ("PrintStream", "PrintWriter") for name in ("print", "println")),
                *(
                    f"java.lang.{made}.{name}"
                    for made in ("StringBuilder", "StringBuffer")
                    for name in ("append", "insert")
                ),
                *(f"org.slf4j.Logger.{level}" for level in ("trace", "debug", "info", "warn", "error")),
            }
        ),
        protocols={"java.util.Objects.equals": ("equals",), "java.util.Objects.hashCode": ("hashCode",)},
    ),
    types=Types(
        basic_types=_BASIC,
        literal_names={"str": "String", "int": "int", "float": "double", "bool": "boolean"},
        value_types=frozenset({"boolean", "byte", "char", "double", "float", "int", "long", "short"}),
        top_types=frozenset({"Object"}),
        static_types=True,
        literal_types={"str": ("java.lang", "String")},
        type_wrappers=frozenset({"CompletableFuture", "Future", "AtomicReference", "Supplier"}),
        type_classes=frozenset({"Class"}),
        type_containers=words(
            "ArrayDeque ArrayList BlockingQueue Collection ConcurrentHashMap ConcurrentMap CopyOnWriteArrayList "
            "Deque Entry EnumMap EnumSet HashMap HashSet Iterable Iterator LinkedHashMap LinkedHashSet LinkedList "
            "List ListIterator Map NavigableMap NavigableSet Optional PriorityQueue Queue Set SortedMap SortedSet "
            "Stack Stream TreeMap TreeSet Vector WeakHashMap []"
        ),
    ),
    library=Library(
        models={
            "java.lang.Class.forName": "class named",
            "java.util.List.of": "listed",
            "java.util.Set.of": "listed",
            "java.util.Arrays.asList": "listed",
            "java.util.Arrays.stream": "first",
            "java.util.Collections.singletonList": "listed",
            "java.util.Collections.singleton": "listed",
            "java.util.Collections.unmodifiableList": "first",
            "java.util.Collections.unmodifiableSet": "first",
            "java.util.Collections.unmodifiableMap": "first",
            "java.util.Map.of": "mapped",
            "java.util.Objects.requireNonNull": "first",
            **{
                f"java.lang.{made}.{name}": "on"
                for made in ("StringBuilder", "StringBuffer")
                for name in ("append", "insert")
            },
            "java.util.Optional.of": "listed",
            "java.util.Optional.ofNullable": "listed",
            "java.util.stream.Stream.of": "listed",
        },
        container_methods=grouped(
            append="add push offer addLast addFirst",
            element=(
                "get next remove getValue getFirst getLast poll peek pop getOrDefault orElse orElseGet orElseThrow "
                "peekFirst peekLast pollFirst pollLast removeFirst removeLast element first last firstElement "
                "lastElement computeIfAbsent"
            ),
            insert="put putIfAbsent set",
            each=("forEach ifPresent ifPresentOrElse mapToInt mapToLong mapToDouble forEachOrdered sort replaceAll"),
            same=(
                "stream iterator or sequential parallel unordered distinct limit skip toList collect parallelStream "
                "subList reversed listIterator"
            ),
            filter="filter anyMatch allMatch noneMatch takeWhile dropWhile sorted removeIf",
            map="map",
            values="values",
            find="findFirst findAny min max",
            pairs="entrySet",
            flatmap="flatMap",
            extend="addAll",
            update="putAll",
        ),
    ),
)
POLICIES: Final = {"java": POLICY}
