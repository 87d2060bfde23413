"""Drawing graphs in layers: what depends on something stands above it. Pure functions of sizes and edges.

`layered.layered` is what others call; the steps are those of Sugiyama, Tagawa and Toda (1981): `acyclic` turns edges of
cycles round, `rows` puts boxes into rows with few crossings, `placing` gives them room.
"""
