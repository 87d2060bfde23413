"""Pages of findings: from an address to what is shown, without a browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loregraph.cli.main import main
from loregraph.errors import LoregraphError, NotFoundError, PathOutsideProjectError, UsageError
from loregraph.pages.links import Links
from loregraph.pages.page import Page, Part
from loregraph.project import Project
from loregraph.viewer import baselines, findings, frame
from loregraph.viewer.asked import Asked, Kept

DESK = Path(__file__).resolve().parents[2] / "fixtures" / "gates" / "base"
COPY = '''
def {name}(path, {value}):
    """Rows of a table."""
    found = []
    for line in open(path):
        if line.startswith("#"):
            continue
        found.append([cell.strip() for cell in line.split({value})])
    return found
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(shutil.copytree(DESK, tmp_path_factory.mktemp("findings") / "desk"))
    (root / "lending" / "tables.py").write_text(COPY.format(name="rows_of", value="sign"))
    (root / "lending" / "<b>ills.py").write_text(COPY.format(name="bills_of", value="separator"))
    (root / "lending" / "tall.py").write_text(
        "def tall(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(40)) + "    return x\n"
    )
    (root / "lending" / "odd.py").write_text(
        "def odd():\n    text = '</td></table><script>alert(1)</script>\u202e'"
        f"  # {'long ' * 40_000}\n    return text\n"
    )
    (root / ".ci").mkdir()
    for command, name in (("check", "known.json"), ("duplicates", "copies.json")):
        if command == "check":
            assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
        words = ["--root", str(root), command, "--write-baseline", str(root / ".ci" / name)]
        assert main(words, standalone_mode=False) == 0
    return root


Asking = Callable[..., Asked]


@pytest.fixture(scope="module")
def asking(root: Path) -> Iterator[Asking]:
    kept = Kept()
    with Project(root) as project:
        yield lambda **values: Asked(project, Links(), {k: (v,) for k, v in values.items()}, kept, writes=True)


def html(answer: Page | Part, asked: Asked) -> str:
    if isinstance(answer, Page):
        return frame.whole_page(answer, asked, "graph 1")
    return frame.fragment(answer, asked)


def shown(function: Callable[[Asked], Page | Part], asked: Asked) -> str:
    return html(function(asked), asked)


# Verifies REQ-WEB-007.
def test_a_heavy_list_is_left_to_a_part_until_it_is_known(root: Path) -> None:
    with Project(root) as project:
        asked = Asked(project, Links(), {"path": ("lending",)}, Kept())
        page = shown(findings.duplicates_page, asked)
        assert 'data-part="/part/duplicates?path=lending"' in page
        assert 'href="/duplicates?path=lending&amp;now=1"' in page  # without script
        assert "bills_of" not in page
        assert "bills_of" in shown(findings.duplicates_part, asked)
        page = shown(findings.duplicates_page, asked)
        assert "data-part" not in page
        assert "bills_of" in page


def test_copies_lead_to_their_side_by_side(asking: Asking) -> None:
    page = shown(findings.duplicates_page, asking(now="1"))
    assert "/pair?a=lending%2F%3Cb%3Eills.py%3A%3Abills_of&amp;b=lending%2Ftables.py%3A%3Arows_of" in page
    assert "<b>ills" not in page
    assert "bills_of" not in shown(findings.duplicates_page, asking(now="1", path="web.py"))
    assert "bills_of" not in shown(findings.duplicates_page, asking(now="1", baseline=".ci/copies.json"))


def test_a_pair_says_what_is_known_of_it(asking: Asking) -> None:
    asked = asking(a="lending/<b>ills.py::bills_of", b="lending/tables.py::rows_of")
    page = shown(findings.pair_page, asked)
    assert '<mark class="renamed">separator</mark>' in page
    assert "type-2" in page
    assert "Keep lending/" in page


def test_any_two_pieces_of_code_can_be_compared(asking: Asking) -> None:
    page = shown(findings.pair_page, asking(a="lending/web.py", b="lending/tall.py::tall"))
    assert '<table class="beside">' in page


def test_whatever_code_holds_is_text_and_bounded(asking: Asking) -> None:
    page = shown(findings.pair_page, asking(a="lending/odd.py::odd", b="lending/tables.py::rows_of"))
    assert "&lt;/td&gt;&lt;/table&gt;&lt;script&gt;" in "".join(re.split(r"</?(?:s|mark)(?: [^>]*)?>", page))
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "more characters" in page
    assert len(page) < 20_000


def test_a_file_that_changed_since_is_said(root: Path, asking: Asking) -> None:
    file = root / "lending" / "tables.py"
    before = file.read_text()
    file.write_text("# more\n" + before)
    try:
        page = shown(findings.pair_page, asking(a="lending/<b>ills.py::bills_of", b="lending/tables.py::rows_of"))
        assert "Changed since they were indexed, so lines may be off: lending/tables.py" in page
    finally:
        file.write_text(before)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"a": "nowhere.py::f", "b": "lending/web.py"}, NotFoundError),
        ({"a": "", "b": ""}, NotFoundError),
        ({"a": "component:lending", "b": "lending/web.py"}, LoregraphError),
    ],
)
def test_a_pair_of_what_is_not_there(asking: Asking, values: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        findings.pair_page(asking(**values))


def test_findings_by_rule_with_text_and_cases(asking: Asking) -> None:
    page = shown(findings.findings_page, asking(now="1", rule="complexity"))
    assert "McCabe" in page
    assert "One with a branch for each case" in page


def test_a_baseline_tells_new_from_known(root: Path, asking: Asking) -> None:
    assert baselines.baselines_in(asking().project, of_copies=False) == [".ci/known.json"]
    assert baselines.baselines_in(asking().project, of_copies=True) == [".ci/copies.json"]
    everything = shown(findings.findings_part, asking())
    known = shown(findings.findings_part, asking(baseline=".ci/known.json"))
    assert everything.count('<li data-paths="') == known.count('class="known"') > 0
    assert "Nothing found with these filters" in shown(
        findings.findings_part, asking(baseline=".ci/known.json", state="new")
    )


@pytest.mark.parametrize("path", ["../outside.json", "/etc/passwd", "link.json"])
def test_a_baseline_is_read_inside_the_project_only(root: Path, asking: Asking, path: str) -> None:
    outside = root.parent / "outside.json"
    outside.write_text('{"version": 1, "findings": []}')
    link = root / "link.json"
    if not link.is_symlink():
        link.symlink_to(outside)
    assert baselines.baselines_in(asking().project, of_copies=False) == [".ci/known.json"]
    with pytest.raises(PathOutsideProjectError):
        findings.findings_part(asking(baseline=path))


@pytest.mark.parametrize(
    "values",
    [
        {"rule": "no-such-rule"},
        {"severity": "<b>"},
        {"state": "perhaps"},
        {"baseline": "nowhere.json"},
        {"baseline": "lending/web.py"},
        {"baseline": "."},
        {"rule": "naming", "start": "-1"},
    ],
)
def test_a_wrong_address_is_one_clear_error(asking: Asking, values: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        findings.findings_part(asking(**values))


@pytest.mark.parametrize("values", [{"least": "101"}, {"role": "x"}, {"type": "type-9"}, {"start": "1e9"}])
def test_a_wrong_filter_of_copies_is_one_clear_error(asking: Asking, values: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        findings.duplicates_part(asking(**values))
