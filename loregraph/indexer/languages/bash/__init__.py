"""Bash, and the shells that write functions and commands as it does."""
