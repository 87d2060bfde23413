"""Signatures in stubs → what tables say of them."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from loregraph.indexer.outside.shapes import Shapes
from loregraph.indexer.outside.stubs import Stubs
from loregraph.indexer.outside.types import MAX_PARTS

BUILTINS = """
class object: ...
class type: ...
class str: ...
class int: ...
class list: ...
class dict: ...
class tuple: ...
class property: ...
"""
TYPING = (
    "class Any: ...\nclass Generic: ...\nclass TypeVar: ...\n"
    + "".join(f"{name}: _SpecialForm\n" for name in "Callable Literal Self Union Optional Annotated ParamSpec".split())
    + "class Iterable: ...\nclass Iterator: ...\nclass Mapping: ...\nclass Awaitable: ...\ndef overload(f): ...\n"
)
HEAD = """
from typing import Any, Awaitable, Callable, Generic, Iterable, Iterator, Literal, Mapping, Optional, ParamSpec, Self
from typing import TypeVar, Union, overload
T = TypeVar("T")
P = ParamSpec("P")
"""


def stubs(**modules: str) -> Stubs:
    """Stubs of modules by their names, `__` for the dot; a package's name ends with `__`."""
    sources = {"builtins": (BUILTINS.encode(), False), "typing": (TYPING.encode(), False)}
    for name, text in modules.items():
        dotted = name.replace("__", ".")
        sources[dotted.rstrip(".")] = (dedent(text).encode(), dotted.endswith("."))
    return Stubs(sources.get)


def shapes(**modules: str) -> Shapes:
    known = stubs(**modules)
    return Shapes(known.knows, known.symbol)


SIGNATURES: dict[str, tuple[str, Any]] = {
    "an instance": ("def f() -> Item: ...", [0, 0, [], "m.Item"]),
    "one or nothing": ("def f() -> Optional[Item]: ...", [0, 0, [], "m.Item"]),
    "a union": ("def f() -> Item | list[Item] | None: ...", [0, 0, [], ["U", ["m.Item", ["L", "m.Item"]]]]),
    "an argument": ("def f(a: T, b: int = 1) -> T: ...", [1, 2, [[0, "a", ["T", "T"]]], ["T", "T"]]),
    "by its own variables": ("def f[U](a: Iterable[U]) -> U: ...", [1, 1, [[0, "a", ["L", ["T", "U"]]]], ["T", "U"]]),
    "of a class": ("def f(a: type[T]) -> T: ...", [1, 1, [[0, "a", ["K", ["T", "T"]]]], ["T", "T"]]),
    "of a function": (
        "def f(g: Callable[P, T], *a: P.args, **k: P.kwargs) -> T: ...",
        [1, -2, [[0, "g", ["C", [["P*", "P"]], ["T", "T"]]], [-2, "a", ["P*", "P"]]], ["T", "T"]],
    ),
    "by name alone": (
        "def f(*, key: Callable[[Item], Any]) -> None: ...",
        [0, 0, [[-1, "key", ["C", ["m.Item"], ""]]], ""],
    ),
    "awaited": ("async def f() -> Item: ...", [0, 0, [], "m.Item"]),
    "a mapping": (
        "def f(a: Mapping[str, T]) -> dict[str, T]: ...",
        [1, 1, [[0, "a", ["M", ["T", "T"]]]], ["M", ["T", "T"]]],
    ),
    "a tuple": ("def f() -> tuple[Item, Item]: ...", [0, 0, [], ["P", ["m.Item", "m.Item"]]]),
    "an alias": (
        "Maker = Callable[[T], Item]\ndef f(a: Maker[int]) -> None: ...",
        [1, 1, [[0, "a", ["C", [""], "m.Item"]]], ""],
    ),
    "in quotes": ('def f() -> "Item": ...', [0, 0, [], "m.Item"]),
    "generic": ("class Box(Generic[T]): ...\ndef f() -> Box[Item]: ...", [0, 0, [], ["G", "m.Box", ["m.Item"]]]),
}


@pytest.mark.parametrize(("text", "signature"), SIGNATURES.values(), ids=SIGNATURES.keys())
# Verifies REQ-RES-003.
def test_signatures(text: str, signature: Any) -> None:
    table = stubs(m=f"{HEAD}\nclass Item: ...\n{text}").table("m")
    assert table is not None
    assert table["f"] == ["f", [signature]]


