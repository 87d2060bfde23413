"""What languages share of finding files: reading packaging files, and what a folder's `layout.py` answers."""
