"""The map: folders and components as nested boxes, what they depend on, and how that is drawn.

`boxes` is the tree, `dependencies` what connects it, `scene` what is shown of both, `colours` what the boxes are
coloured by, `evidence` the places behind an arrow.
"""
