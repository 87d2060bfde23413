"""Source as HTML: escaped, small, and linked."""

from __future__ import annotations

from html.parser import HTMLParser

from loregraph.pages.highlight import cut, highlighted
from loregraph.pages.placing import DEFINES, Placed, Reference, Span, placed
from loregraph.pages.source import Addresses, anchor, name_of, source


def reference(name: str, id: str, sure: float = 1.0, rel: str = "CALLS") -> Reference:
    return Reference(1, (name,), id, "function", rel, "self", sure)


def address(id: str) -> str:
    return "" if id.startswith("external:") else f"/symbol?id={id}&x"


ADDRESSES = Addresses(address, lambda _: "#about")


def html(text: str, *wanted: Reference, language: str = "python") -> str:
    shortened = cut(text.split("\n"))
    lines = dict(enumerate(highlighted(shortened.lines, language), 1))
    left_out = {number + 1: count for number, count in shortened.left_out.items()}
    return str(source(lines, placed(lines, wanted), ADDRESSES, left_out=left_out).html)


class Text(HTMLParser):
    """The text of a page, and its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags = "", set[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_line_has_a_number_that_is_an_anchor() -> None:
    assert html("a\nb") == "<i id=L1>1</i>a\n<i id=L2>2</i>b\n"


def test_a_call_is_a_link_that_says_why() -> None:
    assert html("run()", reference("run", "a.py::App.run", 0.95)) == (
        '<i id=L1>1</i><a href="/symbol?id=a.py::App.run&amp;x" title="calls App.run: self, 95%">run</a>()\n'
    )


def test_a_doubtful_link_is_marked() -> None:
    assert "<a class=u " in html("run()", reference("run", "a.py::run", 0.5))


def test_several_candidates_lead_to_their_list() -> None:
    lines = dict(enumerate(highlighted(["it.go()"], "python"), 1))
    wanted = [reference("go", "a.py::A.go", 0.6), reference("go", "a.py::B.go", 0.8)]
    shown = source(lines, placed(lines, wanted), ADDRESSES)
    assert '<a class=m href=#C1-3 title="2 candidates">go</a>' in shown.html
    (choice,) = shown.choices
    assert (choice.anchor, choice.line, choice.name) == ("C1-3", 1, "go")
    assert [one.id for one in choice.targets] == ["a.py::B.go", "a.py::A.go"]


def test_what_lies_outside_has_a_reason_and_no_link() -> None:
    page = html("len(x)", reference("len", "external:builtins.len", 0.9))
    assert "<a" not in page
    assert 'title="calls builtins.len: self, 90%"' in page


def test_an_export_says_nothing_of_what_lies_outside() -> None:
    lines = dict(enumerate(highlighted(["len(x)"], "python"), 1))
    found = placed(lines, [reference("len", "external:builtins.len", 0.9)])
    assert source(lines, found, ADDRESSES._replace(outside=False)).html == "<i id=L1>1</i><s class=b>len</s>(x)\n"


def test_what_has_no_place_is_named_at_the_end_of_its_line() -> None:
    page = html("with lock:", reference("__enter__", "a.py::Lock.__enter__"))
    assert Text(page).text == "1with lock:→ Lock.__enter__\n"


HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m\x00 & \"'"


def test_markup_and_controls_are_text() -> None:
    for language in ("python", "javascript", "java", ""):
        page = html(f"x = '{HOSTILE}' # {HOSTILE}", language=language)
        found = Text(page)
        assert found.tags <= {"i", "s", "a", "b", "u"}
        assert "\u202e" not in page
        assert "\x00" not in page
        assert "<script>alert(1)</script>\\u202e\\x1b[31m\\x00" in found.text


def test_columns_stay_right_behind_what_is_escaped() -> None:
    page = html("\u202e = run(\x1b)", reference("run", "a.py::run"))
    assert ">run</a>(\\x1b)" in page


def test_ids_of_symbols_do_not_break_out_of_an_attribute() -> None:
    page = html("go()", reference("go", 'a.py::"><script>alert(1)</script>\u202e'))
    assert Text(page).tags == {"i", "a"}
    assert "\u202e" not in page


def test_a_line_of_a_megabyte_is_cut() -> None:
    page = html("x" * 1_000_000 + "run()", reference("run", "a.py::run"))
    assert len(page) < 1_000
    assert "… 999,605 more characters" in page


def test_a_definition_is_a_link_with_an_anchor() -> None:
    lines = dict(enumerate(highlighted(["def run():"], "python"), 1))
    span = Span(4, 7, (reference("run", "a.py::A.run", rel=DEFINES),))
    shown = source(lines, Placed({}, {}), ADDRESSES, defined={1: [span]}, anchors={1: ["s.A.run"]})
    assert shown.html == (
        '<a id="s.A.run"></a><i id=L1>1</i><s class=k>def </s><a class=d href="#about" title="A.run">run</a>():\n'
    )


def test_names_and_anchors_of_ids() -> None:
    assert name_of("src/a.py::App.Inner.run") == "Inner.run"
    assert name_of("external:os.path.join") == "path.join"
    assert name_of("a.py::App#2.run#12") == "App.run"
    assert anchor("a.py::operator delete") == "s.operator_delete"
