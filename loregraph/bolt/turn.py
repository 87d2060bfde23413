"""Whose turn it is to push a repository: at any time one push loads it, the others wait.

The node of the repository has an `owner`, a random token. It is taken by comparing and setting it in one transaction,
after a write to the node, which every server either locks or refuses to commit twice. Every transaction of a push adds
one to `beat`, the owner's sign of life, and has no effect where the owner is another by now: a push that lost its turn
cannot write any more, however slow it was. That is why a waiting push may take the turn from an owner whose `beat` did
not change while it looked `LOOKS` times: if the owner was only slow, it fails cleanly, and nothing that readers see was
its own. No clock is compared with that of another machine.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from loregraph.bolt.connection import Connection, UnexpectedRowsError
from loregraph.bolt.layout import REPOSITORY
from loregraph.bolt.messages import Result, Statement
from loregraph.errors import LoregraphError, TurnLostError

LOOKS: Final = 30
"""How often a waiting push looks at an owner without a sign of life before it takes its place."""
LOOK_SECONDS: Final = 2.0
"""Seconds between two looks. The transactions of a push are much shorter than `LOOKS` times that."""

_STATE: Final = (
    "r.owner AS owner, r.beat AS beat, r.number AS number, r.digest AS digest, r.next AS next, r.leftover AS leftover"
)
_TAKE: Final = f"""
MERGE (r:{REPOSITORY} {{name: $name}})
ON CREATE SET r.next = 0, r.beat = 0, r.leftover = []
SET r.asked = $owner
WITH r WHERE r.owner IS NULL
SET r.owner = $owner, r.beat = r.beat + 1
RETURN {_STATE}
"""
_TAKE_OVER: Final = f"""
MATCH (r:{REPOSITORY} {{name: $name}})
SET r.asked = $owner
WITH r WHERE r.owner = $before AND r.beat = $beat
SET r.owner = $owner, r.beat = r.beat + 1
RETURN {_STATE}
"""
_LOOK: Final = f"MATCH (r:{REPOSITORY} {{name: $name}}) RETURN {_STATE}"
_FENCE: Final = f"""
MATCH (r:{REPOSITORY} {{name: $name}})
SET r.beat = r.beat + 1
WITH r WHERE r.owner = $owner
RETURN count(r) AS owners
"""
_RELEASE: Final = f"MATCH (r:{REPOSITORY} {{name: $name}}) WHERE r.owner = $owner REMOVE r.owner"


class State(msgspec.Struct, frozen=True):
    """What a repository's node says: the number and digest of the generation to be seen (0 and "" before the first),
    the last number given to one, and the numbers of those that may still have nodes beside it."""

    number: int
    digest: str
    next: int
    leftover: tuple[int, ...]


# Implements REQ-SRV-007.
class Turn:
    """A push's turn to load the repository `name`. `waiting` is called once where another has it; `pause` waits between
    two looks."""

    def __init__(
        self,
        connection: Connection,
        name: str,
        *,
        waiting: Callable[[], None] = lambda: None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._connection = connection
        self._name = name
        self._owner = secrets.token_hex(16)
        self._waiting = waiting
        self._pause = pause

    def take(self) -> State:
        """Waits for the turn. Returns what the repository's node says."""
        told, looked, seen = False, 0, (None, None)
        while True:
            if taken := self._try(_TAKE):
                return taken
            if not told:
                told = True
                self._waiting()
            owner = self._look()
            looked, seen = (looked + 1, seen) if owner == seen else (0, owner)
            if looked >= LOOKS and (taken := self._try(_TAKE_OVER, before=seen[0], beat=seen[1])):
                return taken
            self._pause(LOOK_SECONDS)

    def write(self, statements: Sequence[Statement]) -> list[Result]:
        """Runs `statements` as one transaction, if it is still this push's turn. Raises TurnLostError where it is not,
        and UnexpectedRowsError with the index of a statement that gave another count than it has to."""
        fence = Statement(_FENCE, {"name": self._name, "owner": self._owner}, rows=1)
        try:
            return self._connection.write([fence, *statements])[1:]
        except UnexpectedRowsError as unexpected:
            if unexpected.index:
                raise UnexpectedRowsError(unexpected.index - 1) from None
            raise TurnLostError(
                f"another push of {self._name} took over while this one gave no sign of life", "push again"
            ) from None

    def change(self, change: str, **values: Any) -> None:
        """Changes the repository's node `r`: `change` is what follows SET."""
        where = {"name": self._name, **values}
        self.write([Statement(f"MATCH (r:{REPOSITORY} {{name: $name}}) SET {change}", where)])

    def release(self) -> None:
        """Lets the next push begin. Where the server is gone, that one has to find out by itself."""
        with suppress(LoregraphError):
            self._connection.write([Statement(_RELEASE, {"name": self._name, "owner": self._owner})])

    def _try(self, cypher: str, **values: Any) -> State | None:
        result = self._connection.write([Statement(cypher, {"name": self._name, "owner": self._owner, **values})])[0]
        if not result.rows:
            return None
        row = dict(zip(result.columns, result.rows[0], strict=True))
        return State(row["number"] or 0, row["digest"] or "", row["next"], tuple(row["leftover"] or ()))

    def _look(self) -> tuple[Any, Any]:
        result = self._connection.read(Statement(_LOOK, {"name": self._name}))
        if not result.rows:
            return None, None
        row = dict(zip(result.columns, result.rows[0], strict=True))
        return row["owner"], row["beat"]
