"""The file of an archive: what is written is the same everywhere, and nothing else is read."""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from loregraph.errors import DamagedArchiveError, LimitExceededError
from loregraph.publishing.container import pack, unpack

NAMES = ("about.json", "state.rows", "columns.bin", "vectors.bin")
FILES = {"about.json": b"{}", "state.rows": b"x" * 3000, "columns.bin": random.Random(1).randbytes(200_000)}


@pytest.fixture
def members(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "members"
    folder.mkdir()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in FILES]


def packed(members: list[Path]) -> tuple[bytes, str, int]:
    target = io.BytesIO()
    digest, size, written = pack(members, target)
    assert written == len(target.getvalue())
    return target.getvalue(), digest, size


def to(folder: Path) -> Callable[[str], BinaryIO]:
    folder.mkdir()

    def create(name: str) -> BinaryIO:
        return (folder / name).open("xb")

    return create


# Verifies REQ-PUB-002.
def test_the_same_content_is_the_same_archive_and_tar_reads_it(members: list[Path], tmp_path: Path) -> None:
    content, digest, size = packed(members)
    for path in members:
        path.chmod(0o600)
    assert packed(members) == (content, digest, size)
    plain = gzip.decompress(content)
    assert (hashlib.sha256(plain).hexdigest(), len(plain)) == (digest, size)
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        assert tar.getnames() == list(FILES)
        assert {(member.mtime, member.uid, member.uname, member.mode) for member in tar} == {(0, 0, "", 0o644)}
    assert unpack(io.BytesIO(content), digest, size, NAMES, to(tmp_path / "out")) == list(FILES)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == FILES


# Verifies REQ-PUB-004.
def test_every_cut_and_many_changed_bytes_are_refused(members: list[Path], tmp_path: Path) -> None:
    content, digest, size = packed(members)
    for number, cut in enumerate([0, 5, 18, len(content) // 2, len(content) - 9, len(content) - 1]):
        with pytest.raises(DamagedArchiveError, match=r"cut short|inflated"):
            unpack(io.BytesIO(content[:cut]), digest, size, NAMES, to(tmp_path / f"cut-{number}"))
    for at in range(10, len(content), 1009):  # what stands before is gzip's header, of which only some is meant
        wrong = bytearray(content)
        wrong[at] ^= 1
        with pytest.raises(DamagedArchiveError):
            unpack(io.BytesIO(bytes(wrong)), digest, size, NAMES, to(tmp_path / f"bit-{at}"))


def test_what_would_not_be_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "columns.bin"
    path.write_bytes(bytes(30 << 20))
    with pytest.raises(LimitExceededError):
        pack([path], io.BytesIO())


def test_what_follows_the_end_is_refused(members: list[Path], tmp_path: Path) -> None:
    content, digest, size = packed(members)
    for number, more in enumerate((b"x", content, bytes(512))):
        with pytest.raises(DamagedArchiveError, match="follows"):
            unpack(io.BytesIO(content + more), digest, size, NAMES, to(tmp_path / f"out-{number}"))


# Verifies REQ-PUB-005.
def test_a_bomb_ends_at_the_size_that_was_said(tmp_path: Path) -> None:
    member = tarfile.TarInfo("columns.bin")
    member.size = 1 << 28
    bomb = io.BytesIO()
    with gzip.GzipFile(fileobj=bomb, mode="wb") as file:
        file.write(member.tobuf(tarfile.USTAR_FORMAT))
        for _ in range(1 << 8):
            file.write(bytes(1 << 20))
    folder = tmp_path / "out"
    with pytest.raises(DamagedArchiveError, match="more than"):
        unpack(io.BytesIO(bomb.getvalue()), "0" * 64, 3 << 20, NAMES, to(folder))
    assert (folder / "columns.bin").stat().st_size < 4 << 20


def forged(change: Callable[[tarfile.TarInfo], None], form: int = tarfile.USTAR_FORMAT) -> tuple[bytes, str, int]:
    """An archive whose second member is changed."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=form) as tar:
        for name in ("about.json", "columns.bin"):
            member = tarfile.TarInfo(name)
            member.size = 4
            if name == "columns.bin":
                change(member)
            tar.addfile(member, io.BytesIO(b"abcd"))
    content = plain.getvalue().rstrip(b"\0")
    content += bytes(-len(content) % 512 + 1024)
    return gzip.compress(content), hashlib.sha256(content).hexdigest(), len(content)


def named(name: str) -> Callable[[tarfile.TarInfo], None]:
    return lambda member: setattr(member, "name", name)


def of_type(kind: bytes, target: str = "") -> Callable[[tarfile.TarInfo], None]:
    def change(member: tarfile.TarInfo) -> None:
        member.type, member.linkname, member.size = kind, target, 0 if kind != tarfile.REGTYPE else member.size

    return change


OUTSIDE = {
    "absolute": named("/etc/columns.bin"),
    "upwards": named("../columns.bin"),
    "upwards within": named("a/../../columns.bin"),
    "in a folder": named("a/columns.bin"),
    "twice": named("about.json"),
    "unknown": named("graph.kuzu"),
    "Windows": named("..\\columns.bin"),
    "a drive": named("C:columns.bin"),
    "a device of Windows": named("CON"),
    "a stream": named("columns.bin:evil"),
    "a dot at its end": named("columns.bin."),
    "other case": named("COLUMNS.BIN"),
    "not ASCII": named("columns\u202e.bin"),
    "empty": named(""),
    "long": named("columns.bin" + "/x" * 60),
    "symbolic link": of_type(tarfile.SYMTYPE, "/etc/passwd"),
    "hard link": of_type(tarfile.LNKTYPE, "about.json"),
    "device": of_type(tarfile.CHRTYPE),
    "block device": of_type(tarfile.BLKTYPE),
    "FIFO": of_type(tarfile.FIFOTYPE),
    "folder": of_type(tarfile.DIRTYPE),
    "sparse": of_type(tarfile.GNUTYPE_SPARSE),
    "executable": lambda member: setattr(member, "mode", 0o4755),
    "somebody's": lambda member: setattr(member, "uname", "root"),
    "of a time": lambda member: setattr(member, "mtime", 1_700_000_000),
}


# Verifies REQ-PUB-005.
@pytest.mark.parametrize("what", OUTSIDE)
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_a_member_that_is_not_written_so_is_refused(what: str, form: int, tmp_path: Path) -> None:
    try:
        content, digest, size = forged(OUTSIDE[what], form)
    except (ValueError, UnicodeError):  # the form has no such name
        return
    with pytest.raises(DamagedArchiveError):
        unpack(io.BytesIO(content), digest, size, NAMES, to(tmp_path / "out"))
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} <= {"about.json"}


def test_members_out_of_order_are_refused(members: list[Path], tmp_path: Path) -> None:
    content, digest, size = packed([members[1], members[0]])
    with pytest.raises(DamagedArchiveError, match="not there"):
        unpack(io.BytesIO(content), digest, size, NAMES, to(tmp_path / "out"))


def test_a_forgery_of_a_plain_member_would_be_read(tmp_path: Path) -> None:
    """Otherwise the test above shows nothing."""
    content, digest, size = forged(lambda member: None)
    assert unpack(io.BytesIO(content), digest, size, NAMES, to(tmp_path / "out")) == ["about.json", "columns.bin"]
