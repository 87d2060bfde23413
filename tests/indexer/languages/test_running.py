"""What the runners of all languages have in common, and the parts that their words are made of."""

from __future__ import annotations

import re

import pytest

from loregraph.indexer.languages import registry
from loregraph.indexer.languages.running import (
    Asked,
    TestPlace,
    TestRunner,
    as_pattern,
    file_words,
    line_words,
    place_word,
    without_covered,
)

RUNNERS: dict[str, tuple[str, TestRunner]] = {
    runner.name: (language, runner) for language in sorted(registry.SOURCES) for runner in registry.runners_of(language)
}
NAMES = (
    "plain",
    "two words",
    "a*b",
    "$(touch owned)",
    "-x",
    "it's",
    "[a]",
    "new\nline",
    "a\\b",
    "\u202e",
    "\U0001f389",
)


def test_runners_have_names_of_their_own() -> None:
    assert len(RUNNERS) > 15
    for name, (_, runner) in RUNNERS.items():
        same = {id(one) for language in registry.SOURCES for one in registry.runners_of(language) if one.name == name}
        assert same == {id(runner)}
    assert registry.runners_of("markdown") == () == registry.runners_of("unheard-of")


# Verifies REQ-RUN-013.
@pytest.mark.parametrize("name", sorted(RUNNERS))
def test_no_word_of_any_runner_is_split_or_expanded_by_a_shell(name: str) -> None:
    _, runner = RUNNERS[name]
    assert runner.nothing and not any(re.search(r"[\s*?\[\\\"'`]", word) for word in runner.nothing)
    for one in NAMES:
        place = TestPlace("id", f"t/{one}/test_a.py", one, prefix=one, head=f'it("{one}", () =>', root=one, package=one)
        for width in range(4):
            for whole in (frozenset[str](), frozenset({place.path})):
                words = runner.words(Asked((place,), whole, width)).words
                assert not any(re.search(r"[\s*?\[\\\"'`\x00-\x1f\u202e;&<>]", word) for word in words), words
                assert not any(word == "-x" or not word for word in words)


@pytest.mark.parametrize(
    "text", ["works", "works + $1", "a  b", "two\tthree", "(é)", "it's \U0001f389 (a|b) [c] \\d ^$"]
)
def test_a_pattern_matches_its_text_and_has_only_plain_signs(text: str) -> None:
    pattern = as_pattern(text)
    assert re.fullmatch(pattern, text) and re.fullmatch(r"[\w.+]*", pattern, re.ASCII)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.py", "a/b.py"),
        ("a b/c/d.py", "."),
        ("a/b c/d.py", "a"),
        ("-x.py", "./-x.py"),
        ("@a/b.py", "./@a/b.py"),
        ("~/b.py", "."),
        ("é/b.py", "é/b.py"),
    ],
)
def test_a_path_is_a_word_or_the_nearest_folder_that_is_one(path: str, expected: str) -> None:
    assert place_word(path, Asked(())) == expected


def test_what_is_in_a_chosen_folder_or_file_is_not_named_again() -> None:
    assert without_covered(["a/b.py::t", "a/c.py", "a/b.py", "ab/d.py", "a/b.py"]) == ("a/c.py", "a/b.py", "ab/d.py")
    assert without_covered(["a/b/c.py::t", "a", "./-x/y.py", "./-x"]) == ("a", "./-x")
    assert without_covered(["a", ".", "b"]) == (".",)


def test_lines_are_those_of_tests_in_files_that_are_not_whole() -> None:
    places = tuple(TestPlace("id", path, "t", line=line) for path, line in (("a.rb", 3), ("a.rb", 9), ("b c.rb", 4)))
    assert line_words(Asked(places[:2])).words == ("a.rb:3", "a.rb:9")
    assert line_words(Asked(places[:2], frozenset({"a.rb"}))).words == ("a.rb",)
    assert line_words(Asked(places)).words == (".",)
    assert file_words(Asked(places[:2])).words == ("a.rb",)
