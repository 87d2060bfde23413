"""A server that speaks Bolt and Cypher for tests and measurements: ArcadeDB from its wheel, on the loopback interface.

It is started as a program of its own, with the Java that the wheel brings, and ends with the process that started it.
"""

from __future__ import annotations

import secrets
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from loregraph import orphans

USER = "root"
DATABASE = "graph"
_READY = b"ArcadeDB Server started in"
_TRIES = 5
_KEYS = "keys.p12"
_OPEN = "a store has to have a password"
_JAVA = (
    "--add-modules=jdk.incubator.vector",
    "--enable-native-access=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
    "--add-opens=java.base/java.nio.channels.spi=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF8",
    "-Dpolyglot.engine.WarnInterpreterOnly=false",
)
_FAST_START = "-XX:TieredStopAtLevel=1"
"""Starts in half of the processor time: what tests ask is not worth compiling well."""


@dataclass(frozen=True)
class ArcadeDB:
    """A running server: its address, the password of its user `USER`, its process and the folder of its files."""

    url: str
    password: str
    pid: int
    folder: Path


@contextmanager
def arcadedb(folder: Path, *, heap: str = "512m", fast_start: bool = True) -> Iterator[ArcadeDB]:
    """A server with an empty database `DATABASE`, whose files are in `folder`. It speaks with and without TLS, with a
    certificate that nobody has signed."""
    password = secrets.token_urlsafe(16)
    secret = folder / "password"
    secret.write_text(password, encoding="utf-8")
    _make_certificate(folder / _KEYS)
    process, port = _started(folder, secret, [f"-Xmx{heap}", *([_FAST_START] if fast_start else [])])
    try:
        yield ArcadeDB(f"bolt://127.0.0.1:{port}", password, process.pid, folder)
    finally:
        process.kill()
        process.wait()


def _started(folder: Path, secret: Path, java: list[str]) -> tuple[subprocess.Popen[bytes], int]:
    for _ in range(_TRIES):
        bolt, http, https = _free_ports(3)
        process = orphans.start(
            _command(folder, secret, java, bolt, http, https),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if _READY in line:
                # A full pipe would stop it.
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return process, bolt
        process.wait()
        if not any(b"in use" in line for line in said):
            break  # another process did not take a port: it will not start the next time either
    raise RuntimeError(b"".join(said).decode("utf-8", "replace"))


def _command(folder: Path, secret: Path, java: list[str], bolt: int, http: int, https: int) -> list[str]:
    package = _package()
    settings = {
        "server.rootPath": folder,
        "server.rootPasswordPath": secret,
        "server.httpIncomingHost": "127.0.0.1",
        "server.httpIncomingPort": http,
        "server.httpsIncomingPort": https,
        "server.plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        "server.defaultDatabases": f"{DATABASE}[{USER}]",
        "bolt.host": "127.0.0.1",
        "bolt.ssl": "OPTIONAL",
        "ssl.keyStore": folder / _KEYS,
        "ssl.keyStorePassword": _OPEN,
        "ssl.trustStore": folder / _KEYS,
        "ssl.trustStorePassword": _OPEN,
        "bolt.port": bolt,
        "command.timeout": 60_000,
    }
    return [
        str(package / "jre" / "bin" / "java"),
        *_JAVA,
        *java,
        "-cp",
        str(package / "jars" / "*"),
        *(f"-Darcadedb.{key}={value}" for key, value in settings.items()),
        "com.arcadedb.server.ArcadeDBServer",
    ]


def _package() -> Path:
    spec = find_spec("arcadedb_embedded")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def _make_certificate(store: Path) -> None:
    """Makes a key and its certificate with the tool that comes with the wheel's Java."""
    words = (
        "-genkeypair -alias server -keyalg EC -validity 2 -storetype PKCS12 -dname CN=localhost -ext san=ip:127.0.0.1"
    )
    tool = str(_package() / "jre" / "bin" / "keytool")
    command = [tool, *words.split(), "-keystore", str(store), "-storepass", _OPEN]
    subprocess.run(command, check=True, capture_output=True)


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens on; all are held until the last is known, so that they differ."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
