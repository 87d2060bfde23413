"""Each host: its golden file, its paths on every platform, and that it is described."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.hosts.edits import Edited, restored
from loregraph.hosts.installing import part_for
from loregraph.hosts.table import HOSTS, Host, host_named, place_of

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir())
ROOT = Path("/home/ada/shop")


def golden(case: str, which: str) -> str:
    return next((GOLDEN / case).glob(f"{which}.*")).read_bytes().decode()


# Verifies REQ-CLI-020.
@pytest.mark.parametrize("case", CASES)
def test_a_real_file_gets_the_entry_that_the_host_documents(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loregraph.orphans.program", lambda name: f"/usr/bin/{name}")
    host = host_named(case.removesuffix("-v2"))
    user = case in ("windsurf", "copilot-cli", "goose")
    part = part_for(host, "server", place_of(host, "server", user), ROOT, user, None)
    edited = part.put(Edited(golden(case, "before")))
    here = json.dumps(str(ROOT))[1:-1]
    assert edited.text == golden(case, "after").replace("/home/ada/shop", here)
    assert restored(edited.text, edited.spans) == golden(case, "before")


def test_every_host_has_a_golden_file_and_a_source() -> None:
    assert {host.name for host in HOSTS} == {case.removesuffix("-v2") for case in CASES}
    for host in HOSTS:
        assert host.source.startswith("https://")
        assert host.project is not None or host.user is not None


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_a_project_file_names_no_place_of_this_machine(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loregraph.orphans.program", lambda name: None)
    if host.project is None:
        with pytest.raises(UsageError, match="for a project"):
            place_of(host, "server", False)
        return
    written = part_for(host, "server", host.project, ROOT, False, "lean").put(Edited("")).text
    assert "lean" in written
    assert str(ROOT) not in written and sys.prefix not in written
    for place in (host.project, host.instructions, host.skill, host.hook):
        assert place is None or (place.folder is None and not any(Path(name).is_absolute() for name in place.names))


@pytest.mark.parametrize(
    ("platform", "expected"),
    [
        ("linux", {"vscode": "x/Code/User/mcp.json", "zed": "x/zed/settings.json", "goose": "x/goose/config.yaml"}),
        (
            "darwin",
            {
                "vscode": "h/Library/Application Support/Code/User/mcp.json",
                "zed": "h/.config/zed/settings.json",
                "goose": "h/.config/goose/config.yaml",
            },
        ),
        (
            "win32",
            {
                "vscode": "r/Code/User/mcp.json",
                "zed": "r/Zed/settings.json",
                "goose": "r/Block/goose/config/config.yaml",
            },
        ),
    ],
)
def test_the_folders_of_each_platform(
    platform: str, expected: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "h")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "x"))
    monkeypatch.setenv("APPDATA", str(tmp_path / "r"))
    for name, path in expected.items():
        place = host_named(name).user
        assert place is not None and place.folder is not None
        assert place.folder() / place.names[0] == tmp_path / path


def test_an_unknown_host_is_told_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        host_named("cursr")
    assert caught.value.suggestion == "did you mean 'cursor'?"
