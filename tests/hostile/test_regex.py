"""No regular expression takes more than linear time, ours over hostile texts or a repository's own over any."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from loregraph import patterns
from loregraph.config import load_settings
from loregraph.errors import ConfigError
from loregraph.ignore_rules import parse_rules
from loregraph.indexer.discover.files import is_wanted
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, MAX_ID, IdPattern, compiled

sys.path.insert(0, str(Path(__file__).parent))

from patterns_of_package import AT_A_PLACE, BOUNDED, used
from pumping import LONG, TooSlow, limited, slow_string


def test_the_pump_finds_what_backtracks() -> None:
    for pattern in (
        r"(A+)+B",
        r"\s*\s*x",
        r"\s+$",
        r'"(?:\\.|[^"\\])*"',
        r"^(?:[^\w]|\[ \])*X",
        r"a.*b.*c",
        r"(a|a)*b",
    ):
        assert slow_string(pattern, 0, "search"), pattern
    for pattern in (r"\bA+B", r"(?<!\s)\s+$", r'"(?:\\.|[^"\\])*+(?:"|\\?\Z)', r"[^\W_]\w*"):
        assert slow_string(pattern, re.DOTALL, "search") is None, pattern


# Verifies REQ-SEC-009.
def test_no_expression_of_the_package_is_slow() -> None:
    expressions = used()
    assert len(expressions) > 400, "the collector has lost some"
    slow = [
        f"{one.where} ({one.mode}) {one.pattern!r}\n    by {found}"
        for one in expressions
        if (found := slow_string(one.pattern, one.flags, one.mode, one.longest or LONG))
    ]
    assert not slow, "\n".join(slow)


def test_what_is_said_of_expressions_is_of_some_that_are_there() -> None:
    there = {one.where.partition(":")[0] for one in used()}
    assert set(AT_A_PLACE) | set(BOUNDED) <= there


# Verifies REQ-SEC-009.
@pytest.mark.parametrize("pattern", ["(A+)+B", "(?:A|A)*B", "(A*)*(A*)*B", "(?i)(?:a?){60}a{60}", "A[^X]*X|A"])
def test_a_configured_pattern_that_would_backtrack_ends(pattern: str) -> None:
    ids = IdPattern(pattern)
    for text in ("A" * 100_000, "A " * 50_000, "A-" * 50_000 + "!", "é" * 50_000):
        limited(lambda text=text: list(ids.found(text)), 20)
        limited(lambda text=text: ids.places(text.encode()), 20)
        assert not ids.is_id(text)


# Verifies REQ-SEC-009.
@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (r"(?=A)\w+", "(?="),
        (r"(?<!x)A-\d", "(?<!"),
        (r"(A)-\1", r"\1"),
        (r"(?P<a>A)-(?P=a)", "(?P="),
        (r"(?>A+)-\d", "(?>"),
        (r"A++-\d", "+"),
        (r"(?x) A - \d", "flags"),
        ("A" * 2_000, "2,000 characters"),
        ("(" * 900, "not a regular expression"),
        ("(", "not a regular expression"),
    ],
)
def test_a_pattern_that_no_linear_engine_takes_is_refused(tmp_path: Path, pattern: str, named: str) -> None:
    (tmp_path / "loregraph.toml").write_text(f"[requirements]\npattern = '''{pattern}'''\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_settings(tmp_path)
    assert named in str(refused.value)


@pytest.mark.parametrize("pattern", [r"[A-Z]+-\d+", r"REQ-[A-Z]{3}-\d{3}", r"(?i)req_\d+", r"[\w]+#\d{,4}", r"Ö\w\d+"])
@pytest.mark.parametrize(
    "text",
    [
        "REQ-ABC-001, A-12 and B-3-x; xA-1 A-1y (A-7) é A-8é A-9… A-10",
        "A-1\nA-2.A-3/A-4--A-5 -A-6",
        "req_1 REQ_22 Öx3 Ö٣4 öa#1 b#12345 #",
        "",
        "A-1",
    ],
)
def test_the_linear_engine_finds_what_look_around_finds(pattern: str, text: str) -> None:
    python = pattern
    flags = "(?i)" if pattern.startswith("(?i)") else ""
    python = pattern.removeprefix(flags)
    bounded = re.compile(rf"{flags}(?<![\w-])(?:{python})(?!\w|-\w)")
    ids = IdPattern(pattern)
    spans = [match.span() for match in bounded.finditer(text)]
    assert list(ids.spans(text)) == spans
    long = "… é " * 3_000 + text
    assert list(ids.spans(long)) == [match.span() for match in bounded.finditer(long)]
    assert [len(text.encode()[:place].decode()) for place in ids.places(text.encode())] == [a for a, _ in spans]
    for start in range(len(text)):
        match = bounded.match(text, start)
        assert ids.end_of(text, start) == (match.end() if match else -1)


def test_an_id_has_a_length() -> None:
    ids = compiled(r"A-\d+")
    assert [one.id for one in ids.found(f"A-{'1' * (MAX_ID + 1)} A-2")] == ["A-2"]
    assert compiled(DEFAULT_PATTERN).ids(f"REQ-1..{'9' * 5_000}") == ["REQ-1"]


_WITHOUT = """
import sys
sys.modules["re2"] = None
from loregraph import patterns
from loregraph.errors import ConfigError
from loregraph.indexer.requirements.ids import DEFAULT_PATTERN, compiled
assert compiled(DEFAULT_PATTERN).is_id("REQ-1")
assert patterns.paths(["*.py", "a/**/b/*", "a*" * 9])("x/y.py")
try:
    compiled("T-[0-9]+")
