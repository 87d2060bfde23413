"""The record of what was put into hosts' files: `hosts.json` in the user's data folder.

With it a file becomes what it was, to the byte, as long as nobody else has changed it. It is no condition for taking an
entry out: without it, or after a change, the entry is found by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from loregraph.errors import StoreError
from loregraph.hosts.edits import Edited, Span, restored
from loregraph.user_files import blake2b, changing, data_folder, read, replace

FILE: Final = "hosts.json"
_FORMAT: Final = "loregraph-hosts-1"


class Receipt(msgspec.Struct, frozen=True):
    """What was put into one file. `after` is the hash of the file then, `spans` are (start, end, what stood there)."""

    hosts: tuple[str, ...]
    kind: str
    after: str
    spans: tuple[tuple[int, int, str], ...]
    keep: int
    """How many of the containers around the part there were."""
    made: bool
    """Whether there was no file."""
    folders: tuple[str, ...] = ()
    """The folders that were made for it, outermost first."""

    def before(self, text: str) -> str:
        """What the file was, from its `text` as it was left."""
        return restored(text, [Span(*span) for span in self.spans])


class Receipts(msgspec.Struct, frozen=True):
    """Absolute path, links resolved → what was put there."""

    format: str = _FORMAT
    files: dict[str, Receipt] = {}


def receipt(
    edited: Edited, hosts: tuple[str, ...], kind: str, keep: int, made: bool, folders: tuple[str, ...]
) -> Receipt:
    spans = tuple((one.start, one.end, one.before) for one in edited.spans)
    return Receipt(hosts, kind, digest(edited.text.encode()), spans, keep, made, folders)


def digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


def receipts() -> Mapping[str, Receipt]:
    """All records: none where the file cannot be read, since nothing depends on them."""
    try:
        content = read(data_folder() / FILE)
        known = Receipts() if content is None else msgspec.json.decode(content, type=Receipts)
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
    return known.files if known.format == _FORMAT else {}


def change(work: Callable[[dict[str, Receipt]], None]) -> None:
    """Applies `work` to all records. Raises StoreError where they cannot be kept, StoreBusyError after a while."""
    path = data_folder() / FILE
    try:
        with changing(path):
            files = dict(receipts())
            work(files)
            replace(path, msgspec.json.format(msgspec.json.encode(Receipts(files=files)), indent=2))
    except OSError as error:
        raise StoreError(
            f"what is written cannot be recorded: {error}", "set LOREGRAPH_HOME to a folder of yours"
        ) from error
