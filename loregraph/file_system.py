"""Whether the system reports changes of files in a folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

MOUNTS: Final = Path("/proc/self/mountinfo")
WITHOUT_EVENTS: Final = frozenset(
    """
    9p afs beegfs ceph cifs coda drvfs fuse.davfs2 fuse.gcsfuse fuse.glusterfs fuse.goofys fuse.grpcfuse fuse.juicefs
    fuse.osxfs fuse.rclone fuse.s3fs fuse.sshfs fuse.vmhgfs-fuse glusterfs gpfs lustre ncpfs nfs nfs4 prl_fs smb2 smb3
    smbfs vboxsf virtiofs vmhgfs
    """.split()
)
"""Kinds of file systems with changes of which this machine's kernel is not told: those made on the server or host."""

_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def kind_of(folder: Path, mounts: Path = MOUNTS) -> str:
    """The kind of the file system that has `folder`, as Linux calls it; "" where that is not known."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ""
    best, kind = Path(), ""
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = Path(_ESCAPED.sub(lambda found: chr(int(found[1], 8)), fields[4]))
        # The last of two mounts on one point hides the other.
        if folder.is_relative_to(point) and len(point.parts) >= len(best.parts):
            best, kind = point, after.split(" ", 1)[0]
    return kind


def without_events(folder: Path) -> str:
    """The kind of the folder's file system if changes are not reported there, else ""."""
    kind = kind_of(folder)
    return kind if kind in WITHOUT_EVENTS else ""
