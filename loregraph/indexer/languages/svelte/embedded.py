"""Svelte: the code of a component.

`<script>` and the markup run for every instance, `<script module>` once. In the markup, braces hold JavaScript, blocks
(`{#each items as item}`) and tags (`{@const …}`).
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.facts import Problem
from loregraph.indexer.languages.component_facts import COMPONENT
from loregraph.indexer.languages.components import Component, name_of, outside_brackets, split
from loregraph.indexer.languages.embedded import Embedded
from loregraph.indexer.languages.markup import Attribute, Comment, Expression, Markup, Span, Tag, Unclosed

_WORD: Final = re.compile(r"([#:@/])(else if|[a-z]++)\s*+")
_DECLARED: Final = re.compile(r"(?:const|let)\s++")
_AS: Final = re.compile(r"\sas\s")
_THEN: Final = re.compile(r"\s(?:then|catch)(?:\s|$)")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*+")
_DIRECTIVE: Final = re.compile(r"(use|transition|in|out|animate):([A-Za-z_$][\w$.]*+)")
_SHORT: Final = re.compile(r"(?:on|bind|class|style):([A-Za-z_$][\w$]*+)$")

_RUNES: Final = frozenset("$state $derived $effect $props $bindable $inspect $host".split())


def read(path: str, source: bytes) -> Embedded:
    """The code of a `.svelte` file."""
    text = source.decode("latin-1")
    component = Component(text, "svelte", _RUNES)
    scripts: list[tuple[Tag, Span]] = []
    parts: list[Tag | Comment | Expression] = []
    comments: list[Span] = []
    markup = Markup(text, 0, len(text), double=False)
    for part in markup.parts():
        if isinstance(part, Unclosed):
            component.problems.append(Problem(text.count("\n", 0, part.at) + 1, "not understood by the parser"))
        elif isinstance(part, Tag) and part.name == "script" and not part.closes and not part.empty:
            if component.is_read(part):
                scripts.append((part, (part.end, _end(text, part.end))))
        elif isinstance(part, Comment) and not parts:
            comments.append(part.span)
        elif not (isinstance(part, Tag) and part.name in ("script", "style")):
            parts.append(part)
    component.scripts_say([span for _, span in scripts])
    for tag, span in scripts:
        if _is_module(text, tag):
            component.script(span)
    for span in comments:
        component.comment(span)
    component.open()
    for tag, span in scripts:
        if not _is_module(text, tag):
            component.script(span)
    component.open_template()
    own = name_of(path)
    for part in parts:
        if isinstance(part, Comment):
            component.comment(part.span)
        elif isinstance(part, Expression):
            _expression(component, part.span)
        elif not part.closes and part.name:
            _tag(component, part, own)
    component.close()
    return component.result(path)


def _end(text: str, start: int) -> int:
    """Where the script ends that begins at a place."""
    match = re.compile(r"</script(?=[\s>/])", re.IGNORECASE).search(text, start)
    return match.start() if match else len(text)


def _is_module(text: str, script: Tag) -> bool:
    context = script.get("context")
    return script.get("module") is not None or (
        context is not None and context.value is not None and text[slice(*context.value)] == "module"
    )


def _expression(component: Component, span: Span) -> None:
    """What stands in braces in the text."""
    text, (start, end) = component.text, span
    while start < end and text[start].isspace():
        start += 1
    match = _WORD.match(text, start, end)
    if match is None:
        declared = _DECLARED.match(text, start, end)
        if declared is not None:
            component.constant((declared.end(), end))
        else:
            component.expression((start, end))
        return
    sign, word, start = match[1], match[2], match.end()
    if sign == "/":
        if word == "snippet":
            component.close_snippet()
    elif word == "each":
        _each(component, (start, end))
    elif word == "await":
        then = _THEN.search(text, start, end)
        component.expression((start, then.start() if then else end))
        if then is not None:
            component.declare((then.end(), end))
    elif word in ("then", "catch"):
        component.declare((start, end))
    elif word == "snippet":
        component.open_snippet((start, end))
    elif word == "const":
        component.constant((start, end))
    elif word in ("if", "else if", "key", "html", "render", "attach", "debug"):
        component.expression((start, end))


def _each(component: Component, span: Span) -> None:
    """`items as { id, name }, i (id)`."""
    text, (start, end) = component.text, span
    match = next(iter([*_AS.finditer(text, start, end)][-1:]), None)
    if match is None:
        component.expression(span)
        return
    items = (start, match.start())
    named = (match.end(), end)
    key = next((at for sign, at in outside_brackets(text, named) if sign == "("), end)
    named = (named[0], key)
    for number, part in enumerate(split(text, named) or []):
        component.declare(part, items if number == 0 else None, element=True)
    component.expression((key, end))


def _tag(component: Component, tag: Tag, own: str) -> None:
    for attribute in tag.attributes:
        if attribute.name.startswith("let:"):
            if attribute.value is not None and attribute.braced:
                component.declare(attribute.value)
            elif _NAME.fullmatch(attribute.name[4:]):
                component.declare((attribute.at + 4, attribute.at + len(attribute.name)))
    first = tag.name.partition(".")[0]
    if first[:1].isupper() or "." in tag.name:
        if component.names(first) and all(_NAME.fullmatch(part) for part in tag.name.split(".")):
            component.uses(tag.name, tag.at)
        elif tag.name == own:
            component.uses(COMPONENT, tag.at)
    elif tag.name == "svelte:self":
        component.uses(COMPONENT, tag.at)
    for attribute in tag.attributes:
        if not attribute.name.startswith("let:"):
            _attribute(component, attribute, tag)


def _attribute(component: Component, attribute: Attribute, tag: Tag) -> None:
    name, text = attribute.name, component.text
    directive = _DIRECTIVE.match(name)
    if directive is not None and component.names(directive[2].partition(".")[0]):
        component.uses(directive[2], attribute.at + directive.start(2))
    if not name and attribute.value is not None:
        start, end = attribute.value
        while start < end and text[start].isspace():
            start += 1
        if text.startswith("...", start):
            component.expression((start + 3, end))
        elif text.startswith("@attach", start):
            component.expression((start + 7, end))
        elif not text.startswith(("/*", "//"), start):
            component.expression((start, end))
        return
    if attribute.value is None:
        short = _SHORT.match(name)
        if short is not None and not name.startswith("on:"):
            component.expression((attribute.at + short.start(1), attribute.at + len(name)))
        return
    if name == "this" and tag.name == "svelte:component" and attribute.expressions:
        shown = text[slice(*attribute.expressions[0])].strip()
        if _NAME.fullmatch(shown):
            component.uses(shown, attribute.expressions[0][0])
            return
    for inside in attribute.expressions:
        component.expression(inside)
