"""A served project that changes, asked through the official Python client: an answer is right, or says that it is not.

Nothing here depends on how fast that is: a right answer is waited for, and every other answer until then has to name
the changed file.
"""

# Verifies REQ-IDX-018, REQ-CLI-018.

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from loregraph.project import open_project

from .test_stdio import parameters

Body = dict[str, Any]

PATIENCE = 60.0
"""Seconds after which an answer is taken never to become right."""
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "core.hooksPath=/dev/null")


class Served:
    """A client of a running server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Body:
        answer = await self.client.call_tool(tool, arguments)
        body: Body = answer.structured_content
        return body

    async def until(self, is_right: Callable[[Body], bool], changed: str, tool: str, **arguments: Any) -> Body:
        """The first right answer. Any before it has to name the file `changed`."""
        end = time.monotonic() + PATIENCE
        while not is_right(body := await self.call(tool, **arguments)):
            assert changed in named_stale(body), body
            assert time.monotonic() < end, body
        return body

    async def signature(self, expected: str, path: str, name: str) -> None:
        """Waits until `code_search` has a signature of a function."""
        await self.until(
            lambda body: any(expected in hit["signature"] for hit in body["results"] if hit["name"] == name),
            path,
            "code_search",
            query=name,
            path=path,
        )

    async def watcher(self) -> int:
        """Waits until some process follows the project; returns its id."""
        end = time.monotonic() + PATIENCE
        while not (pid := (await self.call("index_status"))["index"]["watch"]["pid"]):
            assert time.monotonic() < end
            await anyio.sleep(0.02)
        return int(pid)


def named_stale(body: Body) -> list[str]:
    """The files that an answer, or an error, says are not as it has them."""
    found: list[str] = (body["error"]["details"] if "error" in body else body).get("stale", [])
    return found


@asynccontextmanager
async def serving(root: Path, *more: str) -> AsyncIterator[Served]:
    """A server that has a graph to follow, or is told not to."""
    async with Client(parameters(root, *more)) as client:
        served = Served(client)
        await served.call("code_search", query="round")
        yield served


def run(test: Callable[[], Awaitable[None]]) -> None:
    anyio.run(test)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


def committed(root: Path) -> Path:
    git(root, "init", "--quiet", "--initial-branch=main")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "as it was")
    return root


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_edits_deletions_new_names_and_switches_are_answered_right(root: Path) -> None:
    committed(root)
    git(root, "switch", "--quiet", "--create", "other")
    edit(root / "shop/money.py", "(amount: float) -> float:", "(amount: float, exact: bool = True) -> float:")
    (root / "shop/tax.py").write_text("def tax(amount: float) -> float:\n    return amount * 0.2\n", encoding="utf-8")
    (root / "shop/cart.py").unlink()
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "another")
    git(root, "switch", "--quiet", "main")

    async def test() -> None:
        async with serving(root) as served:
            edit(root / "shop/money.py", "(amount: float) -> float:", "(amount: float, places: int = 2) -> float:")
            await served.signature("places: int = 2", "shop/money.py", "round_price")

            # Lines of what only moved, and a caller that was not there.
            edit(
                root / "shop/money.py",
                "def exchange(",
                "def doubled(x: float) -> float:\n    return round_price(2 * x)\n\n\ndef exchange(",
            )
            callers = {"entity_id": "shop/money.py::round_price", "relationship_types": ["CALLS"]}
            await served.until(
                lambda body: "shop/money.py::doubled" in str(body["related"]),
                "shop/money.py",
                "get_related",
                **callers,
                direction="INCOMING",
            )

            # Whatever is indexed by then: a deleted file does not answer, not even once.
            (root / "shop/abroad.py").unlink()
            body = await served.call("get_related", entity_id="shop/abroad.py::convert")
            assert body["error"]["code"] == "NOT_FOUND", body
            body = await served.call("code_search", query="convert an amount to another currency")
            assert "shop/abroad.py" not in {hit["file_path"] for hit in body["results"]}

            (root / "shop/cart.py").rename(root / "shop/basket.py")
            body = await served.call("get_related", entity_id="shop/cart.py::Cart.total")
            assert body["error"]["code"] == "NOT_FOUND", body
            await served.until(
                lambda body: "shop/basket.py::Cart.total" in {hit["id"] for hit in body["results"]},
                "shop/basket.py",
                "code_search",
                query="total",
                path="shop/basket.py",
            )

            git(root, "add", "--all")
            git(root, "commit", "--quiet", "--message", "edited")
            git(root, "switch", "--quiet", "other")
            await served.signature("exact: bool = True", "shop/money.py", "round_price")
            await served.signature("tax(amount: float)", "shop/tax.py", "tax")
            assert "error" in await served.call("get_related", entity_id="shop/basket.py::Cart.total")
            git(root, "switch", "--quiet", "main")
            await served.signature("places: int = 2", "shop/money.py", "round_price")
            await served.signature("total(", "shop/basket.py", "total")
            assert "error" in await served.call("get_related", entity_id="shop/tax.py::tax")

    run(test)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_one_of_two_servers_indexes_and_the_other_takes_over(root: Path) -> None:
    async def test() -> None:
        async with AsyncExitStack() as stack:
            servers = [await stack.enter_async_context(serving(root)) for _ in range(2)]
            pids = {await served.watcher() for served in servers}
            assert len(pids) == 1
            edit(root / "shop/money.py", "(amount: float) -> float:", "(amount: float, places: int = 2) -> float:")
            for served in servers:
                await served.signature("places: int = 2", "shop/money.py", "round_price")

            (killed,) = pids
            os.kill(killed, signal.SIGKILL)
            left = await survivor(servers)
            edit(root / "shop/money.py", "places: int = 2", "digits: int = 2")
            await left.signature("digits: int = 2", "shop/money.py", "round_price")
            assert await left.watcher() != killed

    run(test)


async def survivor(servers: list[Served]) -> Served:
    """The one server that still answers."""
    answering: list[Served] = []
    for served in servers:
        try:
            with anyio.fail_after(PATIENCE):
                await served.call("index_status")
        except Exception as error:  # whatever the client makes of a closed pipe
            assert not isinstance(error, AssertionError)
        else:
            answering.append(served)
    (left,) = answering
    return left


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_worktree_inside_a_checkout_is_a_project_of_its_own(root: Path) -> None:
    committed(root)

    async def test() -> None:
        async with serving(root) as outer:
            git(root, "worktree", "add", "--quiet", "-b", "inner", "wt")
            inside = root / "wt"
            edit(inside / "shop/money.py", "(amount: float) -> float:", "(amount: float, inner: int = 2) -> float:")
            # By now the outer server has seen what was made before this edit of its own.
            edit(root / "shop/money.py", "(amount: float) -> float:", "(amount: float, outer: int = 2) -> float:")
            await outer.signature("outer: int = 2", "shop/money.py", "round_price")
            body = await outer.call("code_search", query="round_price", limit=50)
            assert {hit["file_path"] for hit in body["results"] if "/" in hit["id"]} <= outer_files(root)
            assert not any("inner" in hit["signature"] for hit in body["results"])

            # The inner one is found around its own folder, and has a graph of its own.
            with open_project(inside / "shop") as project:
                assert project.root == inside
                project.index(jobs=1)
            async with serving(inside) as inner:
                await inner.signature("inner: int = 2", "shop/money.py", "round_price")
                edit(inside / "shop/money.py", "inner: int = 2", "inmost: int = 2")
                await inner.signature("inmost: int = 2", "shop/money.py", "round_price")
            await outer.signature("outer: int = 2", "shop/money.py", "round_price")

    run(test)


def outer_files(root: Path) -> set[str]:
    """The Python files of the outer work tree."""
    found = {file.relative_to(root).as_posix() for file in root.rglob("*.py")}
    return {path for path in found if not path.startswith("wt/")}


def test_without_watching_an_answer_says_that_it_is_old(root: Path) -> None:
    async def test() -> None:
        async with serving(root, "--no-watch") as served:
            edit(root / "shop/money.py", "(amount: float) -> float:", "(amount: float, places: int = 2) -> float:")
            for _ in range(2):
                body = await served.call("code_search", query="round_price")
                (hit,) = (hit for hit in body["results"] if hit["name"] == "round_price")
                assert "places" not in hit["signature"]
                assert "shop/money.py" in named_stale(body), body
            assert (await served.call("index_status"))["index"]["watch"]["by"] == ""
            (root / "shop/abroad.py").unlink()
            body = await served.call("get_related", entity_id="shop/abroad.py::convert")
            assert body["error"]["code"] == "NOT_FOUND", body

    run(test)
