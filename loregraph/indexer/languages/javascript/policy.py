"""JavaScript's rules of naming and calling, and what its arrays and promises do with functions they are given."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import (
    CALL_NEW,
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

_NAMES = (
    "Array ArrayBuffer BigInt Boolean DataView Date Error EvalError Float32Array Float64Array Function Int16Array "
    "Int32Array Int8Array Intl JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp "
    "Set String Symbol SyntaxError TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array "
    "WeakMap WeakRef WeakSet atob btoa clearInterval clearTimeout console decodeURI decodeURIComponent document "
    "encodeURI encodeURIComponent eval fetch globalThis isFinite isNaN parseFloat parseInt process queueMicrotask "
    "requestAnimationFrame require setImmediate setInterval setTimeout structuredClone window"
)
GLOBALS: Final = dict.fromkeys(_NAMES.split(), "js")

_CALLING = (
    "every filter find findIndex findLast findLastIndex flatMap forEach reduce reduceRight replace replaceAll some sort"
)
"""Methods of arrays and strings that call a function they are given."""
_LIBRARIES = {
    "react": ("memo forwardRef useCallback", "useEffect useLayoutEffect useInsertionEffect useMemo"),
    "lodash": ("debounce throttle once memoize", ""),
    "vue": ("defineComponent markRaw reactive readonly shallowReactive", "watchEffect onMounted onUnmounted nextTick"),
}
"""Widespread library → functions that give what they are given, or what stands for it; functions that call it."""


_ASSIGNING: Final = (
    "extend", "jquery.extend", "lodash.assign", "lodash.assignIn", "lodash.defaults", "lodash.extend", "lodash.merge",
    "merge-descriptors", "object-assign", "underscore.extend", "underscore.extendOwn", "utils-merge",
)  # fmt: skip
"""Functions of libraries that copy the members of other objects to the first."""


def _of_libraries(place: int) -> list[str]:
    return [
        f"{library}.{default}{name}"
        for library, functions in _LIBRARIES.items()
        for name in functions[place].split()
        for default in ("", "default.")
    ]


POLICY: Final = Policy(
    language="javascript",
    replayed=True,
    family="javascript",
    modules=Modules(style="file", inside=re.compile(r"\A\."), module_exports=True),
    scopes=Scopes(class_body_visible=False, class_scope_visible=False, default_externals=GLOBALS),
    members=Members(class_member="constructor", subscript_members=True, literal_members=True, string_keys=True),
    construction=Construction(instantiation=CALL_NEW, functions_construct=True),
    calls=Calls(
        defaults_replaced=True,
        handed={
            "then": "result",
            "catch": "receiver",
            "finally": "receiver",
            "map": "list",
            **dict.fromkeys(_CALLING.split(), "nothing"),
        },
        handed_unseen=True,
        dispatch_self=True,
        callbacks={
            "js.setTimeout": (0,),
            "js.setInterval": (0,),
            "js.setImmediate": (0,),
            "js.queueMicrotask": (0,),
            "js.requestAnimationFrame": (0,),
            "js.Array.from": (1,),
            "js.Promise": (0,),
            **dict.fromkeys(_of_libraries(1), (0,)),
        },
    ),
    implicit=ImplicitCalls(iterator_methods=("[Symbol.iterator]", "next")),
    types=Types(
        literal_types={
            "str": ("js", "String"),
            "format": ("js", "String"),
            "int": ("js", "Number"),
            "float": ("js", "Number"),
            "bool": ("js", "Boolean"),
            "list()": ("js", "Array"),
            "regex": ("js", "RegExp"),
        },
        type_wrappers=words(
            "Promise PromiseLike Awaited Readonly Partial Required NonNullable Pick Omit Extract Exclude NoInfer "
            "ThisType Observable Ref"
        ),
        type_containers=words(
            "Array ReadonlyArray Set ReadonlySet Map ReadonlyMap WeakMap WeakSet Record Iterable Iterator "
            "IterableIterator AsyncIterable Generator"
        ),
        type_operators={"ReturnType": "returned", "InstanceType": "instance"},
    ),
    library=Library(
        mappings_give_pairs=True,
        models={
            "js.Object.assign": "assign",
            **dict.fromkeys(_ASSIGNING, "assign"),
            "js.Object.create": "create",
            "js.Object.freeze": "first",
            "js.Object.defineProperty": "define",
            "js.Object.defineProperties": "define all",
            "js.Object.setPrototypeOf": "inherit",
            "js.Object.entries": "object pairs",
            "js.Object.values": "object values",
            "js.Object.fromEntries": "from pairs",
            "js.Array.from": "array from",
            "js.Array.of": "listed",
            "js.Set": "set",
            "js.WeakSet": "set",
            "js.Map": "map of pairs",
            "js.WeakMap": "map of pairs",
            "js.Promise": "executed",
            "js.Promise.all": "settled",
            "js.Promise.resolve": "settled",
            "js.Promise.any": "one of",
            "js.Promise.race": "one of",
            "js.Reflect.apply": "reflected call",
            "js.Reflect.construct": "construct",
            "js.Reflect.defineProperty": "define",
            "js.Reflect.get": "item",
            "js.Reflect.setPrototypeOf": "inherit",
            **dict.fromkeys(_of_libraries(0), "first"),
            "util.inherits": "inherit",
            "node:util.inherits": "inherit",
            "inherits": "inherit",
        },
        container_methods=grouped(
            append="push unshift add splice fill",
            each="forEach findIndex findLastIndex",
            map="map flatMap",
            filter="filter some every sort toSorted",
            find="find findLast",
            reduce="reduce reduceRight",
            same="reverse toReversed",
            slice="slice",
            concat="concat",
            flat="flat",
            element="pop shift",
            item="at get",
            set="set",
            values="values",
            pairs="entries",
        ),
    ),
)

POLICIES: Final = {"javascript": POLICY}
