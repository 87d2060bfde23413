"""What a marker looks like, and which definition it is about."""

from __future__ import annotations

import pytest

from loregraph.indexer.extract.file import extract_with_spans
from loregraph.indexer.facts import FILE_SCOPE
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
from loregraph.indexer.requirements.marker_syntax import annotated, marked

IDS = compiled(DEFAULT_PATTERN)


@pytest.mark.parametrize(
    ("text", "tags", "mentions"),
    [
        ("# Implements: REQ-1, REQ-2", "REQ-1 REQ-2", ""),
        ("// implements REQ-1 and REQ-2.", "REQ-1 REQ-2", ""),
        ("Satisfies REQ-1; not REQ-3", "REQ-1", ""),
        ("# Verifies: REQ-IDX-001..003", "REQ-IDX-001 REQ-IDX-002 REQ-IDX-003", ""),
        ("# Implements: SRS_012, R12", "SRS_012 R12", ""),
        ("# @req R12", "R12", ""),
        ("# @req login.password", "login.password", ""),
        ("/** \\req REQ-1 does it */", "REQ-1", ""),
        ("@requirement{REQ-1}", "REQ-1", ""),
        ("# @ Dims, IMPL_1, impl, [LAMP_1, LAMP_2]", "LAMP_1 LAMP_2", ""),
        ("# @ Dims, LAMP_1, impl", "", "LAMP_1"),
        ("# Design: DES-1; Follows: ADR 4", "DES-1 ADR-4", ""),
        ("see ADR 004", "", "ADR-4"),
        ("# as REQ-1 says", "", "REQ-1"),
        ("# as `REQ-1` says", "", "REQ-1"),
        ("# write `Implements: REQ-1` above it", "", ""),
        ("# TODO: REQ-1", "", ""),
        ("# FIXME implements REQ-1", "", ""),
        ("# unlike REQ-1", "", ""),
        ("# Requirement: Python 3, numpy", "", ""),
        ("# utf8 x86_64", "", ""),
        ("   :links: REQ-1, SWREQ_002", "REQ-1 SWREQ_002", ""),
        ("# Implements: REQ-1 (keeps it), REQ-2 (obsolete)", "", ""),
        ("# req-Id: tool_req__docs_title", "tool_req__docs_title", ""),
        ("# Implements: REQ-1 (keeps it), REQ-2 (finds it)", "REQ-1 REQ-2", ""),
        ("// Implements: REQ-1 (keeps it),\n//    REQ-2 (finds it),\n//    REQ-3", "REQ-1 REQ-2 REQ-3", ""),
        ("// see REQ-1,\n// REQ-2", "", "REQ-1 REQ-2"),
        ("// Implements: REQ-1\n// REQ-2 is near", "REQ-1", "REQ-2"),
        ("# requirement REQ-1", "", "REQ-1"),
        ('"""Implements: REQ-1"""', "REQ-1", ""),
        ("r'''Implements: REQ-1'''", "REQ-1", ""),
        ('"Implements: REQ-1"', "REQ-1", ""),
        ('"""As "Implements: REQ-1" has it."""', "", ""),
    ],
)
def test_markers_in_a_line(text: str, tags: str, mentions: str) -> None:
    found = marked(text, IDS)
    assert [m.id for m in found if m.kind == "tag"] == tags.split()
    assert [m.id for m in found if m.kind == "mention"] == mentions.split()


def test_strictdoc_s_relations_say_their_scope() -> None:
    assert [(m.id, m.scope) for m in marked("# @relation(A-1, A-2, scope=file)", IDS)] == [
        ("A-1", "file"),
        ("A-2", "file"),
    ]
    assert [(m.id, m.scope) for m in marked("@relation(A-1, scope=function, role=Test)", IDS)] == [("A-1", "")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('@pytest.mark.requirement("REQ-1", "x y")', [("REQ-1", "annotation", 0)]),
        ('@Requirement({"A-1", "B_2"})', [("A-1", "annotation", 0), ("B_2", "annotation", 0)]),
        ('@Test(requirement = "REQ-1", name = "REQ-2")', [("REQ-1", "annotation", 0)]),
        ('#[requirement("REQ-1")]', [("REQ-1", "annotation", 0)]),
        ('@covers_requirement("REQ-1..2")', [("REQ-1", "annotation", 0), ("REQ-2", "annotation", 0)]),
        ('@allure.story("REQ-1")', [("REQ-1", "label", 0)]),
        ('@requirement("REQ-1", why="REQ-2 does not apply")', [("REQ-1", "annotation", 0)]),
        ('@requirements(\n  "REQ-1",\n  "REQ-2")', [("REQ-1", "annotation", 1), ("REQ-2", "annotation", 2)]),
        ('@pytest.mark.parametrize("x", ["REQ-1"])', []),
        ('@app.route("/REQ-1")', []),
        ("@functools.wraps(f)", []),
    ],
)
def test_markers_in_decorators(text: str, found: list[tuple[str, str, int]]) -> None:
    assert [(m.id, m.kind, m.line) for m in annotated(text, IDS)] == found


