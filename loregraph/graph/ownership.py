"""Whether a store was written by this user, or came with a repository's files and must not be trusted.

<store>/owner is the mark: an id of the store, sealed with a key in the user's data folder. <store>/owner.anchor exists
only where that key cannot be stored: see below.

A store is trusted if it has a mark made by this user's loregraph for this very folder (its inode is sealed) and belongs
to this user. `current` and `state.sqlite` contain the id, so that a replaced file is detected. Where no key can be
stored, because there is no writable folder, the mark has the inode and the time of change of an empty file beside it,
which no archive, checkout or copy can choose.

A checkout may put single files into a store of ours, since git overwrites ignored files: so git's index is searched for
the store's path. Readers do this only if the index is not the one that the writer saw. For a store that git tracks, the
inode and the time of change of each written file are sealed too, and a file with others is not trusted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import StoreBusyError
from loregraph.user_files import blake2b, changing, data_folder, read, replace

CURRENT: Final = "current"
STATE: Final = "state.sqlite"
OWNER: Final = "owner"
ANCHOR: Final = "owner.anchor"
KEY_FILE: Final = "store.key"

UNMARKED: Final = "it does not carry the mark of your loregraph: it came with the files, or an older version made it"
FOREIGN: Final = "it belongs to another user"
TRACKED: Final = "git tracks files of it"
LINKED: Final = "it is a link"
REPLACED: Final = "its file `current` is not the one that was written"

_KEY_BYTES: Final = 32
_ID_BYTES: Final = 16
_FORMAT: Final = "loregraph-owner-1"
_GIT_SECONDS: Final = 20
_INDEX_BYTES: Final = 256 << 20
"""A larger git index is not searched here; git is asked."""


class Owner(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `owner`. `seal` covers all other fields."""

    format: str = _FORMAT
    store_id: str
    folder: int
    """Inode of the store's folder."""
    users: tuple[int, int]
    """The owner of the folder and its files: on some file systems not the user who writes them."""
    index: tuple[int, int, int] | None = None
    """Size, time stamp and inode of the git index that was searched and had nothing of the store."""
    tracked: bool = False
    """Whether git tracked a part of the store when it was written."""
    files: dict[str, tuple[int, int]] = {}
    """Inode and time of change (ns) of the written files, by name, where git tracks a part of the store."""
    anchor: tuple[int, int] | None = None
    """Inode and time of change (ns) of `owner.anchor`, where there is no key."""
    seal: str = ""


class _Published(msgspec.Struct):
    """The fields of `current` that are read before it is trusted."""

    format: str = ""
    store_id: str = ""
    generation: int = 0


class Belief(msgspec.Struct, frozen=True):
    """The result of the check of a store. `doubt` is the reason why it is not trusted, "" where it is."""

    store_id: str = ""
    doubt: str = ""
    owner: Owner | None = None


def read_current(store: Path) -> bytes | None:
    """The content of `current`; None where there is none, or where it is not a file of ours."""
    try:
        return read(store / CURRENT)
    except OSError:
        return None


# Implements REQ-SEC-007.
def examine(store: Path, current: bytes | None) -> Belief:
    """Whether the store at `store` is this user's own; `current` is the content of that file, None where there is none.

    Reads one or two small files, and git's index if it differs from the one that the writer saw.
    """
    owner = _owner(store)
    marked = owner.store_id if owner is not None else ""
    found = _published(current) if current is not None else None
    published = found.store_id if found is not None else None
    doubt = _doubt(store, owner, current, published)
    if doubt and _is_trusted(store, current):
        return Belief(published or marked)
    return Belief(marked if not doubt else "", doubt, owner if not doubt else None)


def _is_trusted(store: Path, current: bytes | None) -> bool:
    from loregraph.trust import is_trusted_store, trusts_everything  # few stores need this

    return trusts_everything() or (current is not None and is_trusted_store(store, current))


