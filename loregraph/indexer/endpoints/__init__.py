"""What files answer and request over a network, and how both sides are joined: `Endpoint` nodes with their edges.

`collect` makes a small record of one file from its facts and text, in the worker that extracted it. `join` makes nodes
and edges from the records of all files. Frameworks are rows of `kinds`, by the names that they export.
"""
