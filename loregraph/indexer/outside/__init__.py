"""Declarations of libraries: stubs, and the table of the standard library that comes with the package."""
