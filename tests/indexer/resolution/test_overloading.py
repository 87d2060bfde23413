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
