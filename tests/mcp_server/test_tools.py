"""Every tool of the default profile with good and with bad input."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from loregraph.project import Project

from .conftest import Asker, Connect

UNKNOWN = "6f1c1b8e-7a58-4a34-9d0b-2f1f4a0e9b11"
SYMBOL = "shop/money.py::round_price"

FIELDS = {
    "memory_add": "memory_id status conflicts stale_links",
    "memory_get": "memory relationships",
    "memory_update": "memory_id status updated_fields version",
    "memory_delete": "status relationships_removed",
    "memory_bulk_add": "created memory_ids errors",
    "memory_search": "results total query_time_ms",
    "code_search": "results",
    "find_duplicates": "duplicates has_duplicates",
    "get_related": "related unresolved_calls",
    "graph_query": "columns rows truncated query_time_ms",
    "index_file": "status functions classes relationships problems",
    "index_directory": "job_id status",
    "index_status": "job index",
    "reindex": "job_id status",
    "check_consistency": "component base_pattern consistency_score deviations recommendations",
    "validate_fix": "alignment_score design_context concerns impact recommendations",
    "get_design_context": "component requirements design_documents patterns memories dependencies dependents",
    "trace_requirements": "requirement implementations design_documents tests coverage",
    "memory_statistics": "memories index relationships storage performance",
    "normalize_memory": "job_id status",
    "normalize_status": "job_id status phase progress stats error",
    "export_memory": "file_path memories_exported file_size_bytes",
    "import_memory": "imported skipped errors",
}
"""Tool → the names in its answer, as the contract has them."""

BAD: list[tuple[str, dict[str, Any], str]] = [
    ("memory_add", {"memory_type": "design"}, "content"),
    ("memory_add", {"content": "x"}, "memory_type"),
    ("memory_add", {"memory_type": "novel", "content": "x"}, "memory_type"),
    ("memory_add", {"memory_type": "design", "content": ""}, "content"),
    ("memory_add", {"memory_type": "design", "content": "x" * 100_001}, "content"),
    ("memory_add", {"memory_type": "design", "content": "x", "importance": 2}, "importance"),
    ("memory_add", {"memory_type": "design", "content": "x", "tags": "a"}, "tags"),
    ("memory_add", {"memory_type": "design", "content": "x", "relationships": [{"type": "ABOUT"}]}, "relationships[0]"),
    ("memory_add", {"memory_type": "design", "content": "x", "scope": "agent"}, "agent_id"),
    ("memory_add", {"memory_type": "design", "content": "x", "scope": "user", "agent_id": "a"}, "agent_id"),
    ("memory_get", {}, "memory_id"),
    ("memory_get", {"memory_id": UNKNOWN, "include_relationships": "yes"}, "include_relationships"),
    ("memory_update", {"memory_id": UNKNOWN, "state": "gone"}, "state"),
    ("memory_delete", {"memory_id": UNKNOWN, "hard_delete": 1}, "hard_delete"),
    ("memory_bulk_add", {"memories": []}, "memories"),
    ("memory_bulk_add", {"memories": [{"memory_type": "core", "content": "x"}] * 101}, "memories"),
    ("memory_search", {"query": "a", "limit": 101}, "limit"),
    ("memory_search", {"query": "a", "limit": "5"}, "limit"),
    ("memory_search", {"query": "a", "memory_types": ["novel"]}, "memory_type"),
    ("memory_search", {"query": "a", "time_range": {"from": "2026-01-01"}}, "time_range.from"),
    ("memory_search", {"query": "a", "time_range": {"start": "yesterday"}}, "time_range.start"),
    ("memory_search", {"query": ""}, "query"),
    ("code_search", {"query": "a", "limit": 0}, "limit"),
    ("code_search", {"query": "a", "limit": 5.5}, "limit"),
    ("code_search", {"query": "a", "limit": True}, "limit"),
    ("code_search", {"query": 5}, "query"),
    ("code_search", {"query": "a", "lim": 5}, "lim"),
    ("find_duplicates", {}, "code"),
    ("find_duplicates", {"code": "def f(): pass", "id": SYMBOL}, "code"),
    ("find_duplicates", {"id": SYMBOL, "threshold": 0.4}, "threshold"),
    ("get_related", {"entity_id": SYMBOL, "depth": 6}, "depth"),
    ("get_related", {"entity_id": SYMBOL, "direction": "SIDEWAYS"}, "direction"),
    ("get_related", {"entity_id": SYMBOL, "relationship_types": ["LIKES"]}, "LIKES"),
    ("graph_query", {"cypher": "MATCH (n) RETURN n", "limit": 0}, "limit"),
    ("graph_query", {"cypher": "MATCH (n) RETURN n", "params": []}, "params"),
    ("index_file", {"file_path": 1}, "file_path"),
    ("index_file", {"file_path": "shop"}, "file_path"),
    ("index_directory", {"directory_path": "."} | {"include": "*.py"}, "include"),
    ("index_directory", {"directory_path": "shop/cart.py"}, "directory_path"),
    ("index_status", {"job_id": 5}, "job_id"),
    ("reindex", {"scope": "some"}, "scope"),
    ("check_consistency", {"component_id": "shop", "rules": ["beauty"]}, "beauty"),
    ("validate_fix", {"component_id": "shop"}, "fix_description"),
    ("get_design_context", {}, "component_id"),
    ("trace_requirements", {"include_suggestions": "no"}, "include_suggestions"),
    ("memory_statistics", {"verbose": True}, "verbose"),
    ("normalize_memory", {"phases": ["magic"]}, "phases[0]"),
    ("normalize_status", {}, "job_id"),
    ("export_memory", {"format": "xml"}, "format"),
    ("import_memory", {"file_path": "m.jsonl", "conflict_resolution": "ask"}, "conflict_resolution"),
]

ABSENT: list[tuple[str, dict[str, Any]]] = [
    ("memory_get", {"memory_id": UNKNOWN}),
    ("memory_update", {"memory_id": UNKNOWN, "content": "x"}),
    ("memory_delete", {"memory_id": UNKNOWN}),
    ("get_related", {"entity_id": "shop/none.py::nothing"}),
    ("find_duplicates", {"id": "nothing_like_it"}),
    ("index_file", {"file_path": "shop/none.py"}),
    ("index_directory", {"directory_path": "nowhere"}),
    ("reindex", {"directory_path": "nowhere"}),
    ("index_status", {"job_id": UNKNOWN}),
    ("normalize_status", {"job_id": UNKNOWN}),
    ("check_consistency", {"component_id": "nowhere/at/all"}),
    ("validate_fix", {"component_id": "nowhere", "fix_description": "x"}),
    ("get_design_context", {"component_id": "nowhere"}),
    ("import_memory", {"file_path": "none.jsonl"}),
    ("no_such_tool", {}),
]


# Verifies REQ-MCP-002.
@pytest.mark.parametrize(("tool", "arguments", "field"), BAD)
def test_wrong_arguments_are_refused_by_name(ask: Asker, tool: str, arguments: dict[str, Any], field: str) -> None:
    answer = ask(tool, **arguments)
    assert answer.code == "VALIDATION_ERROR"
    assert field in answer.message
    assert set(answer.body["error"]) == {"code", "message", "suggestion", "details"}
    assert answer.body["error"]["suggestion"]


def test_every_tool_is_given_something_wrong() -> None:
    assert {tool for tool, _, _ in BAD} == set(FIELDS)


@pytest.mark.parametrize(("tool", "arguments"), ABSENT)
def test_what_is_not_there_is_said(ask: Asker, tool: str, arguments: dict[str, Any]) -> None:
    answer = ask(tool, **arguments)
    assert answer.code == "NOT_FOUND"
    assert answer.body["error"]["suggestion"]


def test_the_text_is_the_structured_content(ask: Asker) -> None:
    answer = ask("code_search", query="round price")
    assert json.loads(answer.text) == answer.body
    wrong = ask("code_search", query=5)
    assert json.loads(wrong.text) == wrong.body


def check(ask: Asker, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """The answer to good input, which has the fields of the contract."""
    body = ask.ok(tool, **arguments)
    assert set(body) == set(FIELDS[tool].split()), tool
    return body


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_memory_from_its_addition_to_its_deletion(connect: Connect, mode: str) -> None:
    ask = connect(mode=mode)
    links = [{"type": "ABOUT", "target_id": SYMBOL}, {"type": "ABOUT", "target_id": "shop/none.py::x"}]
    added = check(
        ask,
        "memory_add",
        memory_type="design",
        content="Prices are rounded once, at the end",
        metadata={"by": "review"},
        tags=["Money"],
        importance="high",
        relationships=links,
    )
    assert (added["status"], added["conflicts"]) == ("created", [])
    assert added["stale_links"] == ["shop/none.py::x"]
    again = check(
        ask, "memory_add", memory_type="design", content="Prices are rounded once, at the end", tags=["money"]
    )
    assert [conflict["memory_id"] for conflict in again["conflicts"]] == [added["memory_id"]]
    assert again["conflicts"][0]["similarity"] > 0.95

    got = check(ask, "memory_get", memory_id=added["memory_id"], include_relationships=True)
    memory = got["memory"]
    assert (memory["memory_type"], memory["importance"], memory["tags"]) == ("design", 0.9, ["money"])
    assert (memory["scope"], memory["project_id"], memory["metadata"]) == ("project", "shop", {"by": "review"})
    assert {related["target_id"] for related in got["relationships"]} == {SYMBOL, "shop/none.py::x"}

    updated = check(ask, "memory_update", memory_id=added["memory_id"], content="Rounded once", metadata={"x": 1})
    assert (updated["status"], updated["version"]) == ("updated", 2)
    assert {"content", "metadata"} <= set(updated["updated_fields"])
    memory = ask.ok("memory_get", memory_id=added["memory_id"])["memory"]
    assert memory["metadata"] == {"by": "review", "x": 1}

    found = check(ask, "memory_search", query="how are prices rounded", memory_types=["design"], tags=["money"])
    assert found["total"] == len(found["results"]) == 2
    hit = next(hit for hit in found["results"] if hit["memory_id"] == added["memory_id"])
    assert (hit["memory_type"], hit["content"]) == ("design", "Rounded once")
    assert 0 < hit["similarity"] <= 1
    assert set(hit) == {"memory_id", "memory_type", "content", "similarity", "relevance", "metadata", "stale"}
    assert ask.ok("memory_search", query="prices", time_range={"end": "2001-01-01"})["results"] == []

    deleted = check(ask, "memory_delete", memory_id=added["memory_id"])
    assert (deleted["status"], deleted["relationships_removed"]) == ("deleted", 2)
    assert ask("memory_get", memory_id=added["memory_id"]).code == "NOT_FOUND"


def test_a_memory_of_an_agent_is_changed_by_that_agent_alone(ask: Asker) -> None:
    added = ask.ok("memory_add", memory_type="learning", content="mine", scope="agent", agent_id="a")
    assert ask("memory_update", memory_id=added["memory_id"], content="x").is_error
    assert ask("memory_update", memory_id=added["memory_id"], content="x", agent_id="b").is_error
    assert ask.ok("memory_update", memory_id=added["memory_id"], content="x", agent_id="a")["version"] == 2
    assert ask.ok("memory_search", query="x", scope="agent", agent_id="b")["results"] == []
    assert len(ask.ok("memory_search", query="x", scope="agent", agent_id="a")["results"]) == 1


def test_a_secret_is_refused_and_not_echoed(ask: Asker) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    answer = ask("memory_add", memory_type="learning", content=f"the token is {token}")
    assert answer.code == "VALIDATION_ERROR"
    assert token not in answer.text
    insisted = ask("memory_add", memory_type="learning", content=f"the token is {token}", allow_secret=True)
    assert not insisted.is_error


def test_good_rows_are_kept_when_others_fail(ask: Asker) -> None:
    rows = [
        {"memory_type": "learning", "content": "first"},
        {"memory_type": "novel", "content": "second"},
        "third",
        {"memory_type": "learning", "content": "fourth", "scope": "agent", "agent_id": "a"},
        {"memory_type": "learning", "content": "fifth", "scope": "agent"},
        {"memory_type": "learning", "content": "sixth"},
    ]
    body = check(ask, "memory_bulk_add", memories=rows)
    assert body["created"] == len(body["memory_ids"]) == 3
    assert [error["index"] for error in body["errors"]] == [1, 2, 4]
    assert "memory_type" in body["errors"][0]["error"]
    contents = [
        ask("memory_get", memory_id=memory_id).body.get("memory", {}).get("content") for memory_id in body["memory_ids"]
    ]
    assert contents == ["first", None, "sixth"]  # the second is an agent's own


def test_code_is_found_copied_and_related(ask: Asker) -> None:
    hit = check(ask, "code_search", query="convert to another currency", kind="function", path="shop", limit=1)[
        "results"
    ][0]
    assert set(hit) == set("id name kind signature file_path start_line end_line score docstring why".split())
    assert hit["id"] == "shop/abroad.py::convert"
    assert hit["docstring"].startswith("Convert an amount")
    assert {h["file_path"] for h in ask.ok("code_search", query="checkout", path="tests")["results"]} == {
        "tests/test_cart.py"
    }

    copies = check(ask, "find_duplicates", id="shop/money.py::exchange")
    assert copies["has_duplicates"] is True
    copy = copies["duplicates"][0]
    assert (copy["id"], copy["clone_type"]) == ("shop/abroad.py::convert", "type-2")
    assert set(copy) == set(
        "id name signature file_path start_line end_line similarity clone_type recommendation".split()
    )
    source = (ask.root / "shop/money.py").read_text(encoding="utf-8").split("\n\n\n")[1]
    assert ask.ok("find_duplicates", code=source)["duplicates"][0]["clone_type"] == "type-1"
    nothing = ask.ok("find_duplicates", code="for x in range(10):\n    print(x, x * x, x ** 3)\n")
    assert nothing == {"duplicates": [], "has_duplicates": False}

    callers = check(ask, "get_related", entity_id=SYMBOL, relationship_types=["calls"], direction="incoming")
    assert [one["entity_id"] for one in callers["related"]] == ["shop/cart.py::Cart.total"]
    assert callers["related"][0]["evidence"].startswith("shop/cart.py:14")
    assert callers["related"][0] == {
        "entity_id": "shop/cart.py::Cart.total", "type": "Function", "name": "total", "relationship": "CALLS",
        "distance": 1, "evidence": "shop/cart.py:14 (import)", "direction": "INCOMING", "confidence": 1.0,
        "how": "import", "lines": [14],
    }  # fmt: skip
    assert callers["unresolved_calls"] == 0
    far = ask.ok("get_related", entity_id=SYMBOL, relationship_types=["CALLS"], direction="INCOMING", depth=3)
    assert {one["distance"] for one in far["related"]} == {1, 2, 3}


def test_an_ambiguous_name_is_answered_with_its_candidates(ask: Asker, root: Path) -> None:
    (root / "shop/more.py").write_text("def round_price(x):\n    return x\n", encoding="utf-8")
    ask.ok("index_file", file_path="shop/more.py")
    answer = ask("get_related", entity_id="round_price")
    assert answer.code == "CONFLICT"
    assert answer.body["error"]["details"]["candidates"] == [SYMBOL, "shop/more.py::round_price"]


def test_rows_of_a_query(ask: Asker) -> None:
    body = check(
        ask, "graph_query", cypher="MATCH (f:Function) WHERE f.name = $name RETURN f.id AS id", params={"name": "total"}
    )
    assert (body["columns"], body["rows"], body["truncated"]) == (["id"], [["shop/cart.py::Cart.total"]], False)
    cut = ask.ok("graph_query", cypher="MATCH (f:Function) RETURN f.id", limit=2)
    assert (len(cut["rows"]), cut["truncated"]) == (2, True)
    assert "limit" in cut["rest"]


def test_a_file_is_taken_up(ask: Asker, root: Path) -> None:
    unchanged = check(ask, "index_file", file_path="shop/money.py")
    assert (unchanged["status"], unchanged["functions"], unchanged["problems"]) == ("skipped", 2, [])
    assert ask.ok("index_file", file_path="shop/money.py", force=True)["status"] == "indexed"
    (root / "shop/new.py").write_text("def brand_new() -> None:\n    pass\n", encoding="utf-8")
    (root / "shop/other.py").write_text("def another_one() -> None:\n    pass\n", encoding="utf-8")
    body = ask.ok("index_file", file_path="shop/new.py")
    assert (body["status"], body["functions"], body["classes"]) == ("indexed", 1, 0)
    assert ask.ok("code_search", query="brand_new")["results"][0]["id"] == "shop/new.py::brand_new"
    assert ask.ok("index_status")["index"]["stale_files"] == 1  # only that file was looked at
    (root / "notes.bin").write_bytes(b"\0\1")
    assert ask.ok("index_file", file_path="notes.bin")["status"] == "unsupported"


def test_folders_are_indexed_as_jobs(ask: Asker, root: Path) -> None:
    (root / "lib").mkdir()
    for name in ("one.py", "two.py"):
        (root / "lib" / name).write_text(f"def in_{name[:3]}() -> None:\n    pass\n", encoding="utf-8")
    started = check(ask, "index_directory", directory_path="lib", exclude=["two.py"])
    assert started["status"] == "started"
    job = ask.finished(started["job_id"])
    assert (job["status"], job["progress"], job["error"]) == ("completed", 1.0, None)
    assert set(job) == {"job_id", "status", "phase", "progress", "counts", "error"}
    assert job["counts"]["files_indexed"] == 1
    status = check(ask, "index_status")
    assert set(status["index"]) == set(
        "files functions classes relationships languages last_indexed stale_files watch".split()
    )
    assert status["index"]["stale_files"] == 1
    changed = check(ask, "reindex")
    assert ask.finished(changed["job_id"])["counts"]["files_indexed"] == 1
    full = ask.ok("reindex", scope="full")
    assert ask.finished(full["job_id"])["counts"]["files_indexed"] == 8
    assert ask.ok("index_status")["index"]["stale_files"] == 0


def test_without_a_graph_the_status_says_that_there_is_none(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.py").write_text("x = 1\n", encoding="utf-8")
    index = check(connect(at=tmp_path / "new"), "index_status")["index"]
    assert (index["indexed"], index["stale_files"], index["last_indexed"]) == (False, None, None)


def test_judgements(ask: Asker) -> None:
    for name in ("total_price", "net_price", "gross_price", "unit_price", "list_price", "base_price"):
        (ask.root / f"shop/{name}.py").write_text(f"def {name}() -> None:\n    pass\n", encoding="utf-8")
    (ask.root / "shop/odd.py").write_text("def oddPrice() -> None:\n    pass\n", encoding="utf-8")
    ask.finished(ask.ok("reindex")["job_id"])
    consistency = check(ask, "check_consistency", component_id="shop/", rules=["naming"])
    assert consistency["component"] == "component:shop"
    assert "snake_case" in consistency["base_pattern"]["name"]
    deviation = consistency["deviations"][0]
    assert (deviation["rule"], deviation["file_path"], deviation["start_line"]) == ("naming", "shop/odd.py", 1)
    assert set(deviation) == {"rule", "expected", "actual", "severity", "file_path", "start_line", "evidence"}
    assert 0 < consistency["consistency_score"] < 1

    diff = (
        "--- a/shop/money.py\n+++ b/shop/money.py\n@@ -1,3 +1,1 @@\n-def round_price(amount: float) -> float:\n+x = 1\n"
    )
    fix = check(
        ask,
        "validate_fix",
        fix_description="drop rounding",
        component_id=SYMBOL,
        affected_files=["shop/money.py"],
        diff=diff,
    )
    assert {"removed_symbol", "callers", "untested"} <= {concern["type"] for concern in fix["concerns"]}
    assert fix["impact"] == {"callers": ["shop/cart.py::Cart.total"], "tests": [], "requirements": []}
    assert 0 <= fix["alignment_score"] < 0.8

    ask.ok(
        "memory_add",
        memory_type="design",
        content="cents only",
        relationships=[{"type": "ABOUT", "target_id": SYMBOL}],
    )
    context = check(ask, "get_design_context", component_id=SYMBOL, include_code=True)
    assert context["component"]["id"] == SYMBOL
    assert "round(amount, 2)" in context["component"]["code"]
    assert [memory["content"] for memory in context["memories"]] == ["cents only"]
    assert [one["id"] for one in context["dependents"]] == ["shop/cart.py::Cart.total"]
    by_query = ask.ok("get_design_context", query="round to whole cents")
    assert by_query["component"]["id"] == SYMBOL


def test_a_fix_that_contradicts_a_memory_scores_by_every_concern(ask: Asker) -> None:
    ask.ok(
        "memory_add",
        memory_type="design",
        content="Never use pickle here: it runs code.",
        relationships=[{"type": "ABOUT", "target_id": SYMBOL}],
    )
    asked = {"fix_description": "keep the rounded price", "component_id": SYMBOL, "affected_files": ["shop/money.py"]}
    diff = "--- a/shop/money.py\n+++ b/shop/money.py\n@@ -1,1 +1,2 @@\n+import pickle\n {}\n".format(
        (ask.root / "shop/money.py").read_text(encoding="utf-8").splitlines()[0]
    )
    against = ask.ok("validate_fix", **asked, diff=diff)
    kinds = [concern["type"] for concern in against["concerns"]]
    assert kinds[0] == "contradicts_memory"
    cost = {"high": 0.3, "medium": 0.15, "low": 0.05}
    left = 1 - sum(cost[concern["severity"]] for concern in against["concerns"])
    assert against["alignment_score"] == round(max(0.0, left), 2) <= 0.7
    fine = ask.ok("validate_fix", **asked, diff=diff.replace("pickle", "json"))
    assert "contradicts_memory" not in [concern["type"] for concern in fine["concerns"]]
    assert fine["alignment_score"] > against["alignment_score"]


def test_a_trace_without_requirements_is_unavailable_with_the_reason(ask: Asker) -> None:
    answer = ask("trace_requirements")
    assert answer.code == "UNAVAILABLE"
    assert "requirement" in answer.message
    assert "[requirements]" in answer.body["error"]["suggestion"]


def test_statistics(ask: Asker) -> None:
    ask.ok("memory_add", memory_type="core", content="one")
    body = check(ask, "memory_statistics")
    assert (body["memories"]["total"], body["memories"]["by_type"]) == (1, {"core": 1})
    assert (body["index"]["files"], body["index"]["classes"]) == (6, 1)
    assert body["index"]["by_language"]["python"] == 5
    assert body["relationships"]["total"] == sum(body["relationships"]["by_type"].values()) > 0
    assert body["storage"]["graph_bytes"] > 0 < body["storage"]["journal_bytes"]


def test_normalising_really_merges(ask: Asker) -> None:
    for _ in range(2):
        ask.ok("memory_add", memory_type="learning", content="Caches are cleared on every deploy")
    dry = check(ask, "normalize_memory", dry_run=True)
    assert ask.finished(dry["job_id"], "normalize_status")["status"] == "completed"
    assert ask.ok("memory_statistics")["memories"]["total"] == 2
    job = ask.ok("normalize_memory", phases=["deduplication"])
    status = ask.finished(job["job_id"], "normalize_status")
    assert set(status) == set(FIELDS["normalize_status"].split())
    assert set(status["stats"]) == {"processed", "merged", "orphans_removed", "embeddings_refreshed"}
    assert status["stats"]["merged"] == 1
    assert ask.ok("memory_statistics")["memories"]["total"] == 1


@pytest.mark.parametrize("format", ["jsonl", "agent-memory", "knowledge-graph"])
def test_exported_memories_come_back(connect: Connect, ask: Asker, root: Path, home: Path, format: str) -> None:
    ask.ok("memory_add", memory_type="core", content="the first fact", tags=["a"])
    ask.ok("memory_add", memory_type="learning", content="the second insight")
    out = check(ask, "export_memory", output_path=f"backup/{format}.jsonl", format=format)
    assert (out["file_path"], out["memories_exported"]) == (f"backup/{format}.jsonl", 2)
    assert out["file_size_bytes"] > 0
    assert ask.ok("import_memory", file_path=out["file_path"], format=format)["imported"] == 0
    for journal in (home / "data").rglob("*.jsonl*"):
        journal.unlink()
    fresh = connect()
    body = check(fresh, "import_memory", file_path=out["file_path"])
    assert (body["imported"], body["errors"]) == (2, [])
    assert fresh.ok("memory_search", query="first fact")["results"][0]["content"] == "the first fact"


def test_an_export_does_not_replace_what_is_no_export(ask: Asker) -> None:
    assert ask("export_memory", output_path="shop/cart.py").code == "CONFLICT"
    assert "class Cart" in (ask.root / "shop/cart.py").read_text(encoding="utf-8")


# Verifies REQ-SEC-005.
@pytest.mark.parametrize(
    "path",
    [
        ".mcp.json",
        ".claude/settings.json",
        ".vscode/mcp.jsonl",
        "docs/.hidden/out.json",
        "package.json",
        "web/Package.JSON",
        "tsconfig.build.json",
        "jest.config.json",
        "renovate.json",
        "tools.json",
        "mcp.json",
        "claude_desktop_config.json",
        "conftest.py",
        "Makefile",
        "run.sh",
        "CLAUDE.md",
        "a.json:stream.json",
        "folder./out.json",
    ],
)
def test_an_export_takes_no_name_that_is_executed_or_read_as_configuration(ask: Asker, path: str) -> None:
    assert ask("export_memory", output_path=path).code == "PERMISSION_DENIED"
    assert not (ask.root / path).exists()


# Verifies REQ-SEC-005.
def test_an_export_replaces_what_an_export_made_and_no_more(ask: Asker) -> None:
    ask.ok("memory_add", memory_type="core", content="the first fact")
    out = ask.root / "out.jsonl"
    assert ask.ok("export_memory", output_path="out.jsonl")["memories_exported"] == 1
    ask.ok("memory_add", memory_type="core", content="the second fact")
    assert ask.ok("export_memory", output_path="out.jsonl")["memories_exported"] == 2
    # A journal reads like an export; a file that somebody changed is theirs.
    text = out.read_text(encoding="utf-8")
    (ask.root / "team.jsonl").write_text(text, encoding="utf-8")
    out.write_text(text * 2, encoding="utf-8")
    for name in ("team.jsonl", "out.jsonl"):
        before = (ask.root / name).read_bytes()
        assert ask("export_memory", output_path=name).code == "CONFLICT"
        assert (ask.root / name).read_bytes() == before
    (ask.root / "out").mkdir()
    (ask.root / "out" / "core_memories.jsonl").write_text("theirs", encoding="utf-8")
    assert ask("export_memory", output_path="out", format="agent-memory").code == "CONFLICT"
    assert [entry.name for entry in (ask.root / "out").iterdir()] == ["core_memories.jsonl"]


def test_before_the_first_index_tools_say_what_to_run(connect: Connect, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "a.py").write_text("def lonely() -> None:\n    pass\n", encoding="utf-8")
    ask = connect(at=empty)
    for tool, arguments in (
        ("code_search", {"query": "a"}),
        ("get_related", {"entity_id": "a.py"}),
        ("graph_query", {"cypher": "MATCH (n) RETURN n"}),
        ("find_duplicates", {"id": "a"}),
        ("check_consistency", {"component_id": "."}),
        ("trace_requirements", {}),
    ):
        answer = ask(tool, **arguments)
        assert answer.code == "UNAVAILABLE", tool
        assert "index_directory" in answer.body["error"]["suggestion"], tool
        assert str(empty) not in answer.text
    assert ask.ok("index_status")["index"]["files"] == 0
    assert ask.ok("memory_add", memory_type="learning", content="memories need no graph")["status"] == "created"
    assert ask.ok("memory_statistics")["index"]["files"] == 0
    assert ask.ok("index_file", file_path="a.py")["status"] == "indexed"
    assert ask.ok("code_search", query="lonely")["results"][0]["id"] == "a.py::lonely"


def test_two_servers_see_each_others_memories_and_graphs(connect: Connect, root: Path) -> None:
    one, other = connect(), connect()
    added = one.ok("memory_add", memory_type="core", content="said to the one")
    assert other.ok("memory_get", memory_id=added["memory_id"])["memory"]["content"] == "said to the one"
    other.ok("memory_update", memory_id=added["memory_id"], content="changed by the other")
    assert one.ok("memory_get", memory_id=added["memory_id"])["memory"]["version"] == 2
    for ask in (one, other):
        assert ask("get_related", entity_id="shop/late.py").code == "NOT_FOUND"
        ask.ok("graph_query", cypher="RETURN 1")
    (root / "shop/late.py").write_text("def late() -> None:\n    pass\n", encoding="utf-8")
    with Project(root) as project:
        project.index(jobs=1)
    for ask in (one, other):
        assert ask.ok("get_related", entity_id="shop/late.py")["related"]
        rows = ask.ok("graph_query", cypher="MATCH (f:File) WHERE f.name = 'late.py' RETURN f.id")["rows"]
        assert rows == [["shop/late.py"]]
    with Project(root) as project:
        project.index(jobs=1, full=True)
    generations = [folder.name for folder in (root / ".loregraph").glob("generation-*")]
    assert len(generations) <= 3  # what servers had open when they were last asked, and the new one


def test_the_home_folder_is_no_project(connect: Connect, home: Path) -> None:
    ask = connect(at=home)
    for tool in ("index_directory", "reindex"):
        arguments = {"directory_path": "."} if tool == "index_directory" else {}
        answer = ask(tool, **arguments)
        assert answer.code == "VALIDATION_ERROR"
        assert "--root" in answer.body["error"]["suggestion"]
    assert ask.ok("memory_add", memory_type="core", content="still works", scope="user")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_a_file_name_that_is_no_text_breaks_no_answer(ask: Asker, root: Path) -> None:
    name = os.fsdecode(b"shop/caf\xe9.py")
    (root / name).write_text("def espresso() -> None:\n    pass\n", encoding="utf-8")
    job = ask.finished(ask.ok("reindex")["job_id"])
    assert (job["status"], job["counts"]["problems"], job["counts"]["files_unchanged"]) == ("completed", 1, 6)
    assert "espresso" not in [hit["name"] for hit in ask.ok("code_search", query="espresso")["results"]]
    assert ask.ok("index_status")["index"]["files"] >= 6
