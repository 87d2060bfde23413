"""What a tool is: a function whose signature says its arguments, and whose return type says its answer."""

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
"""How many calls of a kind are worked on at once; further ones wait. Those that may take long stand in lines of their
own, so that none of them keeps a quick one waiting."""

TOOLS: Final[dict[str, Tool]] = {}
"""Every tool by name, in the order of the modules that define them. See `profiles.load`."""


@dataclass(frozen=True)
class Tool:
    """One tool. `reads` says that it changes nothing, `destroys` that something may be gone after it, `repeats` that a
    second equal call changes nothing more. `rest` tells how to get what the token budget cut. `unlisted` are arguments
    that are taken and, to save tokens, not shown unless a profile needs them. `apart` says that it is answered in a
    process that can be ended: its work has no bound that the arguments set. `lane` names the line its calls wait in."""

    name: str
    function: Callable[..., msgspec.Struct]
    reads: bool
    destroys: bool
    repeats: bool
    rest: str
    unlisted: tuple[str, ...]
    apart: bool
    lane: str

    @cached_property
    def description(self) -> str:
        """What the model reads: the function's docstring on one line."""
        return " ".join((self.function.__doc__ or "").split())

    @cached_property
    def hints(self) -> dict[str, Any]:
        return typing.get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> type[msgspec.Struct]:
        """The arguments as a record that refuses unknown fields; those without a default are required."""
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


# Implements REQ-MCP-001.
def tool(
    *,
    reads: bool = False,
    destroys: bool = False,
    repeats: bool = False,
    rest: str = "",
    unlisted: tuple[str, ...] = (),
    apart: bool = False,
    lane: str = READS,
) -> Callable[[F], F]:
    """Makes a function a tool of its name. Its first parameter is the `Call`; a docstring is its description."""

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
        )
        TOOLS[found.name] = found
        return function

    return register
