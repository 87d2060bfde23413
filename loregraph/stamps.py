"""File stamps: detect that a file may have changed without reading it. The only such comparison."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

RACY_NS: Final = 50_000_000
"""A file changed this shortly before it was read may have changed again without a new time stamp (git calls such
entries racy): its content is compared, not its stamp. Kernel clocks tick every 4 to 10 ms."""
COARSE_NS: Final = 2_000_000_000
"""The same for file systems with whole seconds; FAT has steps of 2 s."""

_SECOND: Final = 1_000_000_000
_INODE_BITS: Final = (1 << 63) - 1
"""The integers of a SQLite column."""


# Implements REQ-SEC-016.
class Stamp(NamedTuple):
    """The status of a file: size in bytes, times in nanoseconds since the epoch, inode number.

    Tools can restore `mtime_ns` (`cp -p`, archives, checkouts), so other content can have the same. No tool can set
    `ctime_ns`, and a replaced file has another `inode`. On Windows `ctime_ns` is the time of creation: there, content
    that is overwritten and given its old time again keeps its stamp.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def is_settled(self, read_ns: int) -> bool:
        """Whether a file with this stamp, read at `read_ns`, would have another stamp by now if it had changed
        since."""
        latest = max(self.mtime_ns, self.ctime_ns)
        tick = COARSE_NS if not self.mtime_ns % _SECOND and not self.ctime_ns % _SECOND else RACY_NS
        return latest < read_ns - tick


def stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino & _INODE_BITS)
