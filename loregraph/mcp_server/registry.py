"""The registry of tools: functions whose signatures define the arguments, and whose return types define the answers."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

import msgspec

F = TypeVar("F", bound=Callable[..., msgspec.Struct])

READS: Final = "reads"
QUERIES: Final = "queries"
JOBS: Final = "jobs"
ANALYSES: Final = "analyses"
LANES: Final = {READS: 16, QUERIES: 2, JOBS: 8, ANALYSES: 1}
"""Maximum concurrent calls per queue; further ones wait. Slow kinds have queues of their own, so that they do not delay
quick ones."""

TOOLS: Final[dict[str, Tool]] = {}
"""Every tool by name, in the order of the modules that define them. See `profiles.load`."""


@dataclass(frozen=True)
class Tool:
    """One tool. `reads`: it changes nothing; `destroys`: data may be lost; `repeats`: it is idempotent. `rest` tells
    how to get what the token budget cut. `unlisted` are arguments that are accepted but, to save tokens, not shown
    unless a profile needs them. `apart`: it is answered in a process that can be killed, since its arguments do not
    bound its work. `lane` is the queue for its calls. `shows` are the fields of its record that the contract has, where
    the record of the library has others."""

    name: str
    function: Callable[..., msgspec.Struct]
    reads: bool
    destroys: bool
    repeats: bool
    rest: str
    unlisted: tuple[str, ...]
    apart: bool
    lane: str
    shows: tuple[str, ...]

    @cached_property
    def description(self) -> str:
        """The description for the model: the function's docstring on one line."""
        return " ".join((self.function.__doc__ or "").split())

    @cached_property
    def hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> type[msgspec.Struct]:
        """The arguments as a record that rejects unknown fields; those without a default are required."""
        fields: list[Any] = []
        for name, parameter in list(inspect.signature(self.function).parameters.items())[1:]:
            if parameter.default is inspect.Parameter.empty:
                fields.append((name, self.hints[name]))
            else:
                fields.append((name, self.hints[name], parameter.default))
        return msgspec.defstruct(f"{self.name}_arguments", fields, kw_only=True, forbid_unknown_fields=True)

    @cached_property
    def output(self) -> type[msgspec.Struct]:
        output: type[msgspec.Struct] = self.hints["return"]
        return output

    def body(self, answer: dict[str, Any]) -> dict[str, Any]:
        """The fields of an answer, as JSON values, that a client is sent."""
        return {name: answer[name] for name in self.shows if name in answer} if self.shows else answer


# Implements REQ-MCP-001, REQ-MCP-015.
def tool(
    *,
    reads: bool = False,
    destroys: bool = False,
    repeats: bool = False,
    rest: str = "",
    unlisted: tuple[str, ...] = (),
    apart: bool = False,
    lane: str = READS,
    shows: str = "",
) -> Callable[[F], F]:
    """Registers a function as a tool of its name. Its first parameter is the `Call`; its docstring is the
    description. `shows` are names with spaces between."""

    def register(function: F) -> F:
        found = Tool(
            function.__name__,
            function,
            reads,
            destroys,
            repeats or reads,
            rest,
            unlisted,
            apart,
            ANALYSES if apart else lane,
            tuple(shows.split()),
        )
        TOOLS[found.name] = found
        return function

    return register
