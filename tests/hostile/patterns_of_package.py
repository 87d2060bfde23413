"""Every regular expression that the package compiles: with its flags, where it stands, and whether it is searched."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import loregraph

_CALLS = {"compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
_CALLED = re.compile(rf"\.(?:{'|'.join(_CALLS)})\(")


class Used(NamedTuple):
    pattern: str | bytes
    flags: int
    mode: str
    """"match" or "fullmatch" where it is only ever tried so at a text's beginning, else "search"."""
    where: str
    longest: int
    """Characters of the longest text that it is given; 0: any."""


_A_LINE = "tried once at the beginning of a line"
AT_A_PLACE = {
    "analysis.rules.code._TRAITS": _A_LINE,
    "analysis.rules.dead_code._PLATFORMS": _A_LINE,
    "analysis.rules.documentation._ATTRIBUTES": _A_LINE,
    "analysis.rules.documentation._MODULES": _A_LINE,
    "analysis.rules.surroundings._ATTRIBUTES": _A_LINE,
    "analysis.rules.surroundings._OF_FILES": _A_LINE,
    "graph.cypher._TOKEN": "a query is refused at the first place that it does not fit",
    "ignore_rules._TOKEN": "a pattern is left out at the first place that it does not fit",
    "analysis.rules.naming._STYLES": "names are matched whole",
    "indexer.languages.c.macros._INITIALISERS": "tried once behind a parenthesis",
    "indexer.languages.rust.macros._PATH": "tried once before an invocation, on so many bytes",
    "indexer.languages.rust.macros._ITEMS": "tried once behind a bracket that opens",
    "indexer.languages.rust.macros._ITEMS_IN_PARENTHESES": "tried once behind a bracket that opens",
    "indexer.languages.rust.macros._NO_STATEMENT": "tried once behind a bracket that closes",
    "indexer.languages.rust.macros._GOES_ON": "tried once behind a bracket that closes",
    "indexer.languages.rust.macros._BIASED": "tried once behind a bracket that opens",
    "indexer.languages.rust.macros._STATEMENT": "tried once behind a bracket that opens",
    "indexer.languages.rust.macros._LABEL": "tried once behind a bracket that opens",
    "indexer.languages.rust.macros._BEFORE_ARROW": "tried once behind a comma, a body or an arrow",
    "indexer.languages.rust.macros._OPENING": "tried once behind an arrow",
    "indexer.languages.markup._EQUALS": "tried once behind the name of an attribute",
    "indexer.languages.notebook.embedded._TOKEN": "a notebook is refused at the first place that it does not fit",
    "indexer.requirements.markdown._AFTER": "tried once behind the id of a block",
    "indexer.requirements.plain._AFTER": "tried once behind the id of a line",
    "indexer.requirements.ids._RANGE": "tried once behind an id",
    "indexer.requirements.marker_syntax._GOES_ON": "tried once behind an id",
    "indexer.requirements.marker_syntax._LIST_AFTER": "tried once behind an id",
    "indexer.requirements.marker_syntax._SAID_OF_IT": "tried once behind an id",
    "indexer.requirements.fields._LISTED": "tried once behind an id",
    "analysis.rules.doc_conventions.emmylua._NAME": "tried once behind a tag",
    "analysis.rules.doc_conventions.emmylua._TYPED": "tried once behind a tag",
    "analysis.rules.doc_conventions.jsdoc._NAME": "tried once behind a tag and its type",
    "analysis.rules.doc_conventions.phpdoc._JOINS": "tried once behind each part of a type",
    "analysis.rules.doc_conventions.phpdoc._NAME": "tried once behind each part of a type",
    "analysis.rules.doc_conventions.yard._NAME": "tried once behind a tag",
    "memory.secrets._EXAMPLES": "values are matched whole",
}
"""Where the syntax does not show that an expression is tried at a place only, and why it is."""
BOUNDED = {
    "graph.endpoint_paths._PARAMETER": 2_000,
    "graph.endpoint_paths._REST": 2_000,
    "indexer.endpoints.declared._METHODS": 300,
    "indexer.endpoints.join._HOST": 2_000,
    "indexer.endpoints.join._LOCAL": 2_000,
    "indexer.endpoints.mentions._ANNOTATIONS": 500,
    "indexer.endpoints.mentions._PACKAGES": 500,
    "indexer.endpoints.routers._PATTERN": 2_000,
    "indexer.endpoints.texts._BRACES": 2_000,
    "indexer.endpoints.texts._CALL": 2_000,
    "indexer.endpoints.texts._DOTTED": 2_000,
    "indexer.endpoints.texts._KEYWORD": 300,
    "indexer.endpoints.texts._MARKS": 2_000,
    "indexer.endpoints.texts._PATH": 2_000,
    "indexer.endpoints.texts._STRING": 2_000,
    "indexer.endpoints.texts._TEMPLATE": 2_000,
    "indexer.endpoints.url_patterns._ROUTERS": 500,
    "analysis.rules.permissions._GIVES_LEAVE": 500,
    "indexer.languages.c.conditionals._LAST": 200,
    "indexer.languages.c.macros._TYPE_HEAD": 300,
    "indexer.languages.c.macros._FIELD": 160,
    "indexer.languages.kotlin.definitions._PLATFORM": 200,
    "indexer.requirements.marker_syntax._RELATION": 2_000,
    "indexer.requirements.marker_syntax._LIST_BEFORE": 100,
    "indexer.requirements.marker_syntax._QUOTED": 2_000,
    "indexer.requirements.negation._DENIED_LATER": 160,
    "indexer.requirements.negation._LAPSED": 160,
    "indexer.requirements.negation._EXAMPLE": 160,
    "indexer.requirements.negation._WORD": 160,
    "indexer.requirements.negation._UNDONE": 2_000,
    "indexer.requirements.examples._BLOCKS": 2_000,
    "indexer.requirements.examples._ANNOUNCES": 2_000,
    "indexer.requirements.marker_syntax._KEYWORD": 100,
}
"""Characters that a text is cut to before the expression sees it."""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(loregraph.__path__, "loregraph."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """What an expression of constants, names of the module and stand-ins for the rest amounts to."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(_value(part, names)) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        inner = _value(node.value, names)
        return inner if isinstance(inner, str) else "name"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _value(node.left, names), _value(node.right, names)
        if left is None or right is None:
            return None
        if isinstance(left, bytes) != isinstance(right, bytes):
            left, right = (one.encode() if isinstance(one, str) else one for one in (left, right))
        return left + right
    if isinstance(node, ast.Name) and isinstance(names.get(node.id), str | bytes):
        return names[node.id]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "escape":
        return "name"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "encode":
        inner = _value(node.func.value, names)
        return inner.encode() if isinstance(inner, str) else None
    return None


def _flags(node: ast.Call, place: int) -> int:
    given = [keyword.value for keyword in node.keywords if keyword.arg == "flags"] + node.args[place : place + 1]
    return int(eval(ast.unparse(given[0]), {"re": re})) if given else 0


_FLAG_PLACE = {"compile": 1, "match": 2, "fullmatch": 2, "search": 2, "findall": 2, "finditer": 2, "split": 3, "sub": 4,
               "subn": 4}  # fmt: skip


def _uses(trees: dict[str, ast.Module]) -> dict[tuple[str, str], str]:
    """(Module, name) of a compiled expression → "match" or "fullmatch" where it is used so only, else "search"."""
    found: dict[tuple[str, str], set[str]] = {}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CALLS:
                owner = node.func.value
                name = (
                    owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
                )
                at_start = node.func.attr in ("match", "fullmatch") and len(node.args) == 1
                if name and name != "re":
                    found.setdefault((module, name), set()).add(node.func.attr if at_start else "search")
    return {key: next(iter(modes)) if len(modes) == 1 else "search" for key, modes in found.items()}


@cache
def used() -> list[Used]:
    found: dict[tuple[str | bytes, int], Used] = {}

    def note(pattern: Any, flags: int, mode: str, where: str, line: int = 0) -> None:
        if not isinstance(pattern, str | bytes):
            return
        flags &= ~(re.UNICODE | re.DEBUG)
        if where in AT_A_PLACE:
            mode = "match"
        before = found.get((pattern, flags))
        if before is None or (before.mode != "search" and mode == "search" and before.where != where):
            at = f"{where}:{line}" if line else where
            found[pattern, flags] = Used(pattern, flags, mode, at, BOUNDED.get(where, 0))

    loaded = {module.__name__: module for module in modules()}
    sources = {
        name: Path(module.__file__).read_text(encoding="utf-8") for name, module in loaded.items() if module.__file__
    }
    trees = {name: ast.parse(source) for name, source in sources.items() if _CALLED.search(source)}
    uses = _uses(trees)

    def mode_of(module: str, known: str) -> str:
        # What others may import may be used in any way.
        return uses.get((module, known), "search") if known.startswith("_") or known.islower() else "search"

    from loregraph.analysis.duplicates.lexical_rules import RULES, lexer_of
    from loregraph.indexer.languages.documents import FORMATS

    for form in FORMATS:
        note(form.hints, re.MULTILINE, "search", f"hints of {form.name}")
    for language in [*RULES, "a language without a row"]:
        lexer = lexer_of(language)
        for part in (lexer.tokens, lexer.comment, lexer.string, lexer.ignored):
            if part is not None:
                mode = "search" if part is lexer.tokens else "match"
                note(part.pattern, part.flags, mode, f"lexer of {language}")
    for name, tree in trees.items():
        names = vars(loaded[name])
        path = name.removeprefix("loregraph.")
        owners: dict[ast.AST, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name):
                    owners.update(dict.fromkeys(ast.walk(node.value), target.id))
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in _CALLS
                and node.args
            ):
                continue
            call, known = node.func.attr, owners.get(node, "")
            pattern = _value(node.args[0], names)
            if pattern is None:
                continue
            mode = mode_of(name, known) if call == "compile" else call if call in ("match", "fullmatch") else "search"
            where = f"{path}.{known}" if known else path
            note(pattern, _flags(node, _FLAG_PLACE[call]), mode, where, node.lineno)
    for name, module in loaded.items():
        for key, value in vars(module).items():
            for one in _patterns_in(value, 0):
                note(one.pattern, one.flags, mode_of(name, key), f"{name.removeprefix('loregraph.')}.{key}")
    return sorted(found.values(), key=lambda one: one.where)


def _patterns_in(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    """Compiled expressions in a module's values: in tables and structures too."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth > 4:
        return
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _patterns_in(item, depth + 1)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _patterns_in(item, depth + 1)
    elif hasattr(value, "__struct_fields__") and not isinstance(value, type):
        for field in value.__struct_fields__:
            yield from _patterns_in(getattr(value, field, None), depth + 1)


if __name__ == "__main__":
    for one in used():
        sys.stdout.write(f"{one.where}\t{one.mode}\t{one.pattern!r}\n")
