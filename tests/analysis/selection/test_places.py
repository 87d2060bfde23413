"""Where chosen tests are for their runners: classes that inherit them, and what a runner would not find."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from loregraph.analysis.selection import places
from loregraph.analysis.selection.selectors import formatted
from loregraph.graph.columns import GraphColumns

sys.path.insert(0, str(Path(__file__).parent))

from projects import chosen, indexed

PROJECT = {
    "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef test_client(): return 1\n",
    "tests/__init__.py": "",
    "tests/helpers.py": "def test_data(): return 1\n",
    "tests/test_base.py": """
import unittest

class Shared:
    def test_shared(self): pass

class TestHere(Shared):
    def test_own(self): pass

class Abstract(unittest.TestCase):
    class Inner:
        def test_inner(self): pass

class TestBuilt:
    def __init__(self): pass
    def test_never(self): pass

def outer():
    def test_within(): pass

def test_after(): pass

def test_maker(): return 1

test_maker.__test__ = False
MADE = test_maker()
""",
    "tests/test_heir.py": """
from .test_base import Shared

class TestThere(Shared): pass
""",
    "tests/test_made.py": """
from parameterized import parameterized
import pytest

class TestMade:
    @parameterized.expand([(1,)])
    def test_renamed(self, x): pass

@pytest.fixture
def test_thing(): return 1

@pytest.mark.parametrize("x", [1, 2])
def test_many(x): pass
""",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("places")


@pytest.fixture(scope="module")
def columns(root: Path) -> GraphColumns:
    return indexed(root, PROJECT)


def words(columns: GraphColumns, *names: str) -> list[str]:
    return formatted(chosen(columns, *names), columns, "args", "pytest", fold=False).split(" ")


# Verifies REQ-RUN-012.
def test_an_inherited_test_is_run_in_each_class_that_inherits_it(columns: GraphColumns, root: Path) -> None:
    found = words(columns, "test_shared")
    assert found == ["tests/test_base.py::TestHere::test_shared", "tests/test_heir.py::TestThere::test_shared"]
    command = [sys.executable, "-m", "pytest", "-q", *found]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert "2 passed" in done.stdout


# Verifies REQ-RUN-012.
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("test_client", "tests"),
        ("test_data", "tests"),
        ("test_inner", "tests/test_base.py"),
        ("test_never", "tests/test_base.py"),
        ("test_within", "tests/test_base.py"),
        ("test_maker", "tests/test_base.py"),
        ("test_renamed", "tests/test_made.py"),
        ("test_thing", "tests/test_made.py"),
        ("test_many", "tests/test_made.py::test_many"),
        ("test_own", "tests/test_base.py::TestHere::test_own"),
    ],
)
def test_what_pytest_may_not_find_by_its_name_is_selected_by_what_is_around_it(
    columns: GraphColumns, name: str, expected: str
) -> None:
    assert words(columns, f".{name}", f"::{name}") == [expected]


# Verifies REQ-RUN-012.
def test_many_inherited_tests_select_whole_files(columns: GraphColumns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_INHERITED", 0)
    assert words(columns, "test_shared") == ["tests/test_base.py", "tests/test_heir.py"]


# Verifies REQ-RUN-012.
def test_a_test_under_a_condition_is_selected_by_its_file(tmp_path: Path) -> None:
    text = "import sys\n\nif sys.platform == 'none':\n    def test_here(): pass\n\ndef test_there(): pass\n"
    columns = indexed(tmp_path, {"tests/test_if.py": text, "tests/test_no.py": "def test_x(): pass\n"})
    for name, expected in (("test_here", "tests/test_if.py"), ("test_there", "tests/test_if.py::test_there")):
        rows = chosen(columns, name)
        assert formatted(rows, columns, "args", fold=False, lines_of=lambda path: text.splitlines()) == expected


def test_a_test_that_the_graph_does_not_have_is_selected_by_its_file(columns: GraphColumns) -> None:
    from msgspec.structs import replace

    (row,) = chosen(columns, "test_many")
    gone = replace(row, id="tests/test_made.py::test_gone", name="test_gone")
    assert formatted([gone], columns, "args", "pytest") == "tests/test_made.py"
