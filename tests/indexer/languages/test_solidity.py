"""Solidity: fixtures that assert themselves, and what only Solidity does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "solidity").glob("*.sol"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "solidity") == []


MATHS = (
    "library Maths { function add(uint a, uint b) internal pure returns (uint) { return a + b; }\n"
    " function add(uint a, uint b, uint c) internal pure returns (uint) { return add(add(a, b), c); }\n"
    " function near(address a) internal {} }"
)


def test_functions_of_libraries_are_methods_where_the_file_says_so() -> None:
    edges = calls_between(
        {
            "src/Maths.sol": MATHS,
            "src/A.sol": 'import "./Maths.sol";\ncontract A { using Maths for uint;\n'
            " function f(uint x, address a) public { x.add(1); a.near(); }\n"
            " function g(uint x) public { x.add(1, 2); Maths.add(x, 1); x.near(); } }",
            "src/B.sol": 'import "./Maths.sol";\ncontract B { function h(uint x) public { x.add(1); } }',
        }
    )
    assert edges == {
        ("Maths.add#2", "Maths.add"),
        ("A.f", "Maths.add"),
        ("A.f", "Maths.near"),
        ("A.g", "Maths.add#2"),
        ("A.g", "Maths.add"),
    }


def test_free_functions_attached_to_a_type_are_its_methods_everywhere() -> None:
    edges = calls_between(
        {
            "T.sol": "struct T { uint a; }\nusing {size} for T global;\nfunction size(T memory t) pure {}",
            "U.sol": 'import {T} from "./T.sol";\ncontract U { function f(T memory t) public { t.size(); t.no(); } }',
        }
    )
    assert edges == {("U.f", "size")}


def test_super_is_the_next_in_the_order_of_the_contract() -> None:
    edges = calls_between(
        {
            "A.sol": "contract Base { constructor(uint x) {} function f() public virtual {} }\n"
            "contract L is Base(1) { function f() public virtual override { super.f(); } }\n"
            "contract R is Base { function f() public virtual override { Base.f(); } }\n"
            "contract Both is L, R { constructor() Base(2) {} function f() public override(L, R) { super.f(); } }",
        }
    )
    assert ("Both.f", "R.f") in edges
    assert ("Both.f", "L.f") not in edges
    assert {("R.f", "Base.f"), ("L.f", "Base.f"), ("Both.constructor", "Base.constructor")} <= edges


def test_modifiers_events_errors_and_conversions() -> None:
    edges = calls_between(
        {
            "I.sol": "interface IToken { event Sent(uint a); function send(uint a) external; }",
            "A.sol": 'import {IToken as IT} from "./I.sol";\nerror Bad(uint a, uint b);\n'
            "abstract contract Guard { modifier guarded() { _check(); _; } function _check() internal {} }\n"
            "contract A is Guard, IT { function send(uint a) external guarded { emit Sent(a); } }\n"
            "contract B { function f(address a, uint n) public { IT(a).send{value: n}(n);\n"
            " require(n > 0, Bad(n, 1)); } }",
        }
    )
    assert edges == {
        ("Guard.guarded", "Guard._check"),
        ("A.send", "Guard.guarded"),
        ("A.send", "IToken.Sent"),
        ("B.f", "IToken.send"),
        ("B.f", "A.send"),
        ("B.f", "Bad"),
    }


def test_overloads_are_told_apart_by_the_arrays_that_fields_are() -> None:
    edges = calls_between(
        {
            "A.sol": "library S { struct X { uint a; } struct Y { uint b; } struct XS { X[] all; }\n"
            " struct YS { Y[] all; }\n"
            " function at(X[] storage s, uint i) private {} function at(Y[] storage s, uint i) private {}\n"
            " function x(XS storage s) internal { at(s.all, 0); }\n"
            " function y(YS storage s) internal { at(s.all, 0); } }",
        }
    )
    assert edges == {("S.x", "S.at"), ("S.y", "S.at#2")}


def test_what_stands_behind_an_operator_is_not_called_on_its_result() -> None:
    text = (
        "contract A { function f(uint a) public { g(a < M.min(a, 1), a == 1 && !k(a)); } function k(uint) private {} }"
    )
    found = extract("A.sol", text.encode(), "solidity")
    assert [call.function for call in found.calls if call.line] == [
        ("n", "g"),
        ("a", ("n", "M"), "min"),
        ("n", "k"),
    ]
    assert found.status == "indexed"


def test_imports_are_found_by_remappings_packages_and_foundrys_folders() -> None:
    files = {
        "remappings.txt": "@oz/=lib/oz/contracts/\nctx:solmate/=lib/solmate/src/\n",
        "lib/oz/contracts/token/T.sol": "contract T {}",
        "lib/solmate/src/S.sol": "contract S {}",
        "lib/forge-std/src/Test.sol": "contract Test {}",
        "packages/core/package.json": '{"name": "@acme/core"}',
        "packages/core/C.sol": "contract C {}",
        "src/A.sol": 'import "@oz/token/T.sol";\nimport "solmate/S.sol";\nimport "forge-std/Test.sol";\n'
        'import "@acme/core/C.sol";\nimport "src/B.sol";\nimport "./None.sol";\nimport "@else/where.sol";',
        "src/B.sol": "",
    }
    assert calls_between(files, "IMPORTS") == {
        ("src/A.sol", "lib/oz/contracts/token/T.sol"),
        ("src/A.sol", "lib/solmate/src/S.sol"),
        ("src/A.sol", "lib/forge-std/src/Test.sol"),
        ("src/A.sol", "packages/core/C.sol"),
        ("src/A.sol", "src/B.sol"),
    }


def test_functions_of_foundrys_tests_are_tests() -> None:
    text = "contract C { function setUp() public {} function testFuzz_a(uint x) public {} function test() internal {} }"
    found = extract("test/C.t.sol", text.encode(), "solidity").definitions
    assert [d.name for d in found if "test" in d.flags] == ["testFuzz_a"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("contract A { uint x = " + "(" * 3000 + "1" + ")" * 3000 + "; }", "indexed"),
        ("contract A { uint x = a" + ".b" * 5000 + "; }", "indexed"),
        ("contract A { function f() public { " + "if (a) { " * 1500 + "} " * 1500 + "} }", "indexed"),
        ("contract A { " * 2000, "partial"),
    ],
    ids=["parentheses", "chain", "blocks", "contracts"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str) -> None:
    assert extract("A.sol", text.encode(), "solidity").status == status
