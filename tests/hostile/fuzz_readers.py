"""Every reader of what others wrote, with seeds: `test_fuzz_*.py` runs them briefly, `benchmarks/fuzz.py` for long."""

# ruff: noqa: E501 - seeds are as long as they are

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import msgspec

sys.path.insert(0, str(Path(__file__).parent))  # benchmarks/fuzz.py has no package around this
from fuzzing import Reader

from loregraph.indexer.languages import registry

FIXTURES: Final = Path(__file__).parents[2] / "fixtures"

# memories


def read_journal_line(data: bytes, folder: Path) -> Any:
    from loregraph.memory import journal
    from loregraph.memory.record import Memory, encode

    entry = journal.parse(data)
    if isinstance(entry, Memory):
        assert journal.parse(encode(entry)) == entry, "a memory that was read is not what is read again"
    return entry


def read_journal(data: bytes, folder: Path) -> Any:
    from loregraph.memory.journal import Journal

    path = folder / "journal.jsonl"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(data)
    journal = Journal(path)
    journal.refresh()
    found = [*journal.all(), *journal.decisions(), journal.purged(), journal.rejected]
    assert path.read_bytes() == data, "reading changed a journal"
    again = Journal(path)
    again.refresh()
    assert [*again.all(), *again.decisions(), again.purged(), again.rejected] == found
    return found


def read_import(form: str | None, data: bytes, folder: Path) -> Any:
    """As `loregraph memory import` takes a file apart, without what it then appends to the journal."""
    from loregraph.errors import LoregraphError
    from loregraph.memory import agent_memory, formats
    from loregraph.memory.links import decode_link, is_link
    from loregraph.memory.record import decode

    path = folder / "memories.jsonl"
    path.write_bytes(data)
    chosen = form or formats.detect(path)
    if chosen == "knowledge-graph":
        rows = formats._graph_rows(path, "shop")
    else:
        rows = formats._rows(path, agent_memory.from_line if chosen == "agent-memory" else dict)
    found: list[Any] = []
    for number, row in rows:
        if isinstance(row, str):
            found.append((number, row))
            continue
        try:
            found.append(decode_link(row) if is_link(row) else decode(row))
        except LoregraphError as error:
            found.append((number, error.message))
    return found


@cache
def memory_lines() -> list[bytes]:
    """Lines as a journal has them."""
    from loregraph.memory.record import Memory, Relationship, encode, new_memory_id

    at, first, second = "2026-02-09T12:00:00.000Z", new_memory_id(), new_memory_id()
    memory = Memory(
        id=first,
        kind="design",
        content="Money is kept in cents.",
        tags=("money", "rounding"),
        importance=0.8,
        metadata={"rationale": "floats lose cents", "n": {"deep": [1, 2.5, None]}},
        project_id="shop",
        anchors=("src/shop.py::total",),
        anchor_hashes={"src/shop.py::total": "ab" * 8},
        relationships=(Relationship("supports", second),),
        author="Ada <ada@example.org>",
        created_at=at,
        updated_at=at,
    )
    lines = [encode(memory), encode(msgspec.structs.replace(memory, version=2, state="deleted"))]
    lines.append(json.dumps({"purge": second, "at": at}).encode())
    link = {"link": "accepted", "requirement": "REQ-1", "code": "src/shop.py::total", "created_at": at}
    return [*lines, json.dumps(link).encode()]


def knowledge_lines() -> list[bytes]:
    rows = [
        {"type": "entity", "name": "api", "entityType": "decision", "observations": ["one", "two", "[loregraph] {}"]},
        {"type": "entity", "name": "db", "entityType": "x", "observations": []},
        {"type": "relation", "from": "api", "to": "db", "relationType": "uses"},
    ]
    lines = [json.dumps(row).encode() for row in rows]
    return [b"\n".join(lines) + b"\n", *lines]


def agent_lines() -> list[bytes]:
    rows = [
        {"type": "lesson", "id": "l1", "text": "look first", "archived": False, "tags": ["a"], "importance": "high"},
        {"type": "decision", "id": "d1", "title": "cents", "content": "why", "archived": True, "links": ["l1"]},
    ]
    return [b"\n".join(json.dumps(row).encode() for row in rows) + b"\n"]


# configuration


def read_settings(name: str, data: bytes, folder: Path) -> Any:
    from loregraph.config import load_settings

    (folder / name).write_bytes(data)
    return load_settings(folder)


def settings_seeds(prefix: str) -> list[bytes]:
    own = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    sections = own[own.index("[tool.loregraph]") :]
    made = f"""[{prefix}]
exclude = ["a/", "!b"]
languages = ["python"]
max-file-bytes = 1000
jobs = 2
embedder = "none"
[{prefix}.query]
limit = 5
timeout_ms = 1500
[{prefix}.requirements]
sources = ["docs/*.md"]
pattern = 'REQ-[A-Z]+-\\d+'
id_from = "pattern"
[{prefix}.wrap]
org_types = ["standard"]
[{prefix}.check]
enable = ["naming"]
severity = {{ "naming" = "note" }}
[[{prefix}.check.contracts]]
name = "layers"
kind = "layers"
layers = ["a", "b | c"]
"""
    if not prefix:
        made = made.replace("[]\n", "", 1).replace("[.", "[")
        sections = sections.replace("[tool.loregraph.", "[").replace("[tool.loregraph]", "")
    return [made.encode(), sections.encode()]


