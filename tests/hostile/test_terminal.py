"""Names and texts that would command a terminal, mislead a reader or be run by a shell."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import loregraph
from loregraph.analysis.changes.markdown import _code, _escaped, _message
from loregraph.terminal import shell_quoted, visible, visible_json, visible_lines

PACKAGE = Path(loregraph.__file__).parent

SEQUENCE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f"
UNSEEN = "\u202e\u2066\u200b\u200f\u061c\ufeff\U000e0041"
EVIL = SEQUENCE + UNSEEN
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e0fff]"
)
VISIBLE_MARKS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Of the format characters those that are seen, like the sign before an Arabic number."""


# the functions


# Verifies REQ-SEC-008.
def test_every_control_and_format_character_is_escaped() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        bad = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or (
            unicodedata.category(character) == "Cf" and code not in VISIBLE_MARKS
        )
        if bad:
            for shown in (visible(character), visible_json(json.dumps(character, ensure_ascii=False))):
                assert shown.isascii(), hex(code)
                assert shown.isprintable(), hex(code)
        elif code not in range(0xE0000, 0xE1000) and unicodedata.category(character) != "Cn":
            assert visible(character) == character, hex(code)


def test_how_it_is_written() -> None:
    assert visible("a\x1b[31m\n\tb\u202e\x9b\U000e0041") == "a\\x1b[31m\\n\\tb\\u202e\\x9b\\U000e0041"
    assert visible("größe → 名前 ✓") == "größe → 名前 ✓"
    assert visible_lines("one\r\n\ttwo\x1b\rthree\n") == "one\n\ttwo\\x1b\\x0dthree\n"
    assert visible(os.fsdecode(b"caf\xe9.py")) == "caf\\udce9.py"


@given(st.text())
def test_json_keeps_the_value(text: str) -> None:
    document = visible_json(json.dumps({text: [text]}, ensure_ascii=False, indent=1))
    assert json.loads(document) == {text: [text]}
    assert not FORBIDDEN.search(document)


SHELLS = [shell for shell in ("/bin/bash", "/usr/bin/zsh") if Path(shell).exists()]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "word",
    [
        "plain.py::f", "", "a b", "$(touch x)", "`touch x`", "a;touch x", "it's", '"', "a\\b", "!!", "~", "*", "-n",
        "$'x", "new\nline", "\x1b[31m", "'\x1b'", "\\\x07\\'", "\u202eabc", "\x85", "\x1b1", "#x", "a|b>c&d",
        "\U000e0041",
    ],
)  # fmt: skip
def test_a_quoted_word_is_one_word_to_a_shell(shell: str, word: str, tmp_path: Path) -> None:
    quoted = shell_quoted(word)
    assert not FORBIDDEN.search(quoted)
    done = subprocess.run(
        [shell, "-c", f"printf '%s|' x {quoted}"],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == f"x|{word}|"
    assert list(tmp_path.iterdir()) == []


def test_markdown_of_names() -> None:
    text = f"a`b|c @team [x](javascript:y) <img src=x> **b** {EVIL}"
    for shown in (_code(text), _escaped(text), _message(f"see `{text}` and {text}")):
        assert not FORBIDDEN.search(shown)
    assert _code(text).count("`") == 2
    assert "<img" not in _escaped(text)
    assert "@" not in _escaped(text)


# who prints


ALLOWED = {
    ("cli/output.py", "click.confirm"),
    ("cli/output.py", "sys.stdout.buffer"),  # formats that are not text, never to a terminal
    ("cli/output.py", "click.echo"),
    ("cli/output.py", "click.style"),
    ("terminal.py", "sys.stderr.write"),
}
PRINTS = re.compile(
    r"click\.(echo|secho|style|prompt|confirm|pause|progressbar|echo_via_pager|get_text_stream|get_binary_stream)"
    r"|sys\.(__)?std(out|err)(__)?\.(write|writelines|buffer)|print|rich\.print|warnings\.warn"
    r"|traceback\.print_\w+|logging\.(StreamHandler|basicConfig|FileHandler)|.*\bconsole\.(print|log)"
)
PROTOCOL = {"bridges/bridge.py": "sys.stdout.buffer"}
"""Where standard output carries a protocol."""
PIPES = {"graph/cypher_worker.py", "indexer/build/workers.py", "mcp_server/job_worker.py", "mcp_server/main.py"}
"""Where it is a pipe to the process that started this one, or the server's own transport."""


def test_only_one_module_prints() -> None:
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name in PIPES:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said = ""
            if isinstance(node, ast.Call):
                said = ast.unparse(node.func)
            elif isinstance(node, ast.Attribute):
                said = ast.unparse(node)
            if PRINTS.fullmatch(said) and PROTOCOL.get(name) != said:
                found.add((name, said))
            if isinstance(node, ast.ImportFrom) and node.module == "click":
                found.update((name, f"click.{one.name}") for one in node.names if PRINTS.fullmatch(f"click.{one.name}"))
    assert found == ALLOWED


def test_a_progress_bar_shows_no_name_as_markup() -> None:
    tree = ast.parse((PACKAGE / "cli/progress.py").read_text(encoding="utf-8"))
    columns = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "TextColumn"]
    assert columns
    assert all(
        any(key.arg == "markup" and ast.unparse(key.value) == "False" for key in one.keywords) for one in columns
    )


