"""Chosen tests as the words of runners: nothing is lost, whatever files and tests are called."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from loregraph.analysis.selection import selectors
from loregraph.analysis.selection.selected import SelectedTest
from loregraph.analysis.selection.selectors import formatted, runners_of
from loregraph.errors import RunnerError, UsageError
from loregraph.graph.columns import GraphColumns

sys.path.insert(0, str(Path(__file__).parent))

from projects import MIXED, chosen, indexed


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mixed")


@pytest.fixture(scope="module")
def mixed(root: Path) -> GraphColumns:
    return indexed(root, MIXED)


def run(command: str, words: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A command with the words as a shell takes them from `$(…)`."""
    (cwd / "words.txt").write_text(words, encoding="utf-8")
    line = ["sh", "-c", f"{command} $(cat words.txt)"]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **more}
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, env=environment, check=False)


PYTEST = f"{shlex.quote(sys.executable)} -m pytest -p no:cacheprovider -q -rA --no-header"


# Verifies REQ-RUN-011.
@pytest.mark.parametrize(
    ("runner", "words", "expected"),
    [
        (
            "pytest",
            ("test_sum", "test_order"),
            "py/test_shop.py::Orders::test_order py/test_shop.py::TestCart::TestTotal::test_sum",
        ),
        ("unittest", ("test_order",), "py.test_shop.Orders.test_order"),
        ("go", ("::TestAdd#", "TestAdd ", "ExampleAdd"), "-run ^(ExampleAdd|TestAdd)$ ./cart"),
        ("go", ("BenchmarkAdd",), "-run ^$ unsafe"),
        ("vitest", ("adds + $1",), "web/cart.test.ts -t (cart.+.v1.0..adds)"),
        ("jest", ("doesn't",), "web/cart.test.ts -t (^cart.+.v1.0..doesn.t.+add$)"),
        ("vitest", ("loops",), "web/cart.test.ts -t (loops)"),
        ("vitest", ("knows",), "web/cart.test.ts -t (knows$)"),
        ("jest", ("is in a group",), "web/cart.test.ts -t (is.+in.+a.+group$)"),
        ("jest", ("is in another",), "web/cart.test.ts -t (is.+in.+another$)"),
        ("vitest", ("it(title",), "web/cart.test.ts"),
        ("node", ("knows",), "web/cart.test.ts"),
        (
            "cargo",
            ("tests.adds ", "from_outside"),
            "--manifest-path rust/Cargo.toml -- --exact cart::tests::adds from_outside",
        ),
        ("dotnet", ("Deep",), "--filter FullyQualifiedName~Shop.Tests.ShopTests+Inner.Deep"),
        ("gradle", ("plain",), ":kt:test --tests com.x.CartTest.plain"),
        ("gradle", ("adds two",), ":kt:test --tests com.x.CartTest"),
        ("rspec", ('it "loses"',), "rb/spec/cart_spec.rb:4"),
        ("phpunit", ("testAdd",), "--filter App.Tests.CartTest::testAdd"),
        ("mix", ("test adds",), "ex/test/cart_test.exs:3"),
        ("swift", ("CartTests.testAdd",), "--filter CartTests/testAdd"),
        ("bats", ("it works",), "sh/cart.bats"),
        ("busted", ("spec.lua",), "lua/spec/cart_spec.lua"),
        ("dart", ("cart_test.dart",), "dart/test/cart_test.dart"),
    ],
)  # fmt: skip
def test_each_runner_gets_its_own_words(
    mixed: GraphColumns, runner: str, words: tuple[str, ...], expected: str
) -> None:
    if runner == "go" and "Benchmark" not in words[0]:
        rows = [row for row in chosen(mixed, "cart_test.go") if row.name in ("TestAdd", "ExampleAdd")]
    else:
        rows = [row for row in chosen(mixed, *words) if "never" not in row.name]
    assert formatted(rows, mixed, "args", runner, fold=False) == expected


# Verifies REQ-RUN-011.
def test_maven_gets_nested_classes_and_their_methods(mixed: GraphColumns) -> None:
    words = formatted(chosen(mixed, "deep", "total()"), mixed, "args", "maven").split(" ")
    assert words[:3] == ["-f", "./jvm/pom.xml", "-Dtest=com.x.ShopTest$Inner#deep,com.x.ShopTest#total"]
    assert formatted([], mixed, "args", "maven") == "-DskipTests"