# bridges


def read_tools_file(data: bytes, folder: Path) -> Any:
    from loregraph.bridges import proxy_file

    path = folder / "tools.json"
    path.write_bytes(data)
    found = proxy_file.load(path)
    return [bytes(found.listed), [tool.parameters for tool in found.tools.values()]]


def read_message(data: bytes, folder: Path) -> Any:
    """A line of the wire. What is read is written again as the same message."""
    from loregraph.bridges import messages

    try:
        message = messages.read(data)
    except ValueError:  # documented: what is none
        return None
    again = messages.read(messages.write(message))
    assert again == message, "a message that was passed on is another"
    for part in (message.params, message.result):
        try:
            messages.object_of(part)
        except ValueError:
            continue
    messages.error_of(message)
    return [bytes(part) for part in (message.id, message.params, message.result) if isinstance(part, msgspec.Raw)]


def read_team_file(data: bytes, folder: Path) -> Any:
    from loregraph.bridges.team_file import TeamFile

    (folder / "memory.jsonl").write_bytes(data)
    file = TeamFile(folder / "memory.jsonl")
    stored = file.stored()
    fault = file.fault()
    return [stored.observations("api"), "db" in stored, "\ud800" in stored, fault.line if fault else 0]


MESSAGES: Final = [
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[1,2.5,null]},"_meta":{"progressToken":"p"}}}',
    b'{"jsonrpc":"2.0","id":"lg-1","result":{"content":[{"type":"text","text":"\\ud83d\\ude00 cut \\ud83d"}]}}',
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":{"a":1}}}',
    b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}',
]

# the server's arguments


@cache
def argument_kinds() -> list[type[msgspec.Struct]]:
    from loregraph.mcp_server import profiles
    from loregraph.mcp_server.registry import TOOLS

    for profile in profiles.PROFILES.values():
        profiles.load(profile)
    return [tool.arguments for tool in TOOLS.values()]


def read_arguments(data: bytes, folder: Path) -> Any:
    from loregraph.mcp_server import validation

    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return None
    found = []
    from loregraph.errors import LoregraphError

    for kind in argument_kinds():
        try:
            found.append(validation.read(kind, values))
        except LoregraphError as error:
            found.append(error.message[:1000])
    return len(found)


