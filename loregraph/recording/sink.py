"""The file of a recorded run: a JSON value a line, which `loregraph.runs.observed` reads.

`{"loregraph-run": 1, "revision": …, "time": …}` first; `{"file": [path, content hash]}` and
`{"place": [number of the file, name, first line]}`, numbered from 0 in order; then the tests:
`{"test": id, "functions": [place], "calls": [[caller, callee, line, kind]], "outcome": …, "seconds": …, "failed_when":
…, "stopped": [place]}`, where `stopped` are functions that were called too often to be watched to the end of the test.

Each process writes a part of its own, in which tests are written when they end and places before their first use, so
that a process that is killed loses its last test only. The parts are joined at the end of the run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from loregraph import rooted
from loregraph.recording.recorder import Recorder

VERSION: Final = 1
PART: Final = ".part"
RECORD: Final = b'{"loregraph-run"'
"""How every record begins."""


class Part:
    """What one process recorded, in a new file of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: BinaryIO | None = None
        self._files = 0
        self._places = 0

    def write(self, recorder: Recorder, test: str) -> None:
        """Writes what was recorded since the last time, as that of `test`; nothing where that is nothing."""
        stopped = sorted(recorder.stopped)
        functions, calls = recorder.taken()
        if not functions and not calls:
            return
        if self._file is None:
            name = f"{os.getpid()}-{os.urandom(6).hex()}{PART}"
            self._file = rooted.create(self._folder, name, rooted.PRIVATE)
        # Places before files: a thread may learn one of a new file meanwhile.
        places = recorder.places[self._places :]
        files = recorder.files[self._files :]
        self._files += len(files)
        self._places += len(places)
        self._file.write(b"".join(_line({"file": file}) for file in files))
        self._file.write(b"".join(_line({"place": place}) for place in places))
        more = {"stopped": stopped} if stopped else {}
        self._file.write(_line({"test": test, "functions": functions, "calls": calls, **more}))
        self._file.flush()

    def close(self, recorder: Recorder) -> None:
        if self._file is not None:
            if recorder.beyond:
                said = "calls and functions beyond the limits of a recording"
                self._file.write(_line({"left_out": (said, recorder.beyond)}))
            self._file.close()


def join(folder: Path, outcomes: Mapping[str, Mapping[str, Any]], first: Mapping[str, Any]) -> list[bytes]:
    """The lines of the whole record, from the parts in `folder`, the outcome of each test and the first line's values.

    The same parts give the same lines: files, places and tests are in the order of their names.
    """
    joined = _Joined()
    for path in sorted(folder.glob(f"*{PART}")):
        joined.take(path)
    return list(joined.lines(outcomes, first))


class _Joined:
    """The parts read so far, with numbers of their own."""

    def __init__(self) -> None:
        self.hashes: dict[str, str] = {}
        self.places: dict[tuple[str, str, int], int] = {}
        self.functions: dict[str, set[int]] = {}
        self.calls: dict[str, set[tuple[int, int, int, int]]] = {}
        self.stopped: dict[str, set[int]] = {}
        self.left_out: dict[str, int] = {}

    def take(self, path: Path) -> None:
        files: list[str] = []
        numbers: list[int] = []
        with path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break  # the process was killed while it wrote
                one = json.loads(line)
                if "file" in one:
                    name, digest = one["file"]
                    files.append(name)
                    # A file that changed during the run is of no known content.
                    self.hashes[name] = digest if self.hashes.get(name, digest) == digest else ""
                elif "place" in one:
                    in_file, name, first = one["place"]
                    numbers.append(self.places.setdefault((files[in_file], name, first), len(self.places)))
                elif "test" in one:
                    self.functions.setdefault(one["test"], set()).update(numbers[place] for place in one["functions"])
                    self.calls.setdefault(one["test"], set()).update(
                        (numbers[caller], numbers[callee], line, kind) for caller, callee, line, kind in one["calls"]
                    )
                    if "stopped" in one:
                        self.stopped.setdefault(one["test"], set()).update(numbers[place] for place in one["stopped"])
                elif "left_out" in one:
                    said, count = one["left_out"]
                    self.left_out[said] = self.left_out.get(said, 0) + count

    def lines(self, outcomes: Mapping[str, Mapping[str, Any]], first: Mapping[str, Any]) -> Iterable[bytes]:
        yield _line({"loregraph-run": VERSION, **first})
        paths = sorted(self.hashes)
        file_numbers = {path: number for number, path in enumerate(paths)}
        yield from (_line({"file": (path, self.hashes[path])}) for path in paths)
        order = {old: new for new, (_, old) in enumerate(sorted(self.places.items()))}
        yield from (_line({"place": (file_numbers[path], name, line)}) for path, name, line in sorted(self.places))
        for test in sorted({*self.functions, *outcomes}):
            one: dict[str, Any] = {"test": test, **outcomes.get(test, {})}
            one["functions"] = sorted(order[place] for place in self.functions.get(test, ()))
            one["calls"] = sorted((order[a], order[b], line, kind) for a, b, line, kind in self.calls.get(test, ()))
            if test in self.stopped:
                one["stopped"] = sorted(order[place] for place in self.stopped[test])
            yield _line(one)
        yield from (_line({"left_out": (said, count)}) for said, count in sorted(self.left_out.items()))


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
