"""Which file of the project a path of another machine, container or report means: never a guess without support.

Reports name files by absolute paths (`/app/src/shop/cart.py`), by paths from some folder (`shop/cart.py`), by packages
(`com/acme/Cart.java`) or modules (`example.com/shop/cart/cart.go`). What they share with the project is the end of the
path. So each is laid beside the project's files with the longest common end; what lies before that end, there and here,
is a pair of **roots** (`/app` and ``). Files of one folder moved together: a foreign root has one place here, the one
that most of its files agree on, and it is believed only where at least half of its files are found there, or a library
that has a `utils.py` too would be taken for the project. A relative path that is the end of exactly one file's is that
file's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import msgspec

_LEAST_PARTS: Final = 2
"""Names of folders and file that have to agree where nothing else supports a pair of roots."""
_LEAST_FOUND: Final = 0.5

Files = Mapping[str, str]
"""Name in a report → path of the project."""
Roots = tuple[tuple[str, ...], tuple[str, ...]]


class Placed(msgspec.Struct, frozen=True):
    """`files` maps names in the report to paths of the project; `ambiguous` may mean several, `outside` none."""

    files: Mapping[str, str]
    ambiguous: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


# Implements REQ-RUN-003.
def place(given: Iterable[tuple[str, ...]], project: Collection[str], roots: Iterable[str] = ()) -> Placed:
    """Places files, each given by its possible names (see `Covered.paths`), among the paths of `project`.

    `roots` are the absolute folders that the project lies in here: what is below one of them means that path and no
    other.
    """
    here = [_parts(root) for root in roots]
    known = {_parts(path): path for path in project}
    by_name: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for parts in sorted(known):
        by_name[parts[-1]].append(parts)
    files: dict[str, str] = {}
    outside: list[str] = []
    open_ones: dict[str, list[tuple[str, ...]]] = {}
    for names in sorted(set(given)):
        settled = next((found for name in names if (found := _exact(name, known, here)) is not None), None)
        if settled is None:
            open_ones[names[0]] = [_parts(name) for name in names]
        elif settled:
            files[names[0]] = settled
        else:
            outside.append(names[0])
    placed, ambiguous = _by_roots(open_ones, by_name, set(files.values()))
    files |= {name: known[parts] for name, parts in placed.items()}
    lost = (name for name in open_ones if name not in placed and name not in ambiguous)
    return Placed(files, tuple(sorted(ambiguous)), tuple(sorted([*outside, *lost])))


def _exact(name: str, known: Mapping[tuple[str, ...], str], here: Iterable[tuple[str, ...]]) -> str | None:
    """The project's path that `name` is; "" where it is below the project and no file of it, None where only its end
    can tell."""
    parts = _parts(name)
    for root in here:
        if _is_absolute(name) and parts[: len(root)] == root:
            return known.get(parts[len(root) :], "")
    return None if _is_absolute(name) else known.get(parts)


def _by_roots(
    given: Mapping[str, list[tuple[str, ...]]], by_name: Mapping[str, list[tuple[str, ...]]], taken: set[str]
) -> tuple[dict[str, tuple[str, ...]], set[str]]:
    """(name → parts of the project's path, ambiguous names)."""
    fits = {
        name: [pair for parts in ways for pair in _fits(parts, by_name.get(parts[-1], ()))]
        for name, ways in given.items()
    }
    votes: Counter[Roots] = Counter()
    supported: set[Roots] = set()
    for pairs in fits.values():
        for there, parts, length in pairs:
            roots_here = parts[:-length]
            votes[there, roots_here] += 1
            if length >= _LEAST_PARTS:
                supported.add((there, roots_here))
    below: Counter[tuple[str, ...]] = Counter()
    beside: Counter[tuple[str, ...]] = Counter()
    roots = {there for there, _ in votes}
    for ways in given.values():
        below.update({parts[:end] for parts in ways for end in range(len(parts))} & roots)
        beside.update({parts[:-1] for parts in ways})
    # A flat project: nothing but names of files agrees, but all those of one folder do.
    supported |= {pair for pair, count in votes.items() if count >= _LEAST_PARTS and count >= beside[pair[0]]}
    believed = _believed(votes, supported, below)
    found: dict[str, tuple[str, ...]] = {}
    ambiguous: set[str] = set()
    claimed: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in given:
        best: dict[tuple[str, ...], int] = {}
        for there, parts, length in fits[name]:
            is_whole = not there and length >= _LEAST_PARTS and not _is_absolute(name)
            if is_whole or (there, parts[:-length]) in believed:
                best[parts] = max(length, best.get(parts, 0))
        longest = [parts for parts, length in best.items() if length == max(best.values())]
        if len(longest) == 1 and "/".join(longest[0]) not in taken:
            found[name] = longest[0]
            claimed[longest[0]].append(name)
        elif best or fits[name]:
            ambiguous.add(name)
    for names in claimed.values():
        if len(names) > 1:  # two files there cannot both be the one here
            ambiguous.update(names)
    return {name: parts for name, parts in found.items() if name not in ambiguous}, ambiguous


def _believed(votes: Counter[Roots], supported: set[Roots], below: Counter[tuple[str, ...]]) -> set[Roots]:
    """The pairs of roots that files are placed by: for each root there, the one here with the most files."""
    by_root: dict[tuple[str, ...], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for (there, here), count in votes.items():
        if (there, here) in supported:
            by_root[there].append((count, here))
    believed = set()
    for there, places in by_root.items():
        most = max(count for count, _ in places)
        winners = [here for count, here in places if count == most]
        if len(winners) == 1 and most >= _LEAST_FOUND * below[there]:
            believed.add((there, winners[0]))
    return believed


def _fits(
    given: tuple[str, ...], candidates: Iterable[tuple[str, ...]]
) -> list[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """(root there, parts of the file here, how many are common) for each file with the longest common end."""
    found = []
    for parts in candidates:
        length = 0
        while length < min(len(parts), len(given)) and parts[-1 - length] == given[-1 - length]:
            length += 1
        found.append((given[: len(given) - length], parts, length))
    longest = max((length for _, _, length in found), default=0)
    return [one for one in found if one[2] == longest]


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "\\")) or path[1:3] in (":/", ":\\")


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", ".")) or ("",)
