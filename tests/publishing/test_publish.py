"""A commit's graph, published to a folder: what is there, what is refused, what is never part of it."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from loregraph import rooted
from loregraph.errors import PlaceError, UncommittedError, UsageError
from loregraph.graph.state import BLOBS
from loregraph.publishing import publish as publishing
from loregraph.publishing.catalogue import Catalogue, Manifest
from tests.publishing.conftest import Shop, files_in


def archives(place: Path) -> list[Path]:
    return sorted(place.glob("repository/_archives/*"))


def inflated(blob: bytes) -> bytes:
    with suppress(zlib.error):
        return zlib.decompress(blob)
    return blob


# Verifies REQ-PUB-001, REQ-PUB-006.
def test_two_publishers_of_a_commit_end_with_one_archive(shop: Shop, place: Path) -> None:
    done = shop.project.publish(str(place))
    before = files_in(place)
    assert done.commit == shop.repository.git("rev-parse", "HEAD")
    assert done.bytes == archives(place)[0].stat().st_size
    assert (done.url, done.repository, done.is_new) == (str(place), "repository", True)
    other = shop.clone("other")
    seen: list[int] = []
    assert not publishing.publish(other.root, other.project.store, str(place), lambda: seen.append(1)).is_new
    assert not seen, "nothing is indexed for what is published"
    content = archives(place)[0].read_bytes()
    assert other.project.publish(str(place), again=True).is_new
    assert files_in(place) == before, "another clone in another folder makes the same archive"
    assert archives(place)[0].read_bytes() == content
    assert other.project.published(str(place)) == shop.project.published(str(place))
    assert shop.project.published(str(place), rev="HEAD") is not None


# Verifies REQ-PUB-002.
def test_an_edit_and_a_fresh_index_make_the_same_archive(shop: Shop, place: Path) -> None:
    shop.project.index()
    shop.commit(2)
    shop.project.publish(str(place))
    first = archives(place)
    shutil.rmtree(shop.root / ".loregraph")
    Shop(shop.repository).project.publish(str(place), again=True)
    assert archives(place) == first


# Verifies REQ-PUB-003.
def test_nothing_written_privately_and_no_path_of_the_machine_is_published(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    clean = archives(place)
    shop.project.index()
    shop.project.memory.add(
        "The rounding is agreed with the bank: secret-of-mine", anchors=["shop/money.py::round_price"]
    )
    assert shop.project.catch_up()
    shop.project.publish(str(place), again=True)
    assert archives(place) == clean, "with memories in the graph the archive is the same"
    shop.project.bring_history()
    shop.project.publish(str(place), again=True)
    assert archives(place) == clean, "and with what git's history says, which a shallow clone would say otherwise"
    content = gzip.decompress(clean[0].read_bytes())
    other = shop.clone("other")
    other.project.pull(str(place))
    state = other.project.store.open_state()
    assert state is not None
    for kind in BLOBS:
        content += b"".join(inflated(blob) for _, blob in state.blobs(kind))
    content += b"".join(state.meta(key) or b"" for key in state.meta_keys())
    state.close()
    assert b"round_price" in content
    for private in (b"secret-of-mine", str(shop.root).encode(), str(place).encode(), b"a@example.com"):
        assert private not in content
    manifest = next(place.glob("repository/_commits/*.json")).read_text()
    assert str(shop.root) not in manifest and "example.com" not in manifest


# Verifies REQ-PUB-006.
@pytest.mark.parametrize("path", ["shop/money.py", "shop/new.py"])
def test_files_that_are_not_the_commits_are_refused(shop: Shop, place: Path, path: str) -> None:
    shop.repository.write(path, "def other(): pass\n")
    with pytest.raises(UncommittedError, match=path):
        shop.project.publish(str(place))
    assert not place.exists()
    shop.repository.write(".git/info/exclude", "new.py\nplaces/\n")
    shop.repository.git("checkout", "-q", "shop/money.py")
    assert shop.project.publish(str(place)).is_new


def test_a_file_that_changes_while_it_is_indexed_is_refused(shop: Shop, place: Path) -> None:
    def index() -> None:
        shop.repository.write("shop/money.py", "def round_price(amount): return 1\n")
        shop.project.index()

    with pytest.raises(UncommittedError):
        publishing.publish(shop.root, shop.project.store, str(place), index)
    assert not place.exists()


def test_a_folder_without_commits_is_refused(tmp_path: Path, shop: Shop, place: Path) -> None:
    from loregraph.project import Project

    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match="in no git repository"):
        Project(tmp_path / "plain").publish(str(place))


def test_a_damaged_archive_is_replaced(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    [archive] = archives(place)
    content = archive.read_bytes()
    archive.write_bytes(content[:-10])
    assert shop.project.published(str(place)) is None
    assert shop.project.publish(str(place)).is_new
    assert [path.read_bytes() for path in archives(place)] == [content, content[:-10]]
    manifest = next(place.glob("repository/_commits/*"))
    manifest.write_text("{")
    assert shop.project.publish(str(place)).is_new
    assert json.loads(manifest.read_text())["archive"] == archives(place)[0].name
    assert shop.project.collect(str(place), newest=1).archives == 1
    assert [path.read_bytes() for path in archives(place)] == [content]
    archives(place)[0].write_bytes(b"\0" * len(content))
    assert not shop.project.publish(str(place)).is_new, "its size is right"
    assert shop.project.publish(str(place), again=True).is_new
    assert archives(place)[0].read_bytes() == content


def test_a_full_disk_leaves_what_was_there(shop: Shop, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.project.publish(str(place))
    before = files_in(place)
    shop.commit(3)
    shop.project.index()
    plain = rooted.replacing

    def full(base: Path, path: Path | str, **options: object) -> object:
        if base == place and "_archives" in str(path):
            raise OSError(28, "No space left on device")
        return plain(base, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(rooted, "replacing", full)
    with pytest.raises(PlaceError, match="No space left") as caught:
        shop.project.publish(str(place))
    assert "make room" in caught.value.suggestion
    assert files_in(place) == before


def test_a_link_at_the_place_is_not_followed(shop: Shop, place: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (place / "repository").mkdir(parents=True)
    (place / "repository" / "_archives").symlink_to(victim)
    with pytest.raises(PlaceError, match="is a link"):
        shop.project.publish(str(place))
    assert not list(victim.iterdir())


def test_an_archive_that_is_collected_meanwhile_gets_another_name(
    shop: Shop, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Catalogue.put_manifest
    marked: list[str] = []

    def put(self: Catalogue, manifest: Manifest) -> None:
        if not marked:  # a collection that has not seen the manifest yet
            marked.append(manifest.archive)
            self.mark_removed(manifest.archive)
            self.place.remove(self.archive_name(manifest.archive))
        plain(self, manifest)

    monkeypatch.setattr(Catalogue, "put_manifest", put)
    shop.project.publish(str(place))
    [archive] = archives(place)
    assert archive.name == marked[0].replace(".tar", ".1.tar")
    other = shop.clone("other")
    other.project.pull(str(place))
    assert other.callers() == ["shop/cart.py::Cart.total"]