# Verifies REQ-RUN-010.
def test_args_are_for_one_runner(mixed: GraphColumns) -> None:
    rows = chosen(mixed, "test_sum", "TestAdd", "zig/")
    assert runners_of(rows, mixed) == ["go", "pytest"]
    assert {"go", "pytest", "maven", "gradle", "vitest"} <= set(runners_of([], mixed))
    with pytest.raises(RunnerError, match="several runners: go, pytest") as raised:
        formatted(rows, mixed, "args")
    assert "--runner" in raised.value.suggestion
    notes: list[str] = []
    assert formatted(rows, mixed, "args", "go", note=notes.append).endswith(" ./cart")
    assert notes == ["2 tests of other runners left out"]
    with pytest.raises(RunnerError, match="no runner is known for tests in zig"):
        formatted(chosen(mixed, "zig/"), mixed, "args")
    with pytest.raises(UsageError, match="unknown runner 'pytests'"):
        formatted(rows, mixed, "args", "pytests")
    with pytest.raises(UsageError, match="unknown format"):
        formatted(rows, mixed, "tap")


# Verifies REQ-RUN-011.
def test_a_file_of_which_every_test_is_chosen_is_one_word(mixed: GraphColumns) -> None:
    rows = chosen(mixed, "py/")
    assert formatted(rows, mixed, "args") == "py/test_shop.py"
    assert len(formatted(rows[1:], mixed, "args").split()) == len(rows) - 1
    assert len(formatted(rows, mixed, "args", fold=False).split()) == len(rows) == 4


