"""PHP's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.resolution.policy import Policy

_BUILTIN = (
    "ArgumentCountError ArithmeticError ArrayAccess ArrayIterator ArrayObject BadMethodCallException Closure "
    "Countable DateInterval DateTime DateTimeImmutable DateTimeInterface DomainException Error ErrorException "
    "Exception Generator InvalidArgumentException Iterator IteratorAggregate JsonException JsonSerializable "
    "LengthException LogicException OutOfBoundsException OutOfRangeException PDO RangeException "
    "ReflectionClass RuntimeException SplObjectStorage Stringable Throwable Traversable TypeError "
    "UnexpectedValueException ValueError WeakMap"
).split()

POLICY: Final = Policy(
    language="php",
    modules="package",
    class_body_visible=False,
    class_scope_visible=False,
    package_scope=True,
    package_lookup="global",
    shared_values=re.compile(r"[^$]"),
    functions_apart=True,
    static_types=True,
    dispatch_self=True,
    constructors=("__construct",),
    call_methods=("__invoke",),
    default_externals=dict.fromkeys(_BUILTIN, "php"),
    self_types=frozenset({"self", "static"}),
    type_containers=frozenset({"[]", "array", "iterable"}),
)
POLICIES: Final = {"php": POLICY}
