"""Hostile MCP servers: a plain server that answers, and beside that does what its one argument names. Run as a script.

    python upstreams.py FAULT [FOLDER]

Its tool `echo` answers with the arguments it got; `fault` does what FAULT says first. Process ids go to FOLDER/pid.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

fault = sys.argv[1]
folder = Path(sys.argv[2]) if len(sys.argv) > 2 else None
out = sys.stdout.buffer


def raw(data: bytes) -> None:
    out.write(data)
    out.flush()


def say(message: dict[str, Any]) -> None:
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def answer(number: Any, text: str) -> None:
    say({"id": number, "result": {"content": [{"type": "text", "text": text}]}})


def digits(count: int) -> bytes:
    return b"9" * count


def misbehave(number: Any) -> bool:
    """Does what `fault` says on a call. Whether the call is answered after it."""
    wire = json.dumps(number).encode()
    if fault == "digits":
        raw(b'{"jsonrpc":"2.0","id":%s,"result":{}}\n' % digits(5_000))
        raw(b'{"jsonrpc":"2.0","id":-%s,"error":{"code":%s,"message":"x"}}\n' % (digits(5_000), digits(5_000)))
        raw(b'{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{}}\n' % digits(5_000))
        raw(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s}}\n' % digits(4_000))
    elif fault == "guesses":
        for guess in range(2_000):
            raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"forged"}]}}\n' % guess)
        raw(b'{"jsonrpc":"2.0","id":"%s","result":{}}\n{"jsonrpc":"2.0","id":null,"result":{}}\n' % wire)
    elif fault == "twice":
        answer(number, "first")
        answer(number, "second")
        return False
    elif fault == "next":  # what would be the next ones, if ids could be told from those seen
        for step in range(1, 200):
            answer(number + step, "forged")
    elif fault == "nested":
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            raw(b'{"jsonrpc":"2.0","id":1,"result":' + opening * 400 + b"1" + closing * 400 + b"}\n")
            raw(opening * 100_000 + b"\n")
    elif fault == "bytes":
        raw(
            b'\xff\xfe\x00\x01\n\n\r\n\0\0\0\n{"jsonrpc":"2.0","method":"\xff"}\n\xef\xbb\xbf\n{}\n[]\n[[]]\nnull\n1\n""\n'
        )
        raw(
            b'{"jsonrpc":"2.0"}\n{"jsonrpc":"2.0","id":1}\n{"jsonrpc":"1.0","id":1,"result":{}}\n{"id":{},"jsonrpc":"2.0"}\n'
        )
        raw(b'{"jsonrpc":"2.0","id":1,"id":2,"result":{},"error":5}\n{"jsonrpc":"2.0","id":[1],"method":"a"}\n')
    elif fault == "bom":
        raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\r\n' % wire)
        return False
    elif fault == "not-utf-8":
        raw(b'{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"a\xff\xed\xa0\x80b"}]}}\n' % wire)
        return False
    elif fault == "line-in-line":
        forged = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"forged"}]}}'
        raw(b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":\r%s\r}}\n' % forged)
        raw('{"jsonrpc":"2.0","id":%s,"result":{"text":"a\u2028b\u2029c"}}\n'.encode() % wire)
        return False
    elif fault == "long-answer":
        raw(b'{"jsonrpc":"2.0","id":%s,"result":{"text":"' % wire)
        for _ in range(40):
            raw(b"x" * (1 << 20))
        raw(b'"}}\n')
        return False
    elif fault == "long-answer-id-last":
        raw(b'{"result":{"id":5,"text":"' + b"x" * (20 << 20) + b'"},"jsonrpc":"2.0","id":%s}\n' % wire)
        return False
    elif fault == "long-log":
        raw(b"x" * (20 << 20) + b"\n")
    elif fault == "questions":
        for number_ in range(300):
            say({"id": f"q{number_}", "method": "sampling/createMessage", "params": {}})
        for hostile in (None, {"a": 1}, [1], "x" * 100_000, "q0", True):
            say({"id": hostile, "method": "roots/list"})
    elif fault == "stderr":
        for _ in range(3_000):
            os.write(2, b"\x1b[2J\x1b]0;owned\x07" + b"e" * 2_000 + b"\n")
        os.write(2, b"y" * 5_000_000 + b"\n\xff\xfe\n")
    elif fault in ("batch", "deep-message"):
        if fault == "batch":
            raw(b'[{"jsonrpc":"2.0","id":%s,"result":{}},{"jsonrpc":"2.0","method":"a"}]\n' % wire)
        else:
            raw(b'{"jsonrpc":"2.0","id":%s,"result":{"a":' % wire + b"[" * 100_000 + b"]" * 100_000 + b"}}\n")
        return False
    elif fault == "half-a-line":
        raw(b'{"jsonrpc":"2.0","id":%s,"resu' % wire)
        os._exit(3)
    elif fault == "closes-input":
        os.close(0)  # first: what is written before is lost in the pipe, and only time tells
        answer(number, "last")
        time.sleep(600)
    elif fault == "closes-output":
        os.close(1)
        time.sleep(600)
    elif fault == "hangs":
        time.sleep(600)
    return True


def flood() -> None:
    """Writes notifications for ever and reads nothing."""
    line = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%s"}}\n' % (b"f" * 10_000)
    while True:
        out.write(line)


TOOLS: Any = [{"name": "echo", "inputSchema": {"type": "object"}}]
if fault == "tools":
    TOOLS = [
        {"name": "\u001b[31mecho\u202e\u0000", "annotations": 5, "inputSchema": {"required": 7, "properties": []}},
        {"name": "echo", "annotations": "x", "inputSchema": {"required": [[], {}, 1], "type": [{}, []], "allOf": 3}},
        {"name": "echo", "inputSchema": {"$ref": "#", "anyOf": [{"$ref": "#"}] * 50, "allOf": [{"$ref": "#"}] * 50}},
        {"name": ["list"]}, {"name": {}}, {"name": None}, {}, 5, None, [],
    ]  # fmt: skip
    TOOLS += [{"name": f"tool {n}"} for n in range(5_000)]

if folder is not None:
    (folder / "pid").write_text(str(os.getpid()))
for line in sys.stdin:
    message = json.loads(line)
    number, method = message.get("id"), message.get("method")
    if method == "initialize":
        info = {"name": "x\u001b[31m" * 100, "version": ["no text"]} if fault == "tools" else {"name": "hostile"}
        say({"id": number, "result": {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}})
        if fault == "flood":
            flood()
    elif method == "tools/list":
        if fault == "endless-tools":
            name = f"t{time.monotonic_ns()}"
            say({"id": number, "result": {"tools": [{"name": name}], "nextCursor": name}})
        elif fault == "tools-100-mb":
            raw(b'{"jsonrpc":"2.0","id":%d,"result":{"tools":[' % number)
            for _ in range(100):
                raw(b'{"name":"%s"},' % (b"t" * (1 << 20)))
            raw(b'{"name":"echo"}]}}\n')
        else:
            say({"id": number, "result": {"tools": TOOLS}})
    elif method == "tools/call":
        arguments = message["params"].get("arguments", {})
        if message["params"]["name"] != "fault" or misbehave(number):
            answer(number, json.dumps(arguments))
    elif number is not None and method is not None:
        say({"id": number, "error": {"code": -32601, "message": "Method not found"}})
