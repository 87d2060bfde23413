"""C++'s rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import CALL_ANY, Policy

POLICY: Final = Policy(
    language="cpp",
    modules="include",
    family="c",
    include_scope=True,
    members_in_scope=True,
    overloads=True,
    static_types=True,
    dispatch_self=True,
    literal_members=True,
    instantiation=CALL_ANY,
    type_wrappers=frozenset(
        {"unique_ptr", "shared_ptr", "weak_ptr", "optional", "reference_wrapper", "atomic", "future", "not_null"}
    ),
    type_containers=frozenset(
        {
            "vector",
            "list",
            "deque",
            "set",
            "unordered_set",
            "map",
            "unordered_map",
            "array",
            "span",
            "queue",
            "stack",
            "initializer_list",
            "[]",
        }
    ),
    passing_methods=frozenset({"get", "lock", "value"}),
    container_methods={
        "push_back": "append",
        "emplace_back": "append",
        "at": "element",
        "front": "element",
        "back": "element",
        "begin": "same",
        "top": "element",
    },
)
POLICIES: Final = {"cpp": POLICY}
