"""Source roots, module names and imports of Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]
PROJECT = '[project]\nname = "demo"\n'


def empty(*paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, "")


def test_flat_layout(laid: Laid) -> None:
    layout = laid(
        {"pyproject.toml": PROJECT, **empty("demo/__init__.py", "demo/app.py", "tests/test_app.py", "run.py")}
    )
    assert layout.module_name("demo/app.py") == "demo.app"
    assert layout.module_name("demo/__init__.py") == "demo"
    assert layout.module_name("run.py") == "run"
    assert layout.module_name("tests/test_app.py") == "tests.test_app"
    assert layout.of("python").module_file("demo.app", "tests/test_app.py") == "demo/app.py"
    assert layout.of("python").module_file("demo") == "demo/__init__.py"
    assert layout.of("python").module_file("demo.none") is None
    assert layout.of("python").module_file("") is None


# Verifies REQ-GRA-004.
def test_src_layout_without_a_word_about_it(laid: Laid) -> None:
    layout = laid({"pyproject.toml": PROJECT, **empty("src/demo/__init__.py", "src/demo/app.py", "tests/test_app.py")})
    assert layout.module_name("src/demo/app.py") == "demo.app"
    assert layout.of("python").module_file("demo.app", "tests/test_app.py") == "src/demo/app.py"


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": PROJECT + '[tool.setuptools.package-dir]\n"" = "code"\n'},
        {"pyproject.toml": PROJECT + '[tool.setuptools.packages.find]\nwhere = ["code"]\n'},
        {"pyproject.toml": '[tool.poetry]\nname = "demo"\npackages = [{include = "space", from = "code"}]\n'},
        {"pyproject.toml": PROJECT + '[tool.hatch.build.targets.wheel]\npackages = ["code/space"]\n'},
        {"pyproject.toml": PROJECT + '[tool.pdm.build]\npackage-dir = "code"\n'},
        {"pyproject.toml": PROJECT + '[tool.maturin]\npython-source = "code"\n'},
        {"pyproject.toml": PROJECT + '[tool.pytest.ini_options]\npythonpath = ["code"]\n'},
        {"setup.cfg": "[metadata]\nname = demo\n[options]\npackage_dir =\n    = code\n"},
        {"setup.cfg": "[metadata]\nname = demo\n[options.packages.find]\nwhere = code\n"},
        {"setup.py": "setup(package_dir={'': 'code'}, packages=find_packages('code'))\n"},
        {"setup.py": 'setup(packages=find_packages(where="code"))\n'},
    ],
)
def test_declared_source_folders_hold_namespace_packages(laid: Laid, files: dict[str, str]) -> None:
    layout = laid({**files, **empty("code/space/inner/__init__.py", "code/space/inner/m.py")})
    assert layout.module_name("code/space/inner/m.py") == "space.inner.m"
    assert layout.of("python").module_file("space.inner.m") == "code/space/inner/m.py"
    assert layout.of("python").module_file("space") is None
    assert layout.of("python").package_dir("space") == "code/space"
    assert layout.of("python").package_dir("space.inner") == "code/space/inner"
    assert layout.of("python").package_dir("space.none") is None


def test_namespace_package_beside_a_pyproject(laid: Laid) -> None:
    layout = laid({"pyproject.toml": PROJECT, **empty("google/cloud/store/__init__.py", "google/cloud/store/m.py")})
    assert layout.module_name("google/cloud/store/m.py") == "google.cloud.store.m"
    assert layout.of("python").module_file("google.cloud.store.m") == "google/cloud/store/m.py"


def test_folders_of_tests_are_roots_of_the_packages_in_them(laid: Laid) -> None:
    layout = laid(
        {
            "pyproject.toml": PROJECT,
            **empty("demo/__init__.py", "tests/admin/__init__.py", "tests/admin/models.py", "tests/run.py"),
        }
    )
    assert layout.module_name("tests/admin/models.py") == "admin.models"
    assert layout.of("python").module_file("admin.models", "tests/run.py") == "tests/admin/models.py"


def test_several_projects(laid: Laid) -> None:
    layout = laid(
        {
            "libs/a/pyproject.toml": '[project]\nname = "a"\ndependencies = ["Req_Uests>=2", "b"]\n',
            "libs/b/pyproject.toml": '[project]\nname = "b"\n',
            **empty("libs/a/a/__init__.py", "libs/a/utils.py", "libs/b/src/b/__init__.py", "libs/b/utils.py"),
            **empty("libs/b/tests/test_b.py"),
        }
    )
    assert layout.module_name("libs/b/src/b/__init__.py") == "b"
    assert layout.of("python").module_file("b", "libs/a/a/__init__.py") == "libs/b/src/b/__init__.py"
    assert layout.of("python").module_file("utils", "libs/a/a/__init__.py") == "libs/a/utils.py"
    assert layout.of("python").module_file("utils", "libs/b/tests/test_b.py") == "libs/b/utils.py"
    # Two projects have one and the asker is in neither: nobody knows which is meant.
    assert layout.of("python").module_file("utils", "other.py") is None
    assert layout.dependencies("component:libs/a") == ("b", "req-uests")


def test_scripts_see_what_is_beside_them_and_packages_do_not(laid: Laid) -> None:
    layout = laid(empty("tools/gen/helper.py", "tools/gen/main.py", "pkg/__init__.py", "pkg/helper2.py", "pkg/m.py"))
    assert layout.of("python").module_file("helper", "tools/gen/main.py") == "tools/gen/helper.py"
    assert layout.of("python").module_file("helper", "pkg/m.py") is None
    assert layout.of("python").module_file("helper2", "pkg/m.py") is None


def test_the_standard_library_is_not_shadowed_from_afar(laid: Laid) -> None:
    layout = laid(
        empty("fakes/json/__init__.py", "fakes/vendored/__init__.py", "fakes/run.py", "app/__init__.py", "app/m.py")
    )
    assert layout.of("python").module_file("json", "app/m.py") is None
    assert layout.of("python").module_file("vendored", "app/m.py") == "fakes/vendored/__init__.py"
    assert layout.of("python").module_file("json", "fakes/run.py") == "fakes/json/__init__.py"


def test_packages_before_modules_and_sources_before_stubs(laid: Laid) -> None:
    layout = laid(empty("a/__init__.py", "a.py", "b.py", "b.pyi", "c.pyi", "d/__init__.pyi", "e.pyw"))
    assert layout.of("python").module_file("a") == "a/__init__.py"
    assert layout.of("python").module_file("b") == "b.py"
    assert layout.of("python").module_file("c") == "c.pyi"
    assert layout.of("python").module_file("d") == "d/__init__.pyi"
    assert layout.of("python").module_file("e") == "e.pyw"
    assert layout.module_name("d/__init__.pyi") == "d"


@pytest.mark.parametrize(
    ("path", "level", "module", "absolute"),
    [
        ("src/p/q/m.py", 1, "x", "p.q.x"),
        ("src/p/q/m.py", 2, "", "p"),
        ("src/p/q/__init__.py", 1, "x.y", "p.q.x.y"),
        ("src/p/q/m.py", 3, "x", "x"),
        ("src/p/q/m.py", 4, "x", None),
        ("src/p/q/m.py", 0, "os.path", "os.path"),
        ("src/m.py", 1, "x", "x"),
    ],
)
def test_relative_imports(laid: Laid, path: str, level: int, module: str, absolute: str | None) -> None:
    layout = laid(empty("src/p/__init__.py", "src/p/q/__init__.py", "src/p/q/m.py", "src/m.py"))
    assert layout.of("python").absolute(path, level, module) == absolute


def test_an_init_at_the_root(laid: Laid) -> None:
    layout = laid(empty("__init__.py", "m.py", "sub/__init__.py", "sub/n.py"))
    assert layout.module_name("m.py") == "m"
    assert layout.module_name("__init__.py") == "__init__"
    assert layout.module_name("sub/n.py") == "sub.n"
    assert layout.of("python").absolute("m.py", 1, "sub") == "sub"


def test_a_folder_that_is_no_module_name(laid: Laid) -> None:
    layout = laid({"pyproject.toml": PROJECT, **empty("my-tool/pkg/__init__.py", "my-tool/run.py", "2024/x.py")})
    assert layout.module_name("my-tool/pkg/__init__.py") == "pkg"
    assert layout.module_name("my-tool/run.py") == "run"
    assert layout.module_name("2024/x.py") == "x"


def test_a_script_without_an_extension(laid: Laid) -> None:
    assert laid(empty("bin/tool")).module_name("bin/tool", language="python") == "bin.tool"


def test_broken_packaging_files_are_problems(laid: Laid) -> None:
    layout = laid(
        {
            "pyproject.toml": "[project\n",
            "a/setup.cfg": "no section\n",
            "b/pyproject.toml": "[project]\nname = 3\ndependencies = 4\n",
        }
        | empty("m.py", "a/m.py", "b/m.py")
    )
    assert [(problem.path, problem.line) for problem in layout.problems] == [("a/setup.cfg", 1), ("pyproject.toml", 1)]
    assert layout.module_name("m.py") == "m"


def test_externals(laid: Laid) -> None:
    layout = laid({})
    assert layout.external_package("python", "os.path") == "os"
    assert layout.external_package("python", "requests") == "requests"
