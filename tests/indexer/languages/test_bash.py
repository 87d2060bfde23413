"""Bash: fixtures that assert themselves, and what only shells do."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted(path for path in (FIXTURES / "bash").iterdir() if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "bash", "#") == []


def facts_of(text: str, path: str = "tools/deploy.sh") -> FileFacts:
    return extract(path, text.encode(), "bash")


def called(text: str, path: str = "tools/deploy.sh") -> list[str]:
    return [c.function[1] for c in facts_of(text, path).calls if c.function[0] == "n"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a | b && ! c || (d); { e; }", ["a", "b", "c", "d", "e"]),
        ('x=$(a `b`)\n[[ -n $(c) ]]\ny="$(d)"', ["a", "b", "c", "d"]),
        ("while a; do b; done < <(c)\nuntil d; do e & done", ["a", "b", "c", "d", "e"]),
        ("cat <<EOF\n$(a)\nEOF\ncat <<'EOF'\n$(b)\nEOF", ["cat", "a", "cat"]),
        ("X=1 a >/dev/null 2>&1\ntime b\n\\c d\ncoproc e", ["a", "b", "c", "e"]),
        ('"$a" b\n$c\n"${d}_e"', []),
        ("f\n\\. ./x.sh\n\\g", ["f", "g"]),
        ("# a\necho 'b; c' \"d; e\"", ["echo"]),
    ],
    ids=["lists", "substitutions", "loops", "here documents", "words before", "variables", "backslash", "text"],
)
def test_commands_are_calls(text: str, names: list[str]) -> None:
    assert called(text) == names


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ('"$(dirname "$0")/x.sh"', "./x.sh"),
        ('"$(dirname "$(dirname "$(readlink -f "$0")")")/lib/x.sh"', "./../lib/x.sh"),
        ("${BASH_SOURCE[0]%/*}/x.sh", "./x.sh"),
        ('"$HERE/x.sh"', "./x.sh"),
        ('"$LIB/x.sh"', "./../lib/x.sh"),
        ('"${ROOT}"/lib/x.sh', "lib/x.sh"),
        ('"$ROOT/$KIND/lib/x.sh"', "lib/x.sh"),
        ("./x.sh", "x.sh"),
        ("../x.sh", "../x.sh"),
        ("x.sh", "x.sh"),
    ],
)
def test_paths_of_sourced_files(written: str, path: str) -> None:
    before = 'HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)\nLIB="$HERE/../lib"\n'
    facts = facts_of(f"{before}source {written}")
    assert [(i.module, i.kind) for i in facts.imports] == [(path, "include")]


@pytest.mark.parametrize("written", ["/etc/x.sh", "~/.bashrc", '"$HOME/.bashrc"', '"$x"', '"$d/$x.sh"', "lib/*.sh"])
def test_what_is_not_the_projects_or_not_known_is_no_import(written: str) -> None:
    assert facts_of(f"source {written}").imports == ()


def test_functions_of_sourced_files_and_of_the_file_that_sources() -> None:
    edges = calls_between(
        {
            "run.sh": 'DIR="$(dirname "$0")"\n. "$DIR/lib/a.sh"\nreport() { :; }\nmain() { one; two; echo; }\nmain',
            "lib/a.sh": 'source "${BASH_SOURCE%/*}/b.sh"\none() { two; report; missing; }',
            "lib/b.sh": "two() { :; }",
            "other.sh": "one() { :; }\nmissing() { :; }",
        }
    )
    assert edges == {("run.sh", "main"), ("main", "one"), ("main", "two"), ("one", "two"), ("one", "report")}
    assert ("run.sh", "lib/a.sh") in calls_between({"run.sh": "./lib/a.sh -x", "lib/a.sh": ""}, "IMPORTS")


def test_of_several_files_that_source_one_none_is_guessed() -> None:
    files = {
        "one.sh": "report() { :; }\n. ./lib.sh",
        "two.sh": "report() { :; }\n. ./lib.sh",
        "lib.sh": "work() { report; }",
    }
    assert calls_between(files) == set()


def test_plugins_see_what_the_script_has_that_sources_them_by_a_computed_path() -> None:
    files = {
        "main.sh": 'for p in plugins/*; do . "$p"; done\n_log() { :; }\nbuild() { :; }',
        "plugins/a.sh": "run_a() { _log x; sort; }",
        "unrelated.sh": "sort() { :; }",
    }
    assert calls_between(files) == {("run_a", "_log")}


def test_a_function_in_another_one_is_there_for_the_whole_shell() -> None:
    assert calls_between({"a.sh": "f() { g() { :; }; }\nh() { g; }\nf"}) == {("h", "f.g"), ("a.sh", "f")}


def test_functions_of_one_name_are_told_apart_by_their_place() -> None:
    edges = calls_between({"a.sh": "f() { one; }\nf\nf() { two; }\none() { :; }\ntwo() { :; }\nf"})
    assert edges == {("f", "one"), ("f#2", "two"), ("a.sh", "f"), ("a.sh", "f#2")}


def test_traps_call_what_they_name() -> None:
    edges = calls_between({"a.sh": "f() { :; }\ng() { :; }\ntrap f EXIT\ntrap 'g x; exit 1' INT\ntrap - TERM"})
    assert edges == {("a.sh", "f"), ("a.sh", "g")}


def test_bats_runs_functions_in_tests() -> None:
    files = {
        "test/a.bats": 'load helper\n@test "it works" {\n  run build x\n  check\n}\n',
        "test/helper.bash": 'source "$BATS_TEST_DIRNAME/../build.sh"\ncheck() { :; }',
        "build.sh": "build() { :; }",
    }
    assert calls_between(files) == {("it works", "build"), ("it works", "check")}
    assert calls_between(files, "TESTS") == {("it works", "build")}


def test_a_function_that_does_not_parse_costs_itself_alone() -> None:
    facts = facts_of('f() {\n  g\n}\nbroken() {\n  [ $# -eq 0 ] || [ "$(a)" "$@" ]\n}\nh() {\n  i\n}\n')
    assert facts.status == "partial"
    assert [d.name for d in facts.definitions] == ["f", "broken", "h"]
    assert [c.function[1] for c in facts.calls] == ["g", "i"]


def test_simplified_expansions_are_no_problem() -> None:
    facts = facts_of('f() {\n  x="${y%%]*}" && g "${x:$a:1}"\n}\n')
    assert (facts.status, [c.function[1] for c in facts.calls]) == ("indexed", ["g"])


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("(" * 3000 + "a" + ")" * 3000, "indexed", 0, 0),
        ("f() { " * 2000 + "}" * 2000, "partial", 1, 0),
        ("x=$(" * 3000, "partial", 0, 0),
        ("if a; then " * 2000 + "fi;" * 2000, "indexed", 0, 999),
    ],
    ids=["subshells", "functions", "substitutions", "blocks"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_expansions_that_zsh_alone_has_leave_the_rest_of_the_file() -> None:
    text = "before() { ls; }\n(( ${+functions[x]} )) || ls\na=${(L)b}\nafter() { ls; }\n"
    facts = facts_of(text)
    assert [d.name for d in facts.definitions] == ["before", "after"]
    assert not facts.problems
