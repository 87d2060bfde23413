"""Where requirements stand: their documents, and the sections of these.

The graph knows a requirement's file and line. The headings around it are read from the document when somebody looks:
of Markdown, reStructuredText, AsciiDoc, Org, StrictDoc, and of doorstop's folders, whose headings are items of their
own. Forms without headings (tables, ReqIF) have one section, the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from loregraph.analysis.tracing.traces import RequirementTrace

MAX_TITLE: Final = 200
"""Maximum characters kept of a heading."""
MOST_SECTIONS: Final = 5_000
"""Headings read of one document; what follows is in the last one."""
MOST_DEPTH: Final = 12
"""Sections in one another that are told apart; deeper ones are part of the one at that depth."""
MOST_ITEMS: Final = 10_000
"""Files read of one doorstop document."""

_MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mdx")
_FENCE: Final = ("```", "~~~")
_SPHINX_LINES: Final = frozenset("=-~^\"'`#*+.:_<>!$%&(),/;?@[]{}|\\")
_LEVEL: Final = re.compile(r"level:[ \t]*['\"]?([0-9]{1,6}(?:\.[0-9]{1,6}){0,20})")
_ELEMENT: Final = re.compile(r"\[\[?(/?)([A-Z][A-Z0-9_]*)\]\]?[ \t\r]*")
_HEAD_LINES: Final = 200
"""Lines of a doorstop item in which its fields are looked for."""

Lines = Callable[[str], Sequence[str]]
"""The lines of the file at a path; none for one that cannot be read."""
Path = tuple[str, ...]
"""Titles of the sections around something, the outermost first."""


class Heading(msgspec.Struct, frozen=True):
    """`level` 1 is the outermost; `line` is 1-based."""

    level: int
    title: str
    line: int


class Place(msgspec.Struct, frozen=True):
    """Where a requirement stands. `document` is a file, or the folder of a doorstop document; `order` sorts the
    requirements of one document as a reader meets them."""

    document: str
    title: str
    section: Path
    order: tuple[int, ...]


Places = Mapping[str, Place]
"""Id of a requirement → where it stands."""


# Implements REQ-TRC-007.
def places(traces: Iterable[RequirementTrace], lines: Lines, files_in: Callable[[str], Sequence[str]]) -> Places:
    """The places of all `traces`. `files_in` are the project's files directly in a folder.

    Every document is read once; each heading counts for the requirements after it until one of its level or above.
    """
    by_path: dict[str, list[RequirementTrace]] = {}
    for one in traces:
        by_path.setdefault(one.path, []).append(one)
    found: dict[str, Place] = {}
    folders: dict[str, dict[str, Place]] = {}
    for path, group in sorted(by_path.items()):
        text = lines(path)
        if _is_item(path, text):
            folder = path.rpartition("/")[0]
            if folder not in folders:
                folders[folder] = _doorstop(folder, lines, files_in(folder))
            found.update((one.id, folders[folder].get(path, _alone(one, folder))) for one in group)
            continue
        title, starts, sections = _outline(path, text)
        for one in group:
            at = bisect_left(starts, one.line)
            if at < len(starts) and starts[at] == one.line:  # a requirement that is a heading is in what that is in
                section = sections[at][:-1]
            else:
                section = sections[at - 1] if at else ()
            found[one.id] = Place(path, title, section, (one.line,))
    return found


def _alone(one: RequirementTrace, folder: str) -> Place:
    return Place(folder, "", (), (one.line,))


def _outline(path: str, text: Sequence[str]) -> tuple[str, list[int], list[Path]]:
    """The document's title, and the lines from which on each section path holds."""
    if path.lower().endswith(".sdoc"):
        return _strictdoc(text)
    headings = headings_of(path, text)
    title = ""
    if headings and headings[0].level == 1 and all(one.level > 1 for one in headings[1:]):
        title, headings = headings[0].title, headings[1:]
    around: list[Heading] = []
    sections = []
    for heading in headings:
        around = [one for one in around if one.level < heading.level] + [heading]
        sections.append(tuple(one.title for one in around[:MOST_DEPTH]))
    return title, [heading.line for heading in headings], sections


def headings_of(path: str, text: Sequence[str]) -> list[Heading]:
    """The headings of a document by its form, in order; none for a form without."""
    name = path.lower()
    if name.endswith(_MARKDOWN):
        return _marked(text, "#")
    if name.endswith((".adoc", ".asciidoc")):
        return _marked(text, "=")
    if name.endswith(".org"):
        return _marked(text, "*")
    return _underlined(text) if name.endswith((".rst", ".rest", ".txt", ".text")) else []


def _marked(text: Sequence[str], mark: str) -> list[Heading]:
    """Headings by the number of characters before them: `## Title`; Markdown's underlined ones too."""
    found: list[Heading] = []
    fence = ""
    for number, line in enumerate(text, 1):
        start = line.lstrip(" ")
        if mark == "#" and start.startswith(_FENCE):
            if not fence:
                fence = start[:3]
            elif start.startswith(fence):
                fence = ""
            continue
        if fence or len(found) >= MOST_SECTIONS:
            continue
        title = start.lstrip(mark)
        level = len(start) - len(title)
        if 1 <= level <= 6 and len(line) - len(start) <= 3 and title[:1] in (" ", "\t"):
            found.append(Heading(level, clean(title.strip().rstrip(mark)), number))
        elif mark == "#" and number > 1 and (rule := line.strip()) and set(rule) in ({"="}, {"-"}):
            before = text[number - 2].strip()
            if len(rule) >= 3 and before and before[0] not in "#|>-*" and not set(before) <= set("=-|: "):
                found.append(Heading(1 if rule[0] == "=" else 2, clean(before), number - 1))
    return found


