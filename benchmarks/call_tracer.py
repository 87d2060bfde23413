"""Which functions of a repository call which, while its tests run: a pytest plugin that needs nothing but Python.

    LOREGRAPH_TRACE_ROOT=repo LOREGRAPH_TRACE_OUT=calls.json PYTHONPATH=benchmarks python -m pytest -p call_tracer

A call is counted where a function of the repository starts to run and the frame that called it runs code of the
repository too. What Python's C code stands between (`sorted(key=f)`, a property, `len(x)`, `a == b`) is such a call:
it has no frame. What a library's Python code stands between is none. A generator function is called where it is
called, not where its values are asked for. Threads are traced.

Beside these, calls through others: where a function that stands within another one (a decorator's wrapper) made the
call, its own caller; where a library did, the function of the repository that called the library.

The output is one JSON object of places in the code, each [file, first line, name]: `calls` are [caller, callee],
`through` the same for calls through others, `executed` all that ran, `constructors` are [class, `__init__` or `__new__`
that it runs].
"""

from __future__ import annotations

import gc
import json
import os
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

ROOT = os.path.realpath(os.environ.get("LOREGRAPH_TRACE_ROOT", ".")) + os.sep
SUSPENDABLE: Final = 0x20 | 0x80 | 0x200
"""Flags of code that makes a generator, a coroutine or an asynchronous generator."""

NESTED: Final = 0x10
"""Flag of code in a function."""

calls: set[tuple[CodeType | None, CodeType]] = set()
through: set[tuple[CodeType, CodeType]] = set()
own: dict[CodeType, bool] = {}


def is_own(code: CodeType) -> bool:
    """Whether code is in the repository."""
    found = own.get(code)
    if found is None:
        found = own[code] = os.path.realpath(code.co_filename).startswith(ROOT)
    return found


def record(code: CodeType, caller: FrameType | None) -> None:
    """Records that `caller` runs `code`; None for a generator, which does not begin to run when it is called."""
    direct = caller.f_code if caller is not None and is_own(caller.f_code) else None
    calls.add((direct, code))
    beyond = caller
    if direct is not None and beyond is not None:
        if not direct.co_flags & NESTED:
            return
        beyond = beyond.f_back
    while beyond is not None and not is_own(beyond.f_code):
        beyond = beyond.f_back
    if beyond is not None:
        through.add((beyond.f_code, code))


def start() -> None:
    """Traces every thread. Needs Python 3.12: earlier versions do not tell where a generator function was called."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    tool, events = monitoring.PROFILER_ID, monitoring.events

    def started(code: CodeType, _: int) -> object:
        if not is_own(code):
            return monitoring.DISABLE
        monitoring.set_local_events(tool, code, events.CALL)
        # A generator begins to run when its first value is requested.
        record(code, None if code.co_flags & SUSPENDABLE else sys._getframe(1).f_back)
        return None

    def called(code: CodeType, _: int, function: Any, __: object) -> None:
        target = getattr(getattr(function, "__func__", function), "__code__", None)
        if isinstance(target, CodeType) and target.co_flags & SUSPENDABLE and is_own(target):
            calls.add((code, target))

    monitoring.use_tool_id(tool, "loregraph")
    monitoring.register_callback(tool, events.PY_START, started)
    monitoring.register_callback(tool, events.CALL, called)
    monitoring.set_events(tool, events.PY_START)


def place(code: CodeType | None) -> list[object] | None:
    if code is None:
        return None
    return [os.path.realpath(code.co_filename)[len(ROOT) :].replace(os.sep, "/"), code.co_firstlineno, code.co_name]


def constructors() -> list[list[object]]:
    """What instantiating each class of the repository runs, as Python itself finds it."""
    found: list[list[object]] = []
    for cls in [held for held in gc.get_objects() if isinstance(held, type)]:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if not file or not os.path.realpath(file).startswith(ROOT):
            continue
        path = os.path.realpath(file)[len(ROOT) :].replace(os.sep, "/")
        for name in ("__init__", "__new__"):
            code = getattr(getattr(cls, name, None), "__code__", None)
            if isinstance(code, CodeType) and is_own(code):
                found.append([[path, 0, cls.__qualname__.replace(".<locals>", "")], place(code)])
    return found


def pytest_unconfigure(config: object) -> None:
    target = os.environ.get("LOREGRAPH_TRACE_OUT")
    if not target:
        return
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    monitoring.set_events(monitoring.PROFILER_ID, 0)
    seen = sorted(calls, key=lambda call: (str(place(call[0])), str(place(call[1]))))
    report = {
        "calls": [[place(a), place(b)] for a, b in seen if a is not None],
        "through": sorted(([place(a), place(b)] for a, b in through), key=str),
        "executed": [list(p) for p in sorted({tuple(place(c) or ()) for call in seen for c in call if c is not None})],
        "constructors": sorted(constructors(), key=str),
    }
    Path(target).write_text(json.dumps(report), encoding="utf-8")


if os.environ.get("LOREGRAPH_TRACE_OUT"):
    start()
