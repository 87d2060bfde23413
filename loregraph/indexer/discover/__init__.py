"""The project's files, and what folders and packaging files say about them."""
