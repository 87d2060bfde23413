"""Vue: the code of a single-file component.

Blocks stand at the top of the file; `<script setup>` and the template run for every instance, a plain `<script>` once.
In the template, directives and what stands in `{{ }}` are JavaScript.
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.facts import Problem
from loregraph.indexer.languages.component_facts import COMPONENT
from loregraph.indexer.languages.components import Component, camel, name_of, pascal, split
from loregraph.indexer.languages.embedded import Embedded
from loregraph.indexer.languages.markup import Attribute, Comment, Expression, Markup, Span, Tag, Unclosed

_FOR: Final = re.compile(r"(?<=\S)\s++(?:in|of)\s")
_GIVEN: Final = re.compile(r"#|v-slot(?![\w-])|slot-scope$")
_EVENT: Final = re.compile(r"@|v-on:")
_DIRECTIVE: Final = re.compile(r"v-([\w-]++)")
_BUILT_IN: Final = frozenset("if else-if else for show bind on model html text slot pre cloak once memo is".split())
_MACROS: Final = frozenset(
    "defineProps defineEmits defineExpose defineOptions defineSlots defineModel withDefaults".split()
)
"""Functions that `<script setup>` has without an import."""
# Those that Vue's compiler takes for no component (packages/shared/src/domTagConfig.ts), and its own.
_ELEMENTS: Final = frozenset(
    (
        "html body base head link meta style title address article aside footer header hgroup h1 h2 h3 h4 h5 h6 nav "
        "section div dd dl dt figcaption figure picture hr img li main ol p pre ul a b abbr bdi bdo br cite code data "
        "dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio map track video "
        "embed object param source canvas script noscript del ins caption col colgroup table thead tbody td th tr "
        "button datalist fieldset form input label legend meter optgroup option output progress select textarea "
        "details dialog menu summary template blockquote iframe tfoot svg animate circle clipPath defs desc ellipse "
        "filter foreignObject g image line linearGradient marker mask metadata path pattern polygon polyline "
        "radialGradient rect set stop switch symbol text textPath tspan use view slot component"
    ).split()
)


def read(path: str, source: bytes) -> Embedded:
    """The code of a `.vue` file."""
    text = source.decode("latin-1")
    component = Component(text, "vue", _MACROS)
    scripts: list[tuple[Tag, Span]] = []
    templates: list[Span] = []
    comments: list[Span] = []
    for part in _blocks(text):
        if isinstance(part, Comment):
            comments.append(part.span)
        elif isinstance(part, Unclosed):
            component.problems.append(Problem(text.count("\n", 0, part.at) + 1, "not understood by the parser"))
        elif part[0].name == "script" and component.is_read(part[0]):
            scripts.append(part)
        elif part[0].name == "template" and _is_html(text, part[0]):
            templates.append(part[1])
    component.scripts_say([span for _, span in scripts])
    for tag, span in scripts:
        if tag.get("setup") is None:
            component.script(span)
    for span in comments:
        component.comment(span)
    component.open()
    for tag, span in scripts:
        if tag.get("setup") is not None:
            component.script(span)
    component.open_template()
    for span in templates:
        _template(component, span, name_of(path))
    component.close()
    return component.result(path)


def _blocks(text: str) -> list[tuple[Tag, Span] | Comment | Unclosed]:
    """What stands at the top of a file: blocks with the place of what is in them."""
    found: list[tuple[Tag, Span] | Comment | Unclosed] = []
    markup = Markup(text, 0, len(text), double=True)
    opened: Tag | None = None
    depth = 0
    for part in markup.parts():
        if isinstance(part, Unclosed):
            if opened is not None:
                found.append((opened, (opened.end, len(text))))
            found.append(part)
            return found
        if opened is not None:
            if isinstance(part, Tag) and part.name == "template" and not part.empty:
                depth += -1 if part.closes else 1
                if not depth:
                    found.append((opened, (opened.end, part.start)))
                    opened = None
        elif isinstance(part, Comment):
            found.append(part)
        elif isinstance(part, Tag) and not part.closes and not part.empty:
            if part.name == "template" and _is_html(text, part):
                opened, depth = part, 1
            elif part.name:
                found.append((part, (part.end, markup.skip_to_end_of(part.name))))
    if opened is not None:
        found.append((opened, (opened.end, len(text))))
    return found


def _is_html(text: str, template: Tag) -> bool:
    said = template.get("lang")
    return said is None or said.value is None or text[slice(*said.value)] == "html"


def _template(component: Component, span: Span, own: str) -> None:
    for part in Markup(component.text, *span, double=True).parts():
        if isinstance(part, Expression):
            component.expression(part.span)
        elif isinstance(part, Comment):
            component.comment(part.span)
        elif isinstance(part, Tag) and not part.closes and part.name:
            _tag(component, part, own)


def _tag(component: Component, tag: Tag, own: str) -> None:
    for attribute in tag.attributes:
        if attribute.name == "v-for" and attribute.value is not None:
            _loop(component, attribute.value)
        elif _GIVEN.match(attribute.name) and attribute.value is not None:
            component.declare(attribute.value)
    name = _component(component, tag, own)
    if name:
        component.uses(name, tag.at)
    for attribute in tag.attributes:
        _attribute(component, attribute, tag)


def _component(component: Component, tag: Tag, own: str) -> str:
    """The component that a tag shows, by the name that the scripts give it; "" for an element, or one that they do not
    name."""
    first, dot, rest = tag.name.partition(".")
    if dot:
        return tag.name if component.names(first) and rest.isidentifier() else ""
    for name in dict.fromkeys((tag.name, pascal(tag.name), camel(tag.name))):
        if component.names(name) and tag.name not in _ELEMENTS:
            return name
    return COMPONENT if pascal(tag.name) == own else ""


def _loop(component: Component, span: Span) -> None:
    """`v-for="(item, index) in items"`."""
    match = _FOR.search(component.text, *span)
    if match is None:
        return
    start, end = span[0], match.start()
    names = component.text[start:end]
    if names.strip()[:1] == "(":
        start, end = start + names.index("(") + 1, start + names.rindex(")") if ")" in names else end
    parts = split(component.text, (start, end)) or []
    for number, part in enumerate(parts):
        component.declare(part, (match.end(), span[1]) if number == 0 else None, element=True)


def _attribute(component: Component, attribute: Attribute, tag: Tag) -> None:
    name, value = attribute.name, attribute.value
    directive = _DIRECTIVE.match(name)
    own = directive is not None and directive[1] not in _BUILT_IN
    if own and directive is not None and component.names(f"v{pascal(directive[1])}"):
        component.uses(f"v{pascal(directive[1])}", attribute.at)
    if value is None or name == "v-for" or _GIVEN.match(name):
        return
    if _EVENT.match(name):
        component.handler(value)
    elif name == ":is" and tag.name == "component" and component.text[slice(*value)].strip().isidentifier():
        component.uses(component.text[slice(*value)].strip(), value[0])
    elif name[0] in ":." or directive is not None:
        component.expression(value)
