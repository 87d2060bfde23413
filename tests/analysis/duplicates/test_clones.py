"""Which types of copies there are, and which are found."""

from __future__ import annotations

import keyword
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.analysis.duplicates.clones import FULL_TOKENS, SHORT_THRESHOLD, THRESHOLD, required
from loregraph.analysis.duplicates.pairing import LARGEST_CLASS, NEAREST, nearest
from loregraph.analysis.duplicates.results import EDITED, EXACT, RENAMED

from .conftest import EDITED as EDITED_CODE
from .conftest import LOAD, OTHER, indexed, pairs_of
from .conftest import RENAMED as RENAMED_CODE

NAMES = sorted({word for word in re.findall(r"[a-z]\w+", LOAD) if not keyword.iskeyword(word)} - {"utf"})


# Verifies REQ-DUP-001.
def test_each_type_is_told() -> None:
    laid_out = (
        LOAD.replace("    ", "  ").replace("# enough", "# that is enough").replace('"', "'").replace("'''", '"""')
    )
    found = pairs_of(indexed([LOAD, laid_out, RENAMED_CODE, EDITED_CODE, OTHER]))
    assert {pair: kind for pair, (kind, _) in found.items()} == {
        (0, 1): EXACT,
        (0, 2): RENAMED,
        (0, 3): EDITED,
        (1, 2): RENAMED,
        (1, 3): EDITED,
        (2, 3): EDITED,
    }
    assert found[0, 1][1] == 1.0
    assert 0.9 <= found[0, 2][1] < 1.0
    assert THRESHOLD <= found[2, 3][1] < found[0, 3][1] < 1.0


def test_names_that_are_mixed_up_are_an_edit() -> None:
    mixed = LOAD.replace("rows.append", "line.append")
    assert pairs_of(indexed([LOAD, mixed]))[0, 1][0] == EDITED


