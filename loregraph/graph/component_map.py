"""The components and what they depend on, as a diagram of a size that a page can show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.graph.diagram import Arrow, Box, Diagram, Group, label_of
from loregraph.terminal import counted

MOST_BOXES: Final = 30
MOST_ARROWS: Final = 60

_ROOT: Final = "."


class _Folder:
    """A folder with a component, or with several folders of components below it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.component = -1
        self.inner: dict[str, _Folder] = {}
        self.size = 0
        """Components in it, itself included."""


# Implements REQ-WEB-013.
def component_map(columns: GraphColumns) -> Diagram:
    """The components as boxes, nested like their folders, with DEPENDS_ON edges and the number of imports behind each.

    Folders are opened from the top, the largest first, as long as at most `MOST_BOXES` are shown; the others stand for
    all that is in them. At most `MOST_ARROWS` are shown, the strongest of each box first; those that close a cycle,
    against the direction in which more is imported, are marked. Libraries are not shown.
    """
    nodes = columns.nodes("Component").tolist()
    root = _folders(columns, nodes)
    opened = _opened(root)
    # The box that stands for each component: its own folder, or the closed one around it.
    box_of: dict[int, str] = {}
    groups: list[Group] = []
    boxes: list[Box] = []
    _arrange(root, opened, "", groups, boxes, box_of)
    weights: Counter[tuple[str, str]] = Counter()
    for edge in columns.edges("DEPENDS_ON").tolist():
        source, target = box_of[int(columns.source[edge])], box_of.get(int(columns.target[edge]))
        if target is not None and source != target:
            weights[source, target] += int(columns.count[edge])
    closing = _closing_cycles(weights)
    ranked = _strongest_of_each(weights)
    used = {end for pair in ranked for end in pair}
    own = {f"{group.key}_own" for group in groups}
    # What an opened folder has of its own is a box only where something is known of it.
    shown = tuple(box for box in boxes if box.key in used or box.key not in own)
    folded = sum(folder.size - 1 for folder in _closed(root, opened))
    remarks = [f"{counted(len(nodes), 'component')} and the number of imports between them"]
    if folded:
        remarks.append(f"{counted(folded, 'component')} shown as part of the box around them")
    if missing := ranked[MOST_ARROWS:]:
        against = len(closing.intersection(missing))
        remarks.append(
            f"{counted(len(missing), 'weaker arrow')} left out"
            + (f", of which {against:,} close a cycle" if against else "")
        )
    if closing.intersection(ranked[:MOST_ARROWS]):
        remarks.append("red and thick: closes a cycle")
    arrows = tuple(
        Arrow(a, b, f"{weights[a, b]:,}", in_cycle=(a, b) in closing) for a, b in sorted(ranked[:MOST_ARROWS])
    )
    return Diagram(tuple(groups), shown, arrows, tuple(remarks))


def _folders(columns: GraphColumns, nodes: list[int]) -> _Folder:
    root = _Folder(_ROOT)
    for node in nodes:
        folder, path = root, columns.path(node)
        parts = path.split("/") if path != _ROOT else []
        folder.size += 1
        for depth, part in enumerate(parts):
            folder = folder.inner.setdefault(part, _Folder("/".join(parts[: depth + 1])))
            folder.size += 1
        folder.component = node
    return _without_steps(root)


def _without_steps(folder: _Folder) -> _Folder:
    """`folder` without folders in between that have no component and one folder only, such as `src/main/java`."""
    inner = [_without_steps(one) for one in folder.inner.values()]
    if folder.component < 0 and len(inner) == 1 and folder.path != _ROOT:
        return inner[0]
    folder.inner = {one.path: one for one in inner}
    return folder


def _opened(root: _Folder) -> set[str]:
    """The paths of the folders whose content is shown."""
    opened: set[str] = set()
    boxes, level = 1, [root]
    while level:
        deeper: list[_Folder] = []
        for folder in sorted(level, key=lambda one: (-one.size, one.path)):
            if folder.inner and (not opened or boxes + len(folder.inner) <= MOST_BOXES):
                opened.add(folder.path)
                boxes += len(folder.inner)
                deeper += folder.inner.values()
        level = deeper
    return opened


def _closed(folder: _Folder, opened: set[str]) -> list[_Folder]:
    if folder.path not in opened:
        return [folder]
    return [one for inner in folder.inner.values() for one in _closed(inner, opened)]


def _arrange(
    folder: _Folder,
    opened: set[str],
    parent: str,
    groups: list[Group],
    boxes: list[Box],
    box_of: dict[int, str],
) -> None:
    key = f"c{len(groups) + len(boxes)}"
    if folder.path not in opened:
        more = f" ({counted(folder.size, 'component')})" if folder.size > 1 else ""
        boxes.append(Box(key, _name(folder.path, more), parent))
        _stand_for(folder, key, box_of)
        return
    if folder.path != _ROOT or folder.component >= 0:
        groups.append(Group(key, _name(folder.path), parent))
        parent = key
        if folder.component >= 0:
            boxes.append(Box(f"{key}_own", _name(folder.path, " (its own files)"), key))
            box_of[folder.component] = f"{key}_own"
    for path in sorted(folder.inner):
        _arrange(folder.inner[path], opened, parent, groups, boxes, box_of)


def _name(path: str, more: str = "") -> str:
    return label_of("the project" if path == _ROOT else path) + more


def _stand_for(folder: _Folder, key: str, box_of: dict[int, str]) -> None:
    if folder.component >= 0:
        box_of[folder.component] = key
    for inner in folder.inner.values():
        _stand_for(inner, key, box_of)


def _strongest_of_each(weights: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """The arrows: of each box the strongest, then of each the second and so on."""
    by_source: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for pair in sorted(weights, key=lambda pair: (-weights[pair], pair)):
        by_source[pair[0]].append(pair)
    rank = {pair: place for pairs in by_source.values() for place, pair in enumerate(pairs)}
    return sorted(rank, key=lambda pair: (rank[pair], -weights[pair], pair))


def _closing_cycles(weights: Mapping[tuple[str, str], int]) -> set[tuple[str, str]]:
    """The arrows that close a cycle of stronger ones."""
    onward: dict[str, set[str]] = defaultdict(set)
    closing = set()
    for source, target in sorted(weights, key=lambda pair: (-weights[pair], pair)):
        if _reaches(onward, target, source):
            closing.add((source, target))
        else:
            onward[source].add(target)
    return closing


def _reaches(onward: Mapping[str, set[str]], start: str, end: str) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == end:
            return True
        new = onward.get(here, set()) - seen
        seen |= new
        waiting += new
    return False
