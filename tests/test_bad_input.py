"""Whatever lies in a repository or in its store: an exit code, one message that says what to do, and nothing lost.

Everything here goes through the command line. That a single file reads as it should is asserted in more detail beside
the modules that read it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main
from loregraph.graph.columns import COLUMNS_FILE, GraphColumns
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.generation import CURRENT, STATE, StoreFolder, sealed
from loregraph.graph.lexical import LEXICAL_FILE
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.store import GRAPH_FILE, IDENTITY_FILE
from loregraph.graph.vector_index import VECTORS_FILE

from .stores import adopted

SMALL_LIMIT = 60_000
"""`max_file_bytes` of the test project: a huge file need not be huge."""


@dataclass(frozen=True)
class Result:
    """What one command line left: exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of whoever runs the tests reaches them."""
    for name in [name for name in os.environ if name.startswith("LOREGRAPH_") and name != "LOREGRAPH_HOME"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs `loregraph` with the given words in this process.

    Whatever happens is a result, or one error with what to do about it: never a traceback, on either stream, nor the
    message for an error that nobody expected. What workers print would show here too.
    """

    def call(*words: str | Path) -> Result:
        capfd.readouterr()
        code = main([str(word) for word in words], standalone_mode=False)
        captured = capfd.readouterr()
        result = Result(code, captured.out, captured.err)
        for stream in (result.out, result.err):
            assert "Traceback" not in stream
            assert "unexpected" not in stream, stream
        if code in (0, 1):
            assert "error:" not in result.err.lower(), result.err
        else:
            assert result.out == ""
            assert result.err.lower().count("error: ") == 1, result.err
            assert result.err.count("hint: ") == 1 or "Usage: " in result.err, result.err
        return result

    return call


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


GOOD: dict[str, str | bytes] = {
    "good.py": 'def helper(value):\n    """Adds one."""\n    return value + 1\n\n\ndef main():\n    return helper(1)\n',
}


# Files that nobody should have written


def nested(opening: str, closing: str, depth: int = 5_000, inner: str = "1") -> str:
    return opening * depth + inner + closing * depth


NAMES = [f"name_{i:04}" for i in range(2_000)]

SOURCES: dict[str, str | bytes] = {
    "syntax.py": "def fine():\n    pass\n\n\ndef broken(:\n    pass\n",
    "syntax.js": "function fine() {}\nfunction broken( {{{\n",
    "syntax.ts": "export function fine(): void {}\ninterface {{{ ]]\n",
    "Syntax.java": "class Syntax { void fine() {} void broken( { }\n",
    "syntax.go": "package main\n\nfunc fine() {}\n\nfunc broken( {\n",
    "syntax.rs": "fn fine() {}\nfn broken( {\n",
    "syntax.c": "int fine(void) { return 1; }\nint broken( {{{\n",
    "syntax.cpp": "int fine() { return 1; }\nclass {{{ ;;; (\n",
    "binary.py": bytes(range(256)) * 20,
    "huge.py": "def huge():\n    pass\n" * SMALL_LIMIT,
    "empty.py": "",
    "blank.js": "\n\n   \n",
    "latin.py": b"def latin():\n    return 'caf\xe9'\n",
    "invalid.py": "def invalid():\n    return 'é".encode() + b"\xff\xfe'\n",
    "declared.py": "# -*- coding: koi8-r -*-\ndef declared():\n    return 'да'\n".encode("koi8-r"),
    "utf16.py": "def utf16():\n    pass\n".encode("utf-16"),
    "bom.py": b"\xef\xbb\xbfdef bom():\n    pass\n",
    "late_nul.py": b"x = 1\n" * 2_000 + b"def late_nul():\n    return '\0'\n",
    "cr_only.py": b"x = 1\rdef cr_only():\r    return x\r\r\rdef second():\r    return cr_only()\r",
    "one_line.js": "function one_line() {" + "f();" * 10_000 + "}",
    "deep.py": f"def deep():\n    return {nested('(', ')')}\n",
    "deep_lists.py": f"def deep_lists():\n    return {nested('[', ']')}\n",
    "deep_calls.py": f"def deep_calls():\n    return {nested('f(', ')')}\n",
    "deep_attributes.py": f"def deep_attributes(x):\n    return x{'.a' * 5_000}\n",
    "deep_blocks.py": "".join(f"{' ' * i}def level_{i}():\n" for i in range(300)) + " " * 300 + "pass\n",
    "deep_sum.py": f"def deep_sum():\n    return {'1 + ' * 8_000}1\n",
    "deep_elif.py": "def deep_elif(x):\n    if x:\n        pass\n" + "    elif x:\n        pass\n" * 2_000,
    "deep.js": f"function deep() {{ return {nested('[', ']')}; }}\n",
    "deep_arrows.js": f"const deep_arrows = {'() => ' * 2_000}1;\n",
    "deep_chain.ts": f"export function deep_chain(p: any) {{ return p{'.then(x => x)' * 2_000}; }}\n",
    "deep.tsx": f"export function Deep() {{ return {nested('<a>', '</a>', 2_000, 'x')}; }}\n",
    "Deep.java": f"class Deep {{ int deep() {{ return {nested('(', ')')}; }} }}\n",
    "deep.go": f"package main\n\nfunc deep() int {{ return {nested('(', ')')} }}\n",
    "deep.rs": f"fn deep() -> i32 {{ {nested('{', '}')} }}\n",
    "deep.c": f"int deep(void) {{ {nested('{', '}', inner=';')} return 1; }}\n",
    "deep.cpp": f"int deep() {{ return {nested('(', ')')}; }}\n",
    "unclosed.c": "int unclosed(void) {" + "{" * 5_000,
    "imports.py": f"from good import ({', '.join(NAMES)})\n\n\ndef after():\n    return name_0001()\n",
    "imports.js": f"import {{ {', '.join(NAMES)} }} from './deep.js';\nexport function after() {{ name_0001(); }}\n",
    "imports.ts": f"import {{ {', '.join(NAMES)} }} from './deep_chain';\nexport function after() {{ name_0001(); }}\n",
    "imports.rs": f"use other::{{{', '.join(NAMES)}}};\nfn after() {{ name_0001(); }}\n",
    "imports.go": 'package main\n\nimport (\n' + "".join(f'\t"x/{n}"\n' for n in NAMES) + ")\n\nfunc after() {}\n",
    "Imports.java": "".join(f"import x.{name};\n" for name in NAMES) + "class Imports { void after() {} }\n",
    "imports.c": "".join(f'#include "{name}.h"\n' for name in NAMES) + "int after(void) { return 1; }\n",
}  # fmt: skip

