"""Whether a store is this user's own, or came with the files of a repository and is not to be believed.

    <store>/owner           the mark: an id of the store, sealed with a key that lies in the user's data folder
    <store>/owner.anchor    only where that key cannot be kept: see below

A store is believed if it carries a mark that this user's loregraph made for this very folder (its inode is sealed) and
belongs to this user. `current` and `state.sqlite` carry the id, so that one of them that was put in the place of ours
is seen. Where no key can be kept, for want of a folder to write to, the mark names the inode and the time of change of
an empty file beside it, which no archive, checkout or copy can choose.

A checkout may put single files into a store that is ours, since git overwrites what it ignores: so git's index is
searched for the store's path. Readers pay for that only where the index is not the one that the writer saw. Of a store
that git tracks, inode and time of change of each file that we wrote are sealed too, and one that has others is not
believed.
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
"""A larger index of git's is not searched here; git is asked."""


class Owner(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `owner`. `seal` is over all the rest."""

    format: str = _FORMAT
    store_id: str
    folder: int
    """Inode of the store's folder."""
    users: tuple[int, int]
    """Whose the folder and the files in it are: on some file systems not those who write them."""
    index: tuple[int, int, int] | None = None
    """Size, time stamp and inode of the git index that was searched and held nothing of the store."""
    tracked: bool = False
    """Whether git tracked some of the store when it was written."""
    files: dict[str, tuple[int, int]] = {}
    """Inode and time of change (ns) of what was written, by name, where git tracks some of the store."""
    anchor: tuple[int, int] | None = None
    """Inode and time of change (ns) of `owner.anchor`, where there is no key."""
    seal: str = ""


class _Published(msgspec.Struct):
    """What is read of `current` before it is believed."""

    format: str = ""
    store_id: str = ""
    generation: int = 0


class Belief(msgspec.Struct, frozen=True):
    """What was found out about a store. `doubt` is why it is not believed, "" where it is."""

    store_id: str = ""
    doubt: str = ""
    owner: Owner | None = None


def read_current(store: Path) -> bytes | None:
    """The content of `current`; None where there is none, or what is there is no file of ours."""
    try:
        return read(store / CURRENT)
    except OSError:
        return None


# Implements REQ-SEC-007.
def examine(store: Path, current: bytes | None) -> Belief:
    """Whether the store at `store` is this user's own; `current` is the content of that file, None where there is none.

    One or two small files are read, and git's index where it is another than the writer saw.
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
    from loregraph.trust import is_trusted_store, trusts_everything  # which few stores need

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
    """What is read of `current`; None where it is not even that: damage, and nobody's graph."""
    try:
        return msgspec.json.decode(current, type=_Published)
    except (msgspec.DecodeError, RecursionError):
        return None


def is_state_as_written(store: Path, owner: Owner) -> bool:
    """Whether `state.sqlite` is not one that a checkout brought. Only a writer asks: it alone changes that file."""
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
    """The mark of the store at `store` if it is one of ours, made for this folder."""
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
    """Marks the store at `store`, which exists, as this user's own, and as what `belief` says it is.

    Returns the mark, and a remark where no key can be kept. Writes nothing where the mark holds already. Raises OSError
    where the store cannot be written.
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
    """Whose a file is that is made in the store."""
    replace(store / OWNER, b"{}")
    return (store / OWNER).lstat().st_uid


def sealed_again(store: Path, owner: Owner) -> Owner:
    """The mark after a writer's work: of a store that git tracks, what the files are now is sealed."""
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
    """A new key, or the one that another process has made meanwhile. Raises OSError where it cannot be kept."""
    path = data_folder() / KEY_FILE
    with changing(path):
        known = _key()
        if known is None:
            known = os.urandom(_KEY_BYTES)
            replace(path, known)
        return known


# git


def index_stat(store: Path) -> tuple[Path, tuple[int, int, int], Path] | None:
    """The index of the repository that the store lies in, its size, time stamp and inode, and the repository's folder.

    None where it lies in none, or one without an index.
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
    """Where the index of the repository at `folder` would be; None where there is no repository at it."""
    git = folder / ".git"
    try:
        status = git.stat()
        if stat.S_ISDIR(status.st_mode):
            return git / "index"
        # Of a worktree or a submodule: the file says where its git folder is.
        text = (read(git) or b"").decode("utf-8", "surrogateescape")
    except OSError:
        return None
    if not text.startswith("gitdir:"):
        return None
    return folder / text.removeprefix("gitdir:").strip() / "index"


def is_tracked(store: Path) -> bool:
    """Whether git's index has a file of the store; also where that cannot be found out."""
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
    """Whether an index names what lies at `relative`; True also where that cannot be told from its bytes.

    `any_case`: the file system knows no case, and `.LOREGRAPH/current` would be ours there.
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
    # Version 4 shortens paths by the one before; `link` says that some of the entries lie in another file.
    if content[:4] != b"DIRC" or content[4:8] not in (b"\0\0\0\2", b"\0\0\0\3") or b"link\0\0" in content:
        return True
    if any_case:
        content, relative = content.lower(), relative.lower()
    return relative + b"/" in content or relative + b"\0" in content