def _doubt(store: Path, owner: Owner | None, current: bytes | None, published: str | None) -> str:
    if store.is_symlink():
        return LINKED
    if owner is None:
        return FOREIGN if _is_of_another(store) else UNMARKED
    places = [(store, owner.users[0]), (store / OWNER, owner.users[1])]
    if current is not None:
        places.append((store / CURRENT, owner.users[1]))
    if any(_user_of(place) != user for place, user in places):
        return FOREIGN
    if current is not None and published not in (owner.store_id, None):
        return REPLACED
    seen = index_stat(store)
    tracked = owner.tracked if seen is None or seen[1] == owner.index else is_tracked(store)
    if not tracked:
        return ""
    names = [name for name in owner.files if name != STATE]
    return "" if owner.tracked and _are_as_written(store, owner, names) else TRACKED


def _is_of_another(path: Path) -> bool:
    return hasattr(os, "geteuid") and _user_of(path) not in (os.geteuid(), None)


def _user_of(path: Path) -> int | None:
    try:
        return path.lstat().st_uid
    except OSError:
        return None


def _published(current: bytes) -> _Published | None:
    """The fields read of `current`; None where it has another form: damage, and no usable graph."""
    try:
        return msgspec.json.decode(current, type=_Published)
    except (msgspec.DecodeError, RecursionError):
        return None


def is_state_as_written(store: Path, owner: Owner) -> bool:
    """Whether `state.sqlite` did not come with a checkout. Only writers, which alone change that file, need this."""
    return not owner.tracked or STATE not in owner.files or _are_as_written(store, owner, (STATE,))


def _are_as_written(store: Path, owner: Owner, names: Iterable[str]) -> bool:
    return all(owner.files[name] == _stat_of(store / name) for name in names)


