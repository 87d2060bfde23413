"""Reading what a repository holds ends, whatever it holds, and what a bound cut is said.

Each text would have taken minutes, or all memory, or the process with it. What is asserted is the outcome; the limit of
CPU is a stop, hundreds of times what the work takes.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from loregraph.config import RequirementSettings
from loregraph.errors import ConfigError
from loregraph.ignore_rules import MAX_PATTERNS, parse_rules
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.discover.walk import walk
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import parsing
from loregraph.indexer.languages.javascript.layout import Layout as NodeLayout
from loregraph.indexer.languages.packaging.reader import PackagingReader
from loregraph.indexer.languages.solidity.layout import Layout as SolidityLayout
from loregraph.indexer.outside.environment import read_environment
from loregraph.indexer.requirements import fields, reqif
from loregraph.indexer.requirements.documents import read_document
from loregraph.indexer.requirements.front_matter import YamlError, mapping
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.marker_syntax import annotated, marked
from loregraph.indexer.resolve import Resolution, resolve
from loregraph.indexer.resolve.hierarchy import MAX_ANCESTORS
from loregraph.requirement_links import matching

sys.path.insert(0, str(Path(__file__).parent))

from pumping import limited

SECONDS = 30


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("package.json", "[" * 100_000, "not valid JSON"),
        ("package.json", '{"\\' + '"\\' * 200_000, "not valid JSON"),
        ("package.json", '{"a": ' + "1" * 10_000 + "}", "not valid JSON"),
        ("package.json", "/*" * 200_000, "not valid JSON"),
        ("pyproject.toml", "a = " + "[" * 100_000, "not valid TOML"),
        ("pyproject.toml", "a = " + "1" * 10_000, "not valid TOML"),
        ("Cargo.toml", "a." * 400_000 + "a = 1", "not valid TOML"),
        ("pom.xml", "<a>" * 300_000, "not valid XML"),
        ("pom.xml", '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "document types"),
    ],
)
def test_a_packaging_file_is_read_or_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    reader = PackagingReader(tmp_path)
    kind = {"json": reader.json, "toml": reader.toml, "xml": reader.xml}[name.rpartition(".")[2]]
    limited(lambda: kind(name), SECONDS)
    assert told in reader.problems[0].message


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    "text",
    ["a: " + "[" * 90_000, "a: " + "{a: " * 40_000, "- " * 90_000, "a: &a [x]\nb: *a\n", "? " * 90_000],
)
def test_yaml_that_would_run_away_is_refused(text: str) -> None:
    with pytest.raises(YamlError):
        mapping(text)


@pytest.mark.parametrize(
    "line",
    [
        "[ ]" * 20_000,
        "REQ-1" + "*" * 50_000 + "x",
        "`status:" * 20_000,
        "@ " + "a, " * 30_000 + "!",
        "<" * 50_000,
        "[" * 50_000,
        "implements " + " " * 50_000 + "!",
        "`" * 50_000,
        "REQ-1 - " * 10_000,
        "> " * 5_000 + "REQ-1: x",
    ],
)
def test_a_line_of_a_document_is_read(line: str) -> None:
    ids = compiled(DEFAULT_PATTERN)
    limited(lambda: marked(line, ids), SECONDS)
    limited(lambda: annotated(f'trace("{line}', ids), SECONDS)
    limited(lambda: fields.read_fields(line, 1, ids), SECONDS)
    limited(lambda: fields.plain(line), SECONDS)
    settings = RequirementSettings(sources=("a.md", "a.txt", "a.sdoc", "a.rst", "a.csv"))
    for name in settings.sources:
        limited(lambda name=name: read_document(name, f"# REQ-7 t\n{line}\n".encode(), settings), SECONDS)


# Verifies REQ-SEC-010.
def test_an_archive_is_unpacked_up_to_a_limit() -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.reqif", b" " * 30_000_000)
    found = reqif.read_archive(bomb.getvalue(), True)
    assert any("unpacked it is larger" in message for _, message in found.problems)
    assert any("not read from 1.reqif on" in message for _, message in found.problems)
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(reqif.MAX_ENTRIES + 1):
            archive.writestr(f"{number}.reqif", b"")
    assert "at most" in reqif.read_archive(many.getvalue(), True).problems[0][1]


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("language", "text"),
    [("scala", "$(" * 10_000), ("lua", "[" * 20_000), ("dart", "(a)(b)*c " * 2_200), ("dart", "a + " * 10_000)],
)
def test_a_text_that_is_read_over_and_over_is_given_up(language: str, text: str) -> None:
    """Their scanners look ahead to the end of the text at each token, in few operations."""
    found: list[FileFacts] = []
    limited(lambda: found.append(extract("a", text.encode(), language)), SECONDS)
    assert found[0].status == "failed"
    assert "more work than a text of its size may" in found[0].problems[0].message


_BROKEN = {
    "vue": (
        "<", "<a ", "<a b='", "{{", "<!--", "<template>", "<script>", "<script setup>\n</script>", "<template>{{ '",
        "<template><b @click='x('>", "<template><b :a='`${'>", "<template><b :a='/*'>", "<template><i v-for='a in b'>",
        "<template><C/>", "<template><b :c='&gt;&gt;'>",
    ),
    "svelte": (
        "{", "{`${", "{'", "{/*", "<a {", "<a b={", '<a b="{', "{#each a as {f(,", "{#each a as b as c, d (e)}",
        "{#snippet a()}", "{/snippet}", "{#if a}", "<script></script>", "<C {a} b='{c} d'/>",
    ),
    "notebook": (
        '"', "[", '{"a":', '"\\', "1,", '{"cells":[', '{"cells":[{"source":["a\\n",',
        '{"cells":[{"cell_type":"code","source":["%ls \\\\\\n","x=!ls\\n","a?\\n","\\ud83d\\ude00"]},',
    ),
}  # fmt: skip


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(("language", "text"), [(name, text) for name, texts in _BROKEN.items() for text in texts])
def test_files_that_hold_code_are_read_once(language: str, text: str) -> None:
    """Tags, quotes and braces that nothing closes, over and over: no exception, and work that grows with the size."""
    found: list[FileFacts] = []
    limited(lambda: found.append(extract("a", (text * (60_000 // len(text))).encode(), language)), SECONDS)
    assert found[0].language in ("python", "javascript")


# Verifies REQ-SEC-010.
def test_outputs_of_a_notebook_are_passed_over() -> None:
    image = '{"data": {"image/png": "' + "iVBORw0KGgo" * 100_000 + '\\n"}}'
    cell = f'{{"cell_type": "code", "outputs": [{image}], "source": ["def run(): pass"]}}'
    found: list[FileFacts] = []
    text = f'{{"cells": [{cell}]}}'.encode()
    limited(lambda: found.append(extract("a", text, "notebook")), SECONDS)
    assert [one.qualname for one in found[0].definitions] == ["run"]


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("language", ["python", "go", "elixir"])
def test_brackets_are_read_as_deep_as_they_count(language: str) -> None:
    def status(text: str) -> str:
        return extract("a", text.encode(), language).status

    assert status("(" * (parsing.DEPTH + 1)) == "failed"
    assert status("[{(" * parsing.DEPTH) == "failed"
    assert status("(" * (parsing.DEPTH // 2)) == "partial"
    assert status("f(a)\n" * (parsing.DEPTH + 1)) != "failed"


# Verifies REQ-SEC-010.
def test_work_is_counted_alike_whatever_was_parsed_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least allowance that a text is parsed with does not depend on the parser's past."""
    monkeypatch.setattr(parsing, "OPERATIONS_A_BYTE", 0)
    text = b"def f(a, b):\n    return a + b\n" * 200

    def least() -> int:
        for calls in range(100):
            monkeypatch.setattr(parsing, "OPERATIONS", calls * 100)
            if parsing.parse("python", text) is not None:
                return calls
        return 0

    first = least()
    assert first > 10
    for before in (b"x", b"x = (", b"def f(a): pass\n" * 33, b"[" * 500):
        monkeypatch.setattr(parsing, "OPERATIONS", 100_000)
        parsing.parse("python", before)
        assert least() == first