def _underlined(text: Sequence[str]) -> list[Heading]:
    """reStructuredText: a line under a title, or around it; the level of a style is that of its first use."""
    styles: list[str] = []
    found: list[Heading] = []
    for number in range(1, len(text)):
        rule, title = text[number].rstrip(), text[number - 1].strip()
        if len(rule) < 3 or rule[0] not in _SPHINX_LINES or rule.strip(rule[0]) or not title:
            continue
        if len(rule) < len(title) or not any(c.isalnum() for c in title[:MAX_TITLE]):
            continue
        over = text[number - 2].rstrip() if number > 1 else ""
        style = rule[0] * 2 if over == rule else rule[0]
        if style not in styles:
            styles.append(style)
        found.append(Heading(styles.index(style) + 1, clean(title), number))
        if len(found) >= MOST_SECTIONS:
            break
    return found


def _strictdoc(text: Sequence[str]) -> tuple[str, list[int], list[Path]]:
    """Sections of an .sdoc, which are closed as they are opened; requirements with parts of their own are sections
    too."""
    title = ""
    starts: list[int] = []
    sections: list[Path] = []
    around: list[tuple[str, str]] = []
    element = ""
    opened = 0  # the line of a section that has not said its title yet
    is_text = False
    for number, line in enumerate(text, 1):
        if is_text:
            is_text = line.strip() != "<<<"
            continue
        found = _ELEMENT.fullmatch(line)
        if found is not None:
            closes, element = found[1], found[2]
            if closes:
                if around and around[-1][0] == element:
                    around.pop()
                    starts.append(number)
                    sections.append(tuple(name for _, name in around[:MOST_DEPTH] if name))
            elif line.startswith("[[") or element == "SECTION":
                around.append((element, ""))
                opened = number
            if len(starts) >= MOST_SECTIONS:
                break
            continue
        if line.startswith("TITLE:"):
            name = clean(line[6:].strip())
            if element == "DOCUMENT":
                title = title or name
            elif opened and around and not around[-1][1]:
                around[-1] = (around[-1][0], name)
                starts.append(number)
                sections.append(tuple(name for _, name in around[:MOST_DEPTH] if name))
                opened = 0
        is_text = line.rstrip().endswith(": >>>")
    return title, starts, sections


def _is_item(path: str, text: Sequence[str]) -> bool:
    if not path.lower().endswith((".yml", ".yaml", *_MARKDOWN)):
        return False
    head = text[:_HEAD_LINES]
    return any(line.startswith("normative:") for line in head) and _level(head) is not None


def _level(head: Iterable[str]) -> tuple[int, ...] | None:
    """The level of a doorstop item: `2.3`; a heading's ends in zeros that count for nothing."""
    for line in head:
        if line.startswith("level:") and (found := _LEVEL.match(line)):
            numbers = [int(part) for part in found[1].split(".")]
            while len(numbers) > 1 and not numbers[-1]:
                numbers.pop()
            return tuple(numbers)
    return None


def _doorstop(folder: str, lines: Lines, files: Sequence[str]) -> dict[str, Place]:
    """Path of an item → its place among the others of the folder, by their levels."""
    levels: dict[str, tuple[int, ...]] = {}
    titles: dict[tuple[int, ...], str] = {}
    name = ""
    for path in files[:MOST_ITEMS]:
        text = lines(path)
        if path.endswith((".doorstop.yml", ".doorstop.yaml")):
            name = next((clean(_said(line)) for line in text if line.strip().startswith(("title:", "name:"))), "")
        head = text[:_HEAD_LINES]
        if not _is_item(path, text) or (level := _level(head)) is None:
            continue
        levels[path] = level
        if any(line.startswith("normative: false") for line in head):
            titles.setdefault(level, _heading(head))
    found = {}
    for path, level in levels.items():
        around = (level[:length] for length in range(1, min(len(level), MOST_DEPTH + 1)))
        section = tuple(titles[one] for one in around if titles.get(one))
        found[path] = Place(folder, name, section, level)
    return found


def _said(line: str) -> str:
    return line.partition(":")[2].strip().strip("'\"")


def _heading(head: Sequence[str]) -> str:
    """The header of an item that is a heading, else the first line of its text."""
    for key in ("header:", "text:"):
        for number, line in enumerate(head):
            if not line.startswith(key):
                continue
            said = _said(line)
            if said in ("", "|", ">", "|-", ">-"):
                said = next((one.strip() for one in head[number + 1 :] if one.strip()), "") if said else ""
                said = "" if ":" in said and not said.startswith(" ") and said.split(":")[0].isidentifier() else said
            if said:
                return clean(said.lstrip("# "))
    return ""


def clean(title: str) -> str:
    """A heading on one line, bounded, without Markdown's code and emphasis."""
    return " ".join(title[: 4 * MAX_TITLE].replace("`", "").replace("**", "").split())[:MAX_TITLE]
