"""The layout as a whole: components, languages beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import ProjectLayout, read_layout, remembered_layout

FILES = {
    "pyproject.toml": '[project]\nname = "mixed"\n',
    "src/app/__init__.py": "",
    "src/app/core/__init__.py": "",
    "src/app/core/m.py": "",
    "web/package.json": '{"name": "@mixed/web", "private": true}',
    "web/src/index.ts": "",
    "web/src/deep/settings/package.json": '{"type": "module"}',
    "web/src/deep/settings/x.ts": "",
    "services/pay/go.mod": "module example.com/pay\n",
    "services/pay/main.go": "",
    "services/pay/internal/db/db.go": "",
    "native/Cargo.toml": '[package]\nname = "na-tive"\n',
    "native/src/lib.rs": "",
    "engine/CMakeLists.txt": "cmake_minimum_required(VERSION 3.5)\n# project(no)\nproject(Engine CXX)\n",
    "engine/a.cpp": "",
    "engine/part/CMakeLists.txt": "set(X 1)\n",
    "engine/part/b.cpp": "",
    "jvm/pom.xml": "<project><artifactId>jvm-part</artifactId></project>",
    "jvm/src/main/java/com/acme/A.java": "",
    "dotnet/Shop.csproj": "<Project/>",
    "dotnet/A.cs": "",
    "empty/package.json": '{"name": "nothing-here"}',
    "docs/index.md": "",
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def mixed(tmp_path: Path) -> ProjectLayout:
    write(tmp_path, FILES)
    return read_layout(tmp_path, FILES)


# Verifies REQ-GRA-005.
def test_components(mixed: ProjectLayout) -> None:
    rows = [(one.id, one.name, one.qualified_name, one.kind, one.language) for one in mixed.components]
    assert rows == [
        ("component:.", "mixed", "mixed", "python-project", "python"),
        ("component:dotnet", "dotnet", "dotnet", "dotnet-project", "csharp"),
        ("component:empty", "nothing-here", "nothing-here", "npm-package", "javascript"),
        ("component:engine", "Engine", "Engine", "cmake-project", "cpp"),
        ("component:jvm", "jvm-part", "jvm-part", "maven-module", "java"),
        ("component:jvm/src/main/java/com/acme", "acme", "com.acme", "java-package", "java"),
        ("component:native", "na-tive", "na-tive", "cargo-package", "rust"),
        ("component:services/pay", "pay", "pay", "go-module", "go"),
        ("component:services/pay/internal/db", "db", "internal/db", "go-package", "go"),
        ("component:src/app", "app", "app", "python-package", "python"),
        ("component:src/app/core", "core", "app.core", "python-package", "python"),
        ("component:web", "@mixed/web", "@mixed/web", "npm-package", "typescript"),
    ]
    assert mixed.problems == ()


@pytest.mark.parametrize(
    ("path", "component"),
    [
        ("src/app/core/m.py", "component:src/app/core"),
        ("web/src/deep/settings/x.ts", "component:web"),
        ("engine/part/b.cpp", "component:engine"),
        ("docs/index.md", "component:."),
        ("pyproject.toml", "component:."),
    ],
)
def test_component_of_a_file(mixed: ProjectLayout, path: str, component: str) -> None:
    assert mixed.component_of(path) == component


# Verifies REQ-GRA-005.
def test_nesting(mixed: ProjectLayout) -> None:
    parents = {one.id: mixed.parent_component(one.id) for one in mixed.components}
    assert parents["component:."] is None
    assert parents["component:src/app/core"] == "component:src/app"
    assert parents["component:services/pay/internal/db"] == "component:services/pay"
    assert parents["component:web"] == "component:."


def test_names_of_languages_without_modules(mixed: ProjectLayout) -> None:
    assert mixed.module_name("engine/a.cpp") == ""
    assert mixed.module_name("dotnet/A.cs", "Acme.Shop") == "Acme.Shop"
    assert mixed.module_name("docs/index.md", "x") == ""
    assert mixed.external_package("ruby", "active_support/core_ext") == "active_support"
    assert mixed.external_package("php", "\\Symfony\\Yaml") == "Symfony"


def test_equal_projects_give_equal_layouts(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, FILES)
    first = read_layout(tmp_path / "one", FILES)
    second = read_layout(tmp_path / "two", reversed([*FILES, *FILES]))
    assert first.components == second.components


def test_a_project_of_nothing(tmp_path: Path) -> None:
    layout = read_layout(tmp_path, [])
    assert [(one.id, one.name, one.kind, one.language) for one in layout.components] == [
        ("component:.", ".", "project", "")
    ]
    assert layout.component_of("x.py") == "component:."
    assert layout.problems == ()
    assert layout.of("python").module_file("os") is None
    assert layout.of("javascript").file_of("a.js", "./b") is None
    assert layout.of("go").package_dir("fmt") is None
    assert layout.of("rust").module_file("a.rs", ["std", "io"]) is None
    assert layout.of("java").type_file("java.util.List") is None
    assert layout.include_file("a.c", "<stdio.h>") is None


def test_a_package_whose_folder_builds_is_what_it_is_imported_as(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "pkg/setup.py": "setup(name='dist')", "pkg/CMakeLists.txt": "project(ext)"}
    write(tmp_path, files)
    layout = read_layout(tmp_path, files)
    assert [(one.id, one.kind) for one in layout.components][1:] == [("component:pkg", "python-package")]


def test_a_remembered_layout_answers_as_the_one_that_was_read(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "shop"\n',
        "src/shop/__init__.py": "",
        "src/shop/cart.py": "",
        "web/package.json": '{"name": "web", "main": "index.js"}',
        "web/index.js": "",
        "api/go.mod": "module acme.com/api\n",
        "api/price/price.go": "package price\n",
        "java/src/Cart.java": "package com.acme;\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    packages = {"java/src/Cart.java": "com.acme", "api/price/price.go": "price"}
    read = read_layout(tmp_path, files).with_packages(packages)
    remembered = remembered_layout(tmp_path, files, read.components, packages)
    for layout in (read, remembered):
        assert layout.components == read.components
        assert layout.component_of("api/price/price.go") == "component:api/price"
        assert layout.of("python").module_file("shop.cart") == "src/shop/cart.py"
        assert layout.of("javascript").file_of("web/index.js", "web") == "web/index.js"
        assert layout.of("go").package_dir("acme.com/api/price") == "api/price"
        assert layout.of("java").type_file("com.acme.Cart") == "java/src/Cart.java"
        assert layout.include_file("web/index.js", "absent.h") is None
        assert [layout.module_name(path) for path in files] == [read.module_name(path) for path in files]
