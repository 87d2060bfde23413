"""PHP's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.php.builtin_names import FUNCTIONS, TYPES
from loregraph.indexer.languages.policy import (
    Calls,
    Construction,
    ImplicitCalls,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
)

_CALLING: Final = {
    0: (
        "array_map forward_static_call forward_static_call_array header_register_callback ob_start "
        "register_shutdown_function set_error_handler set_exception_handler spl_autoload_register"
    ),
    1: (
        "array_all array_any array_filter array_find array_find_key array_reduce array_walk array_walk_recursive "
        "iterator_apply mb_ereg_replace_callback pcntl_signal preg_replace_callback uasort uksort usort"
    ),
    2: (
        "array_diff_uassoc array_diff_ukey array_intersect_uassoc array_intersect_ukey array_udiff "
        "array_udiff_assoc array_uintersect array_uintersect_assoc"
    ),
}
"""Functions of the language that call what they are given, by where that stands among the arguments."""

POLICY: Final = Policy(
    language="php",
    modules=Modules(style="package", package_scope=True, package_lookup="global", shared_values=re.compile(r"[^$]")),
    scopes=Scopes(
        assigns_outward=frozenset(),
        class_body_visible=False,
        class_scope_visible=False,
        functions_apart=True,
        default_externals=dict.fromkeys((*TYPES, *FUNCTIONS), "php"),
    ),
    members=Members(subscript_members=True, late_static=True, taken_in=frozenset({"trait"}), forwards="__call"),
    construction=Construction(
        constructors=("__construct",), makers=frozenset({"app", "build", "get", "make", "makeWith", "resolve"})
    ),
    calls=Calls(
        functions_passed=True,
        dispatch_self=True,
        callbacks={f"php.{name}": (place,) for place, names in _CALLING.items() for name in names.split()},
        callable_names=True,
        handles=True,
        function_calls=frozenset({"__invoke"}),
    ),
    implicit=ImplicitCalls(call_methods=("__invoke",)),
    types=Types(
        static_types=True,
        self_types=frozenset({"self", "static"}),
        type_containers=frozenset({"[]", "array", "iterable"}),
    ),
)
POLICIES: Final = {"php": POLICY}
