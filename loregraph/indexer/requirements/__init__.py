"""Requirements and designs: what documents define, what code names, and how the two are joined.

Workers read: `documents.py` turns a document into `model.Document` (one module a format, one table that lists them),
and `markers.py` finds the ids that comments, docstrings and decorators of a source file name. `joining.py` makes nodes
and edges of both; nothing there sees a file.
"""
