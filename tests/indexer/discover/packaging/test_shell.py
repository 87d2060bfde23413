"""Which file a script's path means."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout


@pytest.mark.parametrize(
    ("importing", "text", "found"),
    [
        ("bin/run", "./helper.sh", "bin/helper.sh"),
        ("bin/run", "./../lib/log.sh", "lib/log.sh"),
        ("bin/run", "../lib/log.sh", "lib/log.sh"),
        ("bin/run", "lib/log.sh", "lib/log.sh"),
        ("bin/run", "log.sh", "lib/log.sh"),
        ("bin/run", "helper.sh", "bin/helper.sh"),
        ("bin/run", "./log.sh", None),
        ("bin/run", "./helper", "bin/helper.sh"),
        ("bin/run", "common.sh", None),
        ("bin/run", "a/common.sh", "a/common.sh"),
        ("bin/run", "run", None),
        ("bin/run", "/etc/profile", None),
        ("bin/run", "~/.profile", None),
        ("bin/run", "../../x.sh", None),
        ("bin/run", "", None),
        ("bin/run", "..", None),
    ],
)
def test_script_files(importing: str, text: str, found: str | None, tmp_path: Path) -> None:
    paths = ["bin/run", "bin/helper.sh", "lib/log.sh", "a/common.sh", "b/common.sh"]
    assert read_layout(tmp_path, paths).of("bash").file_of(importing, text) == found
