"""Writes the part of docs/cli.md that lists the commands, from the commands themselves.

    python docs/generate_cli.py

tests/test_docs.py fails if the page is outdated.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from loregraph.cli.main import cli

PAGE = Path(__file__).resolve().parent / "cli.md"
BEGIN, END = "<!-- commands: written by docs/generate_cli.py -->", "<!-- end of commands -->"


def page_with_commands(page: str) -> str:
    """`page` with the text between its two marks replaced."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{commands()}\n{END}{after}"


def commands() -> str:
    sections = ["## Options of all commands\n", options(cli)]
    for name, command in all_commands(cli):
        usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name)))
        sections += [f"## {name}\n", f"```console\n$ loregraph {name} {usage}\n```\n"]
        sections += [description(command), options(command)]
    return "\n".join(sections)


def all_commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """(name, command) of every command, a group before those in it: "memory", "memory add", …"""
    for name, command in group.commands.items():
        yield before + name, command
        if isinstance(command, click.Group):
            yield from all_commands(command, f"{before}{name} ")


def description(command: click.Command) -> str:
    """The command's help as Markdown: its examples become code blocks, the forms of its output code."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        text = paragraph.removeprefix("\b\n")
        if form := re.match(r"(JSON|jsonl): ", text):
            said = re.sub(r"\{.*\}", r"`\g<0>`", " ".join(text[form.end() :].split()))
            paragraphs.append(f"With `{'--json' if form[1] == 'JSON' else '--format jsonl'}`: {said}\n")
        elif text.startswith("loregraph "):
            paragraphs.append("```console\n" + "".join(f"$ {line}\n" for line in text.splitlines()) + "```\n")
        else:
            paragraphs.append(" ".join(text.split()) + "\n")
    return "\n".join(paragraphs)


def options(command: click.Command) -> str:
    """The command's options as a table."""
    rows = ["| option | |", "|---|---|"]
    for option in command.params:
        if not isinstance(option, click.Option):
            continue
        value = "" if option.is_flag else " " + option.make_metavar(click.Context(command)).strip("[]")
        default = f" Default: {option.default}." if option.show_default else ""
        names = (", ".join(option.opts) + value).replace("|", "\\|")
        rows.append(f"| `{names}` | {option.help}{default} |")
    return "\n".join(rows) + "\n" if len(rows) > 2 else ""


if __name__ == "__main__":
    PAGE.write_text(page_with_commands(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
