"""One small project, indexed once, and servers for it that are asked in memory."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from loregraph.mcp_server.server import Service
from loregraph.mcp_server.workspace import Workspace
from loregraph.project import Project

from ..shop import SHOP, written
from ..stores import adopted

FILES = {
    **SHOP,
    "shop/money.py": SHOP["shop/money.py"]
    + '''

def exchange(amount: float, rate: float, fee: float) -> float:
    """Convert an amount to another currency, less a fee."""
    if rate <= 0:
        raise ValueError("rate must be positive")
    converted = amount * rate
    if fee > converted:
        return 0.0
    return converted - fee
''',
    "shop/abroad.py": '''
def convert(value: float, factor: float, cost: float) -> float:
    """Convert an amount to another currency, less a fee."""
    if factor <= 0:
        raise ValueError("factor must be positive")
    result = value * factor
    if cost > result:
        return 0.0
    return result - cost
''',
}

VARIABLES = (
    "LOREGRAPH_STORE",
    "LOREGRAPH_EMBEDDER",
    "LOREGRAPH_DEBUG",
    "LOREGRAPH_TOKEN",
    "LOG_LEVEL",
    "MAX_CORE_MEMORIES",
    "MAX_LEARNINGS",
    "MAX_TASKS",
)


@dataclass(frozen=True)
class Answer:
    """What a tool answered: its structured content, the text beside it, and whether it is an error."""

    body: dict[str, Any]
    text: str
    is_error: bool

    @property
    def code(self) -> str:
        assert self.is_error, self.body
        code: str = self.body["error"]["code"]
        return code

    @property
    def message(self) -> str:
        message: str = self.body["error"]["message"]
        return message


class Asker:
    """A client of one server, asked from a test that is not async."""

    def __init__(self, portal: BlockingPortal, client: Client, service: Service) -> None:
        self.portal = portal
        self.client = client
        self.service = service
        self.root = service.workspace.root

    def __call__(self, tool: str, /, **arguments: Any) -> Answer:
        result: Any = self.portal.call(self.client.call_tool, tool, arguments)
        return Answer(result.structured_content, result.content[0].text, bool(result.is_error))

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The body of an answer that is no error."""
        answer = self(tool, **arguments)
        assert not answer.is_error, answer.body
        return answer.body

    def tools(self) -> list[Any]:
        return list(self.portal.call(self.client.list_tools).tools)

    def finished(self, job_id: str, tool: str = "index_status") -> dict[str, Any]:
        """The state of a job once it is over."""
        kind = "index" if tool == "index_status" else "normalize"
        job = self.service.jobs.get(job_id, kind)
        while not job.over:
            job.wait(1.0)
        body = self.ok(tool, job_id=job_id)
        found: dict[str, Any] = body["job"] if tool == "index_status" else body
        return found


Connect = Callable[..., Asker]


def write_project(root: Path) -> Path:
    written(root, FILES)
    (root / "loregraph.toml").write_text('project_id = "shop"\n', encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No setting or memory of whoever runs the tests reaches them."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    monkeypatch.setenv("MEMORY_DIR", str(folder / "agent-memories"))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(scope="session")
def _indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_project(tmp_path_factory.mktemp("indexed"))
    with Project(root) as project:
        project.index(jobs=1)
    return root


@pytest.fixture
def root(_indexed: Path, tmp_path: Path) -> Path:
    """An indexed project that the test may change."""
    return adopted(Path(shutil.copytree(_indexed, tmp_path / "project")))


@pytest.fixture
def connect(root: Path) -> Iterator[Connect]:
    """Connects a client to a server of its own, in the newest protocol unless `mode` says otherwise."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())

        def new(profile: str = "code-memory", *, at: Path = root, mode: Any = "auto", **options: Any) -> Asker:
            service = Service(Workspace(at, **options), profile)
            stack.callback(service.close)
            client = stack.enter_context(portal.wrap_async_context_manager(Client(service.server, mode=mode)))
            return Asker(portal, client, service)

        yield new


@pytest.fixture
def ask(connect: Connect) -> Asker:
    """A client of the default profile."""
    return connect()
