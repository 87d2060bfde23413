"""What became of each definition between two versions of files."""

from __future__ import annotations

from loregraph.analysis.changes.definitions import DefinitionChange, compare
from loregraph.graph.definitions import DeclaredParameter, SourceDefinition
from loregraph.graph.model import Class, Function

LONG = "\n".join(f"    step_{n} = prepare(order, {n}) + shipping[{n}]" for n in range(8))
OTHER = "\n".join(f"    row{n}.render(template_{n}, locale={n})" for n in range(8))


def function(
    id: str, body: str = "    return 1", signature: str = "", line: int = 1, **more: object
) -> SourceDefinition:
    path, _, qualname = id.partition("::")
    name = qualname.rpartition(".")[2].partition("#")[0]
    signature = signature or f"def {name}(order)"
    node = Function(id, name, qualname, "function", path, line, line + 9, "python", signature)
    parameters = (DeclaredParameter("order"),)
    return SourceDefinition(node, f"{signature}:\n{body}\n", more.get("parameters", parameters))  # type: ignore[arg-type]


def class_(id: str, text: str = "", line: int = 1) -> SourceDefinition:
    path, _, qualname = id.partition("::")
    name = qualname.rpartition(".")[2]
    node = Class(id, name, qualname, "class", path, line, line + 9, "python", f"class {name}")
    return SourceDefinition(node, text or f"class {name}:\n    pass\n")


def side(*definitions: SourceDefinition) -> dict[str, list[SourceDefinition]]:
    found: dict[str, list[SourceDefinition]] = {}
    for definition in definitions:
        found.setdefault(definition.node.file_path, []).append(definition)
    return found


def told(
    before: dict[str, list[SourceDefinition]], after: dict[str, list[SourceDefinition]], **renamed: str
) -> list[tuple[str, str, str]]:
    changes = compare(before, after, {f"{old}.py": f"{new}.py" for old, new in renamed.items()}).changes
    return [_row(change) for change in changes]


def _row(change: DefinitionChange) -> tuple[str, str, str]:
    return change.kind, change.old.node.id if change.old else "", change.new.node.id if change.new else ""


def test_added_changed_and_removed() -> None:
    before = side(function("a.py::same"), function("a.py::body", LONG), function("a.py::gone", OTHER))
    after = side(
        function("a.py::same", line=40),
        function("a.py::body", LONG.replace("shipping", "postage"), line=20),
        function("a.py::new", "    yield from somewhere(order)", line=30),
    )
    assert told(before, after) == [
        ("body", "a.py::body", "a.py::body"),
        ("added", "", "a.py::new"),
        ("removed", "a.py::gone", ""),
    ]


def test_indentation_and_empty_lines_change_nothing_and_nesting_does() -> None:
    before = side(function("a.py::f", "    if order:\n        a()\n    b()"))
    spaced = side(function("a.py::f", "    if order:\n\n        a()   \n    b()"))
    nested = side(function("a.py::f", "    if order:\n        a()\n        b()"))
    assert told(before, spaced) == []
    assert told(before, nested) == [("body", "a.py::f", "a.py::f")]


def test_a_signature_is_told_from_a_body() -> None:
    before = side(function("a.py::f", LONG))
    after = side(
        function(
            "a.py::f",
            LONG,
            signature="def f(order, when)",
            parameters=(DeclaredParameter("order"), DeclaredParameter("when")),
        )
    )
    (change,) = compare(before, after, {}).changes
    assert change.kind == "signature"
    assert [(d.text, d.breaks) for d in change.differences] == [("new parameter `when` has no default", True)]
    assert change.breaks


def test_what_goes_with_its_file_or_its_class_is_no_change() -> None:
    before = side(class_("a.py::Cart"), function("a.py::Cart.total", LONG), function("a.py::Cart.clear", OTHER))
    moved_file = side(class_("b.py::Cart"), function("b.py::Cart.total", LONG), function("b.py::Cart.clear", OTHER))
    assert told(before, moved_file, a="b") == []
    renamed_class = side(
        class_("a.py::Basket"),
        function("a.py::Basket.total", LONG),
        function("a.py::Basket.clear", OTHER + "\n    x()"),
    )
    assert told(before, renamed_class) == [
        ("renamed", "a.py::Cart", "a.py::Basket"),
        ("body", "a.py::Cart.clear", "a.py::Basket.clear"),
    ]


def test_moved_and_renamed_by_text() -> None:
    before = side(function("a.py::ship", LONG), function("a.py::draw", OTHER))
    after = side(function("b.py::ship", LONG), function("a.py::paint", OTHER))
    assert told(before, after) == [
        ("renamed", "a.py::draw", "a.py::paint"),
        ("moved", "a.py::ship", "b.py::ship"),
    ]
    assert {change.likeness for change in compare(before, after, {}).changes} == {1.0}


def test_renamed_and_edited_by_likeness() -> None:
    before = side(function("a.py::ship", LONG), function("a.py::draw", OTHER))
    after = side(
        function("a.py::dispatch", LONG.replace("order, 3", "order, 33")), function("b.py::wave", "    greet(order)")
    )
    found = compare(before, after, {}).changes
    assert [_row(change) for change in found] == [
        ("renamed", "a.py::ship", "a.py::dispatch"),
        ("added", "", "b.py::wave"),
        ("removed", "a.py::draw", ""),
    ]
    assert 0.8 < found[0].likeness < 1


def test_short_functions_and_special_names_are_not_taken_for_each_other() -> None:
    before = side(function("a.py::on", "    return True"), function("a.py::A.__enter__", "    return order.open(mode)"))
    after = side(function("b.py::off", "    return True"), function("b.py::B.__enter__", "    return order.lock(mode)"))
    assert {kind for kind, _, _ in told(before, after)} == {"added", "removed"}


def test_overloads_are_matched_by_text_when_one_goes() -> None:
    before = side(function("a.py::f", LONG), function("a.py::f#2", OTHER, line=20))
    after = side(function("a.py::f", OTHER))
    assert told(before, after) == [("removed", "a.py::f", "")]


def test_where_everything_is_now() -> None:
    before = side(function("a.py::ship", LONG), function("a.py::same"))
    after = side(function("b.py::ship", LONG), function("a.py::same"))
    assert compare(before, after, {}).places == {"a.py::ship": "b.py::ship", "a.py::same": "a.py::same"}
