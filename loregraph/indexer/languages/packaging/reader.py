"""Reads packaging files (TOML, JSON with or without comments, XML, text), which may be malformed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph.indexer.problems import PathProblem
from loregraph.indexer.source import read_source

if TYPE_CHECKING:
    import configparser
    from xml.etree.ElementTree import Element

_MAX_BYTES: Final = 5_000_000
_MAX_DOTS: Final = 1_000
"""tomllib takes time quadratic in the parts of a dotted key."""
_STRING_OR_COMMENT: Final = re.compile(r'((?<!\\)"(?:\\.|[^"\\\n])*+")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_STRING_OR_COMMA: Final = re.compile(r'((?<!\\)"(?:\\.|[^"\\\n])*+")|,(?=\s*[}\]])')
_NAMESPACE: Final = re.compile(r"^\{[^}]*\}")


class PackagingReader:
    """Reads packaging files below one root; collects their problems."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.problems: list[PathProblem] = []

    def text(self, path: str) -> str:
        """The text of a file; "" and a problem where it is unreadable."""
        return self._text(path) or ""

    def _text(self, path: str) -> str | None:
        data, problems = read_source(f"{self._root}/{path}", _MAX_BYTES)
        self.problems.extend(PathProblem(path, problem.line, problem.message) for problem in problems)
        return None if data is None else data.decode("utf-8", "replace")

    # Implements REQ-SEC-010.
    def toml(self, path: str) -> dict[str, Any]:
        """The top table of a TOML file; empty where it is malformed."""
        import tomllib

        text = self._text(path)
        if text is None:
            return {}
        try:
            if any(line.count(".") > _MAX_DOTS for line in text.splitlines()):
                raise ValueError(f"a line with more than {_MAX_DOTS} dots is not read")
            return tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also an integer of thousands of digits
            return self._refuse(path, "TOML", error, _line_in(str(error)))

    def json(self, path: str) -> dict[str, Any]:
        """The top object of a JSON file, comments and trailing commas allowed; empty where it is malformed."""
        text = self._text(path)
        if text is None:
            return {}
        try:
            try:
                value = json.loads(text)
            except json.JSONDecodeError:
                value = json.loads(strip_comments(text))
        except (ValueError, RecursionError) as error:
            return self._refuse(path, "JSON", error, getattr(error, "lineno", 0))
        if isinstance(value, dict):
            return value
        return self._refuse(path, "JSON", ValueError("not an object"), 1)

    def xml(self, path: str) -> Element | None:
        """The root element of an XML file, tags without namespaces; None where it is malformed.

        A document type is refused: it can define entities, which may expand without bound or name other files.
        """
        from xml.etree import ElementTree

        text = self._text(path)
        if text is None:
            return None
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            self._refuse(path, "XML", ValueError("document types are not read"), 0)
            return None
        try:
            # From str: the declared encoding has already been handled.
            top = ElementTree.fromstring(text)
        except (ElementTree.ParseError, ValueError) as error:
            position = getattr(error, "position", (0, 0))
            self._refuse(path, "XML", error, position[0])
            return None
        for element in top.iter():
            if isinstance(element.tag, str):
                element.tag = _NAMESPACE.sub("", element.tag)
        return top

    def ini(self, path: str) -> configparser.RawConfigParser:
        """A setup.cfg; without sections where it is malformed."""
        import configparser

        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(self.text(path))
        except configparser.Error as error:
            self._refuse(path, "INI", error, _line_in(str(error)))
            return configparser.RawConfigParser()
        return parser

    def _refuse(self, path: str, form: str, error: Exception, line: int) -> dict[str, Any]:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        self.problems.append(PathProblem(path, line, f"not valid {form}: {reason}"))
        return {}


def strip_comments(text: str) -> str:
    """JSON text without comments and trailing commas."""
    bare = _STRING_OR_COMMENT.sub(lambda match: match[1] or " ", text)
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", bare)


def _line_in(message: str) -> int:
    match = re.search(r"line:? *(\d+)", message)
    return int(match[1]) if match else 0


def table(value: Any, *keys: str) -> dict[str, Any]:
    """The nested table at the path `keys`; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def strings(value: Any) -> list[str]:
    """The strings in a list, or a string by itself."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def folder_of(path: str) -> str:
    """The folder of a path, "" for the root."""
    return path.rpartition("/")[0]


def join(folder: str, relative: str) -> str | None:
    """`relative` resolved against `folder`, normalised; "" is the root. None where it leaves the root."""
    parts = folder.split("/") if folder and not relative.startswith("/") else []
    for part in relative.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            if not parts:
                return None
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def is_within(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or below it; everything is within ""."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def ancestors(folder: str) -> list[str]:
    """`folder` and its parents, innermost first, "" last."""
    found = []
    while folder:
        found.append(folder)
        folder = folder.rpartition("/")[0]
    found.append("")
    return found


def shared_depth(a: str, b: str) -> int:
    """How many leading folders two paths have in common."""
    depth = 0
    for left, right in zip(a.split("/"), b.split("/"), strict=False):
        if left != right:
            break
        depth += 1
    return depth