def _resolved(name: str, language: str, text: str) -> Resolution:
    """A project of one file, resolved within the limit."""
    found: list[Resolution] = []
    facts = extract(name, text.encode(), language)
    limited(lambda: found.append(resolve({name: facts}, read_layout(Path("nowhere"), [name]))), SECONDS)
    return found[0]


def _edges(found: Resolution, relation: str) -> int:
    return sum(edge.rel == relation for file in found.files.values() for edge in file.edges)


# Verifies REQ-SEC-010.
def test_a_deep_hierarchy_is_resolved_as_far_as_types_count() -> None:
    size = 2_500
    deep = "class C0: pass\n" + "".join(
        f"class C{i}(C{i - 1}):\n    def m{i}(self): return self.m{i - 1}()\n" for i in range(1, size)
    )
    found = _resolved("a.py", "python", deep)
    assert _edges(found, "EXTENDS") == size - 1
    assert _edges(found, "CALLS") == size - 2
    [told] = found.problems
    assert (told.path, told.line) == ("a.py", 2 * MAX_ANCESTORS)
    assert told.message.startswith(f"left out of account, here and at {size - MAX_ANCESTORS - 1:,} more places")
    around = "".join(f"class C{i}(C{(i + 1) % size}):\n    def m(self): return self.n()\n" for i in range(size))
    found = _resolved("a.py", "python", around)
    assert _edges(found, "EXTENDS") == size
    assert f"types more than {MAX_ANCESTORS} above it" in found.problems[0].message


