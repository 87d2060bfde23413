"""Swift's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import (
    CALL_ANY,
    Calls,
    Construction,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
    grouped,
)

_SWIFT = (
    "Array Bool Character Dictionary Double Error Float Int Optional Result Set String UInt Void fatalError print"
).split()

POLICY: Final = Policy(
    language="swift",
    modules=Modules(style="package", package_scope=True, package_lookup="global", shared_values=re.compile(r".")),
    scopes=Scopes(members_in_scope=True, functions_apart=True, default_externals=dict.fromkeys(_SWIFT, "Swift")),
    members=Members(extensions=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(dispatch_self=True, handed={"map": "result", "flatMap": "result"}),
    types=Types(
        static_types=True,
        literal_types={"str": ("Swift", "String")},
        self_types=frozenset({"Self"}),
        type_wrappers=frozenset({"Optional", "Result"}),
        type_containers=frozenset({"Array", "Dictionary", "Set", "ArraySlice"}),
    ),
    library=Library(
        container_methods=grouped(
            append="append",
            map="compactMap map",
            filter="filter sorted",
            find="first last",
            each="forEach",
            element="removeLast",
            same="reversed",
        )
    ),
)
POLICIES: Final = {"swift": POLICY}