SAID = {
    "syntax.py": (5, "syntax"),
    "syntax.js": (2, "syntax"),
    "syntax.ts": (2, "syntax"),
    "Syntax.java": (1, "syntax"),
    "syntax.go": (5, "syntax"),
    "syntax.rs": (2, "syntax"),
    "syntax.c": (2, "syntax"),
    "syntax.cpp": (2, "syntax"),
    "binary.py": (0, "binary"),
    "huge.py": (0, "max_file_bytes"),
    "latin.py": (2, "Windows-1252"),
    "invalid.py": (2, "not UTF-8"),
    "late_nul.py": (2002, "NUL"),
}
"""File → line and word of its problem."""

FAILED = {"binary.py", "huge.py"}

NO_PROBLEM = (
    "empty.py blank.js declared.py utf16.py bom.py cr_only.py one_line.js imports.py imports.js imports.ts "
    "imports.rs imports.go Imports.java imports.c"
).split()

FOUND = {
    "syntax.py": "fine",
    "syntax.js": "fine",
    "syntax.ts": "fine",
    "Syntax.java": "Syntax",
    "syntax.go": "fine",
    "syntax.rs": "fine",
    "syntax.c": "fine",
    "syntax.cpp": "fine",
    "latin.py": "latin",
    "invalid.py": "invalid",
    "declared.py": "declared",
    "utf16.py": "utf16",
    "bom.py": "bom",
    "late_nul.py": "late_nul",
    "cr_only.py": "cr_only",
    "one_line.js": "one_line",
    "deep.py": "deep",
    "deep_lists.py": "deep_lists",
    "deep_calls.py": "deep_calls",
    "deep_attributes.py": "deep_attributes",
    "deep_blocks.py": "level_0",
    "deep_sum.py": "deep_sum",
    "deep_elif.py": "deep_elif",
    "deep.js": "deep",
    "deep_chain.ts": "deep_chain",
    "deep.tsx": "Deep",
    "Deep.java": "Deep",
    "deep.go": "deep",
    "deep.rs": "deep",
    "deep.c": "deep",
    "deep.cpp": "deep",
    **{name: "after" for name in SOURCES if name.startswith("imports")},
    "Imports.java": "Imports.after",
}
"""File → a definition that the index has of it all the same."""