# Verifies REQ-SEC-010.
def test_types_that_are_found_through_one_another_end() -> None:
    text = "".join(f"class C{i}(C{i + 1}.T): pass\n" for i in range(1_000)) + "class C1000:\n    class T: pass\n"
    found = _resolved("a.py", "python", text)
    assert "its supertypes, found through too many other types'" in found.problems[0].message


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("language", "text", "relation", "edges"),
    [
        ("python", "def f(a): f(a)\n" * 15_000, "CALLS", 15_000),
        ("python", "if a:\n  def f(): pass\n" * 15_000, "CALLS", 0),
        ("python", "def f(): pass\nwhile 1:\n" + "  x=f\n  x()\n" * 4_000, "CALLS", 1),
        (
            "java",
            "class A {" + "".join(f"void f(int a{i}) {{ f({i}); }}\n" for i in range(2_500)) + "}",
            "CALLS",
            160_000,
        ),
    ],
)
def test_a_name_bound_thousands_of_times_is_resolved(language: str, text: str, relation: str, edges: int) -> None:
    found = _resolved("A.java" if language == "java" else "a.py", language, text)
    assert _edges(found, relation) == edges
    assert not found.problems


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("name", "text", "edges"),
    [
        pytest.param(
            "a.js",
            "let x;\nfunction g() {}\n" + "".join(f"function f{i}() {{ x = g; }}\n" for i in range(20_000)) + "x();\n",
            1,
            id="functions that assign to one variable",
        ),
        pytest.param(
            "a.py",
            "class D:\n    def __init__(self, f):\n        self.a5000 = f\n"
            + "".join(f"        self.a{i} = self.a{i + 1}\n" for i in range(5_000))
            + "    def __get__(self, o, c):\n"
            + "        if o: return self.a0(o)\n" * 20
            + "class C:\n    @D\n    def m(self): pass\ndef f(): C().m\n",
            4,
            id="members that a getter keeps by way of one another",
        ),
        pytest.param(
            "a.py",
            "class A:\n"
            + "".join(f"    def abc{i}_x(self): pass\n" for i in range(8_000))
            + "    def run(self, k):\n"
            + "".join(f"        getattr(self, 'abc{i}_' + k)()\n" for i in range(8_000)),
            8_001,
            id="names that are put together",
        ),
        pytest.param(
            "a.php",
            "<?php\ntrait T {"
            + "".join(f" function a{i}() {{ $this->m{i}(); }}" for i in range(6_000))
            + "}\n"
            + "".join(f"class C{i} {{ use T; function m{i}() {{}} }}\n" for i in range(6_000)),
            6_000,
            id="names that a trait leaves to those who take it in",
        ),
        pytest.param(
            "A.java",
            "class A {"
            + "".join(f" void m{i}() {{ }} void n{i}(A a) {{ a.m{i}(); }}" for i in range(3_000))
            + "}\n"
            + "".join(f"class C{i} extends A {{ void m{i}() {{ }} }}\n" for i in range(3_000)),
            6_000,
            id="methods and subclasses that override one each",
        ),
        pytest.param(
            "a.py",
            "from dataclasses import dataclass\n@dataclass\nclass A:\n"
            + "".join(f"    a{i}: object\n" for i in range(8_000))
            + "def f(): pass\ndef g():\n"
            + "".join(f"    A(f).a{i}()\n" for i in range(8_000)),
            3,
            id="members that a record is given",
        ),
        pytest.param(
            "a.go",
            "package a\n"
            + "".join(f"type T{i} struct {{ T{i + 1} }}\n" for i in range(6_000))
            + "type T6000 struct{}\nfunc (t T6000) M() {}\nfunc f(t T5900) { t.M() }\n",
            1,
            id="types that embed one another",
        ),
    ],
)
def test_what_thousands_share_is_looked_for_once(name: str, text: str, edges: int) -> None:
    languages = {"js": "javascript", "py": "python", "php": "php", "java": "java", "go": "go"}
    assert _edges(_resolved(name, languages[name.rpartition(".")[2]], text), "CALLS") == edges


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(
    ("name", "language", "text", "told"),
    [
        ("a.py", "python", "def f(): pass\n" + "if q: x=f\nx()\n" * 4_000, "what `x` may hold at one place"),
        ("a.py", "python", "def f(): pass\nx=f\n" + "x+=f\nx()\n" * 4_000, "what `x` may hold at one place"),
        (
            "A.java",
            "java",
            "".join(f"import a{i}.*;\n" for i in range(4_000))
            + "class A {"
            + "".join(f"void f{i}() {{ X{i}.g(); }}\n" for i in range(4_000))
            + "}",
            "imports of all names before the last",
        ),
        (
            "a.kt",
            "kotlin",
            "".join(f"fun A{i}.ext(a: Int) {{ x.ext(1) }}\n" for i in range(2_500)),
            "extensions of one name, first `ext`",
        ),
        (
            "a.go",
            "go",
            "package a\n"
            + "".join(
                f"type I{i} interface {{ m() }}\ntype T{i} struct {{}}\nfunc (t T{i}) m() {{}}\n" for i in range(2_000)
            ),
            "types that have an interface's methods",
        ),
    ],
)
def test_what_a_bound_on_resolution_leaves_out_is_said(name: str, language: str, text: str, told: str) -> None:
    found = _resolved(name, language, text)
    assert told in found.problems[0].message
    assert found.problems[0].path == name


