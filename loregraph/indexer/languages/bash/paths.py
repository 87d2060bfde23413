"""Paths that scripts source and run, as far as their text says which file is meant.

`"$(dirname "${BASH_SOURCE[0]}")/lib/x.sh"` is `./lib/x.sh`, from the script's own folder; so is `"$HERE/lib/x.sh"`
where `HERE` was set from it. Of any other folder in a variable only what follows is known: `lib/x.sh` (see
`packaging.shell`). A path whose last part is computed is none.
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.extraction import Extraction

_ASSIGNED: Final = re.compile(
    r"^[ \t]*(?:(?:local|readonly|export|declare|typeset)[ \t]+(?:-\w+[ \t]+)*)?([A-Za-z_]\w*)=(?=[\"'$`])([^\n]+)",
    re.MULTILINE,
)
_SELF: Final = re.compile(r"BASH_SOURCE|\$0\b|\$\{0\b|\$\{\(%\)|\$\{\.sh\.file")
_OWN: Final = frozenset({"BATS_TEST_DIRNAME"})
"""Variables that hold the folder of the script they are read in."""
_ELSEWHERE: Final = re.compile(r"^(?:HOME|TMP|TMPDIR|TEMP|USERPROFILE|XDG_\w+|PREFIX|DESTDIR|SYSROOT)$")
_VARIABLE: Final = re.compile(r"\$\{?([A-Za-z_]\w*)")
_COMPUTED: Final = re.compile(r"[$`*?\[\]{}()|<>;&\s\"']")
_LAST_EXPANSION: Final = re.compile(r".*(?:\$\{\w+\}|\$\w+)(/[^$`{}()]+)$", re.DOTALL)
"""What is written behind the last variable of a path."""
_UP: Final = re.compile(r"\bdirname\b|%/\*|:h\b|:A:h")
_MAX_LENGTH: Final = 300


def script_path(x: Extraction, text: str) -> str | None:
    """The path that an argument names, as `packaging.shell` reads it: "" for one outside the project, None for one that
    only the running script knows."""
    if len(text) > _MAX_LENGTH:
        return None
    folder, tail = _folder_and_tail(x, text)
    if tail is None:
        return None
    if _COMPUTED.search(tail):
        last = _LAST_EXPANSION.match(tail)
        folder, tail = "*", last[1] if last is not None else ""
        if not tail or _COMPUTED.search(tail):
            return None
    if folder is None:  # no variable before it
        if tail.startswith(("/", "~")):
            return ""
        return tail.removeprefix("./")
    if not tail.strip("/"):
        return None
    if folder == "":
        return ""
    if folder == "*":
        return tail.lstrip("/")
    return f"{folder}/{tail.lstrip('/')}"


def _folder_and_tail(x: Extraction, text: str) -> tuple[str | None, str | None]:
    """What a path begins with and what follows. The folder is None where the path begins with plain text, "*" for one
    that is not known, "" for one that is no part of a project, else relative to the script's own."""
    quoted = text.strip()
    if not quoted.lstrip("\"'").startswith(("$", "`")):
        return None, _unquoted(quoted)
    quoted = quoted.lstrip("\"'")
    end = _expansion_end(quoted)
    if end < 0:
        return "*", None
    return _folder(x, quoted[:end]), _unquoted(quoted[end:])


def _unquoted(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def _expansion_end(text: str) -> int:
    """Where the expansion that `text` begins with ends; -1 where it does not."""
    if text.startswith("`"):
        return text.find("`", 1) + 1 or -1
    opening = text[1:2]
    if opening not in "({" or not opening:
        match = re.match(r"\$(?:\w+|[@*#?$!-])", text)
        return match.end() if match else -1
    closing = ")" if opening == "(" else "}"
    depth = 0
    for place, character in enumerate(text):
        if character == opening:
            depth += 1
        elif character == closing:
            depth -= 1
            if depth == 0:
                return place + 1
    return -1


def _folder(x: Extraction, expansion: str) -> str:
    ups = len(_UP.findall(expansion)) + expansion.count("/..")
    if _SELF.search(expansion):
        return "." + "/.." * (ups - 1) if ups > 0 else "*"
    named = _VARIABLE.search(expansion)
    if named is None:
        return "*"
    name = named[1]
    if _ELSEWHERE.match(name):
        return ""
    if name in _OWN:
        return "." + "/.." * ups
    known = _variables(x).get(name)
    return known + "/.." * ups if known is not None else "*"


def _variables(x: Extraction) -> dict[str, str]:
    """Variables of the file that hold a folder, or the script's own path, by what they are first given."""
    found: dict[str, str] | None = x.memo.get("folders")
    if found is not None:
        return found
    found = x.memo["folders"] = {}
    text = x.source.decode("utf-8", "replace")
    if "BASH_SOURCE" not in text and "$0" not in text and "${0" not in text and not any(name in text for name in _OWN):
        return found
    for name, value in _ASSIGNED.findall(text):
        if name in found or len(value) > _MAX_LENGTH:
            continue
        value = value.lstrip("\"'")
        if not value.startswith(("$", "`")):
            continue
        end = _expansion_end(value)
        if end < 0:
            continue
        expansion = value[:end]
        tail = re.match(r"[\w./-]*", _unquoted(value[end:]))
        rest = tail[0].strip("/") if tail is not None else ""
        if _SELF.search(expansion) and not _UP.search(expansion):
            found[name] = "./self"  # the script itself: its folder is one up
            continue
        folder = _folder(x, expansion)
        if folder.startswith("."):
            found[name] = f"{folder}/{rest}" if rest else folder
    return found
