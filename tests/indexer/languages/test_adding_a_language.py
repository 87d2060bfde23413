"""The language that docs/adding-a-language.md adds as its example comes out as the page says."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.indexer import languages
from loregraph.indexer.extract import file as extract
from loregraph.indexer.languages import registry
from loregraph.indexer.resolve import policies
from tests.indexer.languages import carets
from tests.indexer.languages.edges import calls_between

PAGE = Path(__file__).parents[3] / "docs" / "adding-a-language.md"

LAYOUT = """
from loregraph.indexer.languages.packaging import layout


class Layout(layout.Layout):
    def __init__(self, paths, packaging, reader):
        self._files = layout.Files(paths)

    def module_name(self, path, package):
        return path.removesuffix(".gleam").replace("/", ".")

    def file_of(self, importing_path, module):
        path = f"{importing_path.rpartition('/')[0]}/{module}.gleam"
        return path if self._files.has(path) else None
"""


def blocks(kind: str) -> list[str]:
    """The fenced blocks of one kind, in the order of the page."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def gleam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Gleam, registered as the page has it."""
    written(tmp_path)
    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(tmp_path)])
    [row] = importlib.import_module("loregraph.indexer.languages.gleam.language").LANGUAGES
    monkeypatch.setitem(registry.FOLDERS, "gleam", "gleam")
    for extension in row.extensions:
        monkeypatch.setitem(registry.BY_EXTENSION, extension, row.name)
    yield
    for name in [name for name in sys.modules if name.startswith("loregraph.indexer.languages.gleam")]:
        del sys.modules[name]
    for known in (languages.spec_of, languages.query_of, policies.policy_of, extract._query):
        known.cache_clear()


def written(folder: Path) -> None:
    """Writes the language of the page to a folder."""
    (folder / "gleam").mkdir()
    (folder / "gleam" / "__init__.py").touch()
    (folder / "gleam" / "query.scm").write_text(blocks("scheme")[0], encoding="utf-8")
    for name, text in zip(("language", "spec", "policy"), blocks("python"), strict=True):
        (folder / "gleam" / f"{name}.py").write_text(text, encoding="utf-8")


# Verifies REQ-IDX-019.
def test_a_folder_is_all_that_a_language_takes(tmp_path: Path) -> None:
    (tmp_path / "languages").mkdir()
    written(tmp_path / "languages")
    project = tmp_path / "project"
    (project / "src" / "shop").mkdir(parents=True)
    (project / "gleam.toml").write_text('name = "shop"\n', encoding="utf-8")
    (project / "src" / "shop" / "money.gleam").write_text("pub fn add(a, b) { round(a) }\nfn round(a) { a }\n", "utf-8")
    code = (
        "import sys, loregraph.indexer.languages as languages; languages.__path__.append(sys.argv[1])\n"
        "import loregraph\n"
        "with loregraph.open(sys.argv[2]) as project:\n"
        "    project.index(jobs=1, embed=False)\n"
        "    print([hit.id for hit in project.callers('round')])\n"
        "    print(project.query('MATCH (c:Component) RETURN c.kind AS kind'))\n"
        "    print(project.query('MATCH (f:File) RETURN f.language AS language'))\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "languages"), str(project)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "['src/shop/money.gleam::add']",
        "[{'kind': 'gleam-project'}]",
        "[{'language': 'toml'}, {'language': 'gleam'}]",
    ]


# Verifies REQ-IDX-019.
def test_a_folder_says_itself_which_files_its_imports_read(tmp_path: Path) -> None:
    made = tmp_path / "languages"
    made.mkdir()
    written(made)
    (made / "gleam" / "layout.py").write_text(LAYOUT, encoding="utf-8")
    record, policy = made / "gleam" / "language.py", made / "gleam" / "policy.py"
    record.write_text(record.read_text("utf-8").replace('(".gleam",),', '(".gleam",), layout="gleam",'), "utf-8")
    policy.write_text(policy.read_text("utf-8").replace('style="package", package_scope=True', 'style="file"'), "utf-8")
    project = tmp_path / "project"
    (project / "lib").mkdir(parents=True)
    (project / "lib" / "money.gleam").write_text("pub fn add(a) { a }\n", "utf-8")
    (project / "lib" / "cart_test.gleam").write_text("import money\n\npub fn run() { money.add(1) }\n", "utf-8")
    code = (
        "import sys, loregraph.indexer.languages as languages; languages.__path__.append(sys.argv[1])\n"
        "import loregraph\n"
        "from loregraph.indexer.languages.registry import is_test_path\n"
        "with loregraph.open(sys.argv[2]) as project:\n"
        "    project.index(jobs=1, embed=False)\n"
        "    print([hit.id for hit in project.callers('add')])\n"
        "    print(project.query('MATCH (f:Function) RETURN f.qualified_name AS name'))\n"
        "print(is_test_path('lib/cart_test.gleam'), is_test_path('lib/money.gleam'))\n"
    )
    words = [sys.executable, "-c", code, str(made), str(project)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "['lib/cart_test.gleam::run']",
        "[{'name': 'lib.cart_test.run'}, {'name': 'lib.money.add'}]",
        "True False",
    ]


@pytest.mark.usefixtures("gleam")
def test_the_fixture_of_the_page_says_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fixture = tmp_path / "orders.gleam"
    fixture.write_text(blocks("gleam")[0], encoding="utf-8")
    monkeypatch.setattr(carets, "FIXTURES", tmp_path)
    assert carets.failures(fixture, "gleam") == []


@pytest.mark.usefixtures("gleam")
def test_the_policy_of_the_page_finds_calls_across_files() -> None:
    edges = calls_between(
        {
            "src/shop/money.gleam": "pub fn add(a, b) { round(a) }\nfn round(a) { a }",
            "src/shop/orders.gleam": blocks("gleam")[0],
        }
    )
    assert edges == {("add", "round"), ("total.<lambda1>", "add")}


def test_what_the_page_names_is_there() -> None:
    root = Path(languages.__file__).parents[3]
    names = set(re.findall(r"`((?:\w+/)*\w+(?:\.py|/))`", PAGE.read_text(encoding="utf-8")))
    named = {name for name in names if "/" in name}
    assert len(named) > 10
    places = ("", "loregraph", "loregraph/indexer", "loregraph/indexer/languages", "tests/indexer/languages")
    within = [root / place for place in places] + [*(root / "loregraph" / "analysis").iterdir()]
    missing = [name for name in sorted(named) if not any((place / name).exists() for place in within)]
    assert missing == []
