"""`python -m loregraph`."""

from loregraph.cli.main import main

main()