ARGUMENTS: Final = [
    json.dumps(one).encode()
    for one in (
        {"query": "total", "limit": 5, "project_id": "shop"},
        {"symbol": "src/shop.py::total", "depth": 2, "file_path": "src/shop.py", "tags": ["a"]},
        {"content": "x", "kind": "decision", "relationships": [{"type": "uses", "target": "a"}], "metadata": {"a": {}}},
        {"cypher": "MATCH (n) RETURN n", "parameters": {"a": 1}, "time_range": {"start": "2026-01-01"}},
        {"diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "rules": ["naming"], "paths": [None]},
    )
]

# queries

WRITES: Final = frozenset(
    "CREATE DELETE DETACH SET REMOVE MERGE DROP ALTER COPY LOAD INSTALL UNINSTALL ATTACH IMPORT EXPORT USE BEGIN COMMIT "
    "ROLLBACK CHECKPOINT FOREACH EXPLAIN PROFILE COMMENT MACRO EXTENSION UPDATE INSERT RENAME ADD GRANT TRANSACTION".split()
)
"""Words that begin or belong to what is no read, written down here once more: not taken from the code under test."""
_OUTSIDE_TEXT: Final = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`(?:``|[^`])*`|/\*.*?\*/|//[^\n]*|(?P<word>[A-Za-z_]\w*)|(?P<other>\S)",
    re.S,
)


def clause_words(statement: str) -> Iterator[str]:
    """Words of a statement where a clause can stand: not texts, quoted names, comments, properties, labels, keys, names."""
    found = [(m.lastgroup, m[0]) for m in _OUTSIDE_TEXT.finditer(statement) if m.lastgroup]
    for number, (kind, text) in enumerate(found):
        before = found[number - 1][1] if number else ""
        after = found[number + 1][1] if number + 1 < len(found) else ""
        if kind == "word" and before not in (".", ":", "|", "$") and not (after == ":" and before in ("{", ",")):
            yield text.upper() if before.upper() != "AS" else ""


def read_query(data: bytes, folder: Path) -> Any:
    from loregraph.graph import cypher

    text = data.decode("utf-8", "replace")
    passed = cypher.check_read_only(text)
    cypher.parameters(text)
    words = list(clause_words(passed))
    # A word among these may also name a variable, which is harmless: the engine takes it for a clause only where an
    # expression can end or a statement begin. So: no such word first, or after a complete expression or clause.
    for number, word in enumerate(words):
        if word in WRITES and number == 0:
            raise AssertionError(f"the guard let {word} begin a statement: {passed!r}")
    if engine_changes(passed):
        raise AssertionError(f"the guard let a change through: {passed!r}")
    return len(passed)


@cache
def engine() -> Any:
    """A database in memory with a table, which no read can change."""
    try:
        import kuzu
    except ImportError:
        import ladybug as kuzu
    connection = kuzu.Connection(kuzu.Database(":memory:", buffer_pool_size=1 << 28, max_db_size=1 << 30))
    connection.set_query_timeout(2_000)
    connection.execute("CREATE NODE TABLE Function(id STRING, name STRING, PRIMARY KEY(id))")
    connection.execute("CREATE REL TABLE CALLS(FROM Function TO Function, line INT64)")
    connection.execute("CREATE (a:Function {id: 'a', name: 'a'})-[:CALLS {line: 1}]->(:Function {id: 'b', name: 'b'})")
    return connection


def engine_state() -> list[Any]:
    asked = "MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, r, m ORDER BY n.id", "CALL show_tables() RETURN *"
    return [engine().execute(one).get_all() for one in asked]


@cache
def first_state() -> list[Any]:
    return engine_state()


def engine_changes(statement: str) -> bool:
    """Whether the real engine's database is another after `statement`, which the guard let pass."""
    first = first_state()
    try:
        engine().execute(statement)
    except Exception:
        return False  # the engine refused it
    return engine_state() != first


QUERIES: Final = [
    b"MATCH (n:Function)-[r:CALLS*1..3]->(m) WHERE n.name = 'a' AND NOT m.id IN ['b'] RETURN n, count(*) AS c ORDER BY c LIMIT 5",
    b"MATCH (a) WITH a, size(a.name) AS s UNWIND [1,2] AS x RETURN {k: x, l: s} UNION ALL MATCH (b) RETURN b.id",
    b"MATCH (n) WHERE EXISTS { MATCH (n)-[:CALLS]->(m) WHERE m.id = $id } RETURN CASE WHEN n.id = 'a' THEN 1 ELSE 2 END",
    b"CALL show_tables() RETURN * // comment\n",
    b"MATCH p = (a)-[* SHORTEST 1..4]-(b) RETURN nodes(p), `quoted name`.x /* c */",
    b"MATCH (n) CREATE (m:Function {id: 'x'}) SET m.id = 'y' DELETE n",
    b"COPY Function TO '/tmp/x'; LOAD FROM '/etc/passwd' RETURN *; INSTALL httpfs; ATTACH 'x' AS y; DROP TABLE Function",
]

# the store


def read_current(data: bytes, folder: Path) -> Any:
    from loregraph.graph.generation import StoreFolder

    (folder / "current").write_bytes(data)
    store = StoreFolder(folder)
    found = store.current()
    try:
        with store.lease() as lease:
            lease.require()
    finally:
        store.sound()
    return repr(found)


@cache
def stored() -> dict[str, bytes]:
    """Files of a small store."""
    import tempfile

    import numpy as np

    from loregraph.graph import lexical, lexical_writer, vector_index
    from loregraph.graph.columns import write_columns
    from loregraph.graph.model import Edge, Function, Graph
    from loregraph.graph.state import FileState, State

    names = ["a", "b", "total", "é"]
    nodes = tuple(
        Function(f"m.py::{n}", n, n, "function", "m.py", 1, 2, "python", docstring="says") for n in sorted(names)
    )
    edges = (Edge("CALLS", "m.py::a", "m.py::b", line=3, count=1, confidence=0.9, how="local"),)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_columns(folder, Graph(nodes, edges), strict=True)
        lexical_writer.build_lexical(folder, [lexical.document_terms("m.py", n, "", "says", "") for n in names])
        vector_index.write_vectors(folder, np.eye(4, 16, dtype=np.float32), np.arange(4))
        found = {file.name: file.read_bytes() for file in folder.iterdir()}
        with State.open(folder / "state.sqlite") as state:
            fields = {"path": "m.py", "size": 1, "mtime_ns": 1, "content_hash": "ab"}
            with contextlib.suppress(msgspec.ValidationError):
                state.put_files([msgspec.convert(fields, FileState)])
            state.put_meta("token", b"x")
            state.commit()
        found["state.sqlite"] = (folder / "state.sqlite").read_bytes()
    return found


def read_arrays(name: str, data: bytes, folder: Path) -> Any:
    """One of the arrays' files beside the others, which are sound; asked as questions ask."""
    import numpy as np

    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.lexical import LexicalIndex
    from loregraph.graph.vector_index import VectorIndex

    (folder / name).unlink(missing_ok=True)  # a mapping of the last one may be open still
    (folder / name).write_bytes(data)
    if name.startswith("lexical"):
        index = LexicalIndex(folder)
        documents, scores = index.scores("total says")
        index.held_terms(np.arange(index.documents))
        return [len(documents), len(scores), index.idf("a")]
    if name.startswith("vectors"):
        vectors = VectorIndex(folder)
        return len(vectors.search(np.zeros(vectors.dim, np.float32), 3))
    columns = GraphColumns.open(folder)
    return [
        columns.find_id("m.py::a"),
        columns.find_name("b"),
        len(list(columns.all_nodes())),
        len(list(columns.all_edges())),
    ]


def read_state(data: bytes, folder: Path) -> Any:
    from loregraph.graph.state import State, with_state

    for old in folder.iterdir():
        old.unlink()
    path = folder / "state.sqlite"
    path.write_bytes(data)

    def work(state: State) -> Any:
        return [len(state.files()), state.meta("token")]

    return with_state(path, work)


# diffs and ignore files


def read_diff(data: bytes, folder: Path) -> Any:
    from loregraph import unified_diff

    found: list[Any] = []
    for patch in unified_diff.parse(data.decode("utf-8", "replace")):
        made = unified_diff.apply(patch, SOURCE)
        back = unified_diff.apply(unified_diff.reversed_patch(patch), made if isinstance(made, str) else SOURCE)
        found += [patch.path, [hunk.lines for hunk in patch.hunks], made, back]
    return found


SOURCE: Final = "".join(f"line {number}\n" for number in range(1, 30))
DIFFS: Final = [
    b"diff --git a/x.py b/y.py\nsimilarity index 90%\nrename from x.py\nrename to y.py\n--- a/x.py\n+++ b/y.py\n"
    b"@@ -1,3 +1,4 @@ def f\n line 1\n-line 2\n+line two\n+more\n line 3\n\\ No newline at end of file\n",
    b'diff --git "a/\\303\\251 x" "b/\\303\\251 x"\nnew file mode 100644\nindex 000..111\n--- /dev/null\n+++ "b/\\303\\251 x"\n'
    b"@@ -0,0 +1 @@\n+a\n",
    b"diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\ndiff --git a/z b/z\ndeleted file mode 100644\n"
    b"--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
    b"--- a/x\n+++ b/x\n@@ @@\n line 1\n-line 2\n+line 3\n",
]


def read_ignore(data: bytes, folder: Path) -> Any:
    from loregraph import ignore_rules

    rules = ignore_rules.parse_rules(data.decode("utf-8", "replace"), "", "")
    if rules is None:
        return None
    paths = ["a.py", "src/a.py", "src/deep/er/a.log", "build", "[x]", "a b", "é", "x" * 300, "a/" * 60 + "b"]
    return [rules.decide(path, path.rpartition("/")[2], is_folder=folder) for path in paths for folder in (True, False)]


IGNORES: Final = [
    b"*.log\n!keep.log\n/build/\nsrc/**/gen\n**/x\n[a-z]?[!0-9].c\n\\#not\ntrailing\\ \n# no\nfoo/*\n[[:alpha:]]*\n",
    b"\xef\xbb\xbfa\r\nb/\r\n**\n***\na**b\n/**/\n[]a]\n[\\]]\n",
]

# packaging

PACKAGING: Final[dict[str, bytes]] = {
    "pyproject.toml": b'[project]\nname = "a-b"\ndependencies = ["x>=1", "y[z]; python_version<\'3\'"]\n[tool.setuptools]\npackage-dir = {"" = "src"}\n'
    b'[tool.setuptools.packages.find]\nwhere = ["src"]\n[tool.poetry]\npackages = [{include = "a", from = "lib"}]\n'
    b'[tool.hatch.build.targets.wheel]\npackages = ["src/a"]\n[dependency-groups]\ndev = ["q", {include-group = "x"}]\n',
    "setup.cfg": b"[metadata]\nname = a\n[options]\npackage_dir =\n    = src\npackages = find:\ninstall_requires =\n    x>=1\n    y\n[options.packages.find]\nwhere = src\n",
    "setup.py": b"from setuptools import setup, find_packages\nsetup(name='a', package_dir={'': 'src'}, packages=find_packages('src'))\n",
    "package.json": b'{"name":"@a/b","main":"dist/index.js","exports":{".":{"import":"./src/index.ts","default":["./x.js",null]},"./*":"./src/*.ts"},'
    b'"imports":{"#x":"./src/x.ts"},"workspaces":["packages/*"],"dependencies":{"c":"1"},"types":"./d.ts"}',
    "tsconfig.json": b'{// c\n"extends":["./base.json","@a/b/tsconfig"],"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"],"x":["y"]},"rootDirs":["src","gen"],},}',
    "pnpm-workspace.yaml": b"packages:\n  - 'packages/*'\n  - '!x'\n",
    "go.mod": b"module example.org/a/v2\n\ngo 1.22\n\nrequire (\n\tx.org/y v1.2.3 // indirect\n)\nreplace x.org/y => ./y\n",
    "go.work": b"go 1.22\nuse (\n  ./a\n  ./b\n)\n",
    "Cargo.toml": b'[package]\nname = "a-b"\nedition = "2021"\nautobins = false\n[lib]\npath = "src/l.rs"\nname = "q"\n[[bin]]\nname = "x"\npath = "src/x.rs"\n'
    b'[dependencies]\nc = "1"\nd = {path = "../d", package = "e"}\n[workspace]\nmembers = ["crates/*"]\n',
    "pom.xml": b'<?xml version="1.0" encoding="UTF-8"?><project xmlns="http://maven.apache.org/POM/4.0.0"><groupId>g</groupId><artifactId>a</artifactId>'
    b"<dependencies><dependency><groupId>x</groupId><artifactId>y</artifactId></dependency></dependencies><build><sourceDirectory>s</sourceDirectory></build></project>",
    "build.gradle": b"plugins { id 'java' }\ndependencies {\n  implementation 'g:a:1'\n  testImplementation(\"h:b:2\")\n}\nsourceSets { main { java { srcDirs = ['s'] } } }\n",
    "settings.gradle.kts": b'rootProject.name = "x"\ninclude(":a", ":b")\n',
    "build.sbt": b'name := "x"\nlibraryDependencies += "g" %% "a" % "1"\n',
    "CMakeLists.txt": b"cmake_minimum_required(VERSION 3)\nproject(x C CXX)\nadd_library(y src/a.c)\ntarget_include_directories(y PUBLIC include)\n",
    "meson.build": b"project('x', 'c')\nlibrary('y', 'a.c')\n",
    "composer.json": b'{"name":"a/b","autoload":{"psr-4":{"A\\\\":"src/"}},"require":{"c/d":"^1"}}',
    "pubspec.yaml": b"name: shop\ndependencies:\n  http: ^1\n  flutter:\n    sdk: flutter\ndev_dependencies:\n  test: any\n",
    "mix.exs": b'defmodule A.MixProject do\n  def project, do: [app: :a, deps: deps()]\n  defp deps, do: [{:b, "~> 1"}]\nend\n',
    "Gemfile": b"source 'https://rubygems.org'\ngem 'rails', '~> 7'\n",
    "Package.swift": b'// swift-tools-version:5.9\nlet package = Package(name: "A", targets: [.target(name: "A", path: "s")])\n',
    "a.csproj": b'<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><AssemblyName>A</AssemblyName></PropertyGroup><ItemGroup><PackageReference Include="B"/></ItemGroup></Project>',
    "a.cabal": b"name: a\nversion: 1\nlibrary\n  hs-source-dirs: src\n  build-depends: base\n",
    "foundry.toml": b'[profile.default]\nsrc = "src"\nremappings = ["@a/=lib/a/src/", "x/=y/"]\n',
    "remappings.txt": b"@a/b/=lib/b/src/\nc:x/=src/\n",
    "a.gemspec": b"Gem::Specification.new do |s|\n  s.name = 'a'\nend\n",
}
FILES: Final = (
    "src/a/__init__.py", "src/a/b.py", "lib/a.py", "tests/test_a.py", "src/index.ts", "src/x.ts", "packages/p/src/i.ts",
    "packages/p/package.json", "cmd/main.go", "y/y.go", "src/l.rs", "src/x.rs", "crates/c/src/lib.rs", "s/A.java",
    "src/main/java/g/A.java", "include/a.h", "src/a.c", "lib/shop.dart", "lua/m/init.lua", "src/main.zig", "bin/x.sh",
    "A.php", "lib/a.ex", "src/A.sol", "m/a/main.tf",
)  # fmt: skip


def read_packaging(name: str, data: bytes, folder: Path) -> Any:
    from loregraph.indexer.discover.layout import read_layout

    (folder / "sub").mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    (folder / "sub" / name).write_bytes(data)
    paths = [*FILES, name, f"sub/{name}", "sub/src/index.ts", "sub/src/a/b.py"]
    layout = read_layout(folder, paths)
    found: list[Any] = [layout.problems, layout.components]
    for path in FILES:
        found += [layout.component_of(path), layout.module_name(path)]
    for component in layout.components:
        found += [layout.dependencies(component.id), layout.parent_component(component.id)]
    for text in ("a", "a.b", "@/x", "#x", "@a/b", "@a/b/x", "x", "./x", "../..", "example.org/a/v2/y", "y"):
        found += [
            layout.of("python").module_file(text, "src/a/b.py"), layout.of("python").package_dir(text), layout.of("javascript").file_of("src/index.ts", text),
            layout.of("javascript").file_of("packages/p/src/i.ts", text), layout.of("go").package_dir(text), layout.of("rust").module_file("src/l.rs", text.split(".")),
            layout.of("java").type_file(text), layout.of("dart").file_of("lib/shop.dart", f"package:{text}/shop.dart"), layout.include_file("src/a.c", text),
            layout.of("lua").file_of("lua/m/init.lua", text), layout.of("zig").file_of("src/main.zig", text), layout.of("bash").file_of("bin/x.sh", text),
            layout.of("solidity").file_of("src/A.sol", text), layout.of("terraform").package_dir(text, "m/a/main.tf"),
            layout.external_package("java", text), layout.external_package("go", text),
        ]  # fmt: skip
    return found


# requirements


def read_document(path: str, named: bool, data: bytes, folder: Path) -> Any:
    from loregraph.config import RequirementSettings, Settings
    from loregraph.indexer.requirements import documents
    from loregraph.indexer.requirements.model import decode, encode
    from loregraph.indexer.source import normalise

    raw = data
    if not path.endswith(".reqifz"):
        normal, problems = normalise(data)
        if normal is None:
            return problems
        raw = normal
    settings = Settings(requirements=RequirementSettings(sources=(path,))) if named else Settings()
    found = documents.read_document(path, raw, settings.requirements)
    assert decode(encode(found)) == found
    return found


def document_seeds(folder: str, *endings: str) -> list[bytes]:
    files = sorted(path for path in (FIXTURES / "requirements" / folder).rglob("*") if path.suffix in endings)
    return [path.read_bytes() for path in files]


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.reqif", data)
        archive.writestr("images/x.png", b"\x89PNG")
    return out.getvalue()


def read_archive_of(data: bytes, folder: Path) -> Any:
    """What is edited is within a sound archive."""
    return read_document("docs/a.reqifz", True, zipped(data), folder)


def read_junit(data: bytes, folder: Path) -> Any:
    from loregraph.analysis.tracing import junit

    (folder / "junit.xml").write_bytes(data)
    return junit.read(folder / "junit.xml")


RUN_FILES: Final = {
    "coverage": "python/lines.coverage",
    "lcov": "javascript/nyc.info",
    "cobertura": "python/cobertura.xml",
    "jacoco": "java/jacoco.xml",
    "gocover": "go/cover.out",
    "istanbul": "javascript/istanbul.json",
    "v8": "javascript/v8.json",
    "observed": "python/observed.jsonl",
}
"""Format of a run → a file of it that its tool wrote."""


def run_seeds(file: str) -> list[bytes]:
    return [(FIXTURES / "runs" / file).read_bytes()]


def read_run(form: str, data: bytes, folder: Path) -> Any:
    """As `loregraph runs import` reads a file, its functions found in whatever text there is."""
    from loregraph.indexer.bodies import bodies
    from loregraph.runs import formats
    from loregraph.runs.mapping import FileBodies
    from loregraph.runs.record import Covered

    text = (FIXTURES / "runs/javascript/src/cart.js").read_text(encoding="utf-8")
    here = FileBodies(bodies("a.js", text.encode(), "javascript"), text, headers_run=True)
    path = folder / "run"
    path.write_bytes(data)
    found = list(formats.read(path, form, lambda _: text))
    for one in found:
        if isinstance(one, Covered):
            ran = here.ran(one)
            assert ran is None or ran.executed <= ran.measured
    return found[1:]


def read_comment(data: bytes, folder: Path) -> Any:
    from loregraph.indexer.requirements import marker_syntax
    from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled

    text, ids = data.decode("utf-8", "replace"), compiled(DEFAULT_PATTERN)
    return [repr(marker_syntax.marked(text, ids)), repr(marker_syntax.annotated(text, ids))]


COMMENTS: Final = [
    b"# Implements REQ-ABC-001, REQ-ABC-002 and REQ-3..REQ-9.\n# @implements(REQ-1) @relation(REQ-2, scope=function)\n# TODO REQ-4\n",
    b"/** @satisfies REQ-1 `REQ-2` not REQ-3\n * \\verifies REQ_7 ADR 12, ADR-0003 */",
    b"# @ Title, IMPL_1, impl, [REQ_1, REQ_2]\n@pytest.mark.requirement('REQ-1', \"REQ-2\", reqs=['REQ-3'])",
]


def read_commit_message(data: bytes, folder: Path) -> Any:
    """The part of a commit's message that names ids, as `commits.read_history` takes it apart."""
    from loregraph.indexer.requirements import commits
    from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled

    text, ids = data.decode("utf-8", "replace"), compiled(DEFAULT_PATTERN)
    found = []
    for trailer in commits._TRAILER.finditer(text):
        value = trailer["value"]
        found += [*ids.ids(value), *commits._LOOSE.findall(value)]
    lines = data.split(b"\n")
    half = len(lines) // 2
    commits._decoded(data, DEFAULT_PATTERN)
    return [found, list(commits.survivors(lines[:half], lines[half:], [(1, half)]))]


COMMITS: Final = [
    b"Round half up\n\nImplements: REQ-ABC-001, REQ-2\nRefs #12 and REQ-3\nSigned-off-by: A <a@b>\n",
    b"feat: REQ-1..REQ-5\n\nSatisfies REQ-9\nRequirement: SYS_12 SW-3\n",
]


def read_id_pattern(data: bytes, folder: Path) -> Any:
    """A configured pattern of ids, as far as its check goes; what it then costs is for the engine that runs it."""
    text = data.decode("utf-8", "replace")
    return read_settings("loregraph.toml", f"[requirements]\npattern = {json.dumps(text)}\n".encode(), folder)


# code

LANGUAGES: Final[dict[str, tuple[str, ...]]] = {
    language.name: language.extensions for language in registry.LANGUAGES if language.name in registry.SUPPORTED
}
"""Language → its extensions, of which the first is that of files made here."""
STATUSES: Final = frozenset({"indexed", "partial", "failed", "unsupported"})


def source_seeds(language: str) -> list[bytes]:
    files = sorted(p for p in (FIXTURES / "languages").rglob("*") if p.suffix.lower() in LANGUAGES[language])
    found = [path.read_bytes() for path in files]
    # Halves as well: an edit in a long file rarely meets what it takes.
    return [part for data in found for part in (data, data[: len(data) // 2], data[len(data) // 2 :])]


def read_code(language: str, data: bytes, folder: Path) -> Any:
    from loregraph.indexer import facts as facts_of
    from loregraph.indexer.extract.file import extract_with_spans
    from loregraph.indexer.source import normalise

    source, problems = normalise(data)
    if source is None:
        return problems
    path = f"src/it{LANGUAGES[language][0]}"
    facts, spans = extract_with_spans(path, source, language, "0" * 16)
    assert facts.status in STATUSES, facts.status
    assert facts.status != "indexed" or not facts.problems
    assert all(0 <= start <= end <= len(source) for start, end in spans)
    blob = facts_of.encode(facts)
    assert facts_of.encode(facts_of.decode(blob)) == blob
    return [blob, len(spans)]


def read_project(language: str, data: bytes, folder: Path) -> Any:
    """Facts to edges: what resolution makes of a file beside a sound one."""
    from loregraph.indexer.discover.layout import read_layout
    from loregraph.indexer.extract.file import extract
    from loregraph.indexer.resolve import resolve
    from loregraph.indexer.source import normalise

    source, problems = normalise(data)
    if source is None:
        return problems
    ending = LANGUAGES[language][0]
    files = {f"src/it{ending}": source, f"src/other{ending}": source_seeds(language)[0]}
    facts = {path: extract(path, text, language) for path, text in files.items()}
    resolution = resolve(facts, read_layout(folder, sorted(files)))
    return [len(resolution.files[path].edges) for path in files]


def read_tokens(language: str, data: bytes, folder: Path) -> Any:
    from loregraph.analysis.duplicates.bags import streams_of
    from loregraph.analysis.duplicates.tokens import Source, tokenize

    text = data.decode("utf-8", "replace")
    tokens = tokenize([Source(text, language), Source(text[: len(text) // 2], language)])
    assert len(tokens.words) == len(tokens.lines) == int(tokens.starts[-1])
    assert not len(tokens.lines) or (
        tokens.lines.min() >= 1 and tokens.last_lines.max() <= text.count("\n") + text.count("\r") + 1
    )
    return [len(tokens.words), len(streams_of(tokens))]


def read_docstring(data: bytes, folder: Path) -> Any:
    from loregraph.analysis.rules import memories
    from loregraph.analysis.rules.doc_conventions import CONVENTIONS
    from loregraph.graph import terms

    text = data.decode("utf-8", "replace")
    named = [
        (convention.name, convention.shows(text), *convention.parameters(text)) for convention in CONVENTIONS.values()
    ]
    return [
        named, [repr(one) for one in memories.conventions(text)], terms.terms(text),
        terms.query_terms(text), terms.split_identifier(text[:500]),
    ]  # fmt: skip


DOCSTRINGS: Final = [
    b"Says.\n\nArgs:\n    a (int, optional): first\n    *args: more\n        deeper\n    b: x\n\nReturns:\n    it\n",
    b"Says.\n\nParameters\n----------\na, b : int\n    both\n*args\n\nOther Parameters\n----------------\nc\n\nReturns\n-------\nx\n",
    b"@param {Array<{a: number}>} [name=1] says\n@param <T> type\n\\param[in,out] x, y z\n:param int a: b\n@typedef X\n",
    b"rule: functions matching `get_.*` are named `[a-z_]+`\nrule: classes are not imported by `x`\nrule: nonsense\n",
]


def read_baseline(data: bytes, folder: Path) -> Any:
    from loregraph.analysis import findings

    (folder / "baseline.json").write_bytes(data)
    found = findings.read_baseline(folder / "baseline.json")
    findings.new_findings([], found)
    return found


BASELINES: Final = [
    b'{"version": 1, "findings": [{"fingerprint": "0123456789abcdef", "rule": "naming", "path": "a.py", "message": "m"}]}'
]


def _readers() -> Iterator[Reader]:
    memory = partial(Reader, area="memory")
    yield memory("journal line", seeds=memory_lines, read=read_journal_line)
    yield memory(
        "journal", seeds=lambda: [b"\n".join(memory_lines()) + b"\n", b"\r\n".join(memory_lines())], read=read_journal
    )
    yield memory("import: jsonl", seeds=lambda: [b"\n".join(memory_lines()) + b"\n"], read=partial(read_import, None))
    yield memory("import: knowledge-graph", seeds=knowledge_lines, read=partial(read_import, "knowledge-graph"))
    yield memory("import: agent-memory", seeds=agent_lines, read=partial(read_import, "agent-memory"))
    wire = partial(Reader, area="wire")
    yield wire("loregraph.toml", seeds=lambda: settings_seeds(""), read=partial(read_settings, "loregraph.toml"))
    yield wire(
        "pyproject.toml", seeds=lambda: settings_seeds("tool.loregraph"), read=partial(read_settings, "pyproject.toml")
    )
    yield wire(
        "pattern of ids",
        seeds=lambda: [rb"REQ-[A-Z]{3}-\d+", rb"(?:A|B)(?P<x>\w+)\b", rb"(?i)x(?=y)"],
        read=read_id_pattern,
    )
    yield wire("tools.json", seeds=tools_seeds, read=read_tools_file)
    yield wire("JSON-RPC line", seeds=lambda: MESSAGES, read=read_message)
    yield wire("team file", seeds=knowledge_lines, read=read_team_file)
    yield wire("tool arguments", seeds=lambda: ARGUMENTS, read=read_arguments)
    yield wire("Cypher", seeds=lambda: QUERIES, read=read_query)
    store = partial(Reader, area="store")
    yield store("current", seeds=current_seeds, read=read_current)
    for name in ("columns.bin", "lexical.bin", "vectors.bin"):
        yield store(name, seeds=partial(stored_file, name), read=partial(read_arrays, name))
    yield store("state.sqlite", seeds=partial(stored_file, "state.sqlite"), read=read_state)
    texts = partial(Reader, area="texts")
    yield texts("unified diff", seeds=lambda: DIFFS, read=read_diff)
    yield texts(".gitignore", seeds=lambda: IGNORES, read=read_ignore)
    yield texts(
        "JUnit", seeds=lambda: [next((FIXTURES / "gates").rglob("junit.xml")).read_bytes(), JUNIT], read=read_junit
    )
    yield texts("markers in a comment", seeds=lambda: COMMENTS, read=read_comment)
    yield texts("commit message", seeds=lambda: COMMITS, read=read_commit_message)
    yield texts("docstring", seeds=lambda: DOCSTRINGS, read=read_docstring)
    yield texts("baseline", seeds=lambda: BASELINES, read=read_baseline)
    for path, seeds in DOCUMENTS.items():
        yield texts(f"document {path}", seeds=seeds, read=partial(read_document, path, True))
    yield texts(
        "document found, not named",
        seeds=DOCUMENTS["docs/requirements.md"],
        read=partial(read_document, "docs/requirements.md", False),
    )
    yield texts("document within an archive", seeds=DOCUMENTS["docs/a.reqif"], read=read_archive_of)
    for name, seed in PACKAGING.items():
        yield Reader(name, "packaging", partial(list, [seed]), partial(read_packaging, name))
    for language in LANGUAGES:
        yield Reader(f"code: {language}", "code", partial(source_seeds, language), partial(read_code, language))
    for language in LANGUAGES:
        yield Reader(f"edges: {language}", "edges", partial(source_seeds, language), partial(read_project, language))
        yield Reader(f"tokens: {language}", "tokens", partial(source_seeds, language), partial(read_tokens, language))
    for form, file in RUN_FILES.items():
        yield Reader(f"run: {form}", "runs", partial(run_seeds, file), partial(read_run, form))


def tools_seeds() -> list[bytes]:
    from loregraph.bridges import proxy_file

    small = {
        "upstream": {"command": "x", "args": ["-y"], "env": {"A": "b"}, "cwd": "."},
        "tools": [
            {
                "name": "a",
                "description": "b",
                "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
                "annotations": {"readOnlyHint": True},
                "upstream": {"tool": "t", "paramMapping": {"q": "filters.te\\.xt"}},
            }
        ],
    }
    return [json.dumps(small).encode(), *(proxy_file.example(name).encode() for name in proxy_file.examples())]


def current_seeds() -> list[bytes]:
    from loregraph.graph.generation import Current

    return [msgspec.json.encode(Current(generation=1, engine="kuzu", embedder={"dim": 4}, journal_offsets={"a": 1})),
            b'{"generation":1,"schema_version":1,"format":"loregraph-store","files":{"columns.bin":[1,2,3],"../../x":[1,2,3]}}']  # fmt: skip


def stored_file(name: str) -> list[bytes]:
    return [data for file, data in stored().items() if file == name]


JUNIT: Final = (
    b'<?xml version="1.0"?><testsuites><testsuite name="s" file="a.py" tests="2"><testcase name="t" classname="a.T" time="1">'
    b'<failure message="m">x</failure></testcase><testcase name="u[1]" status="skipped"/></testsuite></testsuites>'
)
DOCUMENTS: Final[dict[str, Callable[[], Sequence[bytes]]]] = {
    "docs/requirements.md": partial(document_seeds, "markdown", ".md"),
    "docs/adr/0001-x.md": partial(document_seeds, "markdown", ".md"),
    "reqs/REQ001.yml": partial(document_seeds, "doorstop", ".yml"),
    "reqs/REQ001.md": partial(document_seeds, "doorstop", ".md"),
    "docs/a.sdoc": partial(document_seeds, "strictdoc", ".sdoc"),
    "docs/index.rst": partial(document_seeds, "sphinx_needs", ".rst", ".md"),
    "docs/a.reqif": partial(document_seeds, "reqif", ".reqif"),
    "docs/a.reqifz": lambda: [zipped(data) for data in document_seeds("reqif", ".reqif")],
    "docs/a.csv": partial(document_seeds, "csv", ".csv"),
    "docs/a.tsv": partial(document_seeds, "csv", ".tsv"),
    "docs/a.txt": partial(document_seeds, "text", ".txt"),
}

READERS: Final[dict[str, Reader]] = {reader.name: reader for reader in _readers()}


def of(area: str) -> list[str]:
    return [reader.name for reader in READERS.values() if reader.area == area]
