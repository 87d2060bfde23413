"""A client that nobody here wrote: the TypeScript SDK, from npm, over standard input and output."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .test_tools import FIELDS

SDK = "@modelcontextprotocol/sdk@1"
SCRIPT = """
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, root] = process.argv.slice(2);
const transport = new StdioClientTransport({
  command, args: ["--root", root, "serve"], env: process.env, stderr: "ignore",
});
const client = new Client({ name: "npm-test", version: "1.0.0" });
await client.connect(transport);
const out = { server: client.getServerVersion(), tools: (await client.listTools()).tools, answers: {}, progress: [] };
const call = async (name, args, options) => {
  const answer = await client.callTool({ name, arguments: args }, undefined, options);
  out.answers[name] ??= [];
  out.answers[name].push({ isError: !!answer.isError, body: answer.structuredContent, text: answer.content[0].text });
  return answer.structuredContent;
};
await call("index_directory", { directory_path: "." }, { onprogress: (p) => out.progress.push(p.progress) });
const added = await call("memory_add", { memory_type: "design", content: "Rounded once" });
await call("memory_get", { memory_id: added.memory_id });
await call("memory_search", { query: "rounded" });
await call("code_search", { query: "round to whole cents" });
await call("get_related", { entity_id: "shop/money.py::round_price", direction: "INCOMING" });
await call("graph_query", { cypher: "MATCH (f:File) RETURN count(f) AS n" });
await call("index_status", {});
await call("trace_requirements", {});
await call("code_search", { query: "a", limit: "5" });
await call("code_search", { query: "a", lim: 5 });
await call("index_file", { file_path: "../outside.py" });
await client.close();
console.log(JSON.stringify(out));
"""

LIVE = """
import fs from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, root] = process.argv.slice(2);
const transport = new StdioClientTransport({
  command, args: ["--root", root, "serve"], env: process.env, stderr: "ignore",
});
const client = new Client({ name: "npm-test", version: "1.0.0" });
await client.connect(transport);
const call = async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent;
const silent = [];
const until = async (isRight, changed, name, args) => {
  for (const end = Date.now() + 60000; Date.now() < end; ) {
    const body = await call(name, args);
    if (isRight(body)) return body;
    if (!(body.stale ?? body.error?.details?.stale ?? []).includes(changed)) silent.push(body);
  }
  throw new Error(`never right after ${changed} changed`);
};
const file = (name) => path.join(root, name);
const edit = (name, old, now) => {
  const text = fs.readFileSync(file(name), "utf8");
  if (!text.includes(old)) throw new Error(`${old} is not in ${name}`);
  fs.writeFileSync(file(name), text.replace(old, now));
};
const hit = (body, id) => body.results?.find((one) => one.id === id);
await call("code_search", { query: "round" });

edit("shop/money.py", "(amount: float) -> float:", "(amount: float, places: int = 2) -> float:");
const edited = await until(
  (body) => hit(body, "shop/money.py::round_price")?.signature.includes("places"), "shop/money.py",
  "code_search", { query: "round_price", path: "shop/money.py" });
fs.rmSync(file("shop/abroad.py"));
const deleted = await call("get_related", { entity_id: "shop/abroad.py::convert" });
const searched = await call("code_search", { query: "convert an amount to another currency" });
fs.renameSync(file("shop/cart.py"), file("shop/basket.py"));
const before = await call("get_related", { entity_id: "shop/cart.py::Cart.total" });
const renamed = await until(
  (body) => hit(body, "shop/basket.py::Cart.total"), "shop/basket.py",
  "code_search", { query: "total", path: "shop/basket.py" });
await client.close();
console.log(JSON.stringify({ edited, deleted, searched, before, renamed, silent }));
"""


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the SDK installed and the script in it."""
    npm = shutil.which("npm")
    if shutil.which("node") is None or npm is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"type": "module", "private": true}', encoding="utf-8")
    install = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", SDK]
    subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=300)
    (folder / "drive.mjs").write_text(SCRIPT, encoding="utf-8")
    (folder / "live.mjs").write_text(LIVE, encoding="utf-8")
    return folder


def driven(node: Path, script: str, root: Path) -> Any:
    """What a script printed."""
    command = str(Path(sys.executable).with_name("loregraph"))
    done = subprocess.run(
        ["node", script, command, str(root)],
        cwd=node,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_typescript_sdk_drives_the_server(node: Path, root: Path) -> None:
    out = driven(node, "drive.mjs", root)
    assert out["server"]["name"] == "loregraph"
    assert {tool["name"] for tool in out["tools"]} == set(FIELDS)
    # The last one is not asked for: this client drops a notification that it reads together with the answer.
    assert out["progress"] == sorted(out["progress"])
    assert out["progress"] and 0 <= out["progress"][0] <= 1
    answers = out["answers"]
    for name, found in answers.items():
        for answer in found:
            assert json.loads(answer["text"]) == answer["body"], name
    good, wrong, unknown = answers.pop("code_search")
    assert good["body"]["results"][0]["id"] == "shop/money.py::round_price"
    assert wrong["body"]["error"]["code"] == unknown["body"]["error"]["code"] == "VALIDATION_ERROR"
    assert answers.pop("trace_requirements")[0]["body"]["error"]["code"] == "UNAVAILABLE"
    assert answers.pop("index_file")[0]["body"]["error"]["code"] == "PERMISSION_DENIED"
    for name, (answer,) in answers.items():
        assert not answer["isError"], answer
        assert set(answer["body"]) == set(FIELDS[name].split())
    assert answers["graph_query"][0]["body"]["rows"] == [[6]]


# Verifies REQ-IDX-018, REQ-CLI-018.
def test_the_typescript_sdk_is_answered_right_while_files_change(node: Path, root: Path) -> None:
    out = driven(node, "live.mjs", root)
    assert out["silent"] == []
    assert out["edited"]["results"][0]["id"] == "shop/money.py::round_price"
    assert out["deleted"]["error"]["code"] == out["before"]["error"]["code"] == "NOT_FOUND"
    assert "shop/abroad.py" not in {hit["file_path"] for hit in out["searched"]["results"]}
    assert "shop/basket.py" in {hit["file_path"] for hit in out["renamed"]["results"]}
