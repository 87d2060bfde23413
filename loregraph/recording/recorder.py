"""Collects what one process runs: the functions of the project, and who calls them, test by test."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from loregraph.recording.calls import ITERATION, kind_at, line_at

MOST_CODES: Final = 300_000
"""Pieces of code that are known at once: what is made by `exec` without end must not be kept without end."""
MOST_CALLS: Final = 200_000
"""Different calls that are recorded of one test."""
_FUNCTION: Final = 0x1
"""CO_OPTIMIZED: the code of a function, not that of a module or class."""
_GENERATOR: Final = 0x20 | 0x200
"""CO_GENERATOR and CO_ASYNC_GENERATOR."""
_PARTS: Final = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")
"""Frames of their own before Python 3.12 (a generator's still is), but no functions: their calls are those of the code
around them."""
_NOT_OURS: Final = frozenset(("site-packages", "dist-packages", "node_modules", ".tox", ".nox", ".venv", "venv"))
MODULE: Final = "<module>"

Profile = Callable[[FrameType, str, Any], None]


class Recorder:
    """`files` are (path below the root, content hash), `places` (number of the file, name, first line).

    What is not in a test is recorded for "". Everything may be called from several threads.
    """

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root).rstrip(os.sep) + os.sep
        self.files: list[tuple[str, str]] = []
        self.places: list[tuple[int, str, int]] = []
        self.beyond = 0
        """What the limits left out: codes and calls."""
        self._file_numbers: dict[str, int] = {}
        self._place_numbers: dict[tuple[int, str, int], int] = {}
        # By id: the hash of a code object is computed of all that it consists of, each time.
        self.callees: dict[int, int] = {}
        """id of a code → number of the function, -1 for code that is none of the project's functions."""
        self.callers: dict[int, int] = {}
        """The same for code that calls, which may be a module or a class."""
        self._codes: dict[int, CodeType] = {}
        """Keeps them, so that no other gets the same id."""
        self._generators: set[int] = set()
        self.functions: set[int] = set()
        self.calls: set[tuple[int, int, int]] = set()
        """(id of the caller's code, offset of its instruction, number of the callee)."""
        self.stopped: set[int] = set()
        """Functions that are watched no longer in this test, so that calls of them may be missed."""

    def learn(self, code: CodeType) -> int:
        """The number of a function of the project that `callees` does not have yet, -1 for other code."""
        key = id(code)
        if len(self._codes) >= MOST_CODES:
            self.beyond += 1
            return -1
        self._codes[key] = code
        number = self._number(code) if code.co_flags & _FUNCTION and code.co_name not in _PARTS else -1
        if number >= 0 and code.co_flags & _GENERATOR:
            self._generators.add(number)
        self.callees[key] = number
        return number

    def learn_caller(self, code: CodeType) -> int:
        """The same for code that calls."""
        key = id(code)
        if len(self._codes) >= MOST_CODES:
            self.beyond += 1
            return -1
        self._codes[key] = code
        number = self.callers[key] = self._number(code)
        return number

    def taken(self) -> tuple[list[int], list[tuple[int, int, int, int]]]:
        """What was recorded since the last time: numbers of functions; (caller, callee, line, kind) of calls."""
        functions, self_calls = sorted(self.functions), list(self.calls)
        self.functions.clear()
        self.calls.clear()
        self.stopped.clear()
        calls = set()
        for key, offset, callee in self_calls:
            code = self._codes[key]
            # A generator runs when somebody asks for its next item, by `next` as well, which need not be who called it.
            kind = ITERATION if callee in self._generators else kind_at(code, offset)
            calls.add((self.callers[key], callee, line_at(code, offset), kind))
        if len(calls) > MOST_CALLS:
            self.beyond += len(calls) - MOST_CALLS
        return functions, sorted(calls)[:MOST_CALLS]

    def _number(self, code: CodeType) -> int:
        file = self._file(code.co_filename)
        if file < 0:
            return -1
        name = code.co_qualname
        while name.rpartition(".")[2] in _PARTS:
            name = name.rpartition(".")[0].removesuffix(".<locals>") or MODULE
        place = (file, name.replace(".<locals>.", "."), code.co_firstlineno)
        number = self._place_numbers.setdefault(place, len(self.places))
        if number == len(self.places):
            self.places.append(place)
        return number

    def _file(self, name: str) -> int:
        """The number of a file, -1 for one that is not the project's."""
        found = self._file_numbers.get(name)
        if found is None:
            found = self._file_numbers[name] = self._new_file(name)
        return found

    def _new_file(self, name: str) -> int:
        if name.startswith("<"):
            return -1
        path = os.path.realpath(name)
        if not path.startswith(self._root):
            return -1
        below = path[len(self._root) :].replace(os.sep, "/")
        if not _NOT_OURS.isdisjoint(below.split("/")):
            return -1
        try:
            with Path(path).open("rb") as file:
                digest = hashlib.blake2b(file.read(), digest_size=16).hexdigest()
        except OSError:
            return -1
        self.files.append((below, digest))
        return len(self.files) - 1


def profile_of(recorder: Recorder) -> Profile:
    """The function for `sys.setprofile`: for Python before 3.12, and where all of `sys.monitoring`'s tools are taken.

    Called for every call and return of the process, so it does as little as it can.
    """
    callees, callers = recorder.callees, recorder.callers
    learn, learn_caller = recorder.learn, recorder.learn_caller
    functions, calls = recorder.functions, recorder.calls

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        number = callees.get(id(code))
        if number is None:
            number = learn(code)
        if number < 0:
            return
        functions.add(number)
        back = frame.f_back
        if back is None:
            return
        code = back.f_code
        caller = callers.get(id(code))
        if caller is None:
            caller = learn_caller(code)
        if caller >= 0:
            calls.add((id(code), back.f_lasti, number))

    return profile


def start_of(recorder: Recorder, disable: Any, most: int) -> tuple[Callable[[CodeType, int], Any], Callable[[], bool]]:
    """(the function for `sys.monitoring`'s PY_START, and one that begins a new test).

    It returns `disable` for other people's code, which is then no longer reported, and for a function that one test has
    called `most` times: what it costs to watch a function is bounded. The second function says whether any was left out
    like that, so that the events have to be started again.
    """
    callees, callers = recorder.callees, recorder.callers
    learn, learn_caller = recorder.learn, recorder.learn_caller
    functions, calls = recorder.functions, recorder.calls
    stopped = recorder.stopped
    frame_at = sys._getframe
    left: dict[int, int] = {}

    def started(code: CodeType, offset: int) -> Any:
        number = callees.get(id(code))
        if number is None:
            number = learn(code)
        if number < 0:
            return disable
        functions.add(number)
        back = frame_at(1).f_back
        if back is not None:
            code = back.f_code
            caller = callers.get(id(code))
            if caller is None:
                caller = learn_caller(code)
            if caller >= 0:
                calls.add((id(code), back.f_lasti, number))
        rest = left.get(number, most)
        left[number] = rest - 1
        if rest > 0:
            return None
        stopped.add(number)
        return disable

    def renewed() -> bool:
        stopped = any(rest < 0 for rest in left.values())
        left.clear()
        return stopped

    return started, renewed
