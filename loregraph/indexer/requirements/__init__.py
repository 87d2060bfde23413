"""Requirements and designs: definitions in documents, references in code, and the links between them.

Workers read: `documents.py` turns a document into `model.Document` (one module per format, one table that lists them),
and `markers.py` finds the ids in comments, docstrings and decorators of a source file. `joining.py` makes nodes and
edges from both, without reading files.
"""