# Verifies REQ-DUP-002.
@settings(deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{3,9}_", fullmatch=True), min_size=len(NAMES), max_size=len(NAMES), unique=True))
def test_a_consistent_renaming_is_a_renamed_copy_whatever_the_names_are(names: list[str]) -> None:
    meanings = dict(zip(NAMES, names, strict=True))
    renamed = re.sub(r"[a-z]\w+", lambda word: meanings.get(word[0], word[0]), LOAD.replace('"utf-8"', '"x"'))
    kind, similarity = pairs_of(indexed([LOAD, renamed]))[0, 1]
    assert kind == RENAMED
    assert similarity >= 0.9


def test_the_threshold_says_how_alike_copies_are() -> None:
    index = indexed([LOAD, EDITED_CODE])
    ((_, similarity),) = pairs_of(index).values()
    assert pairs_of(index, threshold=similarity - 0.001) != {}
    assert pairs_of(index, threshold=similarity + 0.001) == {}


def test_short_functions_have_to_agree_more() -> None:
    getter = "def width(self):\n    if self._width is None:\n        self._width = 1\n    return self._width\n"
    edited = getter.replace("self._width = 1", "self._width = measured(self.text)")
    assert pairs_of(indexed([getter, edited])) == {}
    rest = "    for listener in self.listeners:\n        listener.changed(self, 'width', sender=self.name, when=None)\n"
    assert pairs_of(indexed([getter + rest, edited + rest]))[0, 1][0] == EDITED
    assert pairs_of(indexed([getter, getter])) == {(0, 1): (EXACT, 1.0)}


def test_one_liners_and_short_constructors_are_copies_of_what_is_the_same_only() -> None:
    line = "def {0}(self, other):\n    return capi.compare(self.pointer, other.pointer, self.{1})\n"
    assert pairs_of(indexed([line.format("a", "b"), line.format("c", "d")])) == {}
    assert pairs_of(indexed([line.format("a", "b")] * 2)) == {(0, 1): (EXACT, 1.0)}
    code = "def made(self, one, two, three):\n    self.one = one\n    self.two = two\n    self.three = three\n"
    index = indexed([code, code.replace("three", "four")])
    assert pairs_of(index)[0, 1][0] == RENAMED
    index = indexed([code, code.replace("three", "four")])
    index.units.is_constructor[:] = True
    assert pairs_of(index) == {}


def test_too_few_tokens_are_no_copy() -> None:
    short = "def a(self):\n    return self.b\n"
    assert pairs_of(indexed([short, short])) == {}
    assert pairs_of(indexed([short, short]), min_tokens=5) == {(0, 1): (EXACT, 1.0)}


def test_many_that_are_the_same_are_paired_with_the_first() -> None:
    index = indexed([LOAD] * (LARGEST_CLASS + 1))
    assert set(pairs_of(index)) == {(0, other) for other in range(1, LARGEST_CLASS + 1)}


def test_tests_have_to_agree_more() -> None:
    index = indexed([LOAD, EDITED_CODE])
    similarity = pairs_of(index)[0, 1][1]
    longer = EDITED_CODE + "    print(rows)\n    for row in rows:\n        print(row[0], row[1], sep=';', end='')\n" * 2
    index = indexed([LOAD, longer])
    less = pairs_of(index)[0, 1][1]
    assert less < 0.75 < similarity
    index.units.is_test[:] = True
    assert pairs_of(index) == {}


@pytest.mark.parametrize(("tokens", "needed"), [(FULL_TOKENS, 0.6), (500, 0.6), (20, SHORT_THRESHOLD), (2, 1.0)])
def test_what_is_required(tokens: int, needed: float) -> None:
    import numpy as np

    assert required(np.array([tokens]), 0.6)[0] == pytest.approx(needed)


def test_one_is_compared_with_all() -> None:
    index = indexed([LOAD, RENAMED_CODE, EDITED_CODE, OTHER])
    found = index.similar(LOAD, "python", 0.6)
    assert found.second.tolist() == [0, 1, 2]
    assert index.similar(LOAD, "python", 0.6, leave_out=0).second.tolist() == found.second.tolist()[1:]
    assert index.similar("def a():\n    pass\n", "python", 0.6).second.tolist() == []


def test_of_far_too_many_pairs_each_keeps_its_nearest() -> None:
    found = indexed([LOAD.replace("10", str(number)) for number in range(3 * NEAREST)]).pairs()
    count = len(found.first)
    assert nearest(found) is found
    left = nearest(found, count - 1)
    assert len(left.first) < count
    assert set(left.first.tolist()) | set(left.second.tolist()) == set(range(3 * NEAREST))


SCRIPT = "\n".join(f"    step {number} --verbose" for number in range(8))


def go(name: str, script: str) -> str:
    return (
        f"func {name}(out io.Writer, title string, short bool) error {{\n"
        "\tcommand := requested\n\tif short {\n\t\tcommand = shortened\n\t}\n"
        f"\t_, err := fmt.Fprintf(out, `{script}`, title, command, first, second)\n"
        '\tif err != nil {\n\t\treturn fmt.Errorf("writing %s: %w", title, err)\n\t}\n\treturn nil\n}\n'
    )


# Verifies REQ-DUP-002.
def test_a_long_string_that_differs_is_an_edit_and_no_literal_that_was_renamed() -> None:
    other = SCRIPT.replace("step", "echo")
    found = pairs_of(indexed([go("bash", SCRIPT), go("fish", SCRIPT), go("zsh", other)], "go"))
    assert {pair: kind for pair, (kind, _) in found.items()} == {(0, 1): RENAMED, (0, 2): EDITED, (1, 2): EDITED}
    assert found[0, 2][1] > THRESHOLD


def test_a_string_of_few_lines_is_a_literal() -> None:
    few = "    SELECT a\n    FROM b"
    found = pairs_of(indexed([go("bash", few), go("zsh", few.replace("SELECT a", "DELETE"))], "go"))
    assert found[0, 1][0] == RENAMED
