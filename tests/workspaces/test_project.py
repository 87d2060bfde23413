"""A workspace answers as its repositories do, with their names before ids and paths."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.errors import (
    AmbiguousSymbolError,
    ConfigError,
    NotFoundError,
    NotIndexedError,
    UnsupportedError,
    UsageError,
)
from loregraph.graph.generation import StoreFolder
from loregraph.project import Project
from loregraph.workspaces.file import MOST_BYTES, read_workspace
from loregraph.workspaces.overview import overview
from loregraph.workspaces.project import WorkspaceProject

from ..conftest import Repository
from ..shop import written
from .conftest import REPOSITORIES, workspace_file

NAMES = ("name", "qualified_name", "names", "text", "evidence")
"""Fields with names and texts, which may look like an id."""


def told(value: Any) -> Any:
    """An answer with evidence as its repository gives it: a path in a text may have a prefix or not."""
    if isinstance(value, dict):
        return {key: inner.replace("only:", "") if key == "evidence" else told(inner) for key, inner in value.items()}
    return [told(inner) for inner in value] if isinstance(value, list) else value


def with_prefix(value: Any, prefix: str, ids: frozenset[str]) -> Any:
    """An answer with the prefix before every text that is an id or a path."""
    if isinstance(value, str):
        return prefix + value if value in ids else value
    if isinstance(value, dict):
        return {key: inner if key in NAMES else with_prefix(inner, prefix, ids) for key, inner in value.items()}
    return [with_prefix(inner, prefix, ids) for inner in value] if isinstance(value, list | tuple) else value


# Verifies REQ-WSP-001.
@pytest.mark.parametrize("name", ["money", "client", "flags"])
def test_a_workspace_of_one_answers_as_the_repository(indexed: Path, tmp_path: Path, name: str) -> None:
    file = workspace_file(tmp_path, {"only": str(indexed / name)})
    with Project(indexed / name) as alone, WorkspaceProject(file) as workspace:
        own, joined = alone.reader().columns, workspace.reader().columns
        ids = frozenset(own.all_ids()) | {own.path(node) for node in range(own.node_count) if own.path(node)}

        def same(one: Any, other: Any) -> None:
            plain = [msgspec.json.decode(msgspec.json.encode(answer)) for answer in (one, other)]
            assert with_prefix(plain[0], "only:", ids) == told(plain[1])

        same(list(own.all_nodes()), list(joined.all_nodes()))
        same(list(own.all_edges()), list(joined.all_edges()))
        for word in ("amount in cents", "client get", "parse flags", "rate"):
            for mode in ("hybrid", "lexical", "semantic"):
                same(alone.search(word, mode=mode), workspace.search(word, mode=mode))
        for node in own.symbols().tolist():
            symbol = own.id(node)
            same(alone.callers(symbol, depth=3), workspace.callers(f"only:{symbol}", depth=3))
            same(alone.callees(symbol), workspace.callees(f"only:{symbol}"))
            same(alone.impact(symbol), workspace.impact(f"only:{symbol}"))
            same(alone.show(symbol), workspace.show(f"only:{symbol}"))
            same(alone.related(symbol, depth=2), workspace.related(f"only:{symbol}", depth=2))
            same(alone.explore(symbol=symbol).symbols, workspace.explore(symbol=f"only:{symbol}").symbols)
        asked = "MATCH (a)-[e]->(b) RETURN a.id, label(e), b.id ORDER BY a.id, label(e), b.id"
        same(list(alone.query(asked)), list(workspace.query(asked)))


# Verifies REQ-WSP-001.
def test_a_name_that_is_the_only_one_needs_no_prefix(workspace: WorkspaceProject) -> None:
    assert workspace.show("rate").id == "money:src/money/rates.py::rate"
    assert workspace.show("src/money/rates.py::rate").id == "money:src/money/rates.py::rate"
    assert workspace.show("values/values.go").id == "flags:values/values.go"
    with pytest.raises(NotFoundError):
        workspace.show("nowhere:src/money/rates.py::rate")


def test_a_question_can_be_about_one_repository_or_a_folder_of_it(workspace: WorkspaceProject) -> None:
    def found(path: str) -> set[str]:
        return {hit.id.partition("::")[0] for hit in workspace.search("rate format amount", path=path, mode="lexical")}

    assert found("money:") == {"money:src/money/amount.py", "money:src/money/rates.py"}
    assert found("money:src/money/rates.py") == {"money:src/money/rates.py"}
    assert found("money:src/") == found("money:")
    assert found("client:") == {"client:src/text.ts"}
    assert found("money") == set()


def test_a_name_of_several_repositories_answers_with_candidates(indexed: Path, tmp_path: Path) -> None:
    file = workspace_file(tmp_path, {"one": str(indexed / "flags"), "two": str(indexed / "flags")})
    with WorkspaceProject(file) as workspace, pytest.raises(AmbiguousSymbolError) as raised:
        workspace.callers("flags.go::New")
    assert raised.value.candidates == ("one:flags.go::New", "two:flags.go::New")


# Verifies REQ-WSP-006.
def test_source_is_that_of_the_right_repository_and_of_no_other_file(
    workspace: WorkspaceProject, indexed: Path, tmp_path: Path
) -> None:
    assert workspace.source_lines("flags:values/values.go")[0] == "package values"
    (tmp_path / "secret").write_text("secret")
    for path in ("flags.go", "nobody:flags.go", "flags:nothing.go", "", "flags:"):
        assert workspace.source_lines(path) == []
    explored = workspace.explore(symbol="client:src/client.ts::Base.get")
    assert "return id" in explored.symbols[0].source
    assert workspace.context("money:src/money/rates.py::rate", include_code=True).component is not None


# Verifies REQ-WSP-002.
def test_another_generation_of_one_repository_is_answered_from_at_once(copied: Path, tmp_path: Path) -> None:
    names = {name: str(copied / name) for name in ("billing", "money", "flags")}
    with WorkspaceProject(workspace_file(tmp_path, names)) as workspace:
        before = workspace.reader()
        assert workspace.reader() is before
        rates = copied / "money" / "src/money/rates.py"
        rates.write_text(rates.read_text() + "\n\ndef tax() -> int:\n    return 0\n")
        assert workspace.behind(()).changed == {"money:src/money/rates.py"}
        assert workspace.outdated(["money:src/money/rates.py"]).changed == {"money:src/money/rates.py"}
        assert workspace.stale().changed == ("money:src/money/rates.py",)
        with pytest.raises(NotFoundError):
            workspace.show("tax")
        with Project(copied / "money") as money:
            money.index(jobs=1)
        assert workspace.show("tax").id == "money:src/money/rates.py::tax"
        assert workspace.reader() is not before
        assert not workspace.behind(()).changed


# Verifies REQ-WSP-002.
def test_the_joined_graph_is_kept_and_no_repository_is_written_to(file: Path, indexed: Path) -> None:
    def listed() -> set[Path]:
        return {path for path in indexed.rglob("*") if path.is_file()}

    before = listed()
    with WorkspaceProject(file) as first:
        made = first.reader().folder
        inode = (made / "columns.bin").stat().st_ino
    with WorkspaceProject(file) as second:
        assert (second.reader().folder / "columns.bin").stat().st_ino == inode
        second.search("rate")
        second.callers("rate")
    assert listed() == before


# Verifies REQ-WSP-003.
def test_what_cannot_be_asked_is_named_and_the_others_answer(copied: Path, tmp_path: Path) -> None:
    shutil.rmtree(copied / "web" / ".loregraph")
    generation = next((copied / "flags" / ".loregraph").glob("generation-*"))
    content = bytearray((generation / "columns.bin").read_bytes())
    content[-100] ^= 1
    (generation / "columns.bin").write_bytes(content)
    names = {"web": "web", "flags": "flags", "money": "money", "gone": "gone"}
    file = workspace_file(tmp_path, {name: str(copied / folder) for name, folder in names.items()})
    file.write_text(file.read_text() + '[repositories.far]\nurl = "s3://graphs/far"\n')
    with WorkspaceProject(file) as workspace:
        told = dict(line.split(": ", 1) for line in workspace.remarks)
        assert told.keys() == {"web", "flags", "gone", "far"}
        assert "not indexed" in told["web"]
        assert "damaged" in told["flags"]
        assert "no folder" in told["gone"]
        assert workspace.show("rate").id == "money:src/money/rates.py::rate"
        shown = {one.name: one for one in overview(workspace).repositories}
        assert [name for name, one in shown.items() if one.indexed] == ["flags", "money"] or not shown["flags"].indexed
        assert shown["gone"].problem
        # What is mended is asked again.
        with Project(copied / "flags") as project:
            project.index(jobs=1, full=True)
        assert workspace.show("flags.go::New").id == "flags:flags.go::New"


def test_where_none_can_be_asked_the_error_names_each(tmp_path: Path) -> None:
    file = workspace_file(tmp_path, {"one": "missing", "two": "."})
    with WorkspaceProject(file) as workspace, pytest.raises(NotIndexedError) as raised:
        workspace.search("x")
    assert "one: there is no folder" in raised.value.message
    assert "two: it is not indexed" in raised.value.message


def test_a_damaged_joined_graph_is_made_again(file: Path) -> None:
    with WorkspaceProject(file) as workspace:
        current = workspace.reader().folder.parent / "current"
    current.write_bytes(b"no")
    with WorkspaceProject(file) as workspace:
        assert workspace.show("rate").name == "rate"


# Verifies REQ-WSP-001.
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[repositories]\n",
        "[repositories.web]\n",
        "[repositories.Web]\npath = '.'\n",
        "[repositories.'a:b']\npath = '.'\n",
        "[repositories.'../x']\npath = '.'\n",
        "[repositories.web]\npath = '.'\nurl = 's3://x'\n",
        "[repositories.web]\npath = 1\n",
        "[repositories.web]\npath = '.'\ncommand = 'x'\n",
        '[repositories.web]\npath = "a\\u0000b"\n',
        "[settings]\nstore = '/'\n[repositories.web]\npath = '.'\n",
        "[repositories.web]\npath = '.'\ncommit = 'x'\n",
        "[repositories.web]\nurl = 's3://x'\ncommit = 'main'\n",
        "repositories = 1\n",
        "not toml",
        "[repositories.web]\npath = '.'\n#" + "x" * MOST_BYTES,
    ],
)
def test_a_file_that_describes_no_workspace_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.toml").write_text(text)
    with pytest.raises(ConfigError):
        read_workspace(tmp_path / "w.toml")


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text('[repositories.b]\nurl = "s3://x"\n[repositories.a]\npath = "../a"\n')
    members = read_workspace(tmp_path / "w.toml").members
    assert [(one.name, one.root, one.url) for one in members] == [
        ("a", tmp_path.parent.resolve() / "a", ""),
        ("b", None, "s3://x"),
    ]


# Verifies REQ-WSP-006.
def test_a_repository_s_own_settings_stay_its_own(copied: Path, tmp_path: Path) -> None:
    """The folder of the workspace's file is a repository with settings that reach beyond it: none is taken."""
    file = workspace_file(copied / "money", {"money": "."})
    (copied / "money" / "loregraph.toml").write_text(f'store = "{tmp_path / "elsewhere"}"\nembedder = "none"\n')
    with WorkspaceProject(file) as workspace:
        assert workspace.settings.embedder != "none"
        assert not workspace.store.path.is_relative_to(copied)
        assert any("store" in line for line in workspace.remarks)
        assert workspace.show("rate").name == "rate"
    assert not (tmp_path / "elsewhere").exists()