# Verifies REQ-RUN-013.
def test_a_line_that_would_be_too_long_is_widened(mixed: GraphColumns, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, notes = chosen(mixed, "test_sum", "test_top"), []
    for most, expected in ((200, 2), (60, "py/test_shop.py"), (10, "py"), (2, ".")):
        monkeypatch.setattr(selectors, "MOST_BYTES", most)
        words = formatted(rows, mixed, "args", note=notes.append)
        assert words == expected or len(words.split()) == expected
        if most < 200:
            assert "longer than" in notes[-1]
    for runner in runners_of([], mixed):
        monkeypatch.setattr(selectors, "MOST_BYTES", 0)
        assert len(formatted(chosen(mixed), mixed, "args", runner)) < 100, runner


# Verifies REQ-RUN-013.
def test_no_chosen_test_gives_words_that_run_none(mixed: GraphColumns, root: Path) -> None:
    for runner in runners_of([], mixed):
        assert formatted([], mixed, "args", runner).strip()
    with pytest.raises(RunnerError, match="several runners"):
        formatted([], mixed, "args")
    notes: list[str] = []
    words = formatted([], mixed, "args", "pytest", note=notes.append)
    assert notes == ["no test to run: --version --version runs none"]
    done = run(PYTEST, words, root / "py")
    assert done.returncode == 0 and "passed" not in done.stdout
    (root / "none.txt").write_text(formatted([], mixed, "pytest"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", f"@{root / 'none.txt'}"], cwd=root / "py", capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "passed" not in done.stdout


# Verifies REQ-RUN-011.
def test_pytest_runs_what_is_chosen(mixed: GraphColumns, root: Path) -> None:
    done = run(PYTEST, formatted(chosen(mixed, "test_sum", "test_order"), mixed, "args"), root)
    assert sorted(re.findall(r"^PASSED (\S+)", done.stdout, re.MULTILINE)) == [
        "py/test_shop.py::Orders::test_order",
        "py/test_shop.py::TestCart::TestTotal::test_sum",
    ]


# Verifies REQ-RUN-011.
@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not installed")
def test_go_runs_what_is_chosen(mixed: GraphColumns, root: Path, tmp_path: Path) -> None:
    rows = [row for row in chosen(mixed, "cart_test.go") if row.name == "TestAdd"]
    environment = {"GOFLAGS": "-mod=mod", "GO111MODULE": "on"}
    done = run("go test -v", formatted(rows, mixed, "args"), root, **environment)
    assert done.returncode == 0, done.stdout
    assert re.findall(r"^--- PASS: (\S+)", done.stdout, re.MULTILINE) == ["TestAdd"]
    done = run("go test", formatted([], mixed, "args", "go"), root, **environment)
    assert done.returncode == 0 and "no test files" in done.stdout


# Verifies REQ-RUN-011.
@pytest.mark.skipif(shutil.which("cargo") is None, reason="Cargo is not installed")
def test_cargo_runs_what_is_chosen(mixed: GraphColumns, root: Path, tmp_path: Path) -> None:
    rows = [row for row in chosen(mixed, "rust/") if row.name in ("tests.adds", "from_outside")]
    done = run("cargo test --offline", formatted(rows, mixed, "args"), root, CARGO_TARGET_DIR=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(re.findall(r"^test (\S+) \.\.\. ok", done.stdout, re.MULTILINE)) == [
        "cart::tests::adds",
        "from_outside",
    ]


HOSTILE = {
    "tests/-x/test_dash.py": "def test_dash(): pass\n",
    "tests/a b/test_blank.py": "def test_blank(): pass\n",
    "tests/$(touch owned)/test_shell.py": "def test_shell(): pass\n",
    "tests/it's/test_quote.py": "def test_quote(): pass\n",
    "tests/new\nline/test_line.py": "def test_line(): pass\n",
    "tests/[a]/test_bracket.py": "def test_bracket(): pass\n",
    "tests/star/test_*.py": "def test_star(): pass\n",
    "tests/cut\u2028line/test_separator.py": "def test_separator(): pass\n",
    "@top/test_at.py": "def test_at(): pass\n",
    "-o/test_option.py": "def test_option(): pass\n",
    "tests/plain/test_plain.py": "def test_plain(): pass\ndef test_other(): pass\n",
}


# Verifies REQ-RUN-013.
@pytest.mark.parametrize("form", ["args", "pytest"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_no_name_is_read_as_an_option_a_command_or_another_file(tmp_path: Path, form: str) -> None:
    columns = indexed(tmp_path, HOSTILE)
    single: list[SelectedTest] = []
    for test in chosen(columns):
        notes: list[str] = []
        words = formatted([test], columns, form, fold=False, note=notes.append)
        if form == "args":
            assert shlex.split(words) == words.split() == [shlex.quote(word) for word in words.split()]
        assert len(words.splitlines()) == 1
        path, _, name = words.partition("::")
        if name:
            assert (tmp_path / path).samefile(tmp_path / test.path) and not notes and not path.startswith(("-", "@"))
            single.append(test)
        else:
            assert (tmp_path / path) in (tmp_path / test.path).parents and notes
    assert len(single) == (5 if form == "args" else 9)
    line = formatted(single, columns, form, fold=False)
    (tmp_path / "lines.txt").write_text(line, encoding="utf-8")
    done = run(PYTEST, line if form == "args" else "@lines.txt", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(re.findall(r"^PASSED .*::(\w+)", done.stdout, re.MULTILINE)) == sorted(one.name for one in single)
    assert not (tmp_path / "owned").exists()
    assert formatted(chosen(columns, "a b/"), columns, "pytest", fold=False) == "tests/a b/test_blank.py::test_blank"
    assert formatted(chosen(columns, "a b/"), columns, "args") == "tests"


# Verifies REQ-RUN-010.
def test_text_is_one_line_a_test_and_a_command_to_paste(mixed: GraphColumns) -> None:
    rows = [
        *chosen(mixed, "Deep"),
        SelectedTest("py/\x1b[2Jx.py::test\n", "py/\x1b[2Jx.py", "test\n", "It\u202e is.", "call", 0.5, None),
    ]
    lines = formatted(rows, mixed, "text").splitlines()
    assert lines == [
        "net/ShopTests.cs::ShopTests.Inner.Deep  call 0.90  1.50 s  It calls it.",
        "py/\\x1b[2Jx.py::test\\n  call 0.50  It\\u202e is.",
        "run: dotnet test --filter 'FullyQualifiedName~Shop.Tests.ShopTests+Inner.Deep'",
        "run: pytest py",
    ]
    assert formatted([], mixed, "text") == "no tests"


# Verifies REQ-RUN-010.
def test_json_holds_the_rows_in_order(mixed: GraphColumns) -> None:
    rows = list(reversed(chosen(mixed, "py/")))
    found = json.loads(formatted(rows, mixed, "json"))
    assert [row["id"] for row in found] == [row.id for row in rows]
    assert found[0].keys() == {"id", "path", "name", "reason", "how", "confidence", "seconds"}
