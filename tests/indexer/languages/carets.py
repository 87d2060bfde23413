"""Fixtures that assert themselves: comments with a caret below the line of code they talk about.

    def route(self, rule):
    #   ^ defines method Flask.route exported
        self.add_url_rule(rule)
    #   ^ calls self.add_url_rule

An assertion is about the nearest line above that is no assertion. Its caret stands under the thing it talks about, or
to the right of its start. Values in assertions are written as `show` writes them.

==============================================  ===================================================================
`defines <kind> <qualname> [flags…]`            a definition around the line; all its flags, `expression` left out
`takes <name>: <type> = <default>`              one parameter of the definition that starts at the line; `*` before the
                                                name of a rest parameter, a pattern in place of the name
`gives <type>`                                  its declared return type
`documents <text>`                              its docstring
`signature <text>`                              its signature
`decorated <name>`                              a decorator, as written
`extends <type>`, `implements <type>`           a base
`calls <function>` or `<function>(<arguments>)` a call; `new Foo(…)`, `<Foo>` for JSX, `foo!` for a macro
`imports <module> [<name>] [as <alias>] [kind]` an import; `[kind]` in brackets where it has one
`exports <name> = <value>`                      an export
`assigns <target>: <type> = <value>`            an assignment; followed by `[kind]` where it is not `=`
`returns <value>`, `yields`, `throws`           a value that leaves
`refers <how> <expression>`                     a reference
==============================================  ===================================================================

Every assertion must hold. In a file with a line containing the word `exhaustive`, each definition and each call must be
asserted too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FILLED, UNKNOWN, Call, Definition, Expr, FileFacts, Parameter

FIXTURES = Path(__file__).parents[3] / "fixtures" / "languages"


@dataclass(frozen=True)
class Assertion:
    """One comment: `line` and `column` are of the code it points at, 1-based and 0-based."""

    at: int
    line: int
    column: int
    verb: str
    text: str


def failures(path: Path, language: str, leader: str | tuple[str, ...] = "//", closing: str = "") -> list[str]:
    """What is wrong with the facts of a fixture, one line each; empty when all of it holds. `closing` is a regular
    expression of what ends a comment."""
    source = path.read_bytes()
    facts = extract(path.relative_to(FIXTURES).as_posix(), source, language)
    found = [] if facts.status == "indexed" else [f"{path.name}: {facts.status}: {facts.problems}"]
    assertions = list(read_assertions(source.decode("utf-8"), leader, closing))
    if not assertions:
        found.append(f"{path.name}: asserts nothing")
    lines = source.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for assertion in assertions:
        said = _VERBS.get(assertion.verb)
        if said is None:
            found.append(f"{path.name}:{assertion.at}: unknown verb {assertion.verb}")
            continue
        offers = [
            text
            for text, line, start in said(facts, assertion)
            if line == assertion.line and start <= starts[assertion.line - 1] + assertion.column
        ]
        if not any(assertion.text in alternatives(offer) for offer in offers):
            said_there = "; ".join(offers) or "nothing"
            found.append(f"{path.name}:{assertion.at}: {assertion.verb} {assertion.text!r}, but there is: {said_there}")
    if re.search(rb"\bexhaustive\b", source):
        found += _unasserted(path.name, facts, assertions)
    return found


def read_assertions(text: str, leader: str | tuple[str, ...], closing: str = "") -> Iterator[Assertion]:
    """The assertions of a fixture."""
    leaders = "|".join(map(re.escape, (leader,) if isinstance(leader, str) else leader))
    pattern = re.compile(rf"^(\s*(?:{leaders})\s*)\^+\s+(\w+)\s*(.*?)\s*(?:{closing})?$")
    about = 0
    for number, line in enumerate(text.split("\n"), 1):
        match = pattern.match(line)
        if match is None:
            about = number
        else:
            yield Assertion(number, about, len(match[1].encode()), match[2], match[3])


def alternatives(text: str) -> tuple[str, ...]:
    """A fact's text in full and, for a call, without its arguments."""
    return tuple(text.split("\0"))


def show(expr: Expr | None, facts: FileFacts) -> str:
    """An expression as readable text: `this.run(x)[0]`, `{a: b}`, `(x | y)`, `each xs`, `"text"`, `?` for unknown."""
    if expr is None:
        return ""
    shown = _SHOW.get(expr[0])
    return shown(expr, facts) if shown else "?"


def _show_call(call: Call, facts: FileFacts, arguments: bool) -> str:
    name = show(call.function, facts)
    name = {"new": f"new {name}", "jsx": f"<{name}>", "macro": f"{name}!"}.get(call.kind, name)
    if not arguments:
        return name
    given = [show(a, facts) for a in call.arguments] + [f"{k}={show(v, facts)}" for k, v in call.keywords]
    return f"{name}({', '.join(given)})"


def _show_literal(expr: Expr, facts: FileFacts) -> str:
    if expr[1] == "str":
        return f'"{expr[2]}"' if expr[2] else "<str>"
    if expr[1] == "format":
        return f'"{expr[2].replace(FILLED, "…")}"'
    return expr[2] or f"<{expr[1]}>"


def _pairs(expr: Expr, facts: FileFacts) -> str:
    parts = []
    for key, value in expr[1]:
        if key == UNKNOWN:
            parts.append(f"...{show(value, facts)}")
        else:
            parts.append(f"{show(key, facts).strip(chr(34))}: {show(value, facts)}")
    return "{" + ", ".join(parts) + "}"


def _binary(expr: Expr, facts: FileFacts) -> str:
    if expr[3] is None:
        return f"({expr[1]} {show(expr[2], facts)})"
    return f"({show(expr[2], facts)} {expr[1]} {show(expr[3], facts)})"


