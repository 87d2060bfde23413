"""Selects the project for a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loregraph.cli.output import say
from loregraph.errors import UsageError

if TYPE_CHECKING:
    from loregraph.project import Project

F = TypeVar("F", bound=Callable[..., Any])

WORKSPACE = click.Path(exists=True, dir_okay=False, path_type=Path)


@dataclass(frozen=True)
class Target:
    """The values of `--root`, `--store` and `--workspace`. None: to be detected, and no workspace."""

    root: Path | None
    store: Path | None
    workspace: Path | None = None

    def open(self, path: Path | None = None, **settings: Any) -> Project:
        """The project at the given root, else the one around `path`, else the one around the working folder.

        Raises UsageError for a workspace.
        """
        from loregraph.project import Project, open_project

        if self.workspace is not None:
            raise UsageError("this is not asked of a workspace", "name one of its repositories with --root")
        if self.root is None:
            project = open_project(path or Path(), store=self.store, **settings)
        else:
            project = Project(self.root, store=self.store, **settings)
            if path is not None:
                project.inside(path)
        say_remarks(project.settings.remarks)
        return project

    # Implements REQ-WSP-001.
    def asked(self) -> Project:
        """The project to ask: the workspace where one is named."""
        if self.workspace is None:
            return self.open()
        from loregraph.workspaces.project import WorkspaceProject

        self.refuse_both()
        project = WorkspaceProject(self.workspace)
        say_remarks(project.remarks)
        return project

    def served(self) -> tuple[Path, dict[str, Any]]:
        """The root of what a server answers for, and its options beside the store."""
        from loregraph.config import find_root

        if self.workspace is None:
            return self.root or find_root(Path()), {}
        self.refuse_both()
        file = self.workspace.resolve()
        return file.parent, {"workspace": str(file)}

    def refuse_both(self) -> None:
        """Raises UsageError where a workspace and a project are named."""
        if self.root is not None or self.store is not None:
            raise UsageError(
                "a workspace has repositories of its own", "leave out --root and --store, or leave out --workspace"
            )


def in_workspace(command: F) -> F:
    """The option `--workspace` of a command that can be asked of several repositories, as it is before the name."""

    def named(ctx: click.Context, _: click.Parameter, value: Path | None) -> None:
        if value is not None:
            ctx.obj = replace(ctx.obj, workspace=value)

    return click.option(
        "--workspace",
        type=WORKSPACE,
        metavar="FILE",
        expose_value=False,
        callback=named,
        help="Ask the repositories that this file lists.",
    )(command)


# Implements REQ-SEC-002.
def say_remarks(remarks: tuple[str, ...]) -> None:
    """Prints a line on standard error for each thing of a repository that is ignored."""
    for remark in remarks:
        say(f"warning: {remark}")
