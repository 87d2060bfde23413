"""Ruby's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import (
    Calls,
    Construction,
    ImplicitCalls,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
)

_CORE = (
    "ArgumentError Array BasicObject Class Comparable Complex Date Dir Encoding EncodingError Enumerable Enumerator "
    "EOFError Errno Exception Fiber File FileUtils Float FrozenError GC Hash IO IndexError Integer IOError JSON Kernel "
    "KeyError LoadError Logger Marshal Math Method Module Monitor Mutex NameError NoMethodError NotImplementedError "
    "Numeric Object ObjectSpace OpenStruct Proc Process Queue Random Range RangeError Rational Regexp RegexpError "
    "RuntimeError ScriptError SecureRandom SecurityError Set Signal Singleton StandardError StopIteration String "
    "StringIO Struct Symbol SystemExit Tempfile Thread Time Timeout TypeError URI ZeroDivisionError"
).split()

POLICY: Final = Policy(
    language="ruby",
    modules=Modules(style="package", package_scope=True, package_lookup="global", shared_values=re.compile(r"[A-Z$]")),
    scopes=Scopes(
        assigns_outward=frozenset({"lambda"}),
        members_in_scope=True,
        functions_apart=True,
        default_externals=dict.fromkeys(_CORE, "ruby"),
    ),
    members=Members(subscript_members=True, module_types=True, open_types=True, attributes_called=True),
    construction=Construction(constructors=("initialize",), raise_instantiates=True),
    calls=Calls(function_calls=frozenset({"call", "yield"})),
    implicit=ImplicitCalls(iterator_methods=()),
    types=Types(self_types=frozenset({"class"})),
    library=Library(
        container_methods={
            "<<": "append",
            "append": "append",
            "push": "append",
            "first": "element",
            "last": "element",
            "pop": "element",
            "shift": "element",
            "fetch": "item",
            "values": "values",
            "to_a": "same",
            "dup": "same",
            "freeze": "same",
            "compact": "same",
            "reverse": "same",
            "sort": "same",
        }
    ),
)
POLICIES: Final = {"ruby": POLICY}
