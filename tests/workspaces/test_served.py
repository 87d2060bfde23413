"""The MCP server and the explorer over a workspace."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from loregraph.mcp_server.server import Service
from loregraph.mcp_server.workspace import Workspace
from loregraph.viewer.export import export

from .conftest import workspace_file

PATIENCE = 60.0


# Verifies REQ-WSP-007.
def test_a_client_of_the_installed_server_asks_across_repositories(file: Path) -> None:
    loregraph = str(Path(sys.executable).with_name("loregraph"))
    server = StdioServerParameters(
        command=loregraph, args=["serve", "--workspace", str(file), "--profile", "all"], env=dict(os.environ)
    )
    found: dict[str, Any] = {}

    async def drive() -> None:
        async with Client(stdio_client(server), read_timeout_seconds=PATIENCE) as client:
            for tool, arguments in (
                ("get_related", {"entity_id": "money:src/money/rates.py::rate", "relationship_types": ["CALLS"]}),
                ("code_search", {"query": "rate", "limit": 3}),
                ("explore", {"id": "client:src/text.ts::format"}),
                ("impact", {"id": "flags:flags.go::New"}),
                ("graph_query", {"cypher": "MATCH (a)-[c:CALLS {how: 'dependency'}]->(b) RETURN count(c)"}),
                ("index_status", {}),
                ("reindex", {}),
                ("memory_add", {"content": "Rates are rounded", "memory_type": "design"}),
            ):
                answer = await client.call_tool(tool, arguments)
                text: Any = answer.content[0]
                found[tool] = json.loads(text.text)

    anyio.run(drive)
    (related,) = found["get_related"]["related"]
    assert (related["entity_id"], related["how"]) == ("billing:billing/app.py::charge", "dependency")
    assert "money:src/money/rates.py::rate" in {row["id"] for row in found["code_search"]["results"]}
    assert [one["id"] for one in found["explore"]["symbols"][0]["callers"]] == ["web:src/page.ts::show"]
    assert [one["id"] for one in found["impact"]["call_sites"]] == ["tool:main.go::run"]
    assert found["graph_query"]["rows"] == [[11]]
    assert found["index_status"]["index"]["stale_files"] == 0
    assert found["reindex"]["error"]["code"] == "UNAVAILABLE"
    assert found["memory_add"]["error"]["code"] == "UNAVAILABLE"


@pytest.mark.usefixtures("indexed")
def test_the_explorer_shows_a_workspace(file: Path, tmp_path: Path) -> None:
    made = export(file.parent, tmp_path / "site", jobs=1, workspace=str(file))
    assert made.pages > 6
    pages = "".join(page.read_text() for page in (tmp_path / "site").rglob("*.html"))
    assert "billing:billing/app.py" in pages


# Verifies REQ-WSP-007.
def test_an_answer_about_a_changed_file_says_so_and_what_to_do(copied: Path, tmp_path: Path) -> None:
    file = workspace_file(tmp_path, {name: str(copied / name) for name in ("money", "billing")})
    rates = copied / "money" / "src/money/rates.py"
    rates.write_text("# another line\n" + rates.read_text())
    found: dict[str, Any] = {}

    async def drive() -> None:
        service = Service(Workspace(file.parent, workspace=str(file)), "all")
        try:
            async with Client(service.server) as client:
                answer = await client.call_tool("get_related", {"entity_id": "money:src/money/rates.py::rate"})
                text: Any = answer.content[0]
                found.update(json.loads(text.text))
        finally:
            service.close()

    anyio.run(drive)
    assert found["stale"] == ["money:src/money/rates.py"]
    assert found["stale_note"].endswith("once their repository is indexed again, ask again")
