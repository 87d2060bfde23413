"""Places behind a server: S3's protocol as moto speaks it, and HTTP for reading, with what goes wrong there."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import run
from loregraph.errors import DamagedArchiveError, LoregraphError, NotPublishedError, PlaceError
from loregraph.project import Project
from tests.publishing.conftest import Shop, files_in

SECRET = "a-very-secret-key"


# S3


@pytest.fixture(scope="module")
def s3_server() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A bucket of its own, reached by what a user would set."""
    import boto3

    for name, value in {
        "AWS_ENDPOINT_URL": s3_server,
        "AWS_ACCESS_KEY_ID": "someone",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": str(tmp_path / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "none"),
    }.items():
        monkeypatch.setenv(name, value)
    name = f"graphs-{os.path.basename(tmp_path).replace('_', '-').lower()}"[:60].strip("-")  # noqa: PTH119
    boto3.client("s3").create_bucket(Bucket=name)
    return name


def keys(bucket: str) -> list[str]:
    import boto3

    return sorted(row["Key"] for row in boto3.client("s3").list_objects_v2(Bucket=bucket).get("Contents", ()))


# Verifies REQ-PUB-001, REQ-PUB-004, REQ-PUB-006, REQ-PUB-009, REQ-PUB-010.
@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_everything_works_with_s3(shop: Shop, bucket: str) -> None:
    url = f"s3://{bucket}/some/prefix"
    first = shop.project.publish(url)
    assert first.is_new and first.url == url
    assert not shop.clone("second").project.publish(url).is_new
    assert shop.clone("third").project.publish(url, again=True).is_new
    assert len(keys(bucket)) == 2, "one archive and one manifest"
    other = shop.clone("other")
    assert other.project.pull(url).commit == first.commit
    assert other.callers() == ["shop/cart.py::Cart.total"]
    shop.commit(1)
    near = shop.clone("near")
    start = near.project.start_from(url)
    assert start.pulled is not None and start.pulled.commit == first.commit
    assert near.project.index().files.indexed == 1
    second = shop.project.publish(url)
    collected = shop.project.collect(url, newest=1)
    assert (collected.commits, collected.archives, collected.kept) == ((first.commit,), 1, 1)
    assert shop.clone("last").project.pull(url).commit == second.commit
    with pytest.raises(NotPublishedError):
        other.project.pull(f"s3://{bucket}/elsewhere")


@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_two_at_once_end_with_one_archive(shop: Shop, bucket: str) -> None:
    url = f"s3://{bucket}"
    clones = [shop.clone(f"clone-{number}") for number in range(2)]
    for clone in clones:
        clone.project.index()
    together = threading.Barrier(2)
    failed: list[BaseException] = []

    def publish(clone: Shop) -> None:
        together.wait()
        try:
            clone.project.publish(url, again=True)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=publish, args=(clone,)) for clone in clones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(keys(bucket)) == 2
    assert shop.clone("other").project.pull(url)


