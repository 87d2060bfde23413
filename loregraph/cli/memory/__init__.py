"""`memory`: what people and agents wrote about the project."""

from __future__ import annotations

import click

from loregraph.cli.groups import InOrder
from loregraph.cli.memory import exchange, reading, writing


@click.group(cls=InOrder)
def memory() -> None:
    """Keep what was learned, attached to the code it is about.

    \b
    loregraph memory add "Payments are retried three times" --kind design --anchor shop/pay.py::retry
    loregraph memory search "what happens when a payment fails"
    """


for command in (
    writing.add,
    reading.get,
    reading.list_memories,
    reading.search,
    writing.update,
    writing.delete,
    reading.history,
    exchange.export,
    exchange.import_memories,
    reading.stats,
    exchange.normalize,
):
    memory.add_command(command)
