"""Contracts: their kinds, what they name, and what they say where they are broken."""

from __future__ import annotations

import pytest

from loregraph.errors import ConfigError

from .conftest import Checked

FILES = {
    "app/__init__.py": "",
    "app/web/__init__.py": "",
    "app/web/pages.py": "from app.data import rows\nfrom app.jobs import run\n",
    "app/jobs/__init__.py": "",
    "app/jobs/run.py": "import tools\n",
    "app/data/__init__.py": "",
    "app/data/rows.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from app.web import pages\n",
    "tools.py": "def page():\n    from app.web import pages\n    return pages\n",
}


def contract(text: str) -> dict[str, str]:
    return FILES | {"loregraph.toml": f'[[check.contracts]]\nname = "it"\n{text}\n'}


def broken(checked: Checked, text: str) -> list[tuple[str, int]]:
    result = checked("layers", contract(text))
    return [(one.finding.place.file_path, one.finding.place.start_line) for one in result.findings]


def test_layers_with_two_beside_each_other(checked: Checked) -> None:
    found = broken(checked, 'kind = "layers"\nlayers = ["app/web | app/jobs", "app/data"]')
    assert found == [("app/data/rows.py", 4), ("app/jobs/run.py", 1), ("app/web/pages.py", 2)]


def test_chains_are_shown_step_by_step(checked: Checked) -> None:
    result = checked("layers", contract('kind = "forbidden"\nsources = ["app/jobs"]\ntargets = ["app/web"]'))
    [one] = result.findings
    assert [(place.file_path, place.start_line) for place in (one.finding.place, *one.finding.related)] == [
        ("app/jobs/run.py", 1),
        ("tools.py", 2),
    ]
    assert one.evidence[0] == "app/jobs/run.py:1 imports tools.py"
    assert "app/web" in one.finding.message


def test_direct_contracts_do_not_look_at_chains(checked: Checked) -> None:
    text = 'kind = "forbidden"\nsources = ["app/jobs"]\ntargets = ["app/web"]\ndirect = true'
    assert broken(checked, text) == []


def test_imports_for_type_checkers_can_be_left_out(checked: Checked) -> None:
    text = 'kind = "independent"\nsources = ["app.data", "app.web.pages"]'
    assert broken(checked, text) == [("app/data/rows.py", 4), ("app/web/pages.py", 1)]
    assert broken(checked, text + "\ntypes = false") == [("app/web/pages.py", 1)]


def test_a_pattern_of_paths(checked: Checked) -> None:
    assert broken(checked, 'kind = "forbidden"\nsources = ["app/*"]\ntargets = ["tools.py"]') == [
        ("app/jobs/run.py", 1)
    ]


def test_calls_without_an_import(checked: Checked) -> None:
    files = {
        "loregraph.toml": '[[check.contracts]]\nname = "it"\nkind = "layers"\nlayers = ["top", "low"]\ncalls = true\n',
        "top/a.c": "int top_run(void) { return 1; }\n",
        "low/b.c": "int top_run(void);\n\nint low_run(void) { return top_run(); }\n",
    }
    result = checked("layers", files)
    assert [(one.finding.place.file_path, one.finding.place.start_line) for one in result.findings] == [("low/b.c", 3)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('kind = "layers"\nlayers = ["app/web", "app/dta"]', "app/dta"),
        ('kind = "layers"\nlayers = ["app/web"]', "at least 2|names 1"),
        ('kind = "forbidden"\nsources = ["app"]', "targets"),
        ('kind = "independent"\nsources = ["app/web", "app/data"]\nignore = ["app/web"]', "ignore"),
    ],
)
def test_a_contract_that_means_nothing(checked: Checked, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        broken(checked, text)


def test_a_package_that_nothing_uses_yet_may_be_forbidden(checked: Checked) -> None:
    assert broken(checked, 'kind = "forbidden"\nsources = ["app"]\ntargets = ["external:numpy"]') == []