def _stat_of(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except OSError:
        return None
    return (status.st_ino, status.st_ctime_ns) if stat.S_ISREG(status.st_mode) else None


# the mark


def _owner(store: Path) -> Owner | None:
    """The mark of the store at `store` if it is ours and made for this folder."""
    try:
        content = read(store / OWNER)
        if content is None:
            return None
        owner = msgspec.json.decode(content, type=Owner)
        folder = store.stat().st_ino
        key = _key()
        anchor = _stat_of(store / ANCHOR) if key is None else None
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    if owner.format != _FORMAT or owner.folder != folder or owner.seal != _seal(owner, key):
        return None
    return owner if owner.anchor == anchor and (key is not None or anchor is not None) else None


def stamp(store: Path, belief: Belief) -> tuple[Owner, str]:
    """Marks the store at `store`, which exists, as this user's own, with the result of the check in `belief`.

    Returns the mark, and a remark where no key can be stored. Writes nothing where the mark is valid already. Raises
    OSError where the store cannot be written.
    """
    remark = ""
    try:
        key: bytes | None = _key() or _make_key()
    except (OSError, StoreBusyError) as error:
        key = None
        remark = f"no key can be kept in {str(data_folder())!a} ({error}): the store is known by its folder alone"
    seen = index_stat(store)
    index = seen[1] if seen is not None else None
    before = belief.owner
    if before is not None and before.index == index and not before.tracked:
        return before, remark
    if key is None:
        replace(store / ANCHOR, b"")
    status, writer = store.stat(), before.users[1] if before is not None else _writer(store)
    owner = Owner(
        store_id=belief.store_id if _is_id(belief.store_id) else os.urandom(_ID_BYTES).hex(),
        folder=status.st_ino,
        users=(status.st_uid, writer),
        index=index,
        tracked=seen is not None and is_tracked(store),
    )
    if key is None:
        owner = msgspec.structs.replace(owner, anchor=_stat_of(store / ANCHOR))
    return _written(store, owner, key), remark


def _writer(store: Path) -> int:
    """The owner that a new file in the store gets."""
    replace(store / OWNER, b"{}")
    return (store / OWNER).lstat().st_uid


def sealed_again(store: Path, owner: Owner) -> Owner:
    """The mark after a writer's work: for a store that git tracks, the present files are sealed."""
    return _written(store, owner, _key() if owner.anchor is None else None) if owner.tracked else owner


def _written(store: Path, owner: Owner, key: bytes | None) -> Owner:
    if owner.tracked:
        owner = msgspec.structs.replace(owner, files=_files_of(store))
    owner = msgspec.structs.replace(owner, seal=_seal(owner, key))
    replace(store / OWNER, msgspec.json.encode(owner))
    return owner


def _files_of(store: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of `current`, of the arrays that it publishes, and of the state."""
    current = read_current(store)
    names = [CURRENT, STATE]
    found = _published(current) if current is not None else None
    if found is not None:
        generation = f"generation-{found.generation}"
        names += sorted(f"{generation}/{file.name}" for file in (store / generation).glob("*.bin"))
    return {name: known for name in names if (known := _stat_of(store / name)) is not None}


def _seal(owner: Owner, key: bytes | None) -> str:
    content = msgspec.json.encode(msgspec.structs.replace(owner, seal=""))
    return blake2b(content, key=key or b"", digest_size=32).hexdigest()


def _is_id(text: str) -> bool:
    return len(text) == 2 * _ID_BYTES and all(character in "0123456789abcdef" for character in text)


def _key() -> bytes | None:
    """The user's key; None where there is none yet."""
    content = read(data_folder() / KEY_FILE)
    return content if content is not None and len(content) == _KEY_BYTES else None


def _make_key() -> bytes:
    """A new key, or the one that another process has made meanwhile. Raises OSError where it cannot be stored."""
    path = data_folder() / KEY_FILE
    with changing(path):
        known = _key()
        if known is None:
            known = os.urandom(_KEY_BYTES)
            replace(path, known)
        return known


# git


def index_stat(store: Path) -> tuple[Path, tuple[int, int, int], Path] | None:
    """The git index of the repository around the store (its size, time stamp and inode), and the repository's folder.

    None where there is no repository, or one without an index.
    """
    place = store.parent.resolve()
    for folder in (place, *place.parents):
        index = _index_of(folder)
        if index is None:
            continue
        try:
            status = index.stat()
        except OSError:
            return None
        return index, (status.st_size, status.st_mtime_ns, status.st_ino), folder
    return None


def _index_of(folder: Path) -> Path | None:
    """The path of the index of the repository at `folder`; None where there is no repository."""
    git = folder / ".git"
    try:
        status = git.stat()
        if stat.S_ISDIR(status.st_mode):
            return git / "index"
        # In a worktree or submodule, a file gives the path of the git folder.
        text = (read(git) or b"").decode("utf-8", "surrogateescape")
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    return folder / text.removeprefix("gitdir:").strip() / "index"


def is_tracked(store: Path) -> bool:
    """Whether git's index has a file of the store; True also where that is unknown."""
    found = index_stat(store)
    if found is None:
        return False
    index, _, folder = found
    relative = (store.parent.resolve() / store.name).relative_to(folder).as_posix()
    any_case = os.path.lexists(store.with_name(store.name.swapcase()))
    if not _may_name(index, os.fsencode(relative), any_case=any_case):
        return False
    from loregraph.git import run_git

    case = "icase,literal" if any_case else "literal"
    listed = run_git(folder, "ls-files", "-z", "--", f":(top,{case}){relative}", timeout=_GIT_SECONDS)
    return listed is None or bool(listed)


def _may_name(index: Path, relative: bytes, *, any_case: bool) -> bool:
    """Whether an index has entries below `relative`; True also where its bytes do not tell.

    `any_case`: the file system ignores case, so that `.LOREGRAPH/current` would be ours there.
    """
    try:
        descriptor = os.open(index, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _INDEX_BYTES:
                return True
            content = file.read()
    except OSError:
        return True
    # Version 4 compresses paths against the previous one; `link` means that some of the entries are in another file.
    if content[:4] != b"DIRC" or content[4:8] not in (b"\0\0\0\2", b"\0\0\0\3") or b"link\0\0" in content:
        return True
    if any_case:
        content, relative = content.lower(), relative.lower()
    return relative + b"/" in content or relative + b"\0" in content
