"""What tells, without reading it, that a file may have changed: the one comparison that everybody makes."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

RACY_NS: Final = 50_000_000
"""A file changed this shortly before it was read may have changed again without a new time stamp (git calls such
entries racy): its content is compared, not its stamp. Kernel clocks tick every 4 to 10 ms."""
COARSE_NS: Final = 2_000_000_000
"""The same where a file system keeps whole seconds only; FAT counts in 2 s."""

_SECOND: Final = 1_000_000_000
_INODE_BITS: Final = (1 << 63) - 1
"""What fits into a column of SQLite."""


# Implements REQ-SEC-016.
class Stamp(NamedTuple):
    """A file as it was looked at: size in bytes, times in nanoseconds since the epoch, number on its file system.

    `mtime_ns` is what tools restore (`cp -p`, archives, checkouts), so that another content can have it. `ctime_ns` no
    tool can set, and a file that was put in another's place has another `inode`. On Windows `ctime_ns` is the time of
    creation: there a content that is written over and given its old time again keeps its stamp.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def is_settled(self, read_ns: int) -> bool:
        """Whether a file with this stamp that was read at `read_ns` would have another by now, had it changed since."""
        latest = max(self.mtime_ns, self.ctime_ns)
        tick = COARSE_NS if not self.mtime_ns % _SECOND and not self.ctime_ns % _SECOND else RACY_NS
        return latest < read_ns - tick


def stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & _INODE_BITS)
