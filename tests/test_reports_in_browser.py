"""The HTML reports open in headless Chromium without an error and draw something.

Skipped where there is no Chromium: then nothing here was tested. How they look was judged by eye, from screenshots.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from loregraph.cli.main import main

GATES = Path(__file__).resolve().parent.parent / "fixtures" / "gates"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SECONDS = 120

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: the reports were not opened")


def chromium(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    quiet = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking".split()
    quiet += "--disable-component-update --disable-sync --disable-quic --enable-logging=stderr --v=0".split()
    return subprocess.run(
        [CHROMIUM, *quiet, f"--user-data-dir={folder / 'profile'}", *words],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(shutil.copytree(GATES / "base", tmp_path_factory.mktemp("browser") / "desk"))
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    with (root / "lending" / "web.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef reads_itself(one):\n    return reads_itself(one)\n")
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (("trace",), 0, ["LEND-3", "5 of 5", "lending/service.py:38"]),
        (("duplicates",), 0, ["Duplicates in desk", "lending/web.py"]),
        (("check",), 0, ["Findings in desk", "found nothing"]),
        (("diff", "HEAD"), 0, ["desk since HEAD", "lending/web.py", "reads_itself"]),
    ],
    ids=["trace", "duplicates", "check", "diff"],
)
def test_a_report_opens(
    desk: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    code: int,
    expected: list[str],
) -> None:
    capsys.readouterr()
    assert main(["--root", str(desk), *words, "--format", "html"], standalone_mode=False) == code
    page = tmp_path / "report.html"
    page.write_text(capsys.readouterr().out, encoding="utf-8")
    opened = chromium(tmp_path, "--dump-dom", page.as_uri())
    assert "CONSOLE" not in opened.stderr
    for text in expected:
        assert text in opened.stdout
    picture = tmp_path / "report.png"
    chromium(tmp_path, f"--screenshot={picture}", "--window-size=1300,900", page.as_uri())
    assert picture.stat().st_size > 20_000  # an empty page of that size has under 10,000 bytes
