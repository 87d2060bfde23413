"""Swift's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import CALL_ANY, Policy

_SWIFT = (
    "Array Bool Character Dictionary Double Error Float Int Optional Result Set String UInt Void fatalError print"
).split()

POLICY: Final = Policy(
    language="swift",
    modules="package",
    members_in_scope=True,
    package_scope=True,
    package_lookup="global",
    shared_values=re.compile(r"."),
    extensions=True,
    overloads=True,
    functions_apart=True,
    static_types=True,
    dispatch_self=True,
    instantiation=CALL_ANY,
    default_externals=dict.fromkeys(_SWIFT, "Swift"),
    literal_types={"str": ("Swift", "String")},
    self_types=frozenset({"Self"}),
    type_wrappers=frozenset({"Optional", "Result"}),
    type_containers=frozenset({"Array", "Dictionary", "Set", "ArraySlice"}),
    handed={"map": "result", "flatMap": "result"},
    container_methods={
        "append": "append",
        "compactMap": "map",
        "filter": "filter",
        "first": "find",
        "forEach": "each",
        "last": "find",
        "map": "map",
        "removeLast": "element",
        "reversed": "same",
        "sorted": "filter",
    },
)
POLICIES: Final = {"swift": POLICY}
