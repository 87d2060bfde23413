"""`python -m loregraph`."""

from loregraph.cli.main import process

process()
