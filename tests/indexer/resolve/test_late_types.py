"""What programs change of types is recorded with its round, and told from what it was."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from loregraph.indexer.resolve.again import TraceError, resolve_again
from loregraph.indexer.resolve.late_types import is_moved
from loregraph.indexer.resolve.recording import decode
from loregraph.indexer.resolve.records import TypesTrace
from loregraph.indexer.resolve.summary import key_of

from .sessions import Session

THINGS = """\
export class A { go() {} }
export class B {}
export function f() {}
"""
CHANGING = """\
import {A, B, f} from './t.js';
Object.assign(B.prototype, A.prototype, {extra: f});
f.prototype.go = 1;
new f().go();
"""
KEY = key_of("javascript")


def kept(session: Session) -> TypesTrace:
    return msgspec.msgpack.decode(session.traces[KEY], type=TypesTrace)


def test_changes_of_types_are_kept_with_their_rounds(tmp_path: Path) -> None:
    session = Session(tmp_path, {"t.js": THINGS, "a.js": CHANGING})
    found = decode(kept(session).changes).inbox
    told = {(message[0], message[1][2:], *message[2:]): homes for message, homes in found.items()}
    assert {kind for kind, *_ in told} == {"become", "gain", "mix"}
    assert all(list(homes) == ["t.js"] for homes in told.values())
    assert [name for kind, _, name, *_ in (key for key in told if key[0] == "gain")] == ["extra"]


def test_an_edit_that_changes_no_type_is_resolved_by_itself(tmp_path: Path) -> None:
    session = Session(tmp_path, {"t.js": THINGS, "a.js": CHANGING})
    session.edit({"a.js": CHANGING + "f();\n"})
    session.edit({"t.js": THINGS.replace("f() {}", "f() { new A().go(); }")})
    assert session.incremental == [True, True]
    assert session.differences(traced=True) == []


def test_an_edit_that_changes_a_type_has_all_resolved(tmp_path: Path) -> None:
    session = Session(tmp_path, {"t.js": THINGS, "a.js": CHANGING})
    session.edit({"a.js": CHANGING.replace("extra", "other")})
    assert session.incremental == [False]
    assert session.differences(traced=True) == []


def test_where_no_types_were_kept_nothing_is_certain(tmp_path: Path) -> None:
    session = Session(tmp_path, {"t.js": THINGS, "a.js": CHANGING})
    facts = session.facts("a.js")
    for blob in (None, b"", b"\x93\x01", msgspec.msgpack.encode(({}, b"no trace"))):
        traces = {**session.traces, KEY: blob}
        with pytest.raises(TraceError):
            resolve_again(
                {"a.js": facts},
                {"a.js": facts},
                session.facts,
                {"a.js": "javascript", "t.js": "javascript"},
                traces.get,
                session.layout,
            )


def test_what_values_decide_of_types_is_compared() -> None:
    before = {"a.js": {"a.js::M": ["t.js::A"], "a.js::M.go": ["a.js::M"], "type a.js::f": []}}

    def moved(*edited: str, **changed: list[str]) -> bool:
        return is_moved(before, {"a.js": {**before["a.js"], **changed}}, edited)

    assert not moved()
    assert moved(**{"a.js::M": ["t.js::B"]})
    assert moved("a.js", **{"a.js::M": ["t.js::B"]})
    assert moved(**{"a.js::M.step": ["a.js::M"]})
    assert not moved("a.js", **{"a.js::M.step": ["a.js::M"]})
    assert moved("a.js", **{"type a.js::g": []})
    assert is_moved(before, {}, ())
