"""Single pages that are complete in themselves."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from loregraph.pages import assets
from loregraph.pages import document as module
from loregraph.pages.document import Unlinked, document
from loregraph.pages.rendering import render


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of two modules and a style, in place of ours."""
    (tmp_path / "style.css").write_text("body{color:red}")
    (tmp_path / "extra.css").write_text("b{color:blue}")
    (tmp_path / "one.js").write_text("// @ts-check\nexport const two = 2;\nexport function named() { return two; }\n")
    (tmp_path / "page.js").write_text(
        'import { named, two } from "./one.js";\n\nexport function startPage(root) { root.title = named() + two; }\n'
    )
    monkeypatch.setattr(assets, "text", lambda name: (tmp_path / name).read_text())
    monkeypatch.setattr(module, "render", _rendered)


def _rendered(template: str, values: Mapping[str, object]) -> str:
    return f"<h1>{values['heading']}</h1>" if template == "body.html" else render(template, values)


STATIC = Path(assets.__file__).parent / "static"


def allowed(page: str, directive: str) -> str:
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.replace("&#39;", "'").split(";"))
    return str(rules.get(directive, ""))


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.usefixtures("parts")
def test_the_policy_allows_the_style_and_the_scripts_of_the_page_and_nothing_else() -> None:
    page = document("A report", "body.html", {"heading": "Hi"}, styles=["extra.css"], scripts=["page.js"])
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    assert style == "body{color:red}\nb{color:blue}"
    assert allowed(page, "style-src") == digest(style)
    assert allowed(page, "script-src") == digest(script)
    assert allowed(page, "default-src") == "'none'"
    assert allowed(page, "form-action") == "'none'"


@pytest.mark.usefixtures("parts")
def test_modules_are_joined_without_what_would_be_loaded() -> None:
    page = document("A report", "body.html", {"heading": "Hi"}, scripts=["page.js"])
    (script,) = re.findall("<script>(.*?)</script>", page, re.DOTALL)
    assert "import" not in script
    assert "export" not in script
    assert script.index("function named()") < script.index("function startPage(root)")
    assert script.endswith("startPage(document.body);\n})();\n")


@pytest.mark.usefixtures("parts")
def test_a_page_without_scripts_may_run_none() -> None:
    page = document("<b> & co", "body.html", {"heading": "Hi"})
    assert "<script" not in page
    assert "script-src" not in page
    assert "<title>&lt;b&gt; &amp; co</title>" in page
    assert "<h1>Hi</h1>" in page


def test_links_lead_nowhere() -> None:
    links = Unlinked()
    assert links.symbol("a.py::f") == ""
    assert links.pair("a", "b", line=3) == ""


def test_no_style_or_script_ends_its_element() -> None:
    names = [path.name for path in STATIC.iterdir() if path.suffix in (".css", ".js")]
    assert names
    for name in names:
        assert "</s" not in assets.text(name).lower(), name
