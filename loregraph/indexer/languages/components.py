"""Single-file components (Vue, Svelte): scripts and a template, as one module of JavaScript or TypeScript.

A component is a function that the module exports by default. What runs for every instance of it stands in the function:
the script, then the template, whose expressions are statements and whose components are calls:

    <script>                      import Card from './Card.vue'; const save = () => {}
    <Card @close="save" />   →    export default function $$Component($$props) {
                                      import Card from './Card.vue'; const save = () => {}
                                      namespace $$template { Card(); (save); }
                                  }

`component_facts.finish` then gives the function its name, and takes imports to the module's top.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.component_facts import COMPONENT, TEMPLATE, finish, provide
from loregraph.indexer.languages.embedded import Embedded, EmbeddedCode
from loregraph.indexer.languages.markup import Span, Tag

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.facts import Problem
    from loregraph.indexer.languages.extraction import Extraction

_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*+")
_NAMES: Final = re.compile(r"\s*+[A-Za-z_$][\w$]*+(?:\??\.[A-Za-z_$][\w$]*+)*+\s*+")
_FUNCTION: Final = re.compile(r"\s*+(?:async\s++)?+(?:function\b|\(|[A-Za-z_$][\w$]*+\s*+=>)")
_STATEMENT: Final = re.compile(r"\s*+(?:if|for|while|const|let|var|return|switch|try|throw)\b")
_SNIPPET: Final = re.compile(r"\s*+[A-Za-z_$][\w$]*+\s*+\(")
_ENTITY: Final = re.compile(r"&(amp|lt|gt|quot|apos|nbsp|#39|#34|#x27);")
_MEANT: Final = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " ", "#39": "'", "#34": '"', "#x27": "'",
}  # fmt: skip
_TOKEN: Final = re.compile(
    r"[()\[\]{},`]|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|[\"']"
)
_IN_TEMPLATE: Final = re.compile(r"\\.|`|\$\{", re.DOTALL)
_OPENS: Final = {"(": "(", "[": "[", "{": "{", "${": "{"}
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_LANGUAGES: Final = {
    "ts": ("typescript", "typescript"),
    "typescript": ("typescript", "typescript"),
    "tsx": ("tsx", "tsx"),
    "jsx": ("javascript", "tsx"),
}
"""What a script's `lang` says → the language that it is in, and the one whose grammar reads it with its template."""
_PLAIN: Final = frozenset({"", "js", "javascript", "ecmascript", "module", "babel"})


def name_of(path: str) -> str:
    """The name of the component in a file, as its users write it: `UserCard` for `user-card.vue`
    and `user-card/index.vue`."""
    *_, folder, file = ("", *path.split("/"))
    stem = file.split(".")[0]
    stem = folder if stem == "index" and folder else stem
    words = re.findall(r"[^\W_]+|_", stem)
    name = "".join(word[:1].upper() + word[1:] for word in words if word != "_")
    if not name:
        return "Component"
    return f"_{name}" if name[0].isdigit() else name


def pascal(tag: str) -> str:
    """`UserCard` for `user-card`."""
    return "".join(part[:1].upper() + part[1:] for part in tag.split("-"))


def camel(tag: str) -> str:
    """`userCard` for `user-card`."""
    found = pascal(tag)
    return found[:1].lower() + found[1:]


