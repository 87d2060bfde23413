"""Functions of one name told apart by the types of their arguments."""

from __future__ import annotations

from .conftest import Resolve


def test_java_takes_the_overload_that_the_arguments_fit_best(project: Resolve) -> None:
    found = project(
        {
            "shop/Till.java": """
        package shop;
        class Coin {}
        class Gold extends Coin {}
        class Till {
            Till(String name) {}
            Till(int size) {}
            void put(int count) {}
            void put(long count) {}
            void put(String name) {}
            void put(Coin coin) {}
            void put(Object any) {}
            void put(int[] counts) {}
            void put(String first, Object... rest) {}
            String name() { return null; }
            void number() { put(1); }
            void wide(short size) { put(size); }
            void text() { put("a"); }
            void coin() { put(new Coin()); }
            void gold(Gold gold) { put(gold); }
            void any(Till till) { put(till); }
            void list(int[] counts) { put(counts); }
            void more() { put("a", 1); }
            void given() { put(name()); }
            void open(Unknown unknown) { put(unknown.value()); }
            void make() { new Till("a"); }
        }
    """
        }
    )
    reached: dict[str, set[str]] = {}
    for source, target in found.calls():
        if ".put" in target or "Till.Till" in target:
            reached.setdefault(source.rpartition(".")[2], set()).add(target.rpartition("::")[2])
    assert reached.pop("open") == {f"Till.put{n}" for n in ("", "#2", "#3", "#4", "#5", "#6", "#7")}
    assert reached == {
        "number": {"Till.put"}, "wide": {"Till.put"}, "text": {"Till.put#3"}, "coin": {"Till.put#4"},
        "gold": {"Till.put#4"}, "any": {"Till.put#5"}, "list": {"Till.put#6"}, "more": {"Till.put#7"},
        "given": {"Till.put#3"}, "make": {"Till.Till"},
    }  # fmt: skip


# Verifies REQ-RES-004.
def test_literal_arguments_choose_among_written_signatures(project: Resolve) -> None:
    found = project(
        {
            "headers.py": """
        import typing as t
        from typing import Self, TypeVar, overload

        T = TypeVar("T")

        class Headers:
            @overload
            def __getitem__(self, key: str) -> str: ...
            @overload
            def __getitem__(self, key: int) -> tuple[str, str]: ...
            @overload
            def __getitem__(self, key: slice) -> Self: ...
            def __getitem__(self, key: str | int | slice) -> str | tuple[str, str] | Self:
                return self

            def __eq__(self, other): return True

            @t.overload
            def get(self, key: str) -> str: ...
            @t.overload
            def get(self, key: str, kind: T) -> T: ...
            def get(self, key, kind=None):
                return kind or Headers()

        def by_name(h: Headers): return h["a"] == "b"
        def by_part(h: Headers): return h[1:] == "b"
        def by_what(h: Headers, key): return h[key] == "b"
        def got(h: Headers): return h.get("a") == "b"
    """
        }
    )
    compared = {source.partition("::")[2] for source, target in found.calls() if target.endswith("__eq__")}
    assert compared == {"by_part", "by_what"}


def test_what_a_signature_calls_callable_the_implementation_knows(project: Resolve) -> None:
    found = project(
        {
            "app.py": """
        from collections.abc import Callable
        from typing import TypeVar, overload

        F = TypeVar("F", bound=Callable)

        class App:
            @overload
            def filter(self, name: F) -> F: ...
            @overload
            def filter(self, name: str | None = None) -> Callable[[F], F]: ...
            def filter(self, name=None):
                def decorator(function):
                    return function
                return decorator

        app = App()

        @app.filter()
        def shout(text): return text.upper()
    """
        }
    )
    assert ("app.py", "app.py::App.filter#3.decorator") in found.calls()