# the command


EVIL_MODULE = f'''"""A module. {EVIL}"""


class Shop:
    """{EVIL}
    [red]Not red[/red] [link=file:///]x[/link]

    \tIndented. {EVIL}
    """

    def total(self, prices="{EVIL}"):
        """Implements REQ-EVIL-001. {EVIL}"""
        return helper(prices)


def helper(prices):  # {EVIL}
    return sum(prices)


def helper_two(prices):
    return helper(prices)


def priced(prices, rate):
    """Price them.

    Args:
        other: {EVIL}
    """
    found = []
    for price in prices:
        if price is None:
            continue
        taxed = price * (1 + rate)
        if taxed > 100:
            taxed = taxed - 10
        found.append(round(taxed, 2))
    while len(found) > 10:
        found.pop()
    return sorted(found, key=lambda one: -one)
'''


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which everything that has a name or a text carries sequences."""
    root = tmp_path_factory.mktemp("evil") / f"clone{EVIL}"
    root.mkdir()
    git = ["git", "-c", f"user.name=Eve{EVIL}", "-c", "user.email=e@example.com"]
    subprocess.run([*git, "init", "-q"], cwd=root, check=True)
    (root / "lib").mkdir()
    for name in (f"shop{EVIL}.py", "line\nbreak\t.py", "$(touch pwned).py", "[red]bold[link].py", "copy.py"):
        (root / "lib" / name).write_text(EVIL_MODULE, encoding="utf-8")
    (root / "lib" / f"broken{EVIL}.py").write_text(f"def f(:\n  {EVIL}\n", encoding="utf-8")
    (root / "docs").mkdir()
    (root / "docs" / "requirements.md").write_text(
        f"# Evil\n\n- **REQ-EVIL-001** Adds {EVIL} [red]prices[/red]\n\n  More {EVIL} text.\n"
        f"- **REQ-EVIL-002** Nothing {EVIL}\n",
        encoding="utf-8",
    )
    (root / "lib" / "caller.js").write_text(
        f"// {EVIL}\nexport function größe(a) {{ return helper(a, `{EVIL}`); }}\nfunction helper(a) {{ return a; }}\n",
        encoding="utf-8",
    )
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "evil"\ndescription = "{UNSEEN}"\n[tool.loregraph.requirements]\n'
        "sources = ['docs/requirements.md']\n",
        encoding="utf-8",
    )
    subprocess.run([*git, "add", "-A"], cwd=root, check=True)
    subprocess.run(
        [*git, "commit", "-q", "-m", f"First {EVIL}\n\nImplements: REQ-EVIL-001 {EVIL}"], cwd=root, check=True
    )
    subprocess.run([*git, "branch", f"feature{UNSEEN}"], cwd=root, check=True)
    for path in (root / "lib").glob("*.py"):
        text = path.read_text(encoding="utf-8").replace("self, prices=", "self, more, prices=")
        path.write_text(text, encoding="utf-8")
    (root / "lib" / f"new{EVIL}.py").write_text(EVIL_MODULE.replace("total", "totals"), encoding="utf-8")
    return root


def environment(root: Path) -> dict[str, str]:
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("LOREGRAPH_")},
        "LOREGRAPH_HOME": str(root.parent / "home"),
        "XDG_CONFIG_HOME": str(root.parent / "xdg"),
        "PYTHONPATH": str(PACKAGE.parent),
        "LOREGRAPH_EMBEDDER": "none",
        "PYTHONUTF8": "1",
    }


def loregraph_says(root: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "loregraph", *words],
        cwd=root,
        env=environment(root),
        input=given,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


COMMANDS: list[list[str]] = [
    ["index", "--jobs", "1"],
    ["index", "--full", "--jobs", "1", "--json"],
    ["status"],
    ["status", "--json"],
    ["search", "total prices"],
    ["search", "total prices", "--json"],
    ["show", "Shop"],
    ["show", "lib/copy.py::Shop"],
    ["show", "lib/copy.py::Shop.total"],
    ["show", "lib/copy.py::Shop", "--json"],
    ["show", f"nothing{EVIL}"],
    ["callers", "helper"],
    ["callers", "lib/copy.py::helper"],
    ["callers", f"lib/shop{EVIL}.py::helper"],
    ["callees", "lib/copy.py::Shop.total", "--json"],
    ["impact", "lib/copy.py::helper", "--depth", "2"],
    ["query", "MATCH (n:Function) RETURN n.id, n.docstring"],
    ["query", "MATCH (n:Function) RETURN n.id, n.docstring", "--json"],
    ["query", f"MATCH (n{EVIL})"],
    ["trace"],
    ["trace", "REQ-EVIL-001"],
    ["trace", "--json"],
    ["trace", "--suggest"],
    ["check"],
    ["check", "--json"],
    ["check", "--format", "sarif"],
    ["check", "--since", f"feature{UNSEEN}"],
    ["check", "--since", f"none{EVIL}"],
    ["duplicates"],
    ["duplicates", "--json"],
    ["duplicates", "--since", "HEAD"],
    ["diff", "HEAD"],
    ["diff", "HEAD", "--json"],
    ["diff", "HEAD", "--format", "markdown"],
    ["diff", f"feature{UNSEEN}"],
    ["memory", "add", f"Watch out {EVIL}\nfor prices", "--kind", "design", "--tag", "money"],
    ["memory", "add", "One [red]two[/red]", "--anchor", f"lib/none{EVIL}.py::f"],
    ["memory", "list"],
    ["memory", "list", "--json"],
    ["memory", "search", "prices"],
    ["memory", "stats"],
    ["duplicates", "--format", "html"],
    ["trace", "--format", "html"],
    ["export"],
    ["doctor"],
    ["doctor", "--json"],
    ["search", "--kind", f"{EVIL}", "x"],
    [f"command{EVIL}"],
    ["--root", f"/none{EVIL}", "status"],
    ["show", "--help"],
]


def test_no_sequence_reaches_a_stream(evil: Path) -> None:
    said = {}
    for words in COMMANDS:
        done = loregraph_says(evil, *words)
        name = visible(" ".join(words))
        said[name] = done
        for stream in (done.stdout, done.stderr):
            bad = FORBIDDEN.search(stream)
            assert bad is None, (name, stream[max(0, bad.start() - 200) : bad.end() + 50])
        assert "Traceback" not in done.stderr, name
        assert "unexpected" not in done.stderr, (name, done.stderr)
    assert "\\x1b]0;owned" in said["show lib/copy.py::Shop"].stdout
    assert "[red]Not red[/red]" in said["show lib/copy.py::Shop"].stdout
    docstring = json.loads(said["show lib/copy.py::Shop --json"].stdout)["docstring"]
    assert EVIL in docstring  # JSON keeps the value
    assert "\\x1b]0;owned" in said["search total prices"].stdout
    assert "\\x1b]0;owned" in said["trace REQ-EVIL-001"].stdout
    # A name with a line end stays on its line.
    assert "line\\nbreak" in said["search total prices"].stdout + said["diff HEAD"].stdout
    assert "family of copies" in said["duplicates"].stderr
    assert said["check"].returncode == 1
    assert not (evil / "pwned").exists()


def test_suggested_commands_are_quoted(evil: Path, tmp_path: Path) -> None:
    root = tmp_path / "one"
    (root / "lib").mkdir(parents=True)
    (root / "lib" / "$(touch pwned);x.py").write_text(
        "def add_prices(a):\n    return a\n\n\ndef first_one():\n    return add_prices(1)\n\n\n"
        "def second_one():\n    return add_prices(2)\n",
        encoding="utf-8",
    )
    done = loregraph_says(root, "index", "--jobs", "1")
    hints = [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("loregraph ")]
    assert len(hints) == 3, done.stdout
    assert "'lib/$(touch pwned);x.py::add_prices'" in hints[0]
    for hint in hints:
        subprocess.run(["sh", "-c", f"loregraph() {{ :; }}; {hint}"], cwd=tmp_path, check=True)
    assert not (tmp_path / "pwned").exists()


def test_pages_hold_no_markup_of_the_repository(tmp_path: Path) -> None:
    root = tmp_path / "page"
    (root / "docs").mkdir(parents=True)
    attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> javascript:alert(1)"
    (root / "docs/requirements.md").write_text(f"# R\n\n- **REQ-EVIL-001** {attack}\n", encoding="utf-8")
    body = "\n".join(f"    result_{n} = prices[{n}] + {n} * len(prices)" for n in range(12))
    for name in ("a", "b"):
        (root / f"{name}.py").write_text(
            f'def add(prices):\n    """Implements REQ-EVIL-001 {attack}"""\n{body}\n    return "</script>"\n',
            encoding="utf-8",
        )
    assert loregraph_says(root, "index", "--jobs", "1").returncode == 0
    for words in (["trace", "--format", "html"], ["duplicates", "--format", "html"]):
        done = loregraph_says(root, *words)
        assert "<html" in done.stdout, done.stderr
        assert "<script>alert" not in done.stdout
        assert "<img" not in done.stdout
        assert 'href="javascript' not in done.stdout
        assert done.stdout.count("</script>") == done.stdout.count("<script")
    table = loregraph_says(root, "trace", "--format", "csv").stdout
    assert table.startswith("requirement,")


def test_a_terminal_is_sent_no_sequence_in_any_format(evil: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal the formats for files are escaped too."""
    import pty

    for words in (["export", "--format", "graphml"], ["trace", "--format", "csv"], ["duplicates", "--format", "html"]):
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "loregraph", *words],
            cwd=evil,
            env=environment(evil),
            stdout=follower,
            stderr=subprocess.DEVNULL,
        )
        os.close(follower)
        seen = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # its other end is closed
                break
            if not piece:
                break
            seen += piece
        process.wait(60)
        os.close(leader)
        text = seen.decode("utf-8").replace("\r\n", "\n")
        assert text
        bad = FORBIDDEN.search(text)
        assert bad is None, (words, text[max(0, bad.start() - 100) : bad.end() + 20])