_SHOW: dict[str, Callable[[Expr, FileFacts], str]] = {
    "n": lambda e, f: e[1],
    "v": lambda e, f: "this",
    "p": lambda e, f: "super",
    "a": lambda e, f: f"{show(e[1], f)}.{e[2]}",
    "c": lambda e, f: _show_call(f.calls[e[1]], f, True),
    "s": lambda e, f: f"{show(e[1], f)}[{show(e[2], f)}]",
    "f": lambda e, f: f"&{f.definitions[e[1]].qualname}",
    "l": lambda e, f: f"[{', '.join(show(i, f) for i in e[1])}]",
    "d": _pairs,
    "u": lambda e, f: f"({' | '.join(show(i, f) for i in e[1])})",
    "i": lambda e, f: f"each {show(e[1], f)}",
    "e": lambda e, f: f"entered {show(e[1], f)}",
    "w": lambda e, f: f"await {show(e[1], f)}",
    "y": lambda e, f: f"yield {show(e[1], f)}",
    "*": lambda e, f: f"...{show(e[1], f)}",
    "k": _show_literal,
    "t": lambda e, f: f"({show(e[2], f)} as {show(e[1], f)})",
    "m": lambda e, f: f"module({e[1]})",
    "b": _binary,
}

Offer = tuple[str, int, int]
"""What a fact says, its line, the byte it starts at."""


def _definitions(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for d in facts.definitions:
        if d.start_line <= assertion.line <= d.end_line:
            flags = sorted(f for f in d.flags if f != "expression")
            asserted = assertion.text.split()
            text = " ".join([d.kind, d.qualname, *flags])
            if asserted[:2] == [d.kind, d.qualname] and sorted(asserted[2:]) == flags:
                text = assertion.text  # In any order.
            yield text, assertion.line, d.start_byte


def _of_definition(what: Callable[[Definition, FileFacts], list[str]]) -> Callable[..., Iterator[Offer]]:
    def offers(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
        for d in facts.definitions:
            if d.start_line <= assertion.line <= d.end_line:
                for text in what(d, facts):
                    yield text, assertion.line, d.start_byte

    return offers


def _parameter(parameter: Parameter, facts: FileFacts) -> str:
    name = parameter.name or show(parameter.pattern, facts)
    if parameter.kind in ("*", "**"):
        name = parameter.kind + name
    if parameter.type is not None:
        name += f": {show(parameter.type, facts)}"
    return f"{name} = {show(parameter.default, facts)}" if parameter.default is not None else name


def _bases(relation: str) -> Callable[..., Iterator[Offer]]:
    def offers(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
        for d in facts.definitions:
            for base in d.bases:
                if base.relation == relation:
                    yield show(base.type, facts), base.line, d.start_byte

    return offers


def _calls(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for call in facts.calls:
        if call.line:
            yield f"{_show_call(call, facts, True)}\0{_show_call(call, facts, False)}", call.line, call.at


def _imports(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for i in facts.imports:
        text = "." * i.level + i.module
        if i.name:
            text += f" {i.name}"
        if i.alias:
            text += f" as {i.alias}"
        yield text + (f" [{i.kind}]" if i.kind else ""), i.line, i.at


def _exports(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for e in facts.exports:
        yield f"{e.name} = {show(e.value, facts)}", e.line, e.at


def _assignments(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for a in facts.assignments:
        text = show(a.target, facts)
        if a.type is not None:
            text += f": {show(a.type, facts)}"
        if a.value != UNKNOWN:
            text += f" = {show(a.value, facts)}"
        yield text + (f" [{a.kind}]" if a.kind != "=" else ""), a.line, a.at


def _leaving(*kinds: str) -> Callable[..., Iterator[Offer]]:
    def offers(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
        for r in facts.returns:
            if r.kind in kinds:
                yield show(r.value, facts), r.line, r.at

    return offers


def _references(facts: FileFacts, assertion: Assertion) -> Iterator[Offer]:
    for r in facts.references:
        yield f"{r.how} {show(r.value, facts)}", r.line, 0


_VERBS: dict[str, Callable[[FileFacts, Assertion], Iterator[Offer]]] = {
    "defines": _definitions,
    "takes": _of_definition(lambda d, f: [_parameter(p, f) for p in d.parameters]),
    "gives": _of_definition(lambda d, f: [show(d.returns, f)]),
    "documents": _of_definition(lambda d, f: [" ".join(d.docstring.split())]),
    "signature": _of_definition(lambda d, f: [d.signature]),
    "decorated": _of_definition(lambda d, f: list(d.decorator_names)),
    "extends": _bases("EXTENDS"),
    "implements": _bases("IMPLEMENTS"),
    "calls": _calls,
    "imports": _imports,
    "exports": _exports,
    "assigns": _assignments,
    "returns": _leaving("return"),
    "yields": _leaving("yield", "yield from"),
    "throws": _leaving("throw"),
    "refers": _references,
}


def _unasserted(name: str, facts: FileFacts, assertions: list[Assertion]) -> Iterator[str]:
    """Definitions and calls that an exhaustive fixture does not mention."""
    defined = {a.text.split()[1] for a in assertions if a.verb == "defines"}
    for d in facts.definitions:
        if d.qualname not in defined:
            yield f"{name}:{d.start_line}: not asserted: defines {d.kind} {d.qualname} {' '.join(d.flags)}"
    asserted = Counter((a.line, a.text) for a in assertions if a.verb == "calls")
    for text, line, _ in _calls(facts, Assertion(0, 0, 0, "", "")):
        for said in alternatives(text):
            if asserted[line, said]:
                asserted[line, said] -= 1
                break
        else:
            yield f"{name}:{line}: not asserted: calls {alternatives(text)[0]}"
