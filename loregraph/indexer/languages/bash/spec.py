"""Bash's row: how its syntax becomes facts. Commands are calls by name; variables hold text, and are not followed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import NAME, UNION, Expr
from loregraph.indexer.languages.bash.definitions import bind_inner, inner_from, read_header
from loregraph.indexer.languages.bash.paths import script_path
from loregraph.indexer.languages.bash.reading import parsed
from loregraph.indexer.languages.comments import clean_comment
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_SOURCING: Final = frozenset({".", "source"})
_SHELLS: Final = frozenset({"bash", "sh", "dash", "ksh", "zsh"})
_RUNNERS: Final = frozenset({"exec", "sudo", "env", "nohup", "timeout", "nice", "command", "setsid", "xargs", "time"})
_KEYWORDS: Final = frozenset({"time", "coproc", "!"})
"""Words that the grammar takes for commands; what follows is the command."""
_TEXTS: Final = frozenset({"word", "string", "raw_string", "concatenation"})
_PATH: Final = re.compile(r"/|\.(?:sh|bash|bats)$")
_NAME: Final = re.compile(r"[^\s$`\"'\\(){}<>|;&*?~/=]+")
_NO_FUNCTION: Final = re.compile(r"^(?:-|\d+$)")
_FIRST_WORDS: Final = re.compile(r"(?:^|[;\n]|&&|\|\|)[^\S\n]*+([A-Za-z_][\w.:-]*+)(?=\s|;|$|&|\|)")


def _command(x: Extraction, node: Node, capture: str) -> None:
    named = node.child_by_field_name("name")
    if named is None:
        return
    given = node.children_by_field_name("argument")
    word = _constant(x, named)
    if word is not None:
        _called(x, node, word, given)
    else:
        _run(x, node, _short(x, named))


def _called(x: Extraction, node: Node, word: str, given: Sequence[Node]) -> None:
    """The command `word` with its arguments."""
    if word in _SOURCING:
        _include(x, node, next((argument for argument in given if x.text(argument) != "--"), None))
    elif word in _KEYWORDS or (word == "run" and _is_bats(x)):
        _next_word(x, node, given)
    elif word == "load" and _is_bats(x):
        # bats' `load helper`: beside the test.
        _include(x, node, given[0] if given else None, beside=True)
    elif _PATH.search(word):
        _run(x, node, x.text(node.child_by_field_name("name") or node) if not given else word)
    elif word == "trap":
        _trap(x, node, given)
    elif word == "eval":
        _evaluated(x, node, given)
    elif word.strip():
        x.record_call(node, (NAME, word))
        if word in _SHELLS or word in _RUNNERS:
            _run_argument(x, node, given, word in _SHELLS)
        elif "-" in word and word[0] != "-":
            x.import_(node, word, kind="run")


def _constant(x: Extraction, node: Node) -> str | None:
    """The text of a word without expansions, quotes and backslashes taken off; None for any other."""
    if node.type == "command_name" and node.named_child_count:
        node = node.named_children[0]
    if node.type in ("word", "number"):
        return x.text(node).replace("\\", "")
    if node.type == "raw_string":
        return x.text(node).strip("'")
    if node.type == "string" and all(c.type == "string_content" for c in node.named_children):
        return x.text(node).strip('"')
    return None


def _is_bats(x: Extraction) -> bool:
    found: bool | None = x.memo.get("bats")
    if found is None:
        found = x.memo["bats"] = x.path.endswith(".bats") or b"\n@test" in x.source or b"/bats/" in x.path.encode()
    return found


def _short(x: Extraction, node: Node, limit: int = 300) -> str:
    """The text of a node, "" where it is long."""
    return x.text(node) if node.end_byte - node.start_byte < limit else ""


def _next_word(x: Extraction, node: Node, given: Sequence[Node]) -> None:
    """`time f x`, `run f x`: f is called with what follows."""
    for number, argument in enumerate(given):
        word = _constant(x, argument)
        if word is None:
            _run(x, node, _short(x, argument))
            return
        if word in ("!", "-") or _NO_FUNCTION.match(word):
            continue
        if _PATH.search(word):
            _run(x, node, word)
        elif word not in _KEYWORDS and word != "run":
            _called(x, node, word, given[number + 1 :])
        return


def _include(x: Extraction, node: Node, argument: Node | None, *, beside: bool = False) -> None:
    """A script that is sourced; with `beside` from the folder of this one."""
    path = script_path(x, x.text(argument)) if argument is not None else ""
    if path is None:
        x.extras["open"] = True
    elif path:
        x.import_(node, f"./{path}" if beside and not path.startswith(".") else path, kind="include")


def _run(x: Extraction, node: Node, text: str) -> None:
    """A script that is run by its path."""
    path = script_path(x, text)
    if path and _PATH.search(text):
        x.import_(node, path, kind="run")


def _run_argument(x: Extraction, node: Node, given: Sequence[Node], shell: bool) -> None:
    """`bash tools/x.sh`, `sudo ./x.sh`."""
    for argument in given:
        text = _short(x, argument) or "-"
        if text.startswith("-"):
            if shell and "c" in text[1:3] and not text.startswith("--"):
                return
            continue
        if "=" in text.partition("/")[0] or text.isdigit():
            continue
        word = _constant(x, argument)
        if not shell and word in _SHELLS:
            shell = True
            continue
        if shell or _PATH.search(text):
            path = script_path(x, text)
            if path:
                x.import_(node, path, kind="run")
        return


def _trap(x: Extraction, node: Node, given: Sequence[Node]) -> None:
    """`trap cleanup EXIT`, `trap 'cleanup; exit 1' INT`."""
    listed = [a for a in given if not x.text(a).startswith("-")]
    text = _text_of(x, listed[0]) if len(listed) > 1 else ""
    names: list[Expr] = [(NAME, name) for name in dict.fromkeys(_FIRST_WORDS.findall(text))]
    x.record_call(node, (NAME, "trap"), (names[0] if len(names) == 1 else (UNION, tuple(names)),) if names else ())


def _text_of(x: Extraction, node: Node) -> str:
    return _short(x, node, 500).strip("\"'") if node.type in _TEXTS else ""


def _evaluated(x: Extraction, node: Node, given: Sequence[Node]) -> None:
    """`eval "f $x"` calls f."""
    word = _constant(x, given[0]) if given else None
    if word is None and given:
        text = _text_of(x, given[0])
        match = _NAME.match(text)
        word = match[0] if match is not None and text[match.end() : match.end() + 1] in (" ", "") else None
    first = word.split()[0] if word and word.split() else ""
    x.record_call(node, (NAME, first if _NAME.fullmatch(first) else "eval"))


def _exported(x: Extraction, node: Node, capture: str) -> None:
    """`export -f f`."""
    if not x.text(node).startswith("export -f"):
        return
    for child in node.named_children:
        if child.type == "variable_name":
            x.refer(node, (NAME, x.text(child)), "value")


def _file_facts(x: Extraction, root: Node) -> None:
    """The comment that a script begins with, where it is not about what follows at once."""
    parts: list[str] = []
    for child in root.named_children[:80]:
        if child.type != "comment":
            break
        text = x.text(child)
        if not text.startswith("#!") and "shellcheck" not in text:
            parts.append(text)
        after = child.next_named_sibling
        if after is None or after.start_point[0] > child.end_point[0] + 1:
            break
    else:
        return
    x.docstring = clean_comment("\n".join(parts))


SPECS = {
    "bash": LanguageSpec(
        name="bash",
        grammar="bash",
        queries=("bash/query.scm",),
        expressions={},
        called_name={"command": "name"},
        hooks={"call": _command, "reference.exported": _exported},
        header=read_header,
        comments=frozenset({"comment"}),
        inner_from=inner_from,
        parse=parsed,
        file_facts=_file_facts,
        finish=bind_inner,
    )
}
