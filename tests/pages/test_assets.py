"""The one script and the one style sheet."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from loregraph.pages import assets

STATIC = Path(str(files("loregraph.pages"))) / "static"
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) ([A-Za-z_$][\w$]*)", re.MULTILINE)
NODE = shutil.which("node")


def test_the_script_holds_every_module_after_what_it_imports() -> None:
    script = assets.script()
    left_out = [one.name for one in STATIC.glob("*.js") if f"// {one.name}\n" not in script]
    assert left_out == []
    assert script.index("// text.js") < script.index("// parts.js") < script.index("// app.js")


def test_no_import_or_export_is_left_in_the_script() -> None:
    assert not re.search(r"^\s*(import|export)\b", assets.script(), re.MULTILINE)


def test_a_top_level_name_stands_in_one_module_only() -> None:
    names = [name for one in STATIC.glob("*.js") for name in DECLARED.findall(one.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(set(names))


@pytest.mark.skipif(NODE is None, reason="no node here: the script was not parsed")
def test_the_script_is_valid(tmp_path: Path) -> None:
    joined = tmp_path / "app.js"
    joined.write_text(assets.script(), encoding="utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "--check", str(joined)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_in_scripts_and_styles_leads_to_another_host() -> None:
    for one in STATIC.iterdir():
        addresses = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s\"')]*", one.read_text(encoding="utf-8"))
        assert [a for a in addresses if "www.w3.org/2000/svg" not in a] == [], one.name


def test_no_script_makes_markup_of_text() -> None:
    for one in STATIC.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", one.read_text()
        )


def test_the_version_is_that_of_the_content() -> None:
    assert re.fullmatch("[0-9a-f]{12}", assets.version("app.js"))
    assert assets.version("app.js") != assets.version("style.css")
    assert assets.asset("../__init__.py") is None
