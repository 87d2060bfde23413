"""Records which functions of a project run in each test, and who calls them.

Only the standard library, and as little of it as possible: this runs within the tests of others and in the processes
that they start.
"""
