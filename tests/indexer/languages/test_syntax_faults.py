"""What is said of text that the parser does not understand: a fault of the text where that is certain."""

from __future__ import annotations

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.languages.syntax_faults import NOT_UNDERSTOOD, is_syntax_error

AROUND = {
    "typescript": ("function before() {}\n", "\nfunction after() {}\n"),
    "tsx": ("function before() {}\n", "\nfunction after() {}\n"),
    "bash": ("before() { ls; }\n", "\nafter() { ls; }\n"),
    "kotlin": ("fun before() {}\n", "\nfun after() {}\n"),
    "csharp": ("class A { void before() {} }\n", "\nclass B { void after() {} }\n"),
    "rust": ("fn before() {}\n", "\nfn after() {}\n"),
    "swift": ("func before() {}\n", "\nfunc after() {}\n"),
    "python": ("def before(): pass\n", "\ndef after(): pass\n"),
}
VALID = [
    ("typescript", "export type * from './types'"),
    ("typescript", "const m = await f<typeof import('x')>()"),
    ("tsx", 'const a = () => <a href="?a=1&b=2">text</a>'),
    ("bash", 'if case "$1" in -*) true ;; *) false ;; esac then\n  ls\nfi'),
    ("bash", "if true; then\n  for arg do\n    ls\n  done\nfi"),
    ("kotlin", "fun f(v: Any) = when (v) {\n    is String if v.isEmpty() -> 1\n    else -> 2\n}"),
    ("csharp", "class C { void f() { values?[0] = x; } }"),
    ("rust", "fn f(a: Box<dyn 'static + Send>) {}"),
    ("swift", "func f() -> R { return .success(()) }"),
    ("python", "type A[T=int] = float"),
]


# Verifies REQ-IDX-024.
@pytest.mark.parametrize(("language", "code"), VALID)
def test_valid_code_that_a_grammar_does_not_know_is_no_syntax_error(language: str, code: str) -> None:
    before, after = AROUND[language]
    facts = extract("a", (before + code + after).encode(), language)
    assert facts.status == "partial"
    assert {problem.message for problem in facts.problems} == {NOT_UNDERSTOOD}
    assert {"before", "after"} <= {definition.name for definition in facts.definitions}


# Verifies REQ-IDX-005.
@pytest.mark.parametrize(
    ("language", "code", "line", "told"),
    [
        ("python", "def f(:\n    pass\n", 1, "`(` is never closed"),
        ("python", "x = 1\ny = [1, (2]\n", 2, "`]` does not close the `(` of line 2"),
        ("php", "<?php\n); // bad\n", 2, "`)` closes nothing"),
        ("java", "class A {\n  void f() {\n    if (a) {\n  }\n}\n", 1, "`{` is never closed"),
        ("typescript", "class A {\n  f() { return `${a(}` }\n}\n", 2, "does not close"),
        ("go", "package a\n\nfunc f() {\n\tg(1, 2\n}\n", 5, "`}` does not close the `(` of line 4"),
        ("ruby", "def f\n  g([1, 2)\nend\n", 2, "`)` does not close the `[` of line 2"),
        ("rust", "fn f() {}\n<<<<<<< HEAD\nfn g() {}\n=======\nfn h() {}\n>>>>>>> b\n", 2, "a conflict"),
        ("c", "#if A\nint a;\n<<<<<<< a\nint b;\n=======\nint c;\n>>>>>>> b\n#endif\n", 3, "a conflict"),
    ],
)
def test_a_fault_of_the_text_is_a_syntax_error(language: str, code: str, line: int, told: str) -> None:
    first = extract("a", code.encode(), language).problems[0]
    assert is_syntax_error(first.message)
    assert first.line == line
    assert told in first.message


CONFLICT_IN_A_STRING = "x = '''\n<<<<<<< a\n=======\n>>>>>>> b\n'''\n\ny = = 1\n"


# Verifies REQ-IDX-005.
@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "x = = '('\n"),
        ("c", "#if A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\n  g(a ? ? b);\n}\n"),
        ("bash", "case x in\n  a) for arg do ls; done ;;\nesac\nif for x then then\n"),
        ("kotlin", 'val a = $$"""\n  {{ ( """\nval b = $$"x"\n'),
        ("python", CONFLICT_IN_A_STRING),
    ],
)
def test_what_only_looks_like_a_fault_is_none(language: str, code: str) -> None:
    facts = extract("a", code.encode(), language)
    assert facts.problems
    assert not any(is_syntax_error(problem.message) for problem in facts.problems)


def test_errors_are_given_once_a_line_in_the_order_of_the_text() -> None:
    facts = extract("a.py", b"x = = 1; y = = 2\n\nz = = 3\n" * 3, "python")
    lines = [problem.line for problem in facts.problems]
    assert lines == sorted(set(lines))
    assert len(lines) > 3