# Verifies REQ-SEC-002, REQ-SEC-010.
def test_stubs_that_publish_one_another_are_followed_as_far_as_they_count(tmp_path: Path) -> None:
    folder = tmp_path / "typings" / "p"
    folder.mkdir(parents=True)
    (folder / "__init__.pyi").write_text("from .m0 import *\n", encoding="utf-8")
    for number in range(3_000):
        stars = "".join(f"from .m{after} import *\n" for after in range(number + 1, min(number + 30, 3_000)))
        (folder / f"m{number}.pyi").write_text(f"{stars}class C{number}:\n    def m(self) -> C{number}: ...\n", "utf-8")
    found = []

    def look() -> None:
        shapes = read_environment(tmp_path, ["typings"]).shapes()
        found.extend(
            shapes.find(path) for path in ("p.C0.m", "p.C40.m", "p.C2999.m", *(f"p.x{n}" for n in range(2_000)))
        )

    limited(look, SECONDS)
    assert [shape is not None for shape in found[:3]] == [True, True, False]
    assert not any(found[3:])


# Verifies REQ-SEC-010.
def test_a_file_of_ignore_rules_counts_up_to_a_limit(tmp_path: Path) -> None:
    rules = "".join(f"/a*{number}/*.x\n" for number in range(100_000))
    found = parse_rules(rules + "plain\n", "")
    assert found is not None
    assert (len(found.patterns), found.cut) == (MAX_PATTERNS, 100_000 - MAX_PATTERNS)
    assert found.decide("plain", "plain", is_folder=False)
    (tmp_path / ".gitignore").write_text(rules, encoding="utf-8")
    for number in range(2_000):
        (tmp_path / f"f{number}.py").touch()
    problems: list[object] = []
    listed: list[str] = []
    limited(lambda: listed.extend(walk(tmp_path, problems, rules_above=False)), SECONDS)  # type: ignore[arg-type]
    assert len(listed) == 2_001
    assert "of its rules do not count" in str(problems[0])


