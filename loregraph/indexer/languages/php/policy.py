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

_CALLING: Final[dict[str, tuple[int | str, ...]]] = {
    "array_all": (1,),
    "array_any": (1,),
    "array_diff_uassoc": (2,),
    "array_diff_ukey": (2,),
    "array_filter": (1,),
    "array_find": (1,),
    "array_find_key": (1,),
    "array_intersect_uassoc": (2,),
    "array_intersect_ukey": (2,),
    "array_map": (0,),
    "array_reduce": (1,),
    "array_udiff": (2,),
    "array_udiff_assoc": (2,),
    "array_uintersect": (2,),
    "array_uintersect_assoc": (2,),
    "array_walk": (1,),
    "array_walk_recursive": (1,),
    "forward_static_call": (0,),
    "forward_static_call_array": (0,),
    "header_register_callback": (0,),
    "iterator_apply": (1,),
    "mb_ereg_replace_callback": (1,),
    "ob_start": (0,),
    "pcntl_signal": (1,),
    "preg_replace_callback": (1,),
    "register_shutdown_function": (0,),
    "set_error_handler": (0,),
    "set_exception_handler": (0,),
    "spl_autoload_register": (0,),
    "uasort": (1,),
    "uksort": (1,),
    "usort": (1,),
}
"""Functions of the language that call what they are given, and where it stands among the arguments."""

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
        callbacks={f"php.{name}": places for name, places in _CALLING.items()},
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
