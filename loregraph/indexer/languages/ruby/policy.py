"""Ruby's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import Policy

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
    assigns_outward=frozenset({"lambda"}),
    subscript_members=True,
    modules="package",
    members_in_scope=True,
    package_scope=True,
    package_lookup="global",
    shared_values=re.compile(r"[A-Z$]"),
    functions_apart=True,
    module_types=True,
    open_types=True,
    attributes_called=True,
    constructors=("initialize",),
    raise_instantiates=True,
    self_types=frozenset({"class"}),
    default_externals=dict.fromkeys(_CORE, "ruby"),
    iterator_methods=(),
    function_calls=frozenset({"call", "yield"}),
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
    },
)
POLICIES: Final = {"ruby": POLICY}
