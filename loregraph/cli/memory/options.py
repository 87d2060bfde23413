"""Options shared by memory commands: the acting identity, filters, and the format of values."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from loregraph.cli.target import Target

F = TypeVar("F", bound=Callable[..., Any])

KINDS = (
    "requirements, design, code_pattern, component, function, test_history, session, user_preference, architecture, "
    "core, learning, task"
)
ONE_SCOPE = "Only this scope: project, agent, user, session or org."


def asked_by(command: F) -> F:
    """Gives a command the project's memory, for the identity in the options."""

    @click.option("--user", metavar="ID", help="Who asks. Default: git's e-mail.")
    @click.option("--agent", metavar="ID", help="The agent that asks; without one, agents' own are not seen.")
    @click.option("--session", metavar="ID", help="The session that asks.")
    @click.option("--project-id", metavar="ID", help="Another project of the same data folder.")
    @wraps(command)
    def asked(user: str | None, agent: str | None, session: str | None, project_id: str | None, **words: Any) -> None:
        target = click.get_current_context().find_object(Target)
        assert target is not None
        with target.open() as project:
            memories = project.memory.acting_as(user_id=user, agent_id=agent, session_id=session, project_id=project_id)
            try:
                command(memories, **words)
            finally:
                memories.close()

    return cast(F, asked)


def filtered(*, scope: str = ONE_SCOPE, tags: bool = True) -> Callable[[F], F]:
    """Gives a command `--kind`, `--scope`, whose help is `scope`, and `--tag` unless `tags` is False; their values are
    passed as `filters`: the arguments of that name of `ProjectMemory`."""

    def decorate(command: F) -> F:
        @wraps(command)
        def selected(*arguments: Any, **words: Any) -> None:
            command(*arguments, filters={name: words.pop(name) for name in names}, **words)

        options = [
            click.option("--kind", "kinds", multiple=True, help=f"Only this kind; repeatable: {KINDS}."),
            click.option("--scope", help=scope),
        ]
        names = ["kinds", "scope"]
        if tags:
            told = "Only with this tag; repeatable, all must be there."
            options.append(click.option("--tag", "tags", multiple=True, metavar="TAG", help=told))
            names.append("tags")
        decorated: Callable[..., Any] = selected
        for option in reversed(options):
            decorated = option(decorated)
        return cast(F, decorated)

    return decorate


def standard_input() -> str:
    with click.open_file("-", encoding="utf-8") as file:
        text: str = file.read()
    return text.strip()


def number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def json_object(text: str | None, option: str) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint=option) from None
    if not isinstance(value, dict):
        raise click.BadParameter("a JSON object is needed", param_hint=option)
    return value
