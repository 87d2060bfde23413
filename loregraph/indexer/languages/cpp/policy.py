"""C++'s rules of naming and calling."""

from __future__ import annotations

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
    words,
)

POLICY: Final = Policy(
    language="cpp",
    family="c",
    modules=Modules(style="include", include_scope=True),
    scopes=Scopes(members_in_scope=True),
    members=Members(literal_members=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(dispatch_self=True, passing_methods=frozenset({"get", "lock", "value"})),
    types=Types(
        static_types=True,
        type_wrappers=words("unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic future not_null"),
        type_containers=words(
            "vector list deque set unordered_set map unordered_map array span queue stack initializer_list []"
        ),
    ),
    library=Library(
        container_methods=grouped(append="push_back emplace_back", element="at front back top", same="begin")
    ),
)
POLICIES: Final = {"cpp": POLICY}
