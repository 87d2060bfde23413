"""What components say of their packaging files: what they provide, what they require, what others import of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from loregraph.graph.model import Component
from loregraph.indexer.discover import components
from loregraph.indexer.discover.layout import read_layout

from ...shop import written


def component(root: Path, files: Mapping[str, str], folder: str = ".") -> Component:
    layout = read_layout(written(root, files), files)
    (found,) = [one for one in layout.components if one.path == folder]
    return found


# Verifies REQ-WSP-004.
@pytest.mark.parametrize(
    ("files", "provides", "requires", "entries"),
    [
        pytest.param(
            {
                "pyproject.toml": '[project]\nname = "Beautiful_Soup4"\ndependencies = ["Soup.Sieve>1"]\n'
                '[project.optional-dependencies]\nlxml = ["lxml"]\n'
                '[dependency-groups]\ntest = ["pytest", {include-group = "x"}]\n',
                "requirements-dev.txt": "# for us\n-r other.txt\nhttp-client[x]==2 ; python_version > '3'\n",
                "bs4/__init__.py": "",
                "bs4/tests/__init__.py": "",
                "tests/helpers/__init__.py": "",
                "single.py": "",
                "setup.py": "",
            },
            ("python:beautiful-soup4",),
            ("python:http-client", "python:lxml", "python:pytest", "python:soup-sieve"),
            ("bs4=bs4/__init__.py", "single=single.py"),
            id="pyproject",
        ),
        pytest.param(
            {
                "setup.py": "setup(name='old', install_requires=['six', \"attrs>=1\"], package_dir={'': 'src'})\n",
                "src/old/__init__.py": "",
            },
            ("python:old",),
            ("python:attrs", "python:six"),
            ("old=src/old/__init__.py",),
            id="setup.py",
        ),
        pytest.param(
            {
                "package.json": '{"name": "@a/b",'
                ' "exports": {".": "./lib/main.js", "./x": "./lib/x.js", "./y/*": "./*"},'
                ' "peerDependencies": {"react": "*"}, "devDependencies": {"@a/test": "1"}}',
                "lib/main.js": "",
                "lib/x.js": "",
            },
            ("javascript:@a/b",),
            ("javascript:@a/test", "javascript:react"),
            ("@a/b/x=lib/x.js", "@a/b=lib/main.js"),
            id="npm",
        ),
        pytest.param(
            {
                "go.mod": "module example.com/m/v2\n\nrequire (\n\texample.com/other v1.0.0 // indirect\n)\n",
                "m.go": "package m\n",
                "inner/deep/d.go": "package deep\n",
            },
            ("go:example.com/m/v2",),
            ("go:example.com/other",),
            ("example.com/m/v2/inner/deep=inner/deep", "example.com/m/v2=."),
            id="go",
        ),
        pytest.param(
            {
                "Cargo.toml": '[package]\nname = "my-crate"\n[dependencies]\ntower = "1"\n'
                '[dev-dependencies]\nx = {package = "y"}\n',
                "src/lib.rs": "",
            },
            ("rust:my-crate",),
            ("rust:tower", "rust:y"),
            ("my_crate=src/lib.rs",),
            id="cargo",
        ),
        pytest.param(
            {
                "pom.xml": "<project><parent><groupId>org.acme</groupId></parent><artifactId>money</artifactId>"
                "<dependencies><dependency><groupId>org.x</groupId><artifactId>y</artifactId></dependency></dependencies>"
                "</project>",
                "src/main/java/org/acme/money/Money.java": "package org.acme.money; class Money {}",
                "src/test/java/org/acme/test/MoneyTest.java": "package org.acme.test; class MoneyTest {}",
            },
            ("java:org.acme:money",),
            ("java:org.x:y",),
            ("org.acme.money=src/main/java/org/acme/money", "org.acme=."),
            id="maven",
        ),
        pytest.param(
            {
                "App.csproj": '<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><PropertyGroup>'
                "<PackageId>Acme.App</PackageId></PropertyGroup><ItemGroup>"
                '<PackageReference Include="Acme.Money" Version="1" /><Compile Include="x" /></ItemGroup></Project>',
                "Program.cs": "class Program {}",
            },
            ("csharp:acme.app",),
            ("csharp:acme.money",),
            (),
            id="nuget",
        ),
    ],
)
def test_packaging_files_say_what_is_provided_and_required(
    tmp_path: Path,
    files: Mapping[str, str],
    provides: tuple[str, ...],
    requires: tuple[str, ...],
    entries: tuple[str, ...],
) -> None:
    found = component(tmp_path, files)
    assert found.provides == provides
    assert found.requires == requires
    assert found.entries == entries


def test_a_folder_that_is_no_component_requires_for_the_one_around_it(tmp_path: Path) -> None:
    files = {"app/requirements.txt": "flask\n", "app/main.txt": "", "package.json": '{"name": "x"}', "a.js": ""}
    assert component(tmp_path, files).requires == ("python:flask",)


def test_a_package_that_is_a_fixture_of_tests_is_not_provided(tmp_path: Path) -> None:
    files = {"tests/fixtures/react/package.json": '{"name": "react"}', "tests/fixtures/react/index.js": ""}
    assert component(tmp_path, files, "tests/fixtures/react").provides == ()


def test_entries_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "MOST_ENTRIES", 3)
    files = {"go.mod": "module m\n", **{f"p{number}/a.go": "package p\n" for number in range(9)}}
    assert len(component(tmp_path, files).entries) == 3
