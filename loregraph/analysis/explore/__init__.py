"""One answer to a question, about a symbol or about a diff: the best code with its source and surroundings.

`ranking` decides which symbols, in which order, with how much of the budget; `packing` makes the answer that fits.
"""