@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_a_bucket_that_is_not_there_is_one_clear_error(
    shop: Shop, bucket: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(PlaceError, match="cannot write to s3://no-such-bucket-here/x"):
        shop.project.publish("s3://no-such-bucket-here/x")
    assert run(["--root", str(shop.root), "publish", "s3://no-such-bucket-here/x", "--no-embed"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("error: cannot write to s3://") and said.count("\n") == 2
    assert SECRET not in said


@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_no_rights_are_said_and_nothing_is_there(shop: Shop, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """moto asks for rights only where it is told to: the driver's answer to a refusal is put in its place."""
    import s3fs

    async def refused(*_: Any, **__: Any) -> None:
        raise PermissionError("Access Denied")

    monkeypatch.setattr(s3fs.S3FileSystem, "_put_file", refused)
    with pytest.raises(PlaceError, match="Access Denied") as caught:
        shop.project.publish(f"s3://{bucket}/x")
    assert "credentials" in caught.value.suggestion
    assert keys(bucket) == []


@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_no_credentials_are_said(shop: Shop, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with pytest.raises(PlaceError) as caught:
        shop.project.publish(f"s3://{bucket}/x")
    assert "credentials" in caught.value.message + caught.value.suggestion


@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_wrong_bytes_in_a_bucket_are_refused(shop: Shop, bucket: str) -> None:
    import boto3

    url = f"s3://{bucket}"
    shop.project.publish(url)
    [archive] = [key for key in keys(bucket) if "_archives" in key]
    client = boto3.client("s3")
    content = bytearray(client.get_object(Bucket=bucket, Key=archive)["Body"].read())
    content[len(content) // 2] ^= 1
    client.put_object(Bucket=bucket, Key=archive, Body=bytes(content))
    other = shop.clone("other")
    with pytest.raises(DamagedArchiveError):
        other.project.pull(url)
    start = other.project.start_from(url)
    assert start.pulled is None and "not used" in start.remark
    assert shop.project.publish(url, again=True)
    assert other.project.pull(url)


class Cutting:
    """Passes connections on to a server, and ends them after so many bytes in one direction, if told to."""

    def __init__(self, target: tuple[str, int]) -> None:
        self.target = target
        self.most_up = self.most_down = 1 << 30
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.target)
            for source, to, most in ((near, far, self.most_up), (far, near, self.most_down)):
                threading.Thread(target=self._pass, args=(source, to, most), daemon=True).start()

    @staticmethod
    def _pass(source: socket.socket, to: socket.socket, left: int) -> None:
        with suppress(OSError):
            while left and (piece := source.recv(min(left, 1 << 16))):
                to.sendall(piece)
                left -= len(piece)
        for end in (source, to):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


@pytest.fixture
def cutting(bucket: str, s3_server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cutting]:
    import s3fs

    host, _, port = s3_server.removeprefix("http://").rpartition(":")
    between = Cutting((host, int(port)))
    monkeypatch.setenv("AWS_ENDPOINT_URL", between.url)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    monkeypatch.setattr(s3fs.S3FileSystem, "retries", 1)
    yield between
    between.close()


# Verifies REQ-PUB-001, REQ-PUB-004.
@pytest.mark.integration("moto")
@pytest.mark.integration("s3fs")
def test_connections_that_are_cut_leave_nothing_half_done(shop: Shop, bucket: str, cutting: Cutting) -> None:
    url = f"s3://{bucket}"
    cutting.most_up = 5_000  # in the middle of the archive, which has more
    with pytest.raises(PlaceError, match="cannot write to"):
        shop.project.publish(url)
    cutting.most_up = 1 << 30
    assert shop.project.published(url) is None
    assert shop.project.publish(url).bytes > 5_000
    other = shop.clone("other")
    cutting.most_down = 5_000
    with pytest.raises(PlaceError, match="cannot read"):
        other.project.pull(url)
    assert other.project.store.current() is None
    cutting.most_down = 1 << 30
    assert other.project.pull(url)


# HTTP


class Faulty(SimpleHTTPRequestHandler):
    """Serves a folder; what it does wrong is in `fault`."""

    fault = ""
    asked: list[str]

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        if self._denied():
            return
        super().do_HEAD()

    def do_GET(self) -> None:
        type(self).asked.append(self.headers.get("Authorization", ""))
        if self._denied():
            return
        path = Path(self.translate_path(self.path))
        if self.fault == "cut" and path.suffix == ".gz":
            content = path.read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
            return
        if self.fault == "moved":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:1" + self.path)
            self.end_headers()
            return
        if self.fault == "endless" and path.suffix == ".gz":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(bytes(1 << 20))
            except OSError:
                return
        super().do_GET()

    def _denied(self) -> bool:
        if self.fault == "denied":
            self.send_error(403)
        elif self.fault == "broken":
            self.send_error(500)
        else:
            return False
        return True


@pytest.fixture
def served(place: Path) -> Iterator[tuple[str, type[Faulty]]]:
    class Handler(Faulty):
        asked: list[str] = []  # noqa: RUF012 - of this class

        def __init__(self, *words: Any, **named: Any) -> None:
            super().__init__(*words, directory=str(place), **named)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", Handler
        server.shutdown()
        thread.join()


# Verifies REQ-PUB-004, REQ-PUB-009.
@pytest.mark.integration("aiohttp")
def test_a_folder_behind_a_web_server_is_read(shop: Shop, place: Path, served: tuple[str, type[Faulty]]) -> None:
    url, _ = served
    commit = shop.project.publish(str(place)).commit
    before = files_in(place)
    assert shop.clone("other").project.pull(url).commit == commit
    assert shop.project.published(url) is not None
    shop.commit(1)
    shop.commit(2)
    near = shop.clone("near")
    start = near.project.start_from(url)
    assert start.pulled is not None and start.pulled.commit == commit
    with pytest.raises(PlaceError, match="can only be read"):
        shop.project.publish(url)
    with pytest.raises(PlaceError, match="can only be read"):
        shop.project.collect(url, newest=1)
    with pytest.raises(NotPublishedError, match="no graph of"):
        shop.project.pull(url)
    assert files_in(place) == before


SAID = {
    "cut": "not completed",
    "endless": "it has more than",
    "denied": "403",
    "broken": "500",
    "moved": "not followed",
}


# Verifies REQ-PUB-004.
@pytest.mark.integration("aiohttp")
@pytest.mark.parametrize("fault", ["cut", "endless", "denied", "broken", "moved"])
def test_a_fault_of_the_server_changes_nothing(
    shop: Shop, place: Path, served: tuple[str, type[Faulty]], fault: str
) -> None:
    url, handler = served
    shop.project.publish(str(place))
    other = shop.clone("other")
    handler.fault = fault
    with pytest.raises(DamagedArchiveError if fault == "endless" else PlaceError, match=SAID[fault]):
        other.project.pull(url)
    assert other.project.store.current() is None
    handler.fault = ""
    assert other.project.pull(url)


# Verifies REQ-PUB-008.
@pytest.mark.integration("aiohttp")
def test_credentials_in_an_address_are_used_and_never_shown(
    shop: Shop,
    place: Path,
    served: tuple[str, type[Faulty]],
    capsys: pytest.CaptureFixture[str],
    caplog: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    url, handler = served
    shop.project.publish(str(place))
    secret = url.replace("http://", f"http://someone:{SECRET}@")
    clone = shop.clone("other")
    assert run(["--root", str(clone.root), "pull", secret, "--json"]) == 0
    assert any(asked.startswith("Basic ") for asked in handler.asked)
    monkeypatch.setenv("LOREGRAPH_DEBUG", "1")
    caplog.set_level(0)
    for fault in ("cut", "denied", "broken"):
        handler.fault = fault
        assert run(["--root", str(clone.root), "pull", secret]) == 3
    said = capsys.readouterr()
    assert "error: " in said.err
    assert SECRET not in said.out + said.err + caplog.text
    assert not any(SECRET.encode() in path.read_bytes() for path in clone.root.rglob("*") if path.is_file())


@pytest.mark.integration("aiohttp")
def test_a_server_that_is_not_there_is_one_clear_error(shop: Shop, unused_port: int) -> None:
    with pytest.raises(LoregraphError, match=r"cannot read http://127\.0\.0\.1"):
        Project(shop.root, embedder="none").pull(f"http://127.0.0.1:{unused_port}/graphs")


@pytest.fixture
def unused_port() -> Iterator[int]:
    """A port that nobody listens at: it is bound, without listening, until the test ends."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]
