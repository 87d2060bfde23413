from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from loregraph.config import RequirementSettings
from loregraph.indexer.languages.documents import FORMATS
from loregraph.indexer.requirements.choosing import choose
from loregraph.indexer.requirements.documents import (
    NOT_SEARCHED,
    formats_of,
    read_document,
)
from loregraph.indexer.requirements.model import Document, decode, encode
from loregraph.indexer.requirements.named import is_source, language_of

FIXTURES = Path(__file__).parents[3] / "fixtures" / "requirements"
DEFAULT = RequirementSettings()


def chosen(files: dict[str, str], settings: RequirementSettings = DEFAULT) -> set[str]:
    choice = choose({path: read_document(path, text.encode(), settings) for path, text in files.items()})
    return {*choice.requirements, *choice.designs}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/encodings.md", "- UTF-8: the default everywhere\n- UTF-16: for Windows and its kin\n"),
        ("SECURITY.md", "- CVE-2021-44228: it was bad indeed\n- CVE-2021-45046: it was worse\n"),
        ("docs/standards.md", "## ISO-8859 Latin\n\n## ISO-639 Languages\n\n## RFC-2616 HTTP\n"),
        ("docs/news.md", "- SPARK-1: fix this thing\n- SPARK-2: fix that thing\n"),
        ("README.md", "# Tool\n\n- AES-128 is quick to run\n- AES-256 is slower to run\n"),
        ("docs/hashes.md", "| Name | Bits |\n|---|---|\n| SHA-1 | many |\n| SHA-256 | more |\n"),
        ("CHANGELOG.md", "# Requirements\n\n- REQ-1: fixed the thing\n- REQ-2: fixed the thing\n"),
        ("fixtures/requirements.md", "# Requirements\n\n- REQ-1: It shall run.\n- REQ-2: It shall stop.\n"),
        ("tests/data/requirements.md", "# Requirements\n\n- REQ-1: It shall run.\n- REQ-2: It shall stop.\n"),
        ("requirements.txt", "REQ-1 it shall run\nREQ-2 it shall stop\n"),
        ("docs/config.yml", "id: REQ-1\ntext: It shall run.\n"),
        ("docs/api.rst", ".. class:: Foo\n   :id: x\n"),
    ],
)
def test_what_is_not_taken_for_requirements(path: str, text: str) -> None:
    assert chosen({path: text}) == set()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/requirements.md", "- ABC-1: It shall run.\n- ABC-2: It shall stop.\n"),
        ("docs/product.md", "- REQ-1: It shall run.\n- REQ-2: It shall stop.\n"),
        ("docs/requirements.md", "- FR-1: It shall run.\n"),
        ("docs/product.md", "# Software Requirements Specification\n\n## ABC-1 Running\n\n## ABC-2 Stopping\n"),
    ],
)
def test_what_is(path: str, text: str) -> None:
    assert len(chosen({path: text})) == text.count("-1") + text.count("-2")


def test_a_named_document_is_believed_and_others_are_not_searched() -> None:
    settings = RequirementSettings(sources=("spec/*.md",))
    files = {
        "spec/encodings.md": "- UTF-8: the default everywhere\n",
        "docs/requirements.md": "- REQ-1: It shall run.\n- REQ-2: It shall stop.\n",
        "docs/adr/0001-x.md": "# 1. X\n",
    }
    assert chosen(files, settings) == {"UTF-8", "docs/adr/0001-x.md#x"}


def test_the_first_of_an_id_wins_and_the_second_is_a_problem() -> None:
    files = {"a/requirements.md": "- REQ-1: It shall run.\n", "b/requirements.md": "\n- REQ-1: It shall not.\n"}
    choice = choose({path: read_document(path, text.encode(), DEFAULT) for path, text in files.items()})
    assert choice.requirements["REQ-1"].path == "a/requirements.md"
    assert [(p.path, p.line, p.message) for p in choice.problems] == [
        ("b/requirements.md", 2, "REQ-1 is defined in a/requirements.md:1 already")
    ]


def test_every_format_has_a_reader_that_takes_anything() -> None:
    for form in FORMATS:
        for extension in form.extensions:
            for text in (b"", b"\xff\xfe\x00", b"---\n", b"[[[]]]", b"<", b"\n" * 50):
                for settings in (DEFAULT, RequirementSettings(sources=("*",))):
                    document = read_document(f"x{extension}", text, settings)
                    assert decode(encode(document)) == document


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("a.md", ["doorstop", "sphinx-needs", "markdown"]),
        ("a.sdoc", ["strictdoc"]),
        ("R.TXT", ["sphinx-needs", "text"]),
        ("dir.v1/REQ", ["text"]),
        ("a.png", []),
    ],
)
def test_formats_by_extension(path: str, names: list[str]) -> None:
    assert [form.name for form in formats_of(path)] == names


def test_sources_are_patterns_from_the_root() -> None:
    settings = RequirementSettings(sources=("docs/*.md", "requirements/**/*.txt"))
    found = [
        path
        for path in ("docs/a.md", "docs/x/a.md", "x/docs/a.md", "requirements/a.txt", "requirements/x/y/a.txt")
        if is_source(path, settings)
    ]
    assert found == ["docs/a.md", "requirements/a.txt", "requirements/x/y/a.txt"]
    assert not is_source("docs/a.md", DEFAULT)


def test_data_is_a_document_where_the_configuration_says_so() -> None:
    settings = RequirementSettings(sources=("spec/**",))
    assert language_of("spec/a.csv", settings) == "csv"
    assert language_of("spec/REQ1", settings) == "text"
    assert language_of("other/a.csv", settings) is None


@pytest.mark.parametrize(
    ("path", "skipped"),
    [
        ("tests/files/REQ001.yml", True),
        ("core/tests/docs/REQ001.yml", False),
        ("docs/reqs/a.md", False),
        ("vendor/x/requirements.md", True),
        ("latest/a.md", False),
    ],
)
def test_folders_that_are_not_searched(path: str, skipped: bool) -> None:
    assert bool(NOT_SEARCHED.search(path)) is skipped


def test_an_archive_of_reqif() -> None:
    content = (FIXTURES / "reqif" / "spec" / "brake.reqif").read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("brake.reqif", content)
        archive.writestr("picture.png", b"\0")
    document = read_document("spec/brake.reqifz", packed.getvalue(), DEFAULT)
    assert [item.id for item in document.items] == ["BRK-1", "BRK-2"]
    broken = read_document("spec/brake.reqifz", packed.getvalue()[:100], DEFAULT)
    assert broken.items == ()
    assert "not a readable .reqifz" in broken.problems[0][1]


def test_an_empty_document_is_not_kept() -> None:
    assert Document().is_empty
    assert not Document(problems=((1, "x"),)).is_empty
