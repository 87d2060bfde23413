"""The explorer in a browser: a server on this machine alone, and a static site of the same pages."""
