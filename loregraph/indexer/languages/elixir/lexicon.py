"""What names of modules mean at each place of an Elixir file: modules around it, and aliases.

An alias holds from its directive to the end of the block it stands in, so extraction can write every module by its
whole name, `("m", "MyApp.Repo")`, and resolution has no scopes of aliases to look through.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import child, parts
from loregraph.indexer.languages.rows import text_of
from loregraph.indexer.languages.selectors import many

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"comment"})
_DIRECTIVE = re.compile(rb"(?<![\w.@:])(?:alias|require|defmodule|defprotocol|defimpl)(?=[ \t(])")
_MODULES = frozenset({"defmodule", "defprotocol", "defimpl"})

_keywords = many(":arguments/:keywords/:pair")
_grouped, _prefix = many("right/:alias"), text_of("left")


@dataclass(slots=True)
class Lexicon:
    """`modules` are (start, end, whole name), `aliases` (start, end, name, whole name), in the order of the text."""

    modules: list[tuple[int, int, str]] = field(default_factory=list)
    aliases: list[tuple[int, int, str, str]] = field(default_factory=list)

    def module_at(self, at: int) -> str:
        """The module that the place stands in; "" outside any."""
        for start, end, name in reversed(self.modules):
            if start <= at < end:
                return name
        return ""

    def whole(self, name: str, at: int) -> str:
        """The whole name of the module that `name` means at a place."""
        first, dot, rest = name.partition(".")
        if first == "__MODULE__":
            first = self.module_at(at)
        elif first == "Elixir":
            return rest
        else:
            for start, end, alias, target in reversed(self.aliases):
                if alias == first and start <= at < end:
                    first = target
                    break
        return f"{first}{dot}{rest}" if first else rest


def given(node: Node) -> list[Node]:
    """What stands between the parentheses of a call, or behind its name."""
    for part in node.named_children:
        if part.type == "arguments":
            return parts(part)
    return []


def block_of(node: Node) -> Node | None:
    """The `do` block of a call."""
    return child(node, "do_block")


def keyword(x: Extraction, node: Node, name: str) -> Node | None:
    """The value of `name:` among a call's arguments."""
    for pair in _keywords(x, node):
        if key_text(x, pair) == name:
            return pair.child_by_field_name("value")
    return None


def key_text(x: Extraction, node: Node) -> str:
    """The key of a `key: value` as it is written: one that had to be quoted has its quotes."""
    key = node.child_by_field_name("key")
    return x.text(key).strip().rstrip(":") if key is not None else ""


def sign_of(node: Node) -> str:
    """The operator between, or in front of, operands."""
    operator = node.child_by_field_name("operator")
    return operator.type if operator is not None else ""


def atom_text(x: Extraction, node: Node) -> str:
    return x.text(node).lstrip(":")


def word_of(x: Extraction, node: Node) -> str:
    """The name of a call without a module; "" for any other node."""
    if node.type != "call":
        return ""
    target = node.child_by_field_name("target")
    return x.text(target) if target is not None and target.type == "identifier" else ""


def lexicon(x: Extraction) -> Lexicon:
    """The lexicon of the file; read when it is first asked for."""
    found: Lexicon | None = x.memo.get("lexicon")
    if found is None:
        found = x.memo["lexicon"] = Lexicon()
        root: Node = x.memo["root"]
        for match in _DIRECTIVE.finditer(x.source):
            node = root.descendant_for_byte_range(match.start(), match.end())
            call = node.parent if node is not None and node.type == "identifier" else None
            if call is None or word_of(x, call) != match[0].decode():
                continue
            around = call.parent
            end = around.end_byte if around is not None else call.end_byte
            _read(x, found, call, match[0].decode(), end)
    return found


def _read(x: Extraction, known: Lexicon, node: Node, word: str, end: int) -> None:
    at = node.start_byte
    if word in _MODULES:
        name, nested = module_name(x, known, node, word)
        if name:
            known.modules.append((at, node.end_byte, name))
            if nested:
                known.aliases.append((at, end, nested, name))
        return
    renamed = keyword(x, node, "as")
    if word == "require" and renamed is None:
        return
    for written in named_modules(x, node):
        whole = known.whole(written, at)
        alias = x.text(renamed) if renamed is not None else whole.rpartition(".")[2]
        known.aliases.append((node.end_byte, end, alias, whole))


def module_name(x: Extraction, known: Lexicon, node: Node, word: str) -> tuple[str, str]:
    """The whole name of the module that a call defines, and the alias that makes of it; "" where it has none."""
    at = node.start_byte
    written = given(node)[:1]
    if not written or not is_module(x, written[0]):
        return "", ""
    text = x.text(written[0])
    around = known.module_at(at)
    if word == "defimpl":
        target = keyword(x, node, "for")
        if target is not None and target.type == "list":
            target = next(iter(parts(target)), None)
        if target is not None and not is_module(x, target):
            return f"{known.whole(text, at)}.<impl>", ""  # for types that are told when it is compiled
        name = around if target is None else known.whole(x.text(target), at)
        return f"{known.whole(text, at)}.{name}", ""
    if text.startswith(("__MODULE__", "Elixir.")):
        return known.whole(text, at), ""
    if not around:
        return text, ""
    return f"{around}.{text}", text.partition(".")[0] if "." not in text else ""


def is_module(x: Extraction, node: Node) -> bool:
    if node.type == "alias":
        return True
    if node.type == "identifier":
        return x.text(node) == "__MODULE__"
    return node.type == "dot" and x.text(node).startswith("__MODULE__.")


def named_modules(x: Extraction, node: Node) -> list[str]:
    """The modules that a directive names, as written: `A.B`, `A.{B, C}`, `__MODULE__.B`."""
    found: list[str] = []
    for part in given(node)[:1]:
        right = part.child_by_field_name("right") if part.type in ("dot", "call") else None
        if right is not None and right.type == "tuple":
            found += [f"{_prefix(x, part)}.{x.text(item)}" for item in _grouped(x, part)]
        elif is_module(x, part):
            found.append(x.text(part))
    return found