class Component:
    """The code of one component, put together in the order in which it runs."""

    def __init__(self, text: str, library: str, macros: frozenset[str]) -> None:
        """`macros` are functions that the compiler provides without an import, as if they were of `library`."""
        self.text = text
        self._library = library
        self._macros = macros
        self.code = EmbeddedCode(text)
        self.handed: list[int] = []
        """Places in the code of expressions that something else than code is given: handlers, values of attributes."""
        self.problems: list[Problem] = []
        self._language = ("javascript", "tsx")
        self._words: frozenset[str] = frozenset()
        self._snippets = 0

    def is_read(self, script: Tag) -> bool:
        """Whether a script is in a language that is known; one that names it says what all of them are in."""
        named = script.get("lang") or script.get("type")
        said = "" if named is None or named.value is None else self.text[slice(*named.value)].rpartition("/")[2].lower()
        if said in _LANGUAGES:
            self._language = _LANGUAGES[said]
        return said in _LANGUAGES or said in _PLAIN

    def scripts_say(self, spans: Sequence[Span]) -> None:
        """Takes the words of the scripts: only a component that they name can be one of theirs."""
        self._words = frozenset(word for start, end in spans for word in _WORD.findall(self.text, start, end))

    # What surrounds the template

    def script(self, span: Span) -> None:
        self.code.copy(*span)
        self.code.make("\n;\n")

    def comment(self, span: Span) -> None:
        """A comment of the markup, as one of the code."""
        start, end = span
        self.code.make("/*", start)
        at = start
        while (stop := self.text.find("*/", at, end)) >= 0:
            self.code.copy(at, stop)
            self.code.make("* ")
            at = stop + 2
        self.code.copy(at, end)
        self.code.make("*/\n")

    def open(self) -> None:
        """Begins the component itself."""
        self.code.make(f"export default function {COMPONENT}($$props) {{\n", 0)

    def open_template(self) -> None:
        self.code.make(f"namespace {TEMPLATE} {{\n", 0)

    def close(self) -> None:
        self.code.make("\n}" * (self._snippets + 2) + "\n", len(self.text))

    # What stands in the template

    def names(self, word: str) -> bool:
        """Whether a script names something."""
        return word in self._words

    def uses(self, name: str, at: int) -> None:
        """A component by the name that scripts give it, at its tag."""
        self.code.make(";")
        self.code.make(f"{name}()\n", at)

    def expression(self, span: Span) -> None:
        """A value that is shown or given to an element or a component."""
        start, end = span
        if not self._is_whole(span):
            return
        self.code.make(";(", start)
        if _NAMES.fullmatch(self.text[start:end]):
            self.handed.append(self.code.size + self._leading_space(span))
        self._copy(span)
        self.code.make("\n);\n")

    def handler(self, span: Span) -> None:
        """What an event runs: a function, or statements."""
        start, end = span
        while end > start and (self.text[end - 1] == ";" or self.text[end - 1].isspace()):
            end -= 1
        span = start, end
        inside = self.text[start:end]
        is_value = _NAMES.fullmatch(inside) or _FUNCTION.match(inside)
        if is_value and not _STATEMENT.match(inside) and ";" not in inside:
            self.expression(span)
        elif self._is_whole(span):
            self.code.make(";{", start)
            self._copy(span)
            self.code.make("\n}\n")

    def declare(self, pattern: Span, value: Span | None = None, *, element: bool = False) -> None:
        """Names that the template binds: to a value, to the elements of one, or to what is not known."""
        if not self._is_whole(pattern) or (value is not None and not self._is_whole(value)):
            return
        if element and value is not None:
            self.code.make(";for (const ", pattern[0])
            self._copy(pattern)
            self.code.make("\n of (")
            self._copy(value)
            self.code.make("\n)) {}\n")
            return
        self.code.make(";let ", pattern[0])
        self._copy(pattern)
        if value is None:
            self.code.make(" = $$given;\n")
        else:
            self.code.make("\n = (")
            self._copy(value)
            self.code.make("\n);\n")

    def constant(self, span: Span) -> None:
        """`name = value`."""
        if self._is_whole(span):
            self.code.make(";const ", span[0])
            self._copy(span)
            self.code.make("\n;\n")

    def open_snippet(self, span: Span) -> None:
        """`name(parameter, …)`, a part of the template that is shown by a call."""
        if self._is_whole(span) and _SNIPPET.match(self.text[slice(*span)]):
            self._snippets += 1
            self.code.make(";function ", span[0])
            self._copy(span)
            self.code.make(" {\n")

    def close_snippet(self) -> None:
        if self._snippets:
            self._snippets -= 1
            self.code.make("\n}\n")

    def result(self, path: str) -> Embedded:
        language, parsed_as = self._language
        name = name_of(path)
        handed, library, macros = self.handed, self._library, self._macros

        def done(x: Extraction, root: Node) -> None:
            finish(x, root, name, handed)
            provide(x, library, macros)

        return Embedded(language, self.code.text(), self.code.runs, parsed_as, name, done, tuple(self.problems))

    def _leading_space(self, span: Span) -> int:
        inside = self.text[slice(*span)]
        return len(inside) - len(inside.lstrip())

    def _copy(self, span: Span) -> None:
        """Copies an expression; signs that markup writes as `&gt;` are written as code has them."""
        at, end = span
        for match in _ENTITY.finditer(self.text, at, end):
            self.code.copy(at, match.start())
            self.code.make(_MEANT[match[1]], match.start())
            at = match.end()
        self.code.copy(at, end)

    def _is_whole(self, span: Span) -> bool:
        """Whether there is something, and its brackets match: what is broken must not reach over its end."""
        return bool(self.text[slice(*span)].strip()) and split(self.text, span) is not None


def split(text: str, span: Span) -> list[Span] | None:
    """The parts of an expression between the commas that stand in no bracket; None where brackets do not match."""
    parts: list[Span] = []
    start = span[0]
    for sign, at in outside_brackets(text, span):
        if sign == "":
            return None
        if sign == ",":
            parts.append((start, at))
            start = at + 1
    return [*parts, (start, span[1])]


# Implements REQ-SEC-010.
def outside_brackets(text: str, span: Span) -> Iterator[tuple[str, int]]:
    """The commas and the opening brackets that stand in no bracket, with their places; last a sign "" where brackets
    do not match."""
    opened: list[str] = []
    at, end = span
    while (match := (_IN_TEMPLATE if opened and opened[-1] == "`" else _TOKEN).search(text, at, end)) is not None:
        sign, at = match[0], match.end()
        if not opened and (sign == "," or sign in _OPENS):
            yield sign, match.start()
        if sign == "`":
            if opened and opened[-1] == "`":
                opened.pop()
            else:
                opened.append("`")
        elif sign in _OPENS:
            opened.append(_OPENS[sign])
        elif (sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign])) or _is_unclosed(sign):
            yield "", match.start()
            return
    if opened:
        yield "", end


def _is_unclosed(sign: str) -> bool:
    """Whether a string or a comment goes on past the end of the expression."""
    return sign in ("'", '"') or (sign.startswith("/*") and not sign.endswith("*/", 2))
