"""`loregraph doctor --mcp`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from loregraph.mcp_server import probe

from .test_schema import READS

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))


def test_doctor_starts_the_server_and_calls_what_only_reads(root: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [LOREGRAPH, "doctor", "--mcp", "--json"],
        cwd=root,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0
    assert checks["mcp command"]["status"] == "ok"
    assert checks["mcp start"]["status"] == "ok"
    assert "23 tools" in checks["mcp tools"]["detail"]
    assert {name.removeprefix("mcp ") for name in checks if name.startswith("mcp ")} == READS | {
        "command",
        "start",
        "tools",
    }
    statuses = {name: check["status"] for name, check in checks.items() if name.startswith("mcp ")}
    assert statuses.pop("mcp trace_requirements") == "warning"  # there are no requirements to trace
    assert set(statuses.values()) == {"ok"}


def test_a_server_that_does_not_start_is_reported(root: Path) -> None:
    checks = probe.probe(root, None, "no-such-profile")
    assert (checks[-1].name, checks[-1].status) == ("mcp start", "failed")
    assert "no-such-profile" in checks[-1].detail


def test_a_command_that_hosts_do_not_find_is_a_warning(tmp_path: Path) -> None:
    command = tmp_path / "loregraph"
    assert probe.about_command(None, str(command)).status == "failed"
    command.touch()
    warning = probe.about_command(None, str(command))
    assert warning.status == "warning"
    assert str(command) in warning.suggestion
