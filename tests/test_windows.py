"""What can be tried of Windows without it; docs/releasing.md lists what cannot."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loregraph import orphans, rooted
from loregraph.cli.main import prepare


# Verifies REQ-SEC-006.
def test_programs_are_looked_for_on_the_path_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, installed = tmp_path / "repository", tmp_path / "installed"
    for folder, names in ((repository, ("git.exe", "npx.cmd")), (installed, ("git.exe", "npx.cmd", "npx"))):
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    monkeypatch.chdir(repository)
    path = os.pathsep.join(("", ".", "tools", f'"{installed}"'))

    def found(name: str) -> str | None:
        return orphans.listed_program(name, path, ".COM;.EXE;.BAT;.CMD;.exe;.cmd")

    assert found("git") == str(installed / "git.exe")
    assert found("npx") == str(installed / "npx.cmd")
    assert found("npx.cmd") == str(installed / "npx.cmd")
    assert found("node") is None
    assert found("./server") == "./server"


# Verifies REQ-STO-003.
def test_a_rename_that_a_reader_prevents_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    replace = os.replace

    def refused(*names: object, **options: object) -> None:
        asked.append(names)
        if len(asked) < 3:
            raise PermissionError(13, "The process cannot access the file because it is being used by another process")
        replace(*names, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "replace", refused)
    monkeypatch.setattr(rooted, "_PAUSES", (0.0, 0.0))
    rooted.write(tmp_path, "current", b"2")
    assert (tmp_path / "current").read_bytes() == b"2"
    assert len(asked) == 3
    monkeypatch.setattr(rooted, "_PAUSES", (0.0,))
    asked.clear()
    with pytest.raises(PermissionError):
        rooted.write(tmp_path, "current", b"3")
    assert [file.name for file in tmp_path.iterdir()] == ["current"]
    assert (tmp_path / "current").read_bytes() == b"2"


@pytest.mark.parametrize(
    ("platform", "printed"), [("win32", "caf\u00e9 \u2192".encode()), ("linux", b"caf\xe9 \\u2192")]
)
def test_what_is_printed_into_a_file_is_utf8(platform: str, printed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    prepare(stream, platform)
    stream.write("caf\u00e9 \u2192")
    stream.flush()
    assert stream.buffer.getvalue() == printed  # type: ignore[attr-defined]


_WITHOUT = """
import importlib, re, sys
from pathlib import Path
import loregraph
[root] = map(Path, loregraph.__path__)
machine = re.compile(r"^\\s*(?:import|from) (?:os|signal|fcntl|resource|posix|termios|pwd|grp)\\b", re.MULTILINE)
files = [file.relative_to(root.parent) for file in root.rglob("*.py") if machine.search(file.read_text("utf-8"))]
names = [".".join(file.with_suffix("").parts).removesuffix(".__init__") for file in files]
for name in names:
    importlib.import_module(name)  # with everything that other people's packages need
for name in [name for name in sys.modules if name.partition(".")[0] == "loregraph"]:
    del sys.modules[name]
for name in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
import os, signal
for name in ("fork", "getuid", "geteuid", "getpgid", "killpg", "mkfifo", "nice", "sysconf", "fchmod", "setsid",
             "sched_getaffinity", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_ASYNC"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGPROF", "SIGUSR1", "setitimer", "ITIMER_PROF", "alarm"):
    delattr(signal, name)
os.supports_dir_fd = os.supports_follow_symlinks = frozenset()
sys.platform = "win32"
for name in names:
    importlib.import_module(name)
assert len(names) > 30, names
from loregraph import rooted
from loregraph.graph import generation
from loregraph.indexer.build import workers
assert (rooted._AT, generation.fcntl, workers._LIMITS_CPU) == (False, None, False)
"""


def test_no_module_needs_what_windows_has_not_to_be_imported() -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
