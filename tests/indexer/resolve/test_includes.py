"""C and C++: what is visible through includes, namespaces, prototypes and macros."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

Resolve = Callable[[Mapping[str, str]], Any]


def test_a_prototype_stands_for_the_definition_that_its_file_sees(project: Resolve) -> None:
    found = project(
        {
            "a.c": '#include "a.h"\nint twice(int x) { return x; }\n',
            "a.h": "int twice(int x);\n",
            "b.c": '#include "a.h"\nint main(void) { return twice(1); }\n',
        }
    )
    assert ("b.c::main", "a.c::twice") in found.calls()


def test_a_prototype_without_a_header_stands_for_the_one_function_that_the_linker_finds(project: Resolve) -> None:
    files = {
        "a.c": "int twice(int x) { return x; }\nstatic int once(int x) { return x; }\n",
        "b.c": "int twice(int x);\nint once(int x);\nint main(void) { return twice(once(1)); }\n",
    }
    assert {t for s, t in project(files).calls() if s == "b.c::main" and t.startswith("a.c")} == {"a.c::twice"}
    files["c.c"] = "int twice(int x) { return x; }\n"
    assert not {t for s, t in project(files).calls() if s == "b.c::main" and not t.startswith("b.c")}


def test_what_calls_a_macro_calls_what_it_expands_to(project: Resolve) -> None:
    found = project(
        {
            "check.h": "void fail(int);\n#define FAIL(x) fail(x)\n#define CHECK(x) if (!(x)) FAIL(1)\n",
            "check.c": '#include "check.h"\nvoid fail(int x) {}\n',
            "main.c": '#include "check.h"\nint main(void) {\n  CHECK(1);\n  FAIL(2);\n  CHECK(3);\n}\n',
        }
    )
    assert found.calls() == {("main.c::main", "check.c::fail")}
    assert found.how("main.c::main", "check.c::fail") == "macro"
    [edge] = [edge for edge in found.edges if edge.rel == "CALLS" and edge.source == "main.c::main"]
    assert (edge.lines, edge.count) == ((3, 4, 5), 3)


@pytest.mark.parametrize("opened", ["namespace a { namespace b {", "namespace a::b { inline namespace v1 {"])
def test_a_namespace_goes_on_in_the_files_that_include_it(project: Resolve, opened: str) -> None:
    found = project(
        {
            "store.hpp": f"{opened}\nstruct Store {{ void put(); }};\nint helper();\n}}}}\n",
            "store.cpp": f'#include "store.hpp"\n{opened}\nvoid Store::put() {{ helper(); }}\n'
            "int helper() { return 1; }\n}}\n",
            "inside.cpp": f'#include "store.hpp"\n{opened}\nvoid inside() {{ Store s; s.put(); }}\n}}}}\n',
            "outside.cpp": '#include "store.hpp"\nvoid outside() { a::b::Store s; s.put(); a::b::helper(); }\n',
            "using.cpp": '#include "store.hpp"\nusing namespace a;\nvoid use() { b::Store s; s.put(); b::helper(); }\n',
            "method.cpp": '#include "store.hpp"\nvoid a::b::Store::get() { helper(); }\n',
        }
    )
    put, helper = "store.cpp::a.b.Store.put", "store.cpp::a.b.helper"
    calls = found.calls()
    assert {s for s, t in calls if t == put} == {"inside.cpp::a.b.inside", "outside.cpp::outside", "using.cpp::use"}
    assert {s for s, t in calls if t == helper} == {
        put, "outside.cpp::outside", "using.cpp::use", "method.cpp::a.b.Store.get",
    }  # fmt: skip


def test_a_name_of_a_namespace_is_not_seen_without_its_include(project: Resolve) -> None:
    found = project(
        {
            "a.cpp": "namespace a { static int helper() { return 1; } }\n",
            "b.cpp": "namespace a { int helper2() { return helper(); } }\n",
        }
    )
    assert found.calls() == set()
