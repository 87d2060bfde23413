"""A small MCP server for the tests, run as a script: no SDK, so that it can also answer what no SDK would.

    python stub_upstream.py [FOLDER]

STUB_TOOLS chooses the tools: "episodic" (those of the episodic-memory server, unknown arguments refused) or "renamed"
(the same abilities under other names, the query nested). STUB_FAULT chooses what goes wrong. Every line it gets is
appended to FOLDER/heard.jsonl, each start to FOLDER/starts.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

DAY = {"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"}
READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
TOOLS: dict[str, list[dict[str, Any]]] = {
    # As the episodic-memory server 1.4.0 lists them.
    "episodic": [
        {
            "name": "search",
            "description": "Gives you memory across sessions.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {
                        "oneOf": [
                            {"type": "string", "minLength": 2},
                            {
                                "type": "array",
                                "items": {"type": "string", "minLength": 2},
                                "minItems": 2,
                                "maxItems": 5,
                            },
                        ]
                    },
                    "mode": {"type": "string", "enum": ["vector", "text", "both"], "default": "both"},
                    "limit": {"type": "number", "minimum": 1, "maximum": 50, "default": 10},
                    "after": DAY,
                    "before": DAY,
                    "project": {"type": "string", "minLength": 1},
                    "session_id": {"type": "string", "minLength": 1},
                    "git_branch": {"type": "string", "minLength": 1},
                    "response_format": {"type": "string", "enum": ["markdown", "json"], "default": "markdown"},
                },
                "required": ["query"],
                "additionalProperties": False,
            },
            "annotations": READS,
        },
        {
            "name": "read",
            "description": "Read full conversations.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "path": {"type": "string", "minLength": 1},
                    "startLine": {"type": "number", "minimum": 1},
                    "endLine": {"type": "number", "minimum": 1},
                },
                "required": ["path"],
                "additionalProperties": False,
            },
            "annotations": READS,
        },
    ],
    "renamed": [
        {
            "name": "find",
            "description": "Finds conversations.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "filters": {"$ref": "#/$defs/Filters"},
                    "max": {"type": "integer"},
                },
                "required": ["filters"],
                "additionalProperties": False,
                "$defs": {
                    "Filters": {
                        "type": "object",
                        "properties": {"text": {"type": "string"}, "since": {"type": "string"}},
                        "additionalProperties": False,
                    }
                },
            },
        },
        {
            "name": "note",
            "description": "Writes something down.",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        },
    ],
}
MODERN = "2026-07-28"
VERSION = "io.modelcontextprotocol/protocolVersion"

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
fault = os.environ.get("STUB_FAULT", "")
tools = {tool["name"]: tool for tool in TOOLS[os.environ.get("STUB_TOOLS", "episodic")]}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def answer(number: Any, result: dict[str, Any]) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}))


def refuse(number: Any, code: int, message: str) -> None:
    say(json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message, "data": {"seen": 1}}}))


def starts() -> int:
    """How often a server was started in the folder, this one counted."""
    return len((folder / "starts").read_text()) if folder else 1


def once(name: str) -> bool:
    """Whether this is the first time in the folder that it is asked."""
    assert folder is not None
    marker = folder / name
    first = not marker.exists()
    marker.touch()
    return first


def complaint(schema: dict[str, Any], given: dict[str, Any], root: dict[str, Any]) -> str:
    """What a strict server says about arguments that do not fit their schema, "" for those that do."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    for key in given:
        if key not in schema["properties"] and schema.get("additionalProperties") is False:
            return f"Unrecognized key: {key!r}"
    for key in schema.get("required", []):
        if key not in given:
            return f"Required: {key!r}"
    for key, value in given.items():
        kind = schema["properties"].get(key, {})
        if isinstance(value, dict) and ("$ref" in kind or "properties" in kind):
            return complaint(kind, value, root)
        if "pattern" in kind and not re.search(kind["pattern"], value):
            return f"Invalid: {key!r}"
    return ""