except ConfigError as told:
    assert "google-re2" in str(told)
else:
    raise AssertionError
"""


def test_without_the_engine_a_pattern_of_ones_own_is_refused() -> None:
    subprocess.run([sys.executable, "-c", _WITHOUT], check=True, timeout=120)


# Verifies REQ-SEC-009.
@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("a*" * 30 + "b", "a" * 250),
        ("*a" * 30 + "[!a]", "a" * 250),
        ("/".join(["**/a*a*"] * 20) + "/b", "/".join(["a" * 30] * 60)),
        ("**/" * 30 + "x", "/".join(["a"] * 2_000)),
        ("?*" * 60 + "b", "a" * 250),
    ],
)
def test_patterns_of_paths_end(line: str, path: str) -> None:
    rules = parse_rules(line, "")
    wanted = patterns.paths([line])
    if rules is not None:
        limited(lambda: [rules.decide(path, path.rpartition("/")[2], is_folder=False) for _ in range(20)], 10)
    limited(lambda: [wanted(path) for _ in range(20)], 10)


def test_patterns_of_paths_are_as_many_as_a_file_of_them_may_have() -> None:
    names = [f"/generated/{number}.py" for number in range(patterns.MAX_PATTERNS)]
    assert patterns.paths([*names, "plain"])("a/plain")
    with pytest.raises(patterns.PatternError, match="1 patterns too many"):
        patterns.paths([*names, "*a"])
    with pytest.raises(patterns.PatternError, match="2,000 characters"):
        patterns.paths(["a" * 2_000])


@pytest.mark.parametrize("line", ["[z-a]", "\\", "[a", "!"])
def test_what_is_no_pattern_of_paths_is_an_error_of_the_configuration(tmp_path: Path, line: str) -> None:
    (tmp_path / "loregraph.toml").write_text(f"exclude = ['{line}']\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="exclude"):
        is_wanted(load_settings(tmp_path))


def test_a_path_that_is_no_utf8_is_matched() -> None:
    assert patterns.paths(["caf*"])("caf\udcff")
    assert not patterns.paths(["x*"])("caf\udcff")


def test_a_run_that_takes_too_long_is_told() -> None:
    with pytest.raises(TooSlow):
        limited(lambda: re.match(r"(a|a)*b", "a" * 60), 0.05)
