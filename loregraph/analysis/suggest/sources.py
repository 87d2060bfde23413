"""The code that requirements are compared with: files, their functions, and their words as numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.suggest.vocabulary import Ids, Vocabulary, words
from loregraph.graph.columns import GraphColumns
from loregraph.graph.terms import WORD
from loregraph.indexer.languages import registry

_MAX_CHARACTERS: Final = 1_000_000
"""Maximum bytes read of a file: more is data or generated."""
_NOT_CODE: Final = frozenset("asciidoc css csv ini json markdown org reqif rst strictdoc text toml xml yaml".split())
"""Languages of prose and data, which are never suggested."""
_SHORT_NAME: Final = 3
"""Names of classes up to this length are ambiguous words."""


@dataclass(slots=True)
class Element:
    """A function, or (`node` is the class or file) the rest of a class or file outside functions.

    `names` are the stems of its own name, `scope` those of the class or file around it, `lines` its own lines.
    """

    node: int
    file: int
    names: tuple[str, ...]
    scope: tuple[str, ...]
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Code:
    """The candidate code. Words are in reading order: `word_elements[i]` has the word with number `words[i]`.

    `folders` are the stems of the names of the folders above each file, each once. `docs` are pairs of element and word
    of documentation strings. `heads[file]` is the element of the file's code outside functions. `mentions` are pairs of
    an element and another file whose class it names; `is_test` is by file.
    """

    files: list[int] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    folders: list[list[str]] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    element_of: dict[int, int] = field(default_factory=dict)
    is_test: list[bool] = field(default_factory=list)
    words: Ids = field(default_factory=lambda: np.zeros(0, np.int32))
    word_elements: Ids = field(default_factory=lambda: np.zeros(0, np.int32))
    docs: tuple[Ids, Ids] = field(default_factory=lambda: (np.zeros(0, np.int32), np.zeros(0, np.int32)))
    mentions: list[tuple[int, int]] = field(default_factory=list)

    def file_of(self) -> Ids:
        """The file of each element."""
        return np.array([element.file for element in self.elements], np.int32)

    def joined(self, columns: GraphColumns, rel: str) -> Iterator[tuple[int, int]]:
        """The elements at both ends of each edge `rel` between elements."""
        edges = columns.edges(rel)
        for source, target in zip(columns.source[edges].tolist(), columns.target[edges].tolist(), strict=True):
            a, b = self.element_of.get(source), self.element_of.get(target)
            if a is not None and b is not None:
                yield a, b


def read_code(columns: GraphColumns, root: Path, vocabulary: Vocabulary) -> Code:
    """Reads every file of code below `root`. A file that is gone is only represented by its names."""
    code = Code()
    members = _members(columns)
    roles = CodeRoles(columns)
    owners: dict[str, set[int]] = {}
    for file, path in _code_files(columns, members):
        number = len(code.files)
        code.files.append(file)
        code.is_test.append(roles.is_test_file(path))
        _add_elements(columns, code, number, path, members.get(path, []))
        for node in members.get(path, []):
            if columns.label(node) == "Class":
                owners.setdefault(columns.name(node), set()).add(number)
    classes = {name: min(files) for name, files in owners.items() if len(files) == 1 and len(name) > _SHORT_NAME}
    _read_words(columns, root, vocabulary, code, classes)
    return code


def _members(columns: GraphColumns) -> dict[str, list[int]]:
    """Path → the functions and classes of the file, in order of line, outer before inner."""
    found: dict[str, list[int]] = {}
    for node in columns.symbols().tolist():
        found.setdefault(columns.path(node), []).append(node)
    for nodes in found.values():
        nodes.sort(key=lambda node: (int(columns.start_line[node]), -int(columns.end_line[node]), node))
    return found


def _code_files(columns: GraphColumns, members: dict[str, list[int]]) -> Iterator[tuple[int, str]]:
    documents = {columns.path(node) for label in ("Requirement", "Design") for node in columns.nodes(label).tolist()}
    for file in columns.nodes("File").tolist():
        path = columns.path(file)
        language = columns.language(file)
        if path in members or (language and language not in _NOT_CODE and path not in documents):
            yield file, path


def _add_elements(columns: GraphColumns, code: Code, number: int, path: str, members: Sequence[int]) -> None:
    classes = [node for node in members if columns.label(node) == "Class"]
    stem_words = words(Path(path).stem)
    code.folders.append(sorted(set(words(" ".join(Path(path).parts[:-1])))))
    scope = tuple(dict.fromkeys([*words(columns.name(classes[0]) if classes else ""), *stem_words]))
    code.heads.append(len(code.elements))
    code.elements.append(Element(classes[0] if classes else code.files[number], number, scope, ()))
    for node in (code.files[number], *classes):
        code.element_of[node] = code.heads[number]
    names = [*stem_words, *(word for node in classes for word in words(columns.name(node)))]
    for node in members:
        name = columns.name(node)
        if columns.label(node) == "Function" and not name.startswith("<"):
            own = words(name)
            names += own
            code.element_of[node] = len(code.elements)
            lines = int(columns.start_line[node]), int(columns.end_line[node])
            code.elements.append(Element(node, number, tuple(dict.fromkeys(own)), scope, *lines))
    code.names.append(names)


def _read_words(columns: GraphColumns, root: Path, vocabulary: Vocabulary, code: Code, classes: dict[str, int]) -> None:
    numbers: list[Ids] = []
    sizes: list[tuple[int, int]] = []
    mentions: dict[tuple[int, int], None] = {}
    ends = [*code.heads, len(code.elements)][1:]
    names = frozenset(classes)
    for file, (head, end) in enumerate(zip(code.heads, ends, strict=True)):
        for element, text in _segments(_text(root, columns.path(code.files[file])), code.elements, head, end):
            found = WORD.findall(text)
            row = vocabulary.numbers(found)
            numbers.append(np.array(row, np.int32))
            sizes.append((element, len(row)))
            for name in names.intersection(found):
                if classes[name] != file:
                    mentions[element, classes[name]] = None
    code.words = np.concatenate(numbers) if numbers else code.words
    code.word_elements = np.repeat(
        np.array([element for element, _ in sizes], np.int32), np.array([size for _, size in sizes], np.int64)
    )
    code.mentions = list(mentions)
    docs = [
        (number, word)
        for number, element in enumerate(code.elements)
        for word in vocabulary.numbers(WORD.findall(columns.docstring(element.node)))
    ]
    code.docs = np.array([one for one, _ in docs], np.int32), np.array([word for _, word in docs], np.int32)


def _text(root: Path, path: str) -> str:
    try:
        with (root / path).open("rb") as file:
            raw = file.read(4 * _MAX_CHARACTERS)
    except OSError:
        return ""
    text = registry.as_code(path, raw)[1].decode("utf-8", "replace")[:_MAX_CHARACTERS]
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _segments(text: str, elements: Sequence[Element], head: int, end: int) -> Iterator[tuple[int, str]]:
    """The text of a file as runs of lines, each with its innermost element."""
    lines = text.split("\n")
    owner = [head] * len(lines)
    for number in range(head + 1, end):
        element = elements[number]
        first, last = element.start - 1, min(element.end, len(lines))
        owner[first:last] = [number] * max(0, last - first)
    start = 0
    for at in range(1, len(lines) + 1):
        if at == len(lines) or owner[at] != owner[start]:
            yield owner[start], "\n".join(lines[start:at])
            start = at
