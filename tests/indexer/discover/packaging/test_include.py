"""Which file an `#include` means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]

FILES = """main.c util.h include/lib/api.h include/lib/detail/impl.h src/core/a.cc src/core/a.h src/core/string.h
third/one/deep/only.h x/dup.h y/dup.h y/user.c y/sub/user.c src/config.h tests/t.cc""".split()


@pytest.mark.parametrize(
    ("importing", "text", "found"),
    [
        ("main.c", '"util.h"', "util.h"),
        ("main.c", "util.h", "util.h"),
        ("src/core/a.cc", '"a.h"', "src/core/a.h"),
        ("src/core/a.cc", '"../config.h"', "src/config.h"),
        ("src/core/a.cc", '"..\\config.h"', "src/config.h"),
        ("src/core/a.cc", '"util.h"', "util.h"),
        ("src/core/a.cc", "<lib/api.h>", "include/lib/api.h"),
        ("include/lib/api.h", '"detail/impl.h"', "include/lib/detail/impl.h"),
        ("tests/t.cc", '"core/a.h"', "src/core/a.h"),
        ("tests/t.cc", '"a.h"', "src/core/a.h"),
        ("main.c", '"deep/only.h"', "third/one/deep/only.h"),
        ("y/sub/user.c", '"dup.h"', "y/dup.h"),
        ("main.c", '"dup.h"', None),
        ("main.c", "<string.h>", None),
        ("src/core/a.cc", '"string.h"', "src/core/string.h"),
        ("src/core/a.cc", "<string.h>", None),
        ("main.c", "<vector>", None),
        ("main.c", '"/etc/passwd"', None),
        ("main.c", '"../../../etc/passwd"', None),
        ("main.c", '""', None),
        ("main.c", '".."', None),
        ("main.c", '"core"', None),
    ],
)
def test_includes(laid: Laid, importing: str, text: str, found: str | None) -> None:
    assert laid(dict.fromkeys(FILES, "")).include_file(importing, text) == found


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("<stdio.h>", "libc"),
        ("<sys/types.h>", "libc"),
        ("<vector>", "std"),
        ("<experimental/filesystem>", "std"),
        ("<boost/asio.hpp>", "boost"),
        ('"gtest/gtest.h"', "gtest"),
        ("<zlib.h>", "zlib"),
        ("<Eigen>", "std"),
        ("<opencv.hpp>", "opencv"),
    ],
)
def test_externals(laid: Laid, text: str, package: str) -> None:
    assert laid({}).external_package("cpp", text) == package
