"""What one process collects: `sys.monitoring`'s side too, which Python 3.11 can only be asked for by hand."""

from __future__ import annotations

import opcode
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from loregraph.recording import calls, recorder
from loregraph.recording.recorder import Recorder, profile_of, start_of

CODE = """
def inner():
    return 1

def outer():
    return [inner() for _ in range(3)]

def many():
    yield 1

class Cart:
    kind = inner()

    def total(self):
        return sum(many())
"""
STOP = object()


@pytest.fixture
def module(tmp_path: Path) -> dict[str, Any]:
    """The names of shop.py, a file of the project in `tmp_path`, whose code has run."""
    path = tmp_path / "shop.py"
    path.write_text(CODE)
    names: dict[str, Any] = {"__name__": "shop"}
    exec(compile(CODE, str(path), "exec"), names)
    return names


def code_of(function: Callable[..., Any]) -> CodeType:
    return function.__code__


def places(own: Recorder) -> list[str]:
    return [own.places[number][1] for number in own.taken()[0]]


# Verifies REQ-RUN-008.
def test_a_function_is_watched_so_often_in_a_test_and_no_more(tmp_path: Path, module: dict[str, Any]) -> None:
    own = Recorder(str(tmp_path))
    started, renewed = start_of(own, STOP, most=3)
    code = code_of(module["inner"])
    assert [started(code, 0) for _ in range(4)] == [None, None, None, STOP]
    assert own.stopped == {0}, "its later callers are not seen"
    assert renewed(), "so the events have to be started again"
    assert started(code, 0) is None
    assert not renewed()
    assert places(own) == ["inner"]


# Verifies REQ-RUN-008.
def test_code_of_others_is_never_watched_again(tmp_path: Path, module: dict[str, Any]) -> None:
    own = Recorder(str(tmp_path))
    started, _ = start_of(own, STOP, most=3)
    assert started(code_of(os.path.join), 0) is STOP
    inside = tmp_path / ".venv" / "lib" / "theirs.py"
    inside.parent.mkdir(parents=True)
    inside.write_text(CODE)
    theirs: dict[str, Any] = {}
    exec(compile(CODE, str(inside), "exec"), theirs)
    assert started(code_of(theirs["inner"]), 0) is STOP
    assert own.taken() == ([], [])
    assert own.files == []


def test_comprehensions_and_classes_are_no_functions(tmp_path: Path, module: dict[str, Any]) -> None:
    own = Recorder(str(tmp_path))
    codes = [one for one in code_of(module["outer"]).co_consts if isinstance(one, CodeType)]
    assert all(own.learn(one) == -1 for one in codes), "inlined since Python 3.12"
    whole = compile(CODE, str(tmp_path / "shop.py"), "exec")
    bodies = {one.co_name: one for one in whole.co_consts if isinstance(one, CodeType)}
    assert own.learn(whole) == own.learn(bodies["Cart"]) == -1
    assert own.learn_caller(whole) >= 0
    assert own.places[own.learn_caller(bodies["Cart"])][1] == "Cart"
    for one in codes:
        assert own.places[own.learn_caller(one)][1] == "outer"


def test_what_is_made_without_end_is_not_kept_without_end(
    tmp_path: Path, module: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "MOST_CODES", 1)
    own = Recorder(str(tmp_path))
    assert own.learn(code_of(module["inner"])) == 0
    assert own.learn(code_of(module["outer"])) == -1
    assert own.beyond == 1


def test_other_events_of_a_profile_are_nothing(tmp_path: Path, module: dict[str, Any]) -> None:
    own = Recorder(str(tmp_path))
    profile = profile_of(own)
    profile(_frame_of(module["inner"]), "return", None)
    assert own.taken() == ([], [])


def _frame_of(function: Callable[[], Any]) -> FrameType:
    found: list[FrameType] = []

    def keep(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is function.__code__:
            found.append(frame)

    before = sys.getprofile()
    sys.setprofile(keep)
    try:
        function()
    finally:
        sys.setprofile(before)
    return found[0]


def test_every_instruction_that_calls_has_a_kind() -> None:
    kinds = {name: calls.kind_at_name(name) for name in opcode.opname}
    known = {name: calls.KINDS[kind] for name, kind in kinds.items()}
    assert known["CALL"] == known["CALL_FUNCTION_EX"] == "call"
    assert known["LOAD_ATTR"] == known["STORE_ATTR"] == "attribute"
    assert known["BINARY_OP"] == known["COMPARE_OP"] == "operator"
    assert known["FOR_ITER"] == known["SEND"] == "iteration"
    assert known["POP_TOP"] == known["NOP"] == "other"
