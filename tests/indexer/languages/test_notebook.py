"""Notebooks: a fixture that asserts itself, and what cells, kernels and broken JSON come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages.registry import as_code
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "notebook").glob("*.ipynb"))


def test_there_are_fixtures() -> None:
    assert [path.name for path in FILES] == ["orders.ipynb"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "notebook", '"#', r'(?:\\n)?",?') == []


def notebook(*cells: str | list[str], indent: int | None = 1, **metadata: Any) -> str:
    listed = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells]
    return json.dumps({"cells": listed, "metadata": metadata, "nbformat": 4}, indent=indent)


def facts_of(text: str) -> FileFacts:
    return extract("orders.ipynb", text.encode(), "notebook")


def _names(facts: FileFacts) -> list[str]:
    return [one.qualname for one in facts.definitions]


# Verifies REQ-IDX-006, REQ-IDX-027.
def test_cells_are_one_module_in_their_order() -> None:
    text = notebook(["def read(): pass\n"], "def run():\n    read()", ["run()"])
    assert calls_between({"orders.ipynb": text}) == {("orders.ipynb", "run"), ("run", "read")}


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_lines_are_those_of_the_file(indent: int | None) -> None:
    text = notebook(["x = 1\n", "def read(path):\n", "    return path\n"], indent=indent)
    (found,) = facts_of(text).definitions
    assert text.split("\n")[found.start_line - 1].strip().endswith('def read(path):\\n",' if indent else "}")
    assert text.encode()[found.start_byte : found.end_byte].startswith(b"def read(path):")
    assert text.encode()[found.start_byte : found.end_byte].endswith(b"return path")


@pytest.mark.parametrize(
    "cell",
    [
        "%matplotlib inline\nread()",
        "!pip install x && y\nread()",
        "!pip install \\\n  x (\nread()",
        "if x:\n    !ls\n    %cd (\nread()",
        "files = !ls (\nread()",
        "a, b = %sql (\nread()",
        "%time read()",
        "%%time\nread()",
        "?read\nread??\nread()",
        "    x = 1\n    read()",
        "await read()",
        "x = (1\n  % read())",
        "x = (1\n  != read())",
        'text = """\n%load (\n"""\nread()',
    ],
)
def test_what_only_the_kernel_understands_is_no_error(cell: str) -> None:
    text = notebook("def read(): pass", cell)
    assert facts_of(text).problems == ()
    assert calls_between({"orders.ipynb": text}) == {("orders.ipynb", "read")}


@pytest.mark.parametrize("magic", ["bash", "html", "javascript", "writefile x.py", "sql", "R"])
def test_a_cell_of_another_language_is_left_out(magic: str) -> None:
    facts = facts_of(notebook(f"\n%%{magic}\ndef wrong(): (\n", "def right(): pass"))
    assert (_names(facts), facts.status) == (["right"], "indexed")


@pytest.mark.parametrize(
    ("metadata", "status"),
    [
        ({}, "indexed"),
        ({"kernelspec": {"language": "python", "name": "conda-env-x"}}, "indexed"),
        ({"kernelspec": {"name": "python3"}}, "indexed"),
        ({"kernelspec": {"language": "R", "name": "ir"}}, "unsupported"),
        ({"language_info": {"name": "julia"}}, "unsupported"),
    ],
)
def test_the_kernel_says_the_language(metadata: dict[str, Any], status: str) -> None:
    facts = facts_of(notebook("def read(): pass", **metadata))
    assert facts.status == status
    assert _names(facts) == (["read"] if status == "indexed" else [])
    assert [problem.message for problem in facts.problems] == (
        []
        if status == "indexed"
        else [f"a notebook in {'r' if 'kernelspec' in metadata else 'julia'}: only those in Python are read"]
    )


def test_cells_of_the_older_format_are_read() -> None:
    cells = [{"cell_type": "code", "input": ["def read(): pass\n"], "language": "python", "outputs": []}]
    facts = facts_of(json.dumps({"nbformat": 3, "metadata": {}, "worksheets": [{"cells": cells}]}))
    assert _names(facts) == ["read"]


def test_outputs_and_metadata_are_no_code() -> None:
    held = {"cells": [{"cell_type": "code", "source": ["def wrong(): pass"]}], "source": "def wrong(): pass"}
    cell = {"outputs": [held], "metadata": held, "source": ["def right(): pass"], "cell_type": "code"}
    text = {"cells": [{"cell_type": "raw", "source": "def wrong(): pass"}, cell], "metadata": held}
    assert _names(facts_of(json.dumps(text))) == ["right"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ('{"cells": [', 1),
        ('{"cells":\n[}', 2),
        ('{\n"cells": "never closed', 2),
        ("[" * 100_000, 1),
        ('{"a":' * 100_000, 1),
    ],
)
def test_broken_json_is_a_problem_of_the_file(text: str, line: int) -> None:
    facts = facts_of(text)
    assert facts.status == "failed"
    assert [(one.line, one.message) for one in facts.problems] == [(line, "syntax error: not the JSON of a notebook")]


@pytest.mark.parametrize("text", ["[]", "1", '"x"', "{}", '{"cells": {"source": "x"}}', '{"cells": [[["x"]], null]}'])
def test_json_of_another_form_has_no_code(text: str) -> None:
    assert (facts_of(text).status, facts_of(text).definitions) == ("indexed", ())


def test_a_marker_stands_at_its_line() -> None:
    text = notebook(["# Implements REQ-SHOP-001\n", "def read(): pass\n"])
    (marker,) = facts_of(text).markers
    assert (marker.id, marker.scope) == ("REQ-SHOP-001", 0)
    assert "REQ-SHOP-001" in text.split("\n")[marker.line - 1]


def test_lines_of_code_are_where_they_stand() -> None:
    text = notebook(["def read(path):\n", '    return "a"\n'])
    language, code = as_code("orders.ipynb", text.encode())
    assert language == "python"
    at = next(i for i, line in enumerate(text.split("\n")) if "def read" in line)
    assert code.decode().split("\n")[at : at + 2] == ["def read(path):", '    return "a"']
    assert code.count(b"\n") == text.count("\n")