PYTHON = '''
"""R-1 the module."""
NAME = "R-99"

# Implements: R-2

# R-3
# of two lines
@decorator("R-98")
# R-4
def f(x="R-97"):
    """Does R-5."""
    y = 1  # R-6
    "R-7 is a string on its own"
    return "R-96"


class A:
    """R-8."""

    # R-9
    def g(self): ...

    # @relation(R-10, scope=class)

    def h(self):
        # R-11
        def inner():  # R-12
            pass

one = lambda: 1  # R-13
# R-14
'''
JAVASCRIPT = """
// R-1
export const f = () => 1;
/** Implements: R-2 */
export default class K {
  // R-3
  m() {}
  /* R-4 */
  p = () => 3;
}
const s = `R-99`;
describe("R-98", () => {
  // R-5
  it("x", () => {});
});
"""
JAVA = """
package x;
/**
 * R-1
 */
@Requirement("R-2")
public class B {
    // R-3
    @Test @Requirement({"R-4"})
    void run() { String s = "R-99"; }
    int x; // R-5
}
"""
GO = """
package d

// R-1
func F() {}

type T struct {
	a int // R-2
}

// R-3
func (t *T) M() {
	// R-4
	x := `R-99`
}
"""
RUST = """
//! R-1

/// R-2
#[inline]
// R-3
pub fn f() -> &'static str { "R-99" }

#[requirement("R-4")]
fn t() {}

struct S;
impl S {
    /* R-5 */
    fn m(&self) {}
}
"""
C = """
/* R-1 */
#include "f.h"

/* R-2 */
static int f(void) { return 0; /* R-3 */ }
int one(void) { return 1; } // R-4
char *s = "R-99";
"""
CPP = """
// R-1
template <typename T>
T g(T x) { return x; }
namespace ns {
class C {
public:
  // R-2
  void m() {}
};
}
// R-3
void ns::C::n() {}
"""


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (
            "python",
            PYTHON,
            "1: 2: 3:f 4:f 5:f 6:f 7:f 8:A 9:A.g 10:A 11:A.h.inner 12:A.h.inner 13:<lambda1> 14:",
        ),
        ("typescript", JAVASCRIPT, "1:f 2:K 3:K.m 4:K.p 5:<arrow1>"),
        ("javascript", JAVASCRIPT, "1:f 2:K 3:K.m 4:K.p 5:<arrow1>"),
        ("java", JAVA, "1:B 2:B 3:B.run 4:B.run 5:B"),
        ("go", GO, "1:F 2:T 3:T.M 4:T.M"),
        ("rust", RUST, "1: 2:f 3:f 4:t 5:S.m"),
        ("c", C, "1: 2:f 3:f 4:one"),
        ("cpp", CPP, "1:g 2:ns.C.m 3:ns.C.n"),
    ],
)
def test_what_a_marker_is_about(language: str, source: str, expected: str) -> None:
    facts, _ = extract_with_spans("x", source.encode(), language)
    found = {
        marker.id.removeprefix("R-"): "" if marker.scope == FILE_SCOPE else facts.definitions[marker.scope].qualname
        for marker in facts.markers
    }
    assert found == dict(pair.split(":", 1) for pair in expected.split())


def test_an_empty_line_parts_a_comment_from_what_follows() -> None:
    facts, _ = extract_with_spans("x.py", b"# R-1\n\n# R-2\ndef f(): ...\n", "python")
    assert [(m.id, m.scope, m.line) for m in facts.markers] == [("R-1", FILE_SCOPE, 1), ("R-2", 0, 3)]


def test_lines_and_texts_of_markers() -> None:
    facts, _ = extract_with_spans("x.py", b'def f():\n    """Words.\n\n      REQ-1   and  REQ-2\n    """\n', "python")
    assert [(m.id, m.line, m.text) for m in facts.markers] == [
        ("REQ-1", 4, "REQ-1 and REQ-2"),
        ("REQ-2", 4, "REQ-1 and REQ-2"),
    ]


def test_a_configured_pattern_finds_what_no_other_does() -> None:
    source = b"# see login.password\ndef f(): ...\n"
    assert extract_with_spans("x.py", source, "python")[0].markers == ()
    (marker,) = extract_with_spans("x.py", source, "python", id_pattern=r"login\.[a-z]+")[0].markers
    assert (marker.id, marker.scope) == ("login.password", 0)


def test_a_file_full_of_numbers_has_no_markers() -> None:
    source = "\n".join(f"X_{n} = 'AB-{n}' + C{n}" for n in range(2_000)).encode()
    assert extract_with_spans("x.py", source, "python")[0].markers == ()
