"""What a JavaScript or TypeScript specifier resolves to."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]


def empty(*paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, "")


def package(name: str = "", **fields: Any) -> str:
    return json.dumps({**({"name": name} if name else {}), **fields})


@pytest.mark.parametrize(
    ("importing", "specifier", "found"),
    [
        ("src/a.ts", "./b", "src/b.ts"),
        ("src/a.ts", "./b.js", "src/b.ts"),
        ("src/a.ts", "./c.js", "src/c.tsx"),
        ("src/a.ts", "./m.mjs", "src/m.mts"),
        ("src/a.ts", "./both", "src/both.ts"),
        ("src/a.js", "./both", "src/both.js"),
        ("src/a.ts", "./both.js", "src/both.ts"),
        ("src/a.js", "./both.js", "src/both.js"),
        ("src/a.ts", "./typed", "src/typed.js"),
        ("src/a.ts", "./only", "src/only.d.ts"),
        ("src/a.ts", "./dir", "src/dir/index.ts"),
        ("src/a.ts", "./dir/", "src/dir/index.ts"),
        ("src/dir/x.ts", ".", "src/dir/index.ts"),
        ("src/dir/x.ts", "..", None),
        ("src/dir/x.ts", "../b", "src/b.ts"),
        ("src/a.ts", "./dual", "src/dual.ts"),
        ("src/a.ts", "./dual/", "src/dual/index.ts"),
        ("src/a.ts", "./data.json", "src/data.json"),
        ("src/a.ts", "./v1.2", "src/v1.2.ts"),
        ("src/a.ts", "./data.json?raw", "src/data.json"),
        ("src/a.ts", "!!raw-loader!./b", "src/b.ts"),
        ("src/a.ts", "../../../etc/passwd", None),
        ("src/a.ts", "./none", None),
        ("src/a.ts", "", None),
        ("src/a.ts", "https://example.org/b.ts", None),
    ],
)
def test_relative(laid: Laid, importing: str, specifier: str, found: str | None) -> None:
    layout = laid(
        empty("src/b.ts", "src/c.tsx", "src/m.mts", "src/both.ts", "src/both.js", "src/typed.js", "src/typed.d.ts")
        | empty("src/only.d.ts", "src/dir/index.ts", "src/dual.ts", "src/dual/index.ts", "src/v1.2.ts")
        | {"src/data.json": "{}"}
    )
    assert layout.of("javascript").file_of(importing, specifier) == found


@pytest.mark.parametrize(
    ("fields", "sources", "found"),
    [
        ({}, ("index.js",), "index.js"),
        ({"main": "lib/start.js"}, ("lib/start.js", "index.js"), "lib/start.js"),
        ({"main": "lib/start"}, ("lib/start.js",), "lib/start.js"),
        ({"main": "./lib"}, ("lib/index.js",), "lib/index.js"),
        ({"main": "dist/index.js", "types": "dist/index.d.ts"}, ("src/index.ts",), "src/index.ts"),
        ({"main": "dist/cjs/entry.js"}, ("src/entry.ts", "src/index.ts"), "src/entry.ts"),
        ({"main": "build/bundle.min.js"}, ("src/index.tsx",), "src/index.tsx"),
        ({"main": "."}, ("src/index.ts",), "src/index.ts"),
        ({"exports": "./main.mjs"}, ("main.mjs",), "main.mjs"),
        ({"exports": {"import": "./esm.mjs", "require": "./cjs.cjs"}}, ("cjs.cjs", "esm.mjs"), "esm.mjs"),
        (
            {"exports": {".": {"types": "./dist/x.d.ts", "default": {"node": "./dist/x.mjs"}}}},
            ("src/x.ts",),
            "src/x.ts",
        ),
        ({"module": "dist/p.esm-bundler.js"}, ("src/p.ts",), "src/p.ts"),
        ({"types": "index.d.ts", "main": "index.js"}, ("index.d.ts", "index.js"), "index.js"),
        ({"main": "dist/index.js"}, ("other.ts",), None),
        ({"main": 3, "exports": [1, "./a.js"]}, ("a.js",), "a.js"),
    ],
)
def test_entry_of_a_workspace_package(laid: Laid, fields: dict[str, Any], sources: tuple[str, ...], found: str) -> None:
    layout = laid(
        {
            "package.json": package("top", workspaces=["packages/*"]),
            "packages/p/package.json": package("@s/p", **fields),
        }
        | empty("app.ts", *(f"packages/p/{source}" for source in sources))
    )
    assert layout.of("javascript").file_of("app.ts", "@s/p") == (found and f"packages/p/{found}")


@pytest.mark.parametrize(
    ("specifier", "found"),
    [
        ("p/feature", "packages/p/src/features/one.ts"),
        ("p/utils/a", "packages/p/src/utils/a.ts"),
        ("p/deep/long/x", "packages/p/src/special/x.ts"),
        ("p/folder/b", "packages/p/src/inner/b.ts"),
        ("p/src/utils/a", "packages/p/src/utils/a.ts"),
        ("p/utils/none", None),
        ("q/x", None),
    ],
)
def test_subpaths(laid: Laid, specifier: str, found: str | None) -> None:
    exports = {
        "./feature": "./dist/features/one.js",
        "./utils/*": {"types": "./dist/utils/*.d.ts", "import": "./dist/utils/*.js"},
        "./deep/*": "./dist/*.js",
        "./deep/long/*": "./dist/special/*.js",
        "./folder/": "./src/inner/",
    }
    layout = laid(
        {"packages/p/package.json": package("p", exports=exports)}
        | empty("packages/p/src/features/one.ts", "packages/p/src/utils/a.ts", "packages/p/src/special/x.ts")
        | empty("packages/p/src/inner/b.ts", "app.ts")
    )
    assert layout.of("javascript").file_of("app.ts", specifier) == found


def test_private_imports(laid: Laid) -> None:
    imports = {"#db": {"node": "./src/db.js"}, "#lib/*": "./lib/*.js", "#dep": "other", "#self": "#db"}
    layout = laid(
        {"p/package.json": package("p", imports=imports), "o/package.json": package("other", main="o.js")}
        | empty("p/src/db.ts", "p/lib/x.js", "p/sub/a.ts", "o/o.js")
    )
    assert layout.of("javascript").file_of("p/sub/a.ts", "#db") == "p/src/db.ts"
    assert layout.of("javascript").file_of("p/sub/a.ts", "#lib/x") == "p/lib/x.js"
    assert layout.of("javascript").file_of("p/sub/a.ts", "#dep") == "o/o.js"
    assert layout.of("javascript").file_of("p/sub/a.ts", "#self") is None
    assert layout.of("javascript").file_of("o/o.js", "#db") is None


def test_a_package_imports_itself_and_folders_have_entries(laid: Laid) -> None:
    layout = laid(
        {"package.json": package("p", main="lib/main.js"), "lib/sub/package.json": package(main="./real.js")}
        | empty("lib/main.js", "lib/sub/real.js", "lib/sub/index.js", "test.js")
    )
    assert layout.of("javascript").file_of("test.js", "p") == "lib/main.js"
    assert layout.of("javascript").file_of("lib/main.js", "./sub") == "lib/sub/real.js"
    assert layout.of("javascript").file_of("test.js", "./") == "lib/main.js"


def test_packages_that_name_each_other_in_a_circle_end(laid: Laid) -> None:
    layout = laid(
        {"a/package.json": package("a", main="../b"), "b/package.json": package("b", main="../a"), "x.js": ""}
    )
    assert layout.of("javascript").file_of("x.js", "a") is None


def test_a_fixture_is_nobody_elses_package(laid: Laid) -> None:
    layout = laid(
        {"test/fixtures/react/package.json": package("react")}
        | empty("test/fixtures/react/index.js", "test/a.js", "src/a.js")
    )
    assert layout.of("javascript").file_of("src/a.js", "react") is None
    assert layout.of("javascript").file_of("test/a.js", "react") == "test/fixtures/react/index.js"


@pytest.mark.parametrize(
    ("files", "specifier", "found"),
    [
        ({"tsconfig.json": '{"compilerOptions": {"baseUrl": "./src"}}'}, "util/a", "src/util/a.ts"),
        ({"tsconfig.json": '{"compilerOptions": {"paths": {"@app/*": ["./src/*"]}}}'}, "@app/util/a", "src/util/a.ts"),
        (
            {"tsconfig.json": '//\n{"compilerOptions": {/**/ "baseUrl": ".", "paths": {"~": ["src/util/a",],},},}'},
            "~",
            "src/util/a.ts",
        ),
        (
            {"tsconfig.json": '{"compilerOptions": {"paths": {"u/*": ["./none/*", "./src/util/*"]}}}'},
            "u/a",
            "src/util/a.ts",
        ),
        (
            {"tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./src/b/*"], "u*": ["./src/util/*"]}}}'},
            "ua",
            "src/util/a.ts",
        ),
        ({"tsconfig.json": '{"compilerOptions": {"paths": {"x-*-y": ["./src/util/*"]}}}'}, "x-a-y", "src/util/a.ts"),
        (
            {
                "tsconfig.json": '{"extends": "./config/tsconfig.base"}',
                "config/tsconfig.base.json": '{"compilerOptions": {"paths": {"@/*": ["../src/*"]}}}',
            },
            "@/util/a",
            "src/util/a.ts",
        ),
        (
            {
                "tsconfig.json": '{"extends": ["./tsconfig.one.json", "./tsconfig.two.json"]}',
                "tsconfig.one.json": '{"compilerOptions": {"paths": {"u": ["./src/b"]}}}',
                "tsconfig.two.json": '{"compilerOptions": {"paths": {"u": ["./src/util/a"]}}}',
            },
            "u",
            "src/util/a.ts",
        ),
        (
            {
                "tsconfig.json": '{"files": [], "references": [{"path": "./other"}, {"path": "./tsconfig.app.json"}]}',
                "tsconfig.app.json": '{"compilerOptions": {"paths": {"u": ["./src/util/a"]}}}',
            },
            "u",
            "src/util/a.ts",
        ),
        (
            {
                "tsconfig.json": '{"extends": "@s/config/base.json"}',
                "c/package.json": '{"name": "@s/config"}',
                "c/base.json": "{}",
                "c/tsconfig.json": "{}",
            },
            "u",
            None,
        ),
        ({"jsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}'}, "util/a", "src/util/a.ts"),
        ({"tsconfig.json": '{"extends": "./tsconfig.json"}'}, "u", None),
        (
            {"tsconfig.json": '{"extends": "./tsconfig.b.json"}', "tsconfig.b.json": '{"extends": "./tsconfig.json"}'},
            "u",
            None,
        ),
        ({"tsconfig.json": '{"compilerOptions": {"paths": {"u": "src/util/a"}}}'}, "u", "src/util/a.ts"),
        ({"tsconfig.json": '{"compilerOptions": {"paths": {"u/*": ["../../*"]}, "baseUrl": "../.."}}'}, "u/a", None),
        ({"tsconfig.json": '{"compilerOptions": 3, "extends": 4, "references": [5]}'}, "u", None),
    ],
)
def test_tsconfig(laid: Laid, files: dict[str, str], specifier: str, found: str | None) -> None:
    layout = laid({**files, **empty("src/util/a.ts", "src/b.ts", "src/deep/x.ts")})
    assert layout.of("javascript").file_of("src/deep/x.ts", specifier) == found


def test_the_nearest_configuration_comes_first(laid: Laid) -> None:
    layout = laid(
        {
            "tsconfig.json": '{"compilerOptions": {"paths": {"u": ["./one"], "v": ["./one"]}}}',
            "p/tsconfig.json": '{"compilerOptions": {"paths": {"u": ["./two"]}}}',
        }
        | empty("one.ts", "p/two.ts", "p/x.ts")
    )
    assert layout.of("javascript").file_of("p/x.ts", "u") == "p/two.ts"
    assert layout.of("javascript").file_of("p/x.ts", "v") == "one.ts"


def test_a_template_alias_without_a_configuration(laid: Laid) -> None:
    layout = laid({"web/package.json": package("web"), **empty("web/src/a.ts", "web/src/deep/b.ts")})
    assert layout.of("javascript").file_of("web/src/deep/b.ts", "@/a") == "web/src/a.ts"
    assert layout.of("javascript").file_of("web/src/deep/b.ts", "@/none") is None


def test_the_library_folder_of_sveltekit(laid: Laid) -> None:
    found = empty(
        "web/src/lib/a.ts", "web/src/lib/index.ts", "web/src/lib/ui/Card.svelte", "web/src/routes/+page.svelte"
    )
    layout = laid({"web/package.json": package("web"), **found})
    assert layout.of("javascript").file_of("web/src/routes/+page.svelte", "$lib/a") == "web/src/lib/a.ts"
    assert (
        layout.of("javascript").file_of("web/src/routes/+page.svelte", "$lib/ui/Card.svelte")
        == "web/src/lib/ui/Card.svelte"
    )
    assert layout.of("javascript").file_of("web/src/routes/+page.svelte", "$lib") == "web/src/lib/index.ts"
    assert layout.of("javascript").file_of("web/src/routes/+page.svelte", "$library/a") is None


@pytest.mark.parametrize(
    ("specifier", "name"),
    [
        ("react", "react"),
        ("react/jsx-runtime", "react"),
        ("@scope/name/deep", "@scope/name"),
        ("@scope", "@scope"),
        ("fs", "node:fs"),
        ("node:fs", "node:fs"),
        ("fs/promises", "node:fs/promises"),
        ("./x", ""),
        ("#x", ""),
        ("npm:chalk@5", "chalk"),
        ("npm:@s/n@5/x", "@s/n"),
        ("jsr:@std/path", "@std/path"),
        ("https://deno.land/std/x.ts", "deno.land"),
        ("npm:", ""),
    ],
)
def test_externals(laid: Laid, specifier: str, name: str) -> None:
    assert laid({}).external_package("typescript", specifier) == name


# Verifies REQ-GRA-004.
def test_module_names(laid: Laid) -> None:
    layout = laid(
        {"package.json": package("top"), "p/package.json": package("@s/p"), "p/dist/package.json": "{}"} | empty("a.js")
    )
    assert layout.module_name("p/src/util/a.ts") == "@s/p/util/a"
    assert layout.module_name("p/src/index.ts") == "@s/p"
    assert layout.module_name("p/src/util/index.tsx") == "@s/p/util"
    assert layout.module_name("p/types.d.ts") == "@s/p/types"
    assert layout.module_name("p/dist/a.js") == "@s/p/dist/a"
    assert layout.module_name("scripts/a.js") == "top/scripts/a"


def test_module_names_without_a_package(laid: Laid) -> None:
    layout = laid(empty("web/api.ts", "index.js"))
    assert layout.module_name("web/api.ts") == "web/api"
    assert layout.module_name("index.js") == "index"


def test_dependencies(laid: Laid) -> None:
    layout = laid(
        {
            "package.json": package("a", dependencies={"x": "1"}, devDependencies={"y": "1"}, peerDependencies=3),
            "a.js": "",
        }
    )
    assert layout.dependencies("component:.") == ("x", "y")


def test_broken_files_are_problems(laid: Laid) -> None:
    layout = laid(
        {"package.json": '{"name": \n "a", }}', "tsconfig.json": "[]", "deep/package.json": "[" * 100_000, "a.ts": ""}
    )
    assert [problem.path for problem in layout.problems] == ["deep/package.json", "package.json", "tsconfig.json"]
    assert layout.problems[1].line == 2
    assert layout.of("javascript").file_of("a.ts", "./a") == "a.ts"
