"""A memory server that keeps nothing: each tool answers with the arguments it got, some badly. Run by test_wrap.py.

It answers each call in a thread of its own after a tenth of a second, and says in `together` how many calls of tools
that write it had at once, in all processes that share the folder of MEMORY_FILE_PATH.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path

ENTITY = {"type": "string", "description": "The name of the entity to keep"}
LINK = {"type": "object", "properties": {"entityName": {"type": "string"}}}
TOOLS = [
    {
        "name": "merge_entities",
        "description": "A tool of a later version",
        "inputSchema": {
            "type": "object",
            "properties": {
                "keep": ENTITY,
                "others": {"type": "array", "items": {"type": "string"}, "description": "Names of entities that go"},
                "links": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"entityName": {"type": "string"}}},
                },
                "from": {"type": "string", "description": "Date of the first change"},
                "query": {"type": "string", "description": "The query to match against entity names"},
            },
        },
        "futureField": {"kept": [1, None, "x"]},
    },
    {"name": "peek", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
    {"name": "open_nodes", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
]
lock = threading.Lock()
answering: dict[object, bool] = {}


def send(message: dict[str, object]) -> None:
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def mark() -> Path:
    folder = Path(os.environ["MEMORY_FILE_PATH"]).parent / "writing"
    folder.mkdir(exist_ok=True)
    return folder


def call(number: object, params: dict[str, object]) -> None:
    tool, arguments = params["name"], params.get("arguments", {})
    own = mark() / f"{os.getpid()}-{number}"
    writes = tool not in ("peek", "open_nodes", "read_graph", "search_nodes")
    if writes:
        own.touch()
    together = len(list(mark().iterdir()))
    time.sleep(2.0 if tool == "slow" else 0.1)
    own.unlink(missing_ok=True)
    body = {"got": arguments, "together": together, "pid": os.getpid()}
    send({"id": number, "result": {"content": [{"type": "text", "text": "said"}], "structuredContent": body}})


for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    with (mark().parent / "heard.jsonl").open("a") as log:
        log.write(json.dumps({"pid": os.getpid(), **message}) + "\n")
    if method == "initialize":
        info = {"name": "echo", "version": "1", "later": True}
        capabilities = {"tools": {"listChanged": True}, "resources": {}, "experimental": {"x": {}}}
        send(
            {
                "id": number,
                "result": {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info},
            }
        )
    elif method == "tools/list":
        page = message.get("params", {}).get("cursor")
        result = {"tools": TOOLS[1:], "_meta": {"p": 2}} if page else {"tools": TOOLS[:1], "nextCursor": "2"}
        send({"id": number, "result": result})
    elif method == "tools/call" and message["params"]["name"] == "crash":
        os._exit(3)
    elif method == "tools/call" and message["params"]["name"] == "hang":
        pass
    elif method == "tools/call" and message["params"]["name"] == "fail":
        send({"id": number, "result": {"content": [{"type": "text", "text": "broken"}], "isError": True, "x": 1}})
    elif method == "tools/call":
        threading.Thread(target=call, args=(number, message["params"]), daemon=True).start()
    elif method == "resources/read":
        send({"id": number, "error": {"code": -32002, "message": "cannot read", "data": {"uri": "x"}}})
    elif number is not None and method is not None:
        send({"id": number, "result": {"method": method, "params": message.get("params")}})
