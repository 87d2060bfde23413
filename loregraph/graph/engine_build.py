"""Builds the engine's file of a generation, in a separate process if it is large.

Loading a large graph takes the engine 250 MB, which a separate process returns to the system when it ends; in the
current process they would add to the memory that resolution has used.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec

from loregraph import orphans
from loregraph.errors import StoreError
from loregraph.graph import store
from loregraph.graph.columns import GraphColumns
from loregraph.worker_process import command, receive, send, take_output

ALONE_FROM_ROWS: Final = 20_000
"""Number of nodes and edges from which on a separate process is worth its start, .3 s."""


class _Answer(msgspec.Struct):
    """`identity` is the engine that wrote the file; None where it failed, for the reason in `message`."""

    identity: store.EngineIdentity | None = None
    message: str = ""
    suggestion: str = ""


# Implements REQ-STO-010.
def build(folder: Path) -> store.EngineIdentity:
    """Builds the engine's file of the generation in `folder` from its columns; returns the engine's identity.

    Raises StoreError where the engine refuses, for lack of space for instance, and where its process was killed.
    """
    columns = GraphColumns.open(folder)
    if columns.node_count + columns.edge_count < ALONE_FROM_ROWS:
        return store.write_graph(folder, columns)
    del columns
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with orphans.start(command(__name__, str(folder)), stdin=nowhere, stdout=pipe, stderr=nowhere) as process:
        assert process.stdout is not None
        content = receive(process.stdout)
    if content is None:
        raise StoreError(
            f"the process that builds {store.GRAPH_FILE} was ended, for want of memory perhaps",
            "run `loregraph index` again; the graph is as it was",
        )
    answer = msgspec.msgpack.decode(content, type=_Answer)
    if answer.identity is None:
        raise StoreError(answer.message, answer.suggestion)
    return answer.identity


def main() -> None:
    """Builds the file of the generation given by the argument and prints the outcome."""
    orphans.end_with_parent()
    output = take_output()
    folder = Path(sys.argv[2])
    try:
        answer = _Answer(store.write_graph(folder, GraphColumns.open(folder)))
    except StoreError as error:
        answer = _Answer(None, error.message, error.suggestion)
    send(output, msgspec.msgpack.encode(answer))
