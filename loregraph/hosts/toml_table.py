"""A table of a TOML file (toml.io, 1.0), added at its end and taken out by its lines.

Python reads TOML and does not write it. A table can always be appended, so nothing has to be: the lines are written,
and what `tomllib` reads afterwards is compared with what it read before: a text of several lines may look like a table.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any, Final

from loregraph.errors import ConfigError
from loregraph.hosts.edits import Edited, closed, line_end

_HEADER: Final = re.compile(r"[ \t]*\[")
MOST: Final = 1 << 20
"""Maximum characters of such a file: `tomllib` takes a second for it."""
MOST_PLACES: Final = 100
"""Maximum number of tables in the table."""
MOST_TRIED: Final = 8
"""Places that are tried alone where all together are not the table: some are in texts of several lines."""

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


def parse(text: str) -> dict[str, Any]:
    """Raises ConfigError for what is no TOML, or too much."""
    if len(text) > MOST:
        raise ConfigError("too large to be edited", "add the entry by hand")
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"no TOML: {error}", "mend it, or add the entry by hand") from None


def lookup(table: dict[str, Any], path: Sequence[str]) -> Any:
    """The value at `path`, None where there is none."""
    value: Any = table
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def put(edited: Edited, path: Sequence[str], value: dict[str, Any]) -> Edited:
    """The table `path` with `value`: in place of the one that is there, else at the end."""
    if lookup(parse(edited.text), path) is not None:
        edited = drop(edited, path)
    text = edited.text
    expected = parse(text)
    table = expected
    for key in path[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{key} is no table", "add the entry by hand")
    table[path[-1]] = value
    eol = line_end(text)
    rows = [f"[{'.'.join(path)}]", *(f"{key} = {render(one)}" for key, one in value.items())]
    gap = closed(text) + (eol if text.removeprefix("\ufeff") else "")
    written = edited.insert(len(text), gap + eol.join(rows) + eol)
    if not says(written.text, expected):
        raise no_place()
    return written


def render(value: Any) -> str:
    """A text or a list of texts: JSON's form of these is TOML's, but for one character that it does not escape."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def drop(edited: Edited, path: Sequence[str]) -> Edited:
    """Without the table `path` and those in it."""
    expected = copy.deepcopy(parse(edited.text))
    if lookup(expected, path) is None:
        return edited
    lookup(expected, path[:-1]).pop(path[-1])
    places = lines_of(edited.text, path)
    if len(places) > MOST_PLACES:
        raise no_place()
    for chosen in [places, *([place] for place in reversed(places[-MOST_TRIED:]))]:
        tried = edited
        for begin, end in reversed(chosen):
            tried = tried.replace(begin, end, "")
        if says(tried.text, expected):
            return tried
    raise no_place()


def lines_of(text: str, path: Sequence[str]) -> list[tuple[int, int]]:
    """Where the table's lines are: from its header, or its key, to the last one that is not blank or a comment."""
    names = [f"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')" for name in path]
    dots = r"[ \t]*\.[ \t]*"
    header = re.compile(rf"[ \t]*\[[ \t]*{dots.join(names)}[ \t]*[.\]]")
    dotted = re.compile(rf"[ \t]*(?:{dots.join(names[:-1])}{dots})?{names[-1]}[ \t]*[=.]")
    found: list[tuple[int, int]] = []
    inside = False
    for line in _LINE.finditer(text, len(text) - len(text.removeprefix("\ufeff"))):
        content = line[0].strip()
        if _HEADER.match(line[0]):
            inside = header.match(line[0]) is not None
            if inside:
                found.append(line.span())
        elif inside and content and not content.startswith("#"):
            found[-1] = (found[-1][0], line.end())
        elif not inside and dotted.match(line[0]):
            found.append(line.span())
    if found and not text[found[-1][1] :].strip():
        begin, end = found[-1]
        found[-1] = begin - blank_before(text, begin), end
    return found


def blank_before(text: str, at: int) -> int:
    """The characters of the blank line before `at`: at the end of a file it goes too, for `put` has written it."""
    return next((len(eol) for eol in ("\r\n", "\n") if text[:at].endswith("\n" + eol)), 0)


def says(text: str, expected: dict[str, Any]) -> bool:
    """Whether `text` says what it should; tables that are empty now may be gone."""
    try:
        return without_empty(parse(text)) == without_empty(expected)
    except ConfigError:
        return False


def no_place() -> ConfigError:
    return ConfigError("its form leaves no safe place for the entry", "change it by hand")


def without_empty(table: dict[str, Any]) -> dict[str, Any]:
    """`table` without empty tables directly in it."""
    return {key: value for key, value in table.items() if value != {}}
