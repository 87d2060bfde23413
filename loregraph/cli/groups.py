"""Groups of commands."""

from __future__ import annotations

import click


class InOrder(click.Group):
    """Lists commands in the order they are added, the first to use first."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