def test_memories_are_read_across_and_written_in_their_repository(copied: Path, tmp_path: Path) -> None:
    with Project(copied / "money") as money:
        kept = money.memory.add(
            "Rates are rounded because banks do", kind="design", anchors=["src/money/rates.py::rate"]
        )
    names = {name: str(copied / name) for name in ("billing", "money")}
    with WorkspaceProject(workspace_file(tmp_path, names)) as workspace:
        assert workspace.memory.search("why are rates rounded").results[0].memory.id == kept.memory_id
        page = workspace.memory.page(anchor="money:src/money/rates.py::rate")
        assert [one.memory.id for one in page.memories] == [kept.memory_id]
        assert not workspace.memory.page(anchor="billing:billing/app.py::charge").memories
        assert workspace.memory.stats().by_scope["project"] == 1  # the user's may have been written by other tests
        assert workspace.show("rate").memories == (f"money:{kept.memory_id}",)
        with pytest.raises(UnsupportedError):
            workspace.memory.add("x", kind="learning")
        with pytest.raises(UnsupportedError):
            workspace.decide_links([("accepted", "money:REQ-MON-001", "billing:billing/app.py::charge")])


def test_a_revision_is_looked_for_in_every_repository(copied: Path, tmp_path: Path, repository: Repository) -> None:
    written(repository.root, REPOSITORIES["money"])
    repository.commit()
    repository.replace("src/money/rates.py", '"1"', '"2"')
    with Project(repository.root) as money:
        money.index(jobs=1, embed=False)
    names = {"billing": str(copied / "billing"), "money": str(repository.root)}
    with WorkspaceProject(workspace_file(tmp_path, names)) as workspace:
        assert [hit.id for hit in workspace.impact(since="HEAD")] == ["billing:billing/app.py::charge"]
        with pytest.raises(UsageError):
            workspace.impact(since="no-such-revision")


# Verifies REQ-HIS-001.
def test_each_repository_brings_its_own_history(copied: Path, tmp_path: Path, repository: Repository) -> None:
    written(repository.root, REPOSITORIES["money"])
    repository.commit()
    repository.replace("src/money/rates.py", '"1"', '"2"')
    repository.commit()
    with Project(repository.root) as money:
        money.index(jobs=1, embed=False)
    names = {"billing": str(copied / "billing"), "money": str(repository.root)}
    with WorkspaceProject(workspace_file(tmp_path, names)) as workspace:
        rows = workspace.query("MATCH (f:File) WHERE f.commits > 0 RETURN f.id AS id, f.authors AS authors")
        assert [(row["id"], len(row["authors"])) for row in rows] == [("money:src/money/rates.py", 1)]
        assert workspace.history().refusal and workspace.show("money:src/money/rates.py", history=True).commits is None


def test_what_changes_graphs_is_refused(workspace: WorkspaceProject) -> None:
    with pytest.raises(UnsupportedError):
        workspace.index()
    with pytest.raises(UsageError):
        workspace.impact(diff="--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
    assert isinstance(workspace.store, StoreFolder)