# Verifies REQ-SEC-010.
def test_blanks_at_the_end_of_a_rule_are_gone_through_once() -> None:
    found: list[object] = []
    limited(lambda: found.append(parse_rules("plain" + " " * 4_000_000, "").names), SECONDS)  # type: ignore[union-attr]
    assert found == [{"plain": 0}]


# Verifies REQ-SEC-010.
def test_targets_of_a_package_are_no_longer_than_a_path(tmp_path: Path) -> None:
    stars = "*" * 100_000
    (tmp_path / "package.json").write_text(
        json.dumps({"name": "p", "exports": {f"./a{number}*": f"./{stars}" for number in range(30)}}), encoding="utf-8"
    )
    layout = NodeLayout(["package.json", "a.ts"], ["package.json"], PackagingReader(tmp_path))
    found: list[str | None] = []
    limited(lambda: found.append(layout.file_of("a.ts", "p/a1" + "b" * 200_000)), SECONDS)
    assert found == [None]


# Verifies REQ-SEC-010.
def test_imports_cost_no_look_at_every_remapping(tmp_path: Path) -> None:
    text = "".join(f"@p{number}/=lib/p{number}/\n" for number in range(200_000))
    (tmp_path / "remappings.txt").write_text(text, encoding="utf-8")
    files = ["remappings.txt", "a/b/c/a.sol", "lib/p777/a.sol"]
    layout = SolidityLayout(files, files[:1], PackagingReader(tmp_path))
    found: set[str | None] = set()

    def look() -> None:
        found.update(layout.file_of(files[1], f"@q{number}/a.sol") for number in range(10_000))
        found.add(layout.file_of(files[1], "@p777/a.sol"))
        found.add(layout.file_of(files[1], "@p777/" + "b/" * 200_000))

    limited(look, SECONDS)
    assert found == {None, "lib/p777/a.sol"}


# Verifies REQ-SEC-010.
def test_markers_beyond_the_limit_are_said() -> None:
    text = "".join(f"# Implements REQ-A-{number}.\ndef f{number}(): pass\n" for number in range(6_000))
    facts = extract("a.py", text.encode(), "python")
    assert len(facts.markers) == 5_000
    [told] = [problem for problem in facts.problems if "markers from here on are not read" in problem.message]
    assert told.line == 10_001


# Verifies REQ-SEC-010.
def test_folders_of_results_are_gone_through_once(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*"d" * 60)
    folder.mkdir(parents=True)
    (folder / "r.xml").touch()
    found: list[Path] = []
    limited(lambda: found.extend(matching(tmp_path, "**/**/**/**/**/*.xml")), SECONDS)
    assert found == [folder / "r.xml"]
    with pytest.raises(ConfigError):
        matching(tmp_path, "**/d/**/d/**/*.xml")
