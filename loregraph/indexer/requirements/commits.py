"""Requirements named in commit trailers (`Implements: REQ-1`), and the lines that are left of those commits.

`git blame` would be exact but reads the whole history of each file: a second per file in a long history. Instead the
lines written by such a commit are matched with the present file, by the lines that both versions have in the same
order. Versions in between do not matter, and history is read once: later runs only read new commits.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from loregraph.git import GitRefusal, ask_git, in_repository
from loregraph.indexer.languages.registry import BY_EXTENSION, SUPPORTED
from loregraph.indexer.requirements.ids import LOOSE, IdPattern
from loregraph.indexer.requirements.joining import CommitLink
from loregraph.indexer.requirements.model import quoted
from loregraph.unified_diff import parse

MAX_COMMITS: Final = 20_000
"""At most so many newest commits are searched for trailers: about half a second."""
MAX_NAMING: Final = 500
"""At most so many newest commits with ids are compared with the present files: some milliseconds each."""
MAX_FILES: Final = 500
"""At most so many files are searched for their lines, in the order of paths."""

_TRAILER = re.compile(
    r"^(?:implement(?:s|ed)?|requirements?|reqs?|satisf(?:ies|y)|verif(?:ies|y)|fulfill?s|covers|refs?|references)"
    r"[ \t]*:[ \t]*(?P<value>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LOOSE = re.compile(rf"(?<![\w-]){LOOSE}(?!\w|-\w)")
_COMMIT = re.compile(r"^([0-9a-f]{40}|[0-9a-f]{64})$", re.MULTILINE)

Run = tuple[int, int]
"""First and last line, inclusive."""


class Naming(msgspec.Struct, array_like=True, frozen=True):
    """A commit that names ids, its trailer, and the lines it wrote: by path, with the line numbers of that commit."""

    commit: str
    ids: tuple[str, ...]
    trailer: str
    wrote: dict[str, tuple[Run, ...]] = {}


class Left(msgspec.Struct, array_like=True, frozen=True):
    """The lines left by commits in one file with this content."""

    content_hash: str
    runs: dict[str, tuple[Run, ...]] = {}


class History(msgspec.Struct, array_like=True, frozen=True):
    """The known history up to `head`; `count` commits were read. `naming` is newest first."""

    head: str = ""
    count: int = 0
    pattern: str = ""
    naming: tuple[Naming, ...] = ()
    left: dict[str, Left] = {}


def read_history(
    root: Path, ids: IdPattern, pattern: str, hashes: Mapping[str, str], before: bytes | None
) -> tuple[list[CommitLink], bytes | None]:
    """The lines left by commits that name an id, and what to store for the next run.

    `hashes` maps the path of each source file to its content hash, `before` was stored by an earlier run.
    """
    known = _decoded(before, pattern)
    now = _head(root) if in_repository(root) else ""
    if not now:
        return [], None
    history = known if known.head == now else _advanced(root, now, ids, pattern, known)
    history = msgspec.structs.replace(history, left=_left(root, history, known.left, hashes))
    return list(_links(history)), msgspec.msgpack.encode(history)


def _decoded(before: bytes | None, pattern: str) -> History:
    if before is not None:
        try:
            history = msgspec.msgpack.decode(before, type=History)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return History()
        if history.pattern == pattern:
            return history
    return History()


def _head(root: Path) -> str:
    """The commit that is checked out, "" for none."""
    return (_answer(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or b"").decode("ascii").strip()


def _answer(root: Path, *words: str, given: bytes = b"") -> bytes | None:
    """The output of git; None where it fails. Raises GitTooSlowError: the history read so far is stored."""
    answer = ask_git(root, words, given=given)
    if not isinstance(answer, GitRefusal):
        return answer
    answer.raise_if_late()
    return None


def _advanced(root: Path, now: str, ids: IdPattern, pattern: str, known: History) -> History:
    """The history up to `now`: the stored part and what was added, or all of it where `now` is no descendant."""
    if known.head and _answer(root, "merge-base", "--is-ancestor", known.head, now) is not None:
        fresh, count = _read_messages(root, f"{known.head}..{now}", ids)
        if known.count + count <= MAX_COMMITS and len(known.naming) + len(fresh) <= MAX_NAMING:
            return History(now, known.count + count, pattern, (*_with_changes(root, fresh), *known.naming))
    fresh, count = _read_messages(root, now, ids)
    return History(now, count, pattern, tuple(_with_changes(root, fresh[:MAX_NAMING])))


def _read_messages(root: Path, revisions: str, ids: IdPattern) -> tuple[list[Naming], int]:
    """The commits of `revisions` that name ids, newest first, and the number of commits read."""
    limit = f"--max-count={MAX_COMMITS}"
    answer = _answer(root, "log", limit, "--topo-order", "--format=%x01%H%x00%B", revisions, "--")
    naming: list[Naming] = []
    count = 0
    for entry in (answer or b"").decode("utf-8", "replace").split("\x01")[1:]:
        count += 1
        commit, _, message = entry.partition("\0")
        found: dict[str, str] = {}
        for trailer in _TRAILER.finditer(message):
            value = trailer["value"]
            for identity in (*ids.ids(value), *_LOOSE.findall(value)):
                found.setdefault(identity, quoted(trailer[0]))
        if found:
            naming.append(Naming(commit, tuple(found), next(iter(found.values()))))
    return naming, count


def _with_changes(root: Path, naming: Sequence[Naming]) -> Iterator[Naming]:
    """The commits with the lines they wrote in source files. Merges write none of their own."""
    if not naming:
        return
    given = "".join(f"{one.commit}\n" for one in naming).encode()
    kinds = sorted(extension for extension, language in BY_EXTENSION.items() if language in SUPPORTED)
    arguments = ["diff-tree", "--stdin", "-r", "--root", "-p", "--unified=0", "--relative", "--no-renames"]
    arguments += ["--no-color", "--src-prefix=a/", "--dst-prefix=b/", "--"]
    answer = _answer(root, *arguments, *(f":(glob)**/*{kind}" for kind in kinds), given=given)
    text = (answer or b"").decode("utf-8", "replace")
    parts = _COMMIT.split(text)
    changes = dict(zip(parts[1::2], parts[2::2], strict=True))
    for one in naming:
        wrote: dict[str, tuple[Run, ...]] = {}
        for patch in parse(changes.get(one.commit, "")):
            runs = tuple((h.new_start, h.new_start + h.new_count - 1) for h in patch.hunks if h.new_count)
            if patch.new_path is not None and runs:
                wrote[patch.new_path] = runs
        yield msgspec.structs.replace(one, wrote=wrote)


def _left(root: Path, history: History, known: Mapping[str, Left], hashes: Mapping[str, str]) -> dict[str, Left]:
    """For each present file the lines left by commits with ids."""
    writers: defaultdict[str, list[Naming]] = defaultdict(list)
    for one in history.naming:
        for path in one.wrote:
            if path in hashes:
                writers[path].append(one)
    found: dict[str, Left] = {}
    wanted: list[tuple[str, Naming]] = []
    for path in sorted(writers)[:MAX_FILES]:
        kept = known.get(path)
        usable = kept is not None and kept.content_hash == hashes[path]
        found[path] = Left(hashes[path], {})
        for one in writers[path]:
            if kept is not None and usable and one.commit in kept.runs:
                found[path].runs[one.commit] = kept.runs[one.commit]
            else:
                wanted.append((path, one))
    current: dict[str, list[bytes]] = {}
    for (path, one), then in zip(wanted, _contents(root, wanted), strict=True):
        if path not in current:
            current[path] = _lines(root / path)
        found[path].runs[one.commit] = tuple(survivors(then.splitlines(), current[path], one.wrote[path]))
    return found


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except OSError:  # removed since it was listed
        return []


def _contents(root: Path, wanted: Iterable[tuple[str, Naming]]) -> Iterator[bytes]:
    """The files as of the commits, from one git process; b"" for a file that git does not have."""
    names = [f"{one.commit}:./{path}" for path, one in wanted]
    if not names:
        return
    data = _answer(root, "cat-file", "--batch", given="".join(f"{name}\n" for name in names).encode()) or b""
    at = 0
    for _ in names:
        end = data.find(b"\n", at)
        header = data[at:end].split(b" ") if end >= 0 else []
        at = end + 1 if end >= 0 else len(data)
        if len(header) == 3 and header[1] == b"blob":
            size = int(header[2])
            yield data[at : at + size]
            at += size + 1
        else:
            yield b""


def survivors(then: Sequence[bytes], now: Sequence[bytes], wrote: Iterable[Run]) -> Iterator[Run]:
    """The present lines in `now` of the lines `wrote` of `then`, as runs. Lines are counted from 1.

    Lines are matched as in patience diff: equal ones at both ends, the longest common subsequence of lines that are
    unique on both sides, and equal ones next to those.
    """
    place = _matched(then, now)
    lines = sorted(
        place[line - 1] + 1
        for start, end in wrote
        for line in range(start, end + 1)
        if line - 1 in place and then[line - 1].strip()
    )
    first = last = 0
    for line in lines:
        if line == last + 1 and first:
            last = line
            continue
        if first:
            yield first, last
        first = last = line
    if first:
        yield first, last


def _matched(then: Sequence[bytes], now: Sequence[bytes]) -> dict[int, int]:
    """Line of `then` → the same line of `now`, both from 0; ascending."""
    start, end_then, end_now = 0, len(then), len(now)
    while start < min(end_then, end_now) and then[start] == now[start]:
        start += 1
    while end_then > start and end_now > start and then[end_then - 1] == now[end_now - 1]:
        end_then, end_now = end_then - 1, end_now - 1
    place = {line: line for line in range(start)}
    place |= {line: line + end_now - end_then for line in range(end_then, len(then))}
    once_then, once_now = Counter(then[start:end_then]), Counter(now[start:end_now])
    at_now = {now[line]: line for line in range(start, end_now) if once_now[now[line]] == 1}
    pairs = [
        (line, at_now[then[line]])
        for line in range(start, end_then)
        if once_then[then[line]] == 1 and then[line] in at_now
    ]
    taken = set(place.values())
    for old, new in _longest_ascending(pairs):
        for step in (1, -1):
            one, other = old, new
            while (
                start <= one < end_then
                and start <= other < end_now
                and then[one] == now[other]
                and (one not in place and other not in taken)
            ):
                place[one] = other
                taken.add(other)
                one, other = one + step, other + step
            # The anchor itself belongs to both directions.
            if step == 1 and place.get(old) == new:
                del place[old]
                taken.discard(new)
    return place


def _longest_ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of `pairs`, whose first numbers ascend, in which the second ones ascend too."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, (_, new) in enumerate(pairs):
        position = bisect_left(tails, new)
        before.append(at[position - 1] if position else -1)
        if position == len(tails):
            tails.append(new)
            at.append(index)
        else:
            tails[position], at[position] = new, index
    chain: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _links(history: History) -> Iterator[CommitLink]:
    by_commit = {one.commit: one for one in history.naming}
    for path, left in sorted(history.left.items()):
        for commit, runs in sorted(left.runs.items()):
            one = by_commit[commit]
            evidence = f"commit {commit[:12]}: {one.trailer}"
            for start, end in runs:
                yield from (CommitLink(path, start, end, identity, evidence) for identity in one.ids)
