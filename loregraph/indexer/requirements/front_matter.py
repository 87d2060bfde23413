"""YAML front matter of Markdown files, and YAML of other formats, read without running anything."""

from __future__ import annotations

import re
from typing import Any, Final

import yaml

_FENCE = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_YAML: Final = 200_000
"""Maximum characters of YAML: requirements are never longer, data files are."""
_ALIAS = re.compile(r"(?:^|[\s\[,{:-])\*[A-Za-z0-9_]", re.MULTILINE)


MAX_YAML_DEPTH: Final = 100
"""Maximum nesting of brackets, and of lists that begin in one line."""
_NESTS: Final = re.compile(r"[\[\]{}]")
_DASHES: Final = re.compile(r"^[ \t]*+(?:[-?:][ \t]++){100}", re.MULTILINE)


class YamlError(ValueError):
    """Text that is not a YAML mapping. `line` is the line within the text."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


# Implements REQ-SEC-010.
def mapping(text: str) -> dict[str, Any]:
    """The mapping in `text`; {} for an empty one. Raises YamlError for anything else."""
    if len(text) > MAX_YAML:
        raise YamlError(f"more than {MAX_YAML} characters of YAML", 1)
    if "&" in text and _ALIAS.search(text):
        # A few lines of aliases can expand to gigabytes.
        raise YamlError("YAML with aliases is not read", 1)
    if _is_deep(text):
        # The loader in C recurses without a limit.
        raise YamlError(f"YAML that is nested more than {MAX_YAML_DEPTH} deep is not read", 1)
    try:
        found = yaml.load(text, Loader=_LOADER)  # a safe loader: plain values only
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark is not None else 1
        raise YamlError(str(getattr(error, "problem", None) or "not valid YAML"), line) from error
    except (ValueError, RecursionError) as error:
        raise YamlError(f"not valid YAML: {error}", 1) from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise YamlError("not a mapping of keys", 1)
    return {str(key): value for key, value in found.items()}


def _is_deep(text: str) -> bool:
    depth = 0
    for sign in _NESTS.finditer(text):
        depth += 1 if sign[0] in "[{" else -1
        if depth > MAX_YAML_DEPTH:
            return True
        depth = max(depth, 0)
    return _DASHES.search(text) is not None


def split(text: str) -> tuple[str, str, int]:
    """(front matter, the rest, number of lines before the rest)."""
    match = _FENCE.match(text)
    if match is None:
        return "", text, 0
    return match["yaml"], text[match.end() :], text.count("\n", 0, match.end())


def as_text(value: Any) -> str:
    """A plain value as text; "" for none, lists joined by commas."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(as_text(item) for item in value)
    return str(value).strip()
