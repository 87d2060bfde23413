"""Six small repositories that depend on each other: two of npm, two of Python, two of Go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from loregraph.project import Project
from loregraph.workspaces.project import WorkspaceProject

from ..shop import written
from ..stores import adopted

WEB = {
    "package.json": '{"name": "shop-web", "dependencies": {"@acme/client": "^2.0.0"}}',
    "src/page.ts": """
import { Client, format } from '@acme/client';
import { retry } from '@acme/client/retry';
import { total } from 'unlisted';

export class ShopClient extends Client {}

export function show(id: string): string {
    const client = new Client();
    retry();
    total();
    return format(client.get(id));
}
""",
}
CLIENT = {
    "package.json": """{"name": "@acme/client", "version": "2.1.0",
        "exports": {".": "./src/index.ts", "./retry": "./src/retry.ts"}}""",
    "src/index.ts": "export { Client } from './client';\nexport * from './text';\n",
    "src/client.ts": """
export class Base {
    get(id: string): string { return id; }
}

export class Client extends Base {}
""",
    "src/text.ts": "export function format(text: string): string { return text; }\n",
    "src/retry.ts": "export function retry(): void {}\n",
    # The same name, in a package that nobody depends on.
    "other/package.json": '{"name": "unlisted"}',
    "other/index.js": "export function total() {}\n",
}
BILLING = {
    "pyproject.toml": '[project]\nname = "billing"\ndependencies = ["Acme_Money>=1"]\n',
    "billing/__init__.py": "",
    "billing/app.py": '''
from money import Amount
from money.rates import rate
import ledger


class Price(Amount):
    """What something costs."""


def charge(cents: int) -> str:
    # Implements REQ-MON-001.
    ledger.book(cents)
    return Amount(cents).shown() + rate("EUR")
''',
}
MONEY = {
    "pyproject.toml": '[project]\nname = "acme-money"\nversion = "1.2"\n[tool.setuptools.package-dir]\n"" = "src"\n',
    "src/money/__init__.py": "from money.amount import Amount\n",
    "src/money/amount.py": '''
class Shown:
    def shown(self) -> str:
        return "?"


class Amount(Shown):
    """So many cents."""

    def __init__(self, cents: int) -> None:
        self.cents = cents
''',
    "src/money/rates.py": 'def rate(currency: str) -> str:\n    return "1"\n',
    "docs/requirements.md": "# Requirements\n\n### REQ-MON-001 Rounding\n\nAmounts shall be rounded.\n",
    # A module that others have under this name without depending on it.
    "ledger/pyproject.toml": '[project]\nname = "ledger"\n',
    "ledger/ledger.py": "def book(cents: int) -> None:\n    pass\n",
}
TOOL = {
    "go.mod": "module example.com/tool\n\nrequire example.com/flags v1.0.0\n",
    "main.go": """package main

import (
	"example.com/flags"
	"example.com/flags/values"
)

func run() {
	set := flags.New()
	set.Parse()
	values.Default()
}
""",
}
FLAGS = {
    "go.mod": "module example.com/flags\n",
    "flags.go": """package flags

type Set struct{}

func New() *Set { return &Set{} }
""",
    "parse.go": "package flags\n\nfunc (s *Set) Parse() {}\n",
    "values/values.go": "package values\n\nfunc Default() {}\n",
}
REPOSITORIES = {"web": WEB, "client": CLIENT, "billing": BILLING, "money": MONEY, "tool": TOOL, "flags": FLAGS}


def workspace_file(folder: Path, names: Mapping[str, str]) -> Path:
    """A workspace of folders, by name."""
    file = folder / "loregraph-workspace.toml"
    file.write_text("".join(f'[repositories.{name}]\npath = "{path}"\n' for name, path in names.items()))
    return file


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of whoever runs the tests reaches them, and joined graphs are made anew."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_EMBEDDER", "LOREGRAPH_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def _indexed(tmp_path_factory: pytest.TempPathFactory, parsers: None) -> Path:
    """The folder with all repositories, indexed without the engine's files."""
    from loregraph.graph import engine_build, store

    folder = tmp_path_factory.mktemp("repositories")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_build, "build", lambda _: store.engine_identity())
        for name, files in REPOSITORIES.items():
            with Project(written(folder / name, files)) as project:
                project.index(jobs=1)
    return folder


@pytest.fixture
def indexed(_indexed: Path) -> Path:
    """The folder with all repositories, which tests share and must not change."""
    return _indexed


@pytest.fixture
def copied(_indexed: Path, tmp_path: Path) -> Path:
    """The folder with all repositories, the test's own."""
    folder = tmp_path / "copied"
    shutil.copytree(_indexed, folder)
    for name in REPOSITORIES:
        adopted(folder / name)
    return folder


@pytest.fixture
def file(indexed: Path, tmp_path: Path) -> Path:
    """A workspace of all repositories."""
    return workspace_file(tmp_path, {name: str(indexed / name) for name in REPOSITORIES})


@pytest.fixture
def workspace(file: Path) -> Iterator[WorkspaceProject]:
    with WorkspaceProject(file) as project:
        yield project
