"""sphinx-needs: `.. req:: Title` with options `:id:`, `:status:`, `:links:`, in reStructuredText and in MyST Markdown.

Read line by line: the meaning of directives depends on a project's conf.py, which is code that Sphinx runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from loregraph.indexer.requirements import fields
from loregraph.indexer.requirements.ids import IdPattern
from loregraph.indexer.requirements.model import MAX_TEXT, Document, Item, Link, quoted

_RST = re.compile(r"^(?P<indent>[ \t]*+)\.\.[ \t]++(?P<name>[A-Za-z][\w-]*+)::[ \t]*+(?P<title>.*)$")
_MYST = re.compile(
    r"^(?P<indent>[ \t]*+)(?P<fence>`{3,}|:{3,}|~{3,})\{(?P<name>[A-Za-z][\w-]*+)\}[ \t]*+(?P<title>.*)$"
)
_FENCE = re.compile(r"^[ \t]*(`{3,}|:{3,}|~{3,})")
_OPTION = re.compile(r"^[ \t]*+:(?P<key>[A-Za-z][\w-]*+):(?:[ \t]++(?P<value>.*))?$")
_REQUIREMENTS = re.compile(
    r"req|^needs?$|^(?:user_?)?stor(?:y|ies)$|^us$|^feat(?:ure)?s?$|^use_?case$|^uc$|goal|constraint"
)
_DESIGNS = re.compile(r"^spec(?:ification)?s?$|arch|design|^(?:sw_?)?comp(?:onent)?s?$|^dec(?:ision)?s?$|interface")
_TEST_CASES = re.compile(r"^(?:[a-z]+_)?(?:tests?|test_?cases?|tcs?|tsts?)$")
_NOT: Final = frozenset(
    {"needtable", "needlist", "needflow", "needimport", "needextend", "needpie", "needbar", "needgantt"}
)
_LINKS: Final = frozenset({"links", "satisfies", "implements", "fulfils", "fulfills", "realizes", "refines", "derives"})
_TESTED: Final = frozenset({"verifies", "validates", "tests", "tests_req", "covers"})
_LITERAL: Final = frozenset({"code-block", "code", "sourcecode", "parsed-literal", "literalinclude", "highlight"})
_MAX_OPTIONS: Final = 60


class _Directive(Struct, frozen=True):
    name: str
    title: str
    line: int
    options: dict[str, tuple[str, int]]
    text: str


def read(path: str, text: str, ids: IdPattern, named: bool) -> Document:
    """The needs in a document that are requirements or designs."""
    items = []
    problems = []
    for directive in _directives(text.split("\n")):
        name = directive.name.lower().replace("-", "_")
        if name in _NOT:
            continue
        kind = "requirement" if _REQUIREMENTS.search(name) else "design" if _DESIGNS.search(name) else ""
        kind = "test_case" if _TEST_CASES.search(name) else kind
        own = directive.options.get("id", ("", 0))[0]
        if not kind or not own:
            if kind and named and not name.startswith("need"):
                problems.append((directive.line, f"{directive.name} without :id: is not read: nothing could name it"))
            continue
        links = []
        for key, (value, line) in directive.options.items():
            if key in _LINKS or key.endswith("_links") or (kind == "test_case" and key in _TESTED):
                role = "parent" if kind == "requirement" else "declared"
                links += [
                    Link(target, role, line, quoted(f":{key}: {value}"))
                    for target in re.split(r"[,;\s]+", value)
                    if target and not target.startswith(("[", "]"))
                ]
        items.append(
            Item(
                kind=kind,
                id=own,
                line=directive.line,
                title=fields.plain(directive.title) or fields.first_sentence(directive.text),
                text=directive.text[:MAX_TEXT],
                status=fields.value_of(directive.options.get("status", ("", 0))[0]),
                priority=fields.value_of(directive.options.get("priority", ("", 0))[0]),
                links=tuple(links),
            )
        )
    return Document(tuple(items), (), named, problems=tuple(problems) if items else ())


def _directives(lines: list[str]) -> Iterator[_Directive]:
    """Every directive with its options and content, including nested ones, excluding those in examples."""
    fences: list[str] = []
    code = ""
    literal = -1
    for number, line in enumerate(lines):
        if literal >= 0 and (not line.strip() or _indent(line) > literal):
            continue
        literal = -1
        fence = _FENCE.match(line)
        if code:
            code = "" if fence and _closes(line, code) else code
            continue
        myst = _MYST.match(line)
        if myst is not None:
            fences.append(myst["fence"])
        elif fence is not None:
            if fences and _closes(line, fences[-1]):
                fences.pop()
            elif fence[1][0] != ":":
                code = fence[1]
            continue
        found = _RST.match(line) or myst
        if found is None:
            # A paragraph that ends with two colons announces literal text.
            literal = _indent(line) if line.rstrip().endswith("::") else -1
        elif myst is None and found["name"] in _LITERAL:
            literal = _indent(line)
        else:
            yield _directive(lines, number, found, myst is None)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return bare.startswith(fence) and not bare.strip(fence[0])


def _directive(lines: list[str], number: int, found: re.Match[str], rst: bool) -> _Directive:
    base = len(found["indent"].expandtabs())
    fence = "" if rst else found["fence"]
    options: dict[str, tuple[str, int]] = {}
    title = [found["title"].strip()]
    at = number + 1
    last = ""
    while at < len(lines) and len(options) < _MAX_OPTIONS:
        line = lines[at]
        if rst and line.strip() and _indent(line) <= base:
            break
        option = _OPTION.match(line)
        if option is not None:
            last = option["key"].lower()
            options[last] = ((option["value"] or "").strip(), at + 1)
        elif not line.strip():
            break
        elif last and _indent(line) > base + (3 if rst else 0):
            value, where = options[last]
            options[last] = (f"{value} {line.strip()}", where)
        elif not options and rst:
            title.append(line.strip())
        else:
            break
        at += 1
    content: list[str] = []
    while at < len(lines):
        line = lines[at]
        if fence:
            if _closes(line, fence):
                break
        elif line.strip() and _indent(line) <= base:
            break
        content.append(line)
        at += 1
    indents = [_indent(line) for line in content if line.strip()]
    cut = min(indents, default=0)
    text = "\n".join(line.expandtabs()[cut:] for line in content).strip()
    return _Directive(found["name"], " ".join(filter(None, title)), number + 1, options, text)


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
