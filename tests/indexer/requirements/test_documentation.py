"""The example of docs/requirements-formats.md is what happens."""

from __future__ import annotations

import re
from pathlib import Path

from loregraph.config import RequirementSettings, load_settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import File
from loregraph.indexer.pipeline import index
from loregraph.indexer.requirements.ids import compiled
from loregraph.indexer.requirements.marker_syntax import annotated, marked

PAGE = (Path(__file__).parents[3] / "docs" / "requirements-formats.md").read_text(encoding="utf-8")


def test_the_example_gives_what_the_page_says(tmp_path: Path) -> None:
    examples = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    expected = examples.pop("result")
    assert len(examples) == 4
    for path, text in examples.items():
        target = tmp_path / "project" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    store = tmp_path / "store"
    report = index(tmp_path / "project", load_settings(tmp_path / "project", store=str(store)), jobs=1, embed=False)
    assert (report.requirements, report.problems) == (3, ())
    told = []
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns(lease.path)
        for edge in columns.all_edges():
            if edge.rel == "IMPLEMENTS_REQ":
                told.append(f"{edge.source} {edge.rel} {edge.target} {edge.how} {edge.confidence}")
            elif edge.rel == "FOLLOWS_DESIGN":
                told.append(f"{edge.source} {edge.rel} {edge.target} {edge.how}")
            elif edge.rel == "SATISFIES":
                told.append(f'ADR "{edge.source}" {edge.rel} {edge.target} {edge.how}')
        for node in columns.all_nodes():
            if isinstance(node, File):
                told += [f"{node.id} has the orphan {marker}" for marker in node.orphan_markers]
    assert sorted(told) == sorted(expected.strip().splitlines())


def test_the_markers_that_the_page_lists_are_markers() -> None:
    ids = compiled(RequirementSettings().pattern)
    rows = re.findall(r"^\| (.+) \| (1\.0|0\.9|0\.5[^|]*|FOLLOWS_DESIGN) \|$", PAGE, re.MULTILINE)
    kinds = {
        "1.0": {"tag", "annotation"},
        "0.9": {"label"},
        '0.5, `how` "mention"': {"mention"},
        "FOLLOWS_DESIGN": {"tag", "mention"},
    }
    assert len(rows) == 9
    for written, confidence in rows:
        for example in re.findall(r"`([^`]+)`", written):
            if not re.search(r"\d", example):
                continue
            found = [*marked(example, ids), *annotated(example, ids)]
            assert {m.kind for m in found} & kinds[confidence], example


def test_the_configuration_on_the_page_is_the_default() -> None:
    assert f'pattern = "{RequirementSettings().pattern}"'.replace("\\", "\\\\") in PAGE
    assert f'id_from = "{RequirementSettings().id_from}"' in PAGE
