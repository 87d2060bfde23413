"""Go's modules and packages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]

MODULE = """// a comment with module in it
module "example.com/shop/v2"

go 1.22

require github.com/solo/mod/v3 v3.0.0
require (
    github.com/a/b v1.0.0 // indirect
    go.mongodb.org/mongo-driver/v2 v2.0.0
)
replace github.com/forked/lib => ./forks/lib
"""


@pytest.fixture
def layout(laid: Laid) -> ProjectLayout:
    return laid(
        {
            "go.mod": MODULE,
            "tools/go.mod": "module example.com/shop/v2/tools\n",
            "forks/lib/go.mod": "module github.com/original/lib\n",
            **dict.fromkeys(
                """main.go main_test.go pkg/http/client.go tools/gen/gen.go forks/lib/x.go docs/x.md
                vendor/github.com/a/b/sub/s.go""".split(),
                "",
            ),
        }
    )


@pytest.mark.parametrize(
    ("import_path", "folder"),
    [
        ("example.com/shop/v2", ""),
        ("example.com/shop/v2/pkg/http", "pkg/http"),
        ("example.com/shop/v2/pkg", None),
        ("example.com/shop/v2/tools/gen", "tools/gen"),
        ("example.com/shop", None),
        ("github.com/original/lib", "forks/lib"),
        ("github.com/forked/lib", "forks/lib"),
        ("github.com/a/b/sub", "vendor/github.com/a/b/sub"),
        ("./pkg/http", "pkg/http"),
        ("../pkg", None),
        ("net/http", None),
        ("pkg/http", None),
    ],
)
def test_packages(layout: ProjectLayout, import_path: str, folder: str | None) -> None:
    assert layout.of("go").package_dir(import_path, "main.go") == folder


def test_files_of_a_package(layout: ProjectLayout) -> None:
    assert layout.of("go").package_files("") == ("main.go", "main_test.go")
    assert layout.of("go").package_files("docs") == ()


def test_names(layout: ProjectLayout) -> None:
    assert layout.module_name("pkg/http/client.go") == "pkg/http"
    assert layout.module_name("main.go") == "shop"
    assert layout.module_name("tools/gen/gen.go") == "gen"
    assert layout.module_name("forks/lib/x.go") == "lib"


@pytest.mark.parametrize(
    ("import_path", "package"),
    [
        ("net/http", "net/http"),
        ("fmt", "fmt"),
        ("github.com/a/b/sub/deep", "github.com/a/b"),
        ("github.com/solo/mod/v3/x", "github.com/solo/mod/v3"),
        ("go.mongodb.org/mongo-driver/v2/bson", "go.mongodb.org/mongo-driver/v2"),
        ("github.com/not/declared/x", "github.com/not/declared"),
        ("github.com/not/declared/v4/x", "github.com/not/declared/v4"),
        ("golang.org/x/net/http2", "golang.org/x/net"),
        ("google.golang.org/grpc/codes", "google.golang.org/grpc"),
        ("gopkg.in/yaml.v3", "gopkg.in/yaml.v3"),
    ],
)
def test_externals(layout: ProjectLayout, import_path: str, package: str) -> None:
    assert layout.external_package("go", import_path) == package


def test_one_module_path_in_two_folders_means_the_one_around(laid: Laid) -> None:
    layout = laid(dict.fromkeys(["a/go.mod", "b/go.mod"], "module m\n") | dict.fromkeys(["a/x/x.go", "b/x/x.go"], ""))
    assert layout.of("go").package_dir("m/x", "b/main.go") == "b/x"
    assert layout.of("go").package_dir("m/x", "a/main.go") == "a/x"
    assert layout.of("go").package_dir("m/x") == "a/x"


def test_without_a_module(laid: Laid) -> None:
    layout = laid({"util/u.go": "", "main.go": "", "src/old/o.go": ""})
    assert layout.of("go").package_dir("util", "main.go") == "util"
    assert layout.of("go").package_dir("old", "main.go") == "src/old"
    assert layout.module_name("main.go") == "main"
    assert layout.module_name("util/u.go") == "util"


def test_a_broken_module_file(laid: Laid) -> None:
    layout = laid({"go.mod": "modul x\nrequire (\nreplace x =>\n", "a.go": ""})
    assert layout.of("go").package_dir("x") is None
    assert layout.module_name("a.go") == "main"