@dataclass(frozen=True)
class Indexed:
    """A project, its report, and the ids in its graph."""

    root: Path
    report: Any
    ids: frozenset[str]


@pytest.fixture(scope="module")
def bad_sources(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """All of `SOURCES` in one project, indexed by the command line of a process of its own."""
    root = write(tmp_path_factory.mktemp("bad"), GOOD | SOURCES)
    (root / "loregraph.toml").write_text(f"max_file_bytes = {SMALL_LIMIT}\n")
    words = ["--root", str(root), "index", "--json", "--no-embed"]
    done = subprocess.run([sys.executable, "-m", "loregraph", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    with StoreFolder(root / ".loregraph").lease() as lease:
        ids = frozenset(GraphColumns.open(lease.path).all_ids())
    return Indexed(root, json.loads(done.stdout), ids)


def test_bad_files_are_counted_and_the_others_answer(bad_sources: Indexed, run: Run) -> None:
    files = bad_sources.report["files"]
    assert (files["failed"], files["indexed"]) == (len(FAILED), len(SOURCES) + len(GOOD) + 1 - len(FAILED))
    hits = run("--root", bad_sources.root, "callers", "helper", "--json").json
    assert [hit["id"] for hit in hits] == ["good.py::main"]


# Verifies REQ-IDX-007.
@pytest.mark.parametrize("name", SAID)
def test_a_bad_file_is_a_problem_with_its_line_and_its_reason(bad_sources: Indexed, name: str) -> None:
    line, word = SAID[name]
    told = [problem for problem in bad_sources.report["problems"] if problem["path"] == name]
    assert line in [problem["line"] for problem in told]
    assert any(word in problem["message"] for problem in told), told


@pytest.mark.parametrize("name", NO_PROBLEM)
def test_an_odd_file_is_no_problem(bad_sources: Indexed, name: str) -> None:
    assert [problem for problem in bad_sources.report["problems"] if problem["path"] == name] == []


@pytest.mark.parametrize("name", FOUND)
def test_what_can_be_read_of_a_bad_file_is_in_the_graph(bad_sources: Indexed, name: str) -> None:
    assert f"{name}::{FOUND[name]}" in bad_sources.ids


# Verifies REQ-GRA-006.
def test_lone_carriage_returns_count_as_lines(bad_sources: Indexed, run: Run) -> None:
    [hit] = run("--root", bad_sources.root, "callers", "cr_only", "--json").json
    assert (hit["id"], hit["line"]) == ("cr_only.py::second", 7)


def test_an_import_of_two_thousand_names_has_them_all(bad_sources: Indexed, run: Run) -> None:
    cypher = "MATCH (f:File)-[i:IMPORTS]->() WHERE f.id = $id RETURN i.names AS names"
    for name in ("imports.py", "imports.js", "imports.ts"):
        rows = run("--root", bad_sources.root, "query", cypher, "--params", json.dumps({"id": name}), "--json").json
        assert {imported for row in rows for imported in row["names"]} >= set(NAMES), name


def test_nothing_of_it_is_read_again(bad_sources: Indexed, run: Run) -> None:
    report = run("--root", bad_sources.root, "index", "--json", "--no-embed").json
    count = len(SOURCES) + len(GOOD) + 1 - len(FAILED)
    assert report["files"] == {
        "indexed": 0,
        "unchanged": count,
        "removed": 0,
        "failed": len(FAILED),
        "unsupported": 0,
    }
    assert report["problems"] == bad_sources.report["problems"]


@pytest.mark.skipif(os.name == "nt", reason="links and FIFOs")
def test_links_in_loops_and_what_is_no_file(tmp_path: Path, run: Run) -> None:
    root = write(tmp_path / "project", GOOD)
    outside = write(tmp_path / "outside", {"secret.py": "def secret():\n    pass\n"})
    (root / "self").symlink_to(root)
    (root / "up").symlink_to("..")
    (root / "loop.py").symlink_to("loop.py")
    (root / "a.py").symlink_to("b.py")
    (root / "b.py").symlink_to("a.py")
    (root / "dangling.py").symlink_to("nowhere.py")
    (root / "out.py").symlink_to(outside / "secret.py")
    (root / "outside").symlink_to(outside)
    (root / "folder.py").mkdir()
    os.mkfifo(root / "fifo.py")
    for in_git in (False, True):
        if in_git:
            subprocess.run(["git", "init", "-q", root], check=True)
        report = run("--root", root, "index", "--json", "--no-embed", "--full").json
        assert (report["files"]["indexed"], report["functions"]) == (1, 2)
        told = {p["path"]: p["message"] for p in report["problems"]}
        # git lists files and links only.
        assert told.pop("fifo.py", None) == (None if in_git else "not a regular file")
        assert told == {
            "out.py": "a link out of the project; not followed",
            "outside": "a link out of the project; not followed",
            "up": "a link out of the project; not followed",
        }


def test_a_file_that_may_not_be_read(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path, GOOD | {"private.py": "def private():\n    pass\n"})
    assert run("--root", root, "index", "--no-embed").code == 0
    real = os.open

    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if os.fspath(path) == str(root / "private.py"):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return real(path, *arguments, **options)

    monkeypatch.setattr("loregraph.indexer.build.workers.start_method", lambda: "fork")
    monkeypatch.setattr(os, "open", refuse)
    (root / "private.py").write_text("def changed():\n    pass\n")
    report = run("--root", root, "index", "--no-embed", "--json").json
    assert (report["files"]["failed"], report["functions"]) == (1, 2)
    assert report["problems"] == [{"path": "private.py", "line": 0, "message": "cannot be read: Permission denied"}]
    monkeypatch.setattr(os, "open", real)
    os.utime(root / "private.py")  # as a change of its mode is a change of the file
    report = run("--root", root, "index", "--no-embed", "--json").json
    assert (report["files"]["indexed"], report["files"]["failed"], report["functions"]) == (1, 0, 3)
    assert report["problems"] == []


# Projects


@pytest.mark.parametrize("in_git", [True, False])
def test_an_empty_repository(tmp_path: Path, run: Run, in_git: bool) -> None:
    if in_git:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    report = run("--root", tmp_path, "index", "--json").json
    assert (report["files"]["indexed"], report["functions"], report["problems"]) == (0, 0, [])
    assert "nothing" in run("--root", tmp_path, "index").out
    assert run("--root", tmp_path, "search", "anything", "--json").json == []
    assert run("--root", tmp_path, "query", "MATCH (f:Function) RETURN f.id AS id", "--json").json == []
    assert run("--root", tmp_path, "callers", "main").code == 2
    assert run("--root", tmp_path, "status").code == 0
    assert run("--root", tmp_path, "export").code == 0


def test_no_git(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write(tmp_path / "project", GOOD | {"ignored.py": "x = 1\n", ".gitignore": "ignored.py\n"})
    subprocess.run(["git", "init", "-q", root], check=True)
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    report = run("--root", root, "index", "--json", "--no-embed").json
    assert (report["files"]["indexed"], report["functions"]) == (1, 2)
    assert run("--root", root, "status").code == 0
    assert "git" in run("--root", root, "doctor").out


@pytest.mark.parametrize("words", [["index", "{}"], ["--root", "{}", "index"], ["--root", "{}", "search", "x"]])
def test_a_path_that_does_not_exist(tmp_path: Path, run: Run, words: list[str]) -> None:
    missing = str(tmp_path / "nosuch")
    result = run(*[word.format(missing) for word in words])
    assert result.code == 2
    assert "nosuch" in result.err
    assert "does not exist" in result.err
    assert not Path(missing).exists()


def test_a_file_instead_of_a_folder(tmp_path: Path, run: Run) -> None:
    write(tmp_path, GOOD)
    for words in (["index", tmp_path / "good.py"], ["--root", tmp_path / "good.py", "index"]):
        result = run(*words)
        assert result.code == 2
        assert "is a file" in result.err


def test_a_tree_that_nothing_can_be_read_of_leaves_the_old_graph(tmp_path: Path, run: Run) -> None:
    root = write(tmp_path, GOOD)
    assert run("--root", root, "index", "--no-embed").code == 0
    write(root, {"good.py": bytes(range(256)) * 10})
    result = run("--root", root, "index", "--no-embed")
    assert result.code == 3
    assert "good.py: binary file" in result.err
    assert "hint: " in result.err
    assert [hit["id"] for hit in run("--root", root, "callers", "helper", "--json").json] == ["good.py::main"]
    write(root, GOOD)
    assert run("--root", root, "index", "--no-embed").code == 0


# Stores


QUESTIONS = {
    "callers": ("callers", "helper", "--json"),
    "search": ("search", "add one", "--json"),
    "words": ("search", "add one", "--mode", "lexical", "--json"),
    "query": ("query", "MATCH (f:Function)-[:CALLS]->(g) RETURN f.id AS caller, g.id AS callee", "--json"),
    "show": ("show", "helper", "--json"),
    "export": ("export",),
}
"""Name → a question; `READS` says what of the store each one needs."""

READS = {
    CURRENT: set(QUESTIONS),
    COLUMNS_FILE: set(QUESTIONS) - {"query"},
    GRAPH_FILE: set(),
    IDENTITY_FILE: set(),
    CONSTANTS_FILE: {"search", "words"},
    LEXICAL_FILE: {"search", "words"},
    VECTORS_FILE: {"search", "words"},
    STATE: set(),
}
"""File of the store → the questions that cannot be answered while it is damaged."""


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def garbage(content: bytes) -> bytes:
    return bytes((i * 131 + 17) % 256 for i in range(len(content)))


def text(_: bytes) -> bytes:
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n" * 100


def half_garbage(content: bytes) -> bytes:
    return content[: len(content) // 2] + garbage(content)[len(content) // 2 :]


DAMAGES = (truncated, garbage, half_garbage, text, None)
"""What becomes of a file's content; None: the file is gone."""


@pytest.fixture(scope="module")
def _sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("sound"), GOOD)
    # Exporting brings in which functions are copies, by a generation of its own; the next run removes the first one.
    for words in (["index"], ["export"], ["index"]):
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(["--root", str(root), *words], standalone_mode=False) == 0
    return root


@pytest.fixture
def project(_sound: Path, tmp_path: Path) -> Path:
    """An indexed project, the test's own."""
    return adopted(Path(shutil.copytree(_sound, tmp_path / "project")))


@pytest.fixture(scope="module")
def answers(_sound: Path) -> dict[str, str]:
    """Name of a question → what a sound store answers."""
    found = {}
    for name, words in QUESTIONS.items():
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert main(["--root", str(_sound), *words], standalone_mode=False) == 0
        found[name] = out.getvalue()
    return found


def stored(root: Path, name: str) -> Path:
    """A file of the project's store."""
    store = root / ".loregraph"
    if name in (CURRENT, STATE):
        return store / name
    [generation] = store.glob("generation-*")
    return generation / name


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# Verifies REQ-STO-006.
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda d: d.__name__ if d else "gone")
@pytest.mark.parametrize("name", READS)
def test_a_damaged_store_says_what_to_do_and_index_repairs_it(
    project: Path, answers: dict[str, str], run: Run, name: str, damage: Callable[[bytes], bytes] | None
) -> None:
    file = stored(project, name)
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    # Cypher starts a process each time.
    asked = [q for q in QUESTIONS if q != "query" or name in (CURRENT, COLUMNS_FILE, GRAPH_FILE, IDENTITY_FILE)]
    for question in asked:
        words = QUESTIONS[question]
        result = run("--root", project, *words)
        if question in READS[name] and damage is half_garbage and result.code == 0:
            assert result.out == answers[question]  # it read of the first half only
        elif question in READS[name]:
            assert result.code == (2 if name == CURRENT and damage is None else 3), question
            assert "loregraph index" in result.err
        else:
            assert (result.code, result.out) == (0, answers[question]), (question, result.err)
    assert run("--root", project, "status").code in (0, 3)
    report = run("--root", project, "index", "--json")
    assert report.code == 0
    assert [p["path"] for p in report.json["problems"]] in ([], ["."])
    for question in asked:
        assert run("--root", project, *QUESTIONS[question]).out == answers[question], question
    assert run("--root", project, "index", "--json").json["files"]["unchanged"] == 1


def test_a_missing_generation_is_built_again(project: Path, answers: dict[str, str], run: Run) -> None:
    shutil.rmtree(stored(project, COLUMNS_FILE).parent)
    result = run("--root", project, *QUESTIONS["callers"])
    assert result.code == 3
    assert "loregraph index" in result.err
    assert run("--root", project, "index").code == 0
    assert run("--root", project, *QUESTIONS["search"]).out == answers["search"]


def test_a_state_of_something_else_is_put_away(project: Path, answers: dict[str, str], run: Run) -> None:
    stored(project, STATE).unlink()
    connection = sqlite3.connect(stored(project, STATE))
    connection.executescript("CREATE TABLE files (name TEXT); INSERT INTO files VALUES ('theirs');")
    connection.close()
    assert run("--root", project, *QUESTIONS["callers"]).out == answers["callers"]
    report = run("--root", project, "index", "--json").json
    assert report["files"]["indexed"] == 1
    assert [p["path"] for p in report["problems"]] == ["."]
    assert "state.sqlite" in report["problems"][0]["message"]
    assert run("--root", project, "index", "--json").json["problems"] == []


# Verifies REQ-STO-006.
def test_a_graph_of_a_newer_schema_is_left_alone(project: Path, run: Run) -> None:
    file = stored(project, CURRENT)
    newer = json.loads(file.read_bytes()) | {"schema_version": SCHEMA_VERSION + 1, "later": [1, 2]}
    file.write_bytes(sealed(json.dumps(newer).encode()))
    before = contents(project / ".loregraph")
    for words in (*QUESTIONS.values(), ("status",), ("index",), ("index", "--full")):
        result = run("--root", project, *words)
        assert result.code == 3
        assert "newer loregraph" in result.err
        assert "upgrade" in result.err
    assert contents(project / ".loregraph") == before


def test_a_graph_of_an_older_schema_is_built_again(project: Path, answers: dict[str, str], run: Run) -> None:
    file = stored(project, CURRENT)
    file.write_bytes(
        sealed(json.dumps(json.loads(file.read_bytes()) | {"schema_version": SCHEMA_VERSION - 1}).encode())
    )
    result = run("--root", project, *QUESTIONS["callers"])
    assert result.code == 2
    assert "loregraph index" in result.err
    assert run("--root", project, "index").code == 0
    assert run("--root", project, *QUESTIONS["callers"]).out == answers["callers"]


@pytest.mark.parametrize(
    "files",
    [{"thesis.tex": "years of work"}, {"current": '{"format": "of another program"}'}, {"current": "7", "notes": "x"}],
)
def test_somebody_elses_folder_is_left_alone(tmp_path: Path, run: Run, files: dict[str, str]) -> None:
    root = write(tmp_path / "project", GOOD)
    store = write(tmp_path / "store", files)
    before = contents(store)
    result = run("--root", root, "--store", store, "index")
    assert result.code == 3
    assert "--store" in result.err
    assert contents(store) == before
    # Of another program's store it is known that it is none of ours; else there is no index yet.
    code = 3 if "another program" in files.get("current", "") else 2
    assert run("--root", root, "--store", store, "callers", "helper").code == code


def test_a_store_under_a_file(tmp_path: Path, run: Run) -> None:
    root = write(tmp_path / "project", GOOD)
    for store, code in ((root / "good.py", 2), (root / "good.py" / "store", 3)):
        result = run("--root", root, "--store", store, "index")
        assert result.code == code
        assert "file" in result.err
        assert "--store" in result.err
        result = run("--root", root, "--store", store, "callers", "helper")
        assert result.code == code
    assert contents(root) == {name: str(text).encode() for name, text in GOOD.items()}


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_folder_that_cannot_be_written(
    project: Path, answers: dict[str, str], run: Run, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    before = contents(project / ".loregraph")
    real = os.mkdir

    def refuse(path: Any, *arguments: Any, **options: Any) -> None:
        if os.path.basename(path).startswith("building-"):  # noqa: PTH119 - it may be relative to a descriptor
            raise OSError(code, os.strerror(code), path)
        real(path, *arguments, **options)

    monkeypatch.setattr(os, "mkdir", refuse)
    write(project, {"more.py": "def more():\n    pass\n"})
    result = run("--root", project, "index")
    assert result.code == 3
    assert os.strerror(code) in result.err
    assert "--store" in result.err
    assert run("--root", project, *QUESTIONS["callers"]).out == answers["callers"]
    assert run("--root", project, *QUESTIONS["search"]).out == answers["search"]
    after = contents(project / ".loregraph")
    assert {name: after[name] for name in before if STATE not in name} == {
        name: content for name, content in before.items() if STATE not in name
    }
    monkeypatch.setattr(os, "mkdir", real)
    assert run("--root", project, "index", "--json").json["functions"] == 3


def test_settings_that_cannot_be_read(tmp_path: Path, run: Run) -> None:
    root = write(tmp_path, GOOD)
    for content in (b"jobs = [", b"jobs = 'many'", b"\xff\xfe\x00", b"jbos = 1", b"[requirements]\npattern = '('"):
        (root / "loregraph.toml").write_bytes(content)
        result = run("--root", root, "index")
        assert result.code == 2
        assert "loregraph.toml" in result.err or "pattern" in result.err
        assert not (root / ".loregraph").exists()