def call(number: Any, params: dict[str, Any]) -> None:
    name, given = params["name"], params.get("arguments", {})
    if fault == "crash" or (fault == "crash-once" and once("crashed")):
        print("Error: the database is locked", file=sys.stderr, flush=True)
        os._exit(7)
    if fault == "hang":
        time.sleep(600)
    if fault == "half-a-line":
        say(f'{{"jsonrpc": "2.0", "id": {number}, "resu')
        return
    if fault == "prose":
        say("Here is what I found: nothing")
        return
    if fault == "no-result":
        say(f'{{"jsonrpc": "2.0", "id": {number}}}')
        return
    if fault == "text-result":
        say(f'{{"jsonrpc": "2.0", "id": {number}, "result": "fine"}}')
        return
    if fault == "refuse":
        refuse(number, -32042, "not today")
        return
    if fault == "chatty":
        say("[debug] searching…")
        say("")
        say('{"level": "info"}')
    if fault == "verbatim":
        # Spaces, the order of keys, 1.0, a number no float holds, half of a pair, and fields nobody knows.
        say(VERBATIM.replace('"ID"', json.dumps(number)))
        return
    if fault == "progress":
        token = params["_meta"]["progressToken"]
        for done in (1, 2):
            time.sleep(float(os.environ.get("STUB_PAUSE", "0")))
            told = {"progressToken": token, "progress": done, "message": "still at it"}
            say(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}))
        say('{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}')
    if name not in tools:
        refuse(number, -32602, f"Tool {name} not found")
        return
    if wrong := complaint(tools[name]["inputSchema"], given, tools[name]["inputSchema"]):
        answer(number, {"content": [{"type": "text", "text": f"Error: {wrong}"}], "isError": True})
        return
    answer(number, {"content": [{"type": "text", "text": json.dumps({"tool": name, "arguments": given})}]})


VERBATIM = (
    '{"jsonrpc":"2.0","id":"ID","result":{ "structuredContent": {"b":1.0,  "a":123456789012345678901234567890},'
    ' "content":[{"type":"hologram","text":"é \\u00e9","depth":1e2}], "_meta":{"x":null}, "isError":false, "new":[1] }}'
)


def handle(message: dict[str, Any]) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    modern = params.get("_meta", {}).get(VERSION) == MODERN
    if fault == "ask" and method is None:
        answer(waiting.pop(), {"content": [{"type": "text", "text": json.dumps(message)}]})
    elif number is None:
        return
    elif fault.startswith("modern") and method == "server/discover" and modern:
        answer(number, {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "serverInfo": {"name": "new"}})
    elif fault.startswith("modern") and not modern:
        refuse(number, -32022 if method == "initialize" else -32602, "this server speaks 2026-07-28 only")
    elif method == "initialize":
        if fault == "fail-again" and starts() > 1:
            print("Error: the file is gone", file=sys.stderr, flush=True)
            os._exit(9)
        if fault == "slow-start":
            time.sleep(float(os.environ["STUB_PAUSE"]))
        about = {"name": "stub", "version": "1.4.0"}
        version = params.get("protocolVersion")
        answer(number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about})
    elif method == "tools/list" and fault == "refuse-list":
        refuse(number, -32603, "no")
    elif method == "tools/list":
        answer(number, {"tools": list(tools.values())})
    elif method == "tools/call" and fault == "ask":
        waiting.append(number)
        say('{"jsonrpc": "2.0", "id": 0, "method": "elicitation/create", "params": {"message": "Which?"}}')
    elif method == "tools/call":
        call(number, params)
    elif method == "resources/subscribe":
        answer(number, {})
    elif method == "resources/list":
        answer(number, {"resources": []})
    else:
        refuse(number, -32601, "Method not found")


waiting: list[Any] = []


def main() -> None:
    if folder is not None:
        with (folder / "starts").open("a") as file:
            file.write("x")
        (folder / "pid").write_text(str(os.getpid()))
    if fault == "dead":
        print("Error: Cannot find module 'better-sqlite3'", file=sys.stderr, flush=True)
        sys.exit(1)
    for line in sys.stdin:
        if folder is not None:
            with (folder / "heard.jsonl").open("a", encoding="utf-8") as file:
                file.write(line)
        handle(json.loads(line))


if __name__ == "__main__":
    main()
