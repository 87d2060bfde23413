"""File systems that report no changes are recognised."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph import file_system

MOUNTS = r"""
22 1 253:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:40 / /home rw,relatime - nfs4 server:/home rw
31 22 0:41 / /mnt/my\040share rw - cifs //server/share rw
32 30 253:1 / /home/local rw - xfs /dev/vdb rw
33 22 0:42 / /over rw - ext4 /dev/vdc rw
34 22 0:43 / /over rw - fuse.sshfs host:/ rw
not a mount
""".lstrip()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/work/project", ""),
        ("/home/anna/project", "nfs4"),
        ("/home/local/project", ""),
        ("/homework", ""),
        ("/mnt/my share/project", "cifs"),
        ("/over/project", "fuse.sshfs"),
    ],
)
def test_the_nearest_mount_tells(folder: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS, encoding="utf-8")
    found = file_system.kind_of(Path(folder), mounts)
    assert (found if found in file_system.WITHOUT_EVENTS else "") == kind


def test_without_a_list_of_mounts_nothing_is_known(tmp_path: Path) -> None:
    assert file_system.kind_of(tmp_path, tmp_path / "missing") == ""
