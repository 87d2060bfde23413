"""A published graph in another clone answers as one made there, and what is wrong with an archive changes nothing."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.errors import DamagedArchiveError, LoregraphError, NotPublishedError, StoreBusyError
from loregraph.graph.generation import StoreFolder
from loregraph.graph.sections import SectionFile, write_sections
from loregraph.project import Project
from loregraph.publishing import pull as pulling
from loregraph.publishing.catalogue import Catalogue
from loregraph.publishing.places import place_of
from loregraph.publishing.publish import is_published_as
from loregraph.stamps import stamp
from tests.publishing.conftest import Shop
from tests.shop import SHOP

CALLERS = ["shop/cart.py::Cart.total"]


def arrays(project: Project) -> dict[str, bytes]:
    with project.store.lease() as lease:
        return {path.name: path.read_bytes() for path in sorted(lease.path.glob("*.bin"))}


# Verifies REQ-PUB-004.
def test_a_clone_has_the_graph_without_indexing_and_an_index_finds_nothing_to_do(shop: Shop, place: Path) -> None:
    done = shop.project.publish(str(place))
    other = shop.clone("other")
    pulled = other.project.pull(str(place))
    assert (pulled.commit, pulled.bytes, pulled.url) == (done.commit, done.bytes, str(place))
    assert arrays(other.project) == arrays(shop.project)
    assert other.callers() == CALLERS
    assert list(other.project.query("MATCH (f:Function) RETURN count(f) AS n")) == [{"n": 5}]
    assert other.project.behind([], others=True).changed == frozenset()
    state = other.project.store.open_state()
    assert state is not None
    assert {path: file.stamp for path, file in state.files().items()} == {
        path: stamp((other.root / path).stat()) for path in SHOP
    }, "files are known by their stamps"
    state.close()
    report = other.project.index()
    assert (report.files.indexed, report.resolved) == (0, 0)
    assert report.files.unchanged == len(SHOP)


# Verifies REQ-PUB-004.
def test_paths_of_endpoints_are_not_taken_for_files(shop: Shop, place: Path) -> None:
    route = 'from flask import Flask\n\napp = Flask(__name__)\n\n\n@app.get("/")\ndef home():\n    return ""\n'
    shop.repository.write("shop/pages.py", route)
    shop.repository.commit("pages")
    with Project(shop.repository.root) as project:
        project.publish(str(place), embed=False)
    clone = shop.clone("clone")
    with Project(clone.repository.root) as project:
        project.pull(str(place))
        assert [row["e.path"] for row in project.query("MATCH (:Function)-[:HANDLES]->(e:Endpoint) RETURN e.path")] == [
            "/"
        ]


def test_memories_of_the_clone_join_the_graph_that_is_pulled(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    other = shop.clone("other")
    other.project.memory.add("Cents only", anchors=["shop/money.py"])
    other.project.pull(str(place))
    other.project.catch_up()
    assert list(other.project.query("MATCH (m:Memory) RETURN m.content AS text")) == [{"text": "Cents only"}]


def test_a_pull_replaces_the_graph_and_memories_come_back(shop: Shop, place: Path) -> None:
    first = shop.project.publish(str(place)).commit
    shop.commit(2)
    shop.project.index()
    assert "shop/extra.py::buy" in shop.callers("checkout")
    shop.project.pull(str(place), rev="HEAD~1")
    assert "shop/extra.py::buy" not in shop.callers("checkout")
    shop.repository.write("shop/money.py", "def round_price(amount): return 0\n")
    shop.project.pull(str(place), rev="HEAD~1")
    assert shop.project.behind(["shop/money.py", "shop/cart.py"]).changed == {"shop/money.py"}
    shop.repository.git("checkout", "-q", "shop/money.py")
    assert shop.project.pull(str(place), rev=first).commit == first
    assert shop.project.index().files.indexed == 1
    assert "shop/extra.py::buy" in shop.callers("checkout")


# Verifies REQ-PUB-009.
def test_an_index_from_the_nearest_ancestor_is_the_index_of_everything(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    shop.commit(1)
    near = shop.project.publish(str(place)).commit
    shop.repository.replace("shop/money.py", "Round to", "Rounds to")
    shop.repository.commit()
    shop.commit(7)
    other = shop.clone("other")
    start = other.project.start_from(str(place))
    assert start.pulled is not None and start.pulled.commit == near
    report = other.project.index()
    assert report.files.indexed == 2
    shop.project.index(full=True)
    assert arrays(other.project) == arrays(shop.project)
    again = other.project.start_from(str(place))
    assert again.pulled is None and "has a graph" in again.remark


def test_a_store_whose_facts_all_have_to_be_made_again_is_replaced(
    shop: Shop, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.project.publish(str(place))
    other = shop.clone("other")
    other.project.index()
    assert other.project.start_from(str(place)).pulled is None
    monkeypatch.setattr(pulling, "serves", lambda *_, **__: False)  # as after an upgrade
    assert other.project.start_from(str(place)).pulled is not None


def test_an_index_from_a_place_without_any_ancestor_says_so(shop: Shop, place: Path) -> None:
    start = shop.project.start_from(str(place))
    assert start.pulled is None
    assert "nothing is published" in start.remark
    shop.commit(1)
    shallow = shop.root.parent / "shallow"
    shop.repository.git("clone", "-q", "--depth=1", f"file://{shop.root}", str(shallow))
    assert "fetch-depth" in Project(shallow, embedder="none").start_from(str(place)).remark


def test_other_commits_names_and_versions_are_explained(
    shop: Shop, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotPublishedError, match="nothing is published") as caught:
        shop.project.pull(str(place))
    assert "--as" in caught.value.suggestion
    shop.project.publish(str(place))
    shop.commit(1)
    with pytest.raises(NotPublishedError, match="no graph of") as caught:
        shop.project.pull(str(place))
    assert "--from" in caught.value.suggestion
    monkeypatch.setattr(pulling, "code_version", lambda: "0123456789ab")
    with pytest.raises(NotPublishedError, match="another version"):
        shop.project.pull(str(place), rev="HEAD~1")


# Verifies REQ-PUB-011.
def test_a_published_graph_needs_no_clone(shop: Shop, place: Path, tmp_path: Path) -> None:
    shop.project.publish(str(place), name="team/shop")
    shop.commit(1)
    newest = shop.project.publish(str(place), name="team/shop").commit
    store = StoreFolder(tmp_path / "store")
    assert pulling.pull_published(str(place), "team/shop", store).commit == newest
    (tmp_path / "empty").mkdir()
    reader = Project(tmp_path / "empty", store=store.path, embedder="none")
    assert [hit.id for hit in reader.callers("round_price")] == CALLERS
    assert pulling.pull_published(str(place), "team/shop", store, commit=newest).commit == newest
    with pytest.raises(NotPublishedError):
        pulling.pull_published(str(place), "team/other", store)
    assert is_published_as(str(place), "team/shop", newest) is not None
    assert is_published_as(str(place), "team/shop", "0" * 40) is None


# What is wrong with an archive


class Forged:
    """The published archive of the shop, taken apart to be put together otherwise."""

    def __init__(self, place: Path) -> None:
        self.place = place
        [self.path] = place.glob("repository/_archives/*")
        [self.manifest] = place.glob("repository/_commits/*")
        with tarfile.open(self.path) as tar:
            self.members = {name: self._content(tar, name) for name in tar.getnames()}

    @staticmethod
    def _content(tar: tarfile.TarFile, name: str) -> bytes:
        file = tar.extractfile(name)
        assert file is not None
        return file.read()

    def about(self, **changed: Any) -> None:
        told = json.loads(self.members["about.json"])
        self.members["about.json"] = json.dumps({**told, **changed}).encode()

    def rows(self, change: Callable[[str, list[Any]], tuple[str, list[Any]]]) -> None:
        content, source = b"", io.BytesIO(self.members["state.rows"])
        while prefix := source.read(4):
            kind, rows = msgspec.msgpack.decode(source.read(int.from_bytes(prefix, "little")))
            frame = msgspec.msgpack.encode(change(kind, rows))
            content += len(frame).to_bytes(4, "little") + frame
        self.members["state.rows"] = content

    def put(self) -> None:
        """Publishes it with a manifest and a name that are right for it."""
        plain = b""
        for name, content in self.members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            plain += member.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)
        plain += bytes(1024)
        packed = gzip.compress(plain)
        name = f"{hashlib.sha256(plain).hexdigest()}.tar.gz"
        (self.path.parent / name).write_bytes(packed)
        self.says(archive=name, bytes=len(packed), content_bytes=len(plain))

    def says(self, **changed: Any) -> None:
        told = json.loads(self.manifest.read_text())
        self.manifest.write_text(json.dumps({**told, **changed}))


def no_change(kind: str, rows: list[Any]) -> tuple[str, list[Any]]:
    return kind, rows


def renamed(path: str) -> Callable[[str, list[Any]], tuple[str, list[Any]]]:
    return lambda kind, rows: (kind, [[path if row[0] == "shop/money.py" else row[0], *row[1:]] for row in rows])


def in_columns(path: str) -> Callable[[Forged], None]:
    """The graph says that a file of it lies at `path`, with checksums that are right for that."""

    def change(forged: Forged) -> None:
        scratch = forged.place / "columns.bin"
        scratch.write_bytes(forged.members["columns.bin"])
        file = SectionFile(scratch)
        sections = []
        for name in file.names:
            section = file.section(name)
            content = section.all().replace(b"shop/money.py", path.encode())
            sections.append((name, section.entry.dtype, section.entry.count, content))
        write_sections(scratch, sections, file.meta)
        forged.members["columns.bin"] = scratch.read_bytes()
        marks = json.loads(forged.members["about.json"])["arrays"]
        mark = SectionFile(scratch).mark
        forged.about(arrays={**marks, "columns.bin": [mark.size, mark.crc]})

    assert len(path) == len("shop/money.py")
    return change


def without(name: str) -> Callable[[Forged], None]:
    return lambda forged: forged.members.pop(name) and None


def flipped(forged: Forged) -> None:
    content = bytearray(forged.members["columns.bin"])
    content[-700] ^= 1
    forged.members["columns.bin"] = bytes(content)


FORGERIES: dict[str, Callable[[Forged], None]] = {
    "other code": lambda forged: forged.about(code_version="0" * 12),
    "another schema": lambda forged: forged.about(schema_version=1),
    "another state": lambda forged: forged.about(state_version=99),
    "another format": lambda forged: forged.about(format="zip"),
    "no JSON": lambda forged: forged.members.update({"about.json": b"{" * 100_000}),
    "a large text about it": lambda forged: forged.members.update({"about.json": b" " * (2 << 20)}),
    "another token": lambda forged: forged.about(token="0" * 32),
    "no array is named": lambda forged: forged.about(arrays={}),
    "no columns": without("columns.bin"),
    "no rows": without("state.rows"),
    "nothing about it": without("about.json"),
    "a bit of an array": flipped,
    "a file above": lambda forged: forged.rows(renamed("../money.py")),
    "an absolute file": lambda forged: forged.rows(renamed("/etc/passwd")),
    "a file twice": lambda forged: forged.rows(renamed("shop/cart.py")),
    "an empty name": lambda forged: forged.rows(renamed("")),
    "facts of an unknown file": lambda forged: forged.rows(
        lambda kind, rows: no_change(kind, rows) if kind == "files" else renamed("x.py")(kind, rows)
    ),
    "unknown metadata": lambda forged: forged.rows(
        lambda kind, rows: (kind, [["store_id", b"x"]] if kind == "meta" else rows)
    ),
    "an unknown kind": lambda forged: forged.rows(lambda kind, rows: ("published" if kind == "traces" else kind, rows)),
    "rows of another form": lambda forged: forged.rows(lambda kind, rows: (kind, [[1, 2]])),
    "rows without end": lambda forged: forged.members.update({"state.rows": forged.members["state.rows"][:-3]}),
    "a frame of 4 GB": lambda forged: forged.members.update({"state.rows": b"\xff" * 8}),
    "a graph that leads above": in_columns("../../../a.py"),
    "a graph of absolute files": in_columns("/etc/passwd.x"),
    "a manifest of more bytes": lambda forged: forged.says(bytes=10**9),
    "a manifest of fewer bytes": lambda forged: forged.says(bytes=1000),
}
AFTER = {"a manifest of more bytes", "a manifest of fewer bytes"}


# Verifies REQ-PUB-004, REQ-PUB-005.
def test_forgeries_are_refused_whole(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    other = shop.clone("other")
    shop.commit(1)
    shop.project.index()
    before = arrays(shop.project)
    for what, change in FORGERIES.items():
        own = place.with_name(what.replace(" ", "-"))
        shutil.copytree(place, own)
        forged = Forged(own)
        if what not in AFTER:
            change(forged)
        forged.put()
        if what in AFTER:
            change(forged)
        with pytest.raises(DamagedArchiveError) as caught:
            other.project.pull(str(own))
        assert "publish" in caught.value.suggestion, what
        assert other.project.store.current() is None, what
        with pytest.raises(DamagedArchiveError):
            shop.project.pull(str(own), rev="HEAD~1")
        assert arrays(shop.project) == before, what
        assert not list((shop.root / ".loregraph").glob("building-*")), what
        assert shop.project.index().files.indexed == 0, "the facts are those of before"


def test_what_is_put_together_rightly_is_taken(shop: Shop, place: Path) -> None:
    """Otherwise the test above shows nothing."""
    shop.project.publish(str(place))
    forged = Forged(place)
    forged.rows(no_change)
    in_columns("shop/money.py")(forged)
    forged.put()
    assert shop.clone("other").project.pull(str(place))


def test_forged_manifests_are_refused(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    other = shop.clone("other")
    plain = Forged(place).manifest.read_bytes()
    changes: list[dict[str, Any]] = [
        {"archive": "../../../etc/passwd"},
        {"archive": "/etc/passwd"},
        {"archive": "x.tar.gz"},
        {"commit": "0" * 40},
        {"code_version": "0" * 12},
        {"bytes": -1},
        {"bytes": "1"},
        {"content_bytes": 1 << 40},
        {"content_bytes": 0},
    ]
    for changed in changes:
        Forged(place).says(**changed)
        with pytest.raises(DamagedArchiveError):
            other.project.pull(str(place))
        start = other.project.start_from(str(place))
        assert start.pulled is None and start.remark, "an index goes on without it"
        Forged(place).manifest.write_bytes(plain)
    assert other.project.pull(str(place))


def test_a_manifest_of_a_newer_version_is_not_taken_for_damage(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    Forged(place).says(format="loregraph-published-2")
    for call in (shop.project.pull, shop.project.published, shop.project.publish):
        with pytest.raises(LoregraphError, match="loregraph-published-2"):
            call(str(place))


def test_a_large_manifest_and_an_archive_that_is_gone_are_refused(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    forged = Forged(place)
    forged.path.unlink()
    with pytest.raises(DamagedArchiveError, match="missing"):
        shop.project.pull(str(place))
    forged.manifest.write_bytes(b" " * (1 << 20))
    with pytest.raises(DamagedArchiveError, match="more than"):
        shop.project.pull(str(place))


def test_a_pull_waits_for_its_turn(shop: Shop, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.project.publish(str(place))
    monkeypatch.setattr(pulling, "LOCK_SECONDS", 0.01)
    with shop.project.store.writer(), pytest.raises(StoreBusyError):
        Project(shop.root, embedder="none").pull(str(place))
    catalogue = Catalogue(place_of(str(place)), "repository")
    assert len(catalogue.commits()) == 1