# Verifies REQ-RES-003.
def test_members_of_classes() -> None:
    text = """
    class Base(Generic[T]):
        held: T
        def get(self) -> T: ...
        @property
        def one(self) -> Self: ...
        @classmethod
        def made(cls, a: int) -> Self: ...
        @staticmethod
        def apart(a: T) -> T: ...
        def named(self: Other) -> Other: ...
    class Item: ...
    class Items(Base[Item]): ...
    """
    own = shapes(m=HEAD + 'Other = TypeVar("Other")\n' + dedent(text))
    assert [own.member("m.Items", name).type for name in ("held", "one")] == ["m.Item", ["S"]]  # type: ignore[union-attr]
    given = {name: own.member("m.Items", name).signatures[0] for name in ("get", "made", "apart", "named")}  # type: ignore[union-attr]
    assert given["get"] == [0, 0, [], "m.Item"]
    assert given["made"] == [1, 1, [], ["S"]]
    assert given["apart"] == [1, 1, [[0, "a", "m.Item"]], "m.Item"]
    assert given["named"] == [0, 0, [], ["S"]]
    assert own.find("m.Items.one.one.get") == own.find("m.Items.get")


# Verifies REQ-RES-003.
def test_overloads_and_variants() -> None:
    text = """
    import sys
    class A: ...
    class B: ...
    @overload
    def f(mode: Literal["r"]) -> A: ...
    @overload
    def f(mode: Literal["w"] = "w") -> B: ...
    if sys.version_info >= (3, 12):
        def g() -> A: ...
    else:
        def g() -> B: ...
    """
    table = stubs(m=HEAD + dedent(text)).table("m")
    assert table is not None
    assert [s[3] for s in table["f"][1]] == ["m.A", "m.B"]
    assert table["f"][1][0][2] == [[0, "mode", ["=", ["r"]]]]
    assert [s[3] for s in table["g"][1]] == ["m.A", "m.B"]


# Verifies REQ-RES-003.
def test_names_are_known_as_their_package_publishes_them() -> None:
    own = shapes(
        pkg__="from ._core import *\nfrom .other import Thing as Renamed\nfrom . import _core as core",
        pkg___core="from .other import Thing\nclass Own:\n    def thing(self) -> Thing: ...\ndef made() -> Own: ...",
        pkg__other="class Thing: ...",
    )
    found = own.find("pkg.made")
    assert found is not None
    assert found.signatures[0][3] == "pkg.Own"
    assert own.find("pkg.Own.thing").signatures[0][3] == "pkg.Thing"  # type: ignore[union-attr]
    assert own.find("pkg.Renamed") == own.find("pkg.other.Thing")
    assert own.find("pkg.core.made") == found
    assert own.find("pkg.missing") is None
    assert own.find("elsewhere.made") is None


# Verifies REQ-SEC-010.
def test_what_leads_in_circles_ends() -> None:
    own = shapes(
        m="from n import a\nfrom m import b\nx = y\ny = x\nclass A(B): ...\nclass B(A): ...\n"
        "T = list[T]\ndef f() -> T: ...",
        n="from m import a",
    )
    assert [own.find(f"m.{name}") for name in ("a", "b", "x")] == [None, None, None]
    assert own.find("m.A.missing") is None
    assert own.find("m.f") is not None


# Verifies REQ-SEC-010.
def test_types_that_grow_without_end_are_not_understood() -> None:
    doubled = "\n".join(
        f"A{i} = tuple[A{i - 1}, {', '.join(f'list[A{i - 1}]' for _ in range(30))}]" for i in range(1, 9)
    )
    classes = "\n".join(f"class C{i}(C{i - 1}[tuple[T, T]], Generic[T]): ..." for i in range(1, 40))
    text = f"{HEAD}\nclass Item: ...\nA0 = Item\n{doubled}\ndef f() -> A8: ...\n"
    own = shapes(m=text + f"class C0(Generic[T]):\n    def get(self) -> T: ...\n{classes}")
    assert own.find("m.f") is not None
    assert own.member("m.C2", "get").signatures[0][3][0] == "P"  # type: ignore[union-attr]
    assert len(str(own.member("m.C39", "get").signatures[0][3])) < 20 * MAX_PARTS  # type: ignore[union-attr]


# Verifies REQ-SEC-010.
def test_stars_that_lead_everywhere_are_followed_once() -> None:
    names = [f"m{i}" for i in range(40)]
    stars = "\n".join(f"from {name} import *" for name in names)
    own = shapes(**dict.fromkeys(names, f"{stars}\ndef f(): ..."))
    assert own.find("m0.missing") is None
