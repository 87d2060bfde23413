"""Dependencies that break a declared contract, for the arrows they are part of."""

from __future__ import annotations

from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.layers import breaches
from loregraph.pages.project_map.boxes import Boxes
from loregraph.pages.project_map.dependencies import Pair, side_by_side


# Implements REQ-WEB-003.
def broken_contracts(code: Code, boxes: Boxes) -> dict[int, dict[Pair, list[str]]]:
    """Box → pairs of boxes directly in it → what is said of the contracts that the dependencies between them break.

    Of a chain each step counts, since taking away any of them mends it. Raises ConfigError for a contract that names
    nothing.
    """
    found: dict[int, dict[Pair, list[str]]] = {}
    said: set[tuple[int, Pair, str]] = set()
    for breach in breaches(code):
        text = f"{breach.ban.says} ({breach.contract.name})"
        for step in breach.chain:
            source, target = int(boxes.of_node[step.source]), int(boxes.of_node[step.target])
            if source < 0 or target < 0:
                continue
            around, one, other = side_by_side(boxes, source, target)
            if one != other and (around, (one, other), text) not in said:
                said.add((around, (one, other), text))
                found.setdefault(around, {}).setdefault((one, other), []).append(text)
    return found
