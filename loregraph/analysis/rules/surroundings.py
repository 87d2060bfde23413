"""The source around a definition: attributes and comments above it, and whether it is compiled conditionally."""

from __future__ import annotations

import re
from typing import Final

from loregraph.analysis.rules.code import Code
from loregraph.indexer.languages import registry

MAX_HEAD: Final = 12
"""Maximum lines above a definition or an opening line that are searched for attributes and comments."""

_PREPROCESSED: Final = registry.where(lambda language: language.conditions.preprocessed)
_IF: Final = re.compile(r"\s*+#\s*+(if|ifdef|ifndef)\b(.*+)")
_ELSE: Final = re.compile(r"\s*+#\s*+(?:elif|elseif|else)\b")
_END: Final = re.compile(r"\s*+#\s*+endif\b")
_DEFINE: Final = re.compile(r"\s*+#\s*+define\s++(\w++)")
_BRANCH: Final = re.compile(r"\s*+\}?\s*+(?:if|elif|elsif|elseif|else|unless|try|except|catch|rescue|begin)\b")
"""A line that opens a conditional block."""
_OF_FILES: Final = registry.expressions(lambda language: language.conditions.file)
_ATTRIBUTES: Final = registry.expressions(lambda language: language.conditions.attribute)
_FILE_HEAD: Final = 40
"""Lines in which a condition for all of a file stands."""
_PLATFORM_FILE: Final = re.compile(
    r"[_.-](?:linux|windows|win|win32|win64|darwin|macos|mac|osx|posix|unix|android|ios|native|web|wasm|freebsd|openbsd"
    r"|netbsd|solaris|plan9|arm|arm64|amd64|386|x86|ppc64le|s390x|riscv64|appengine)"
    r"(?:_(?:arm|arm64|amd64|386|test))?\.\w+$"
)
_PRELUDE: Final = re.compile(r"\s*+(?:#!?\[|@|//|/\*|\*|#|--|\[)")
"""Attributes, annotations and comments above a line."""


def head_lines(code: Code, path: str, line: int) -> list[str]:
    """The attributes, annotations and comments directly above a line (from 1), and the line itself."""
    lines = code.lines(path)
    if not 0 < line <= len(lines):
        return []
    first = line - 1
    while first > max(0, line - 1 - MAX_HEAD) and _PRELUDE.match(lines[first - 1]):
        first -= 1
    return lines[first:line]


def is_conditional(code: Code, node: int) -> bool:
    """Whether a definition is conditional: by a preprocessor, `#[cfg]`, build tags, a platform-specific file, or a
    branch at load time (`if`, `try`)."""
    columns = code.columns
    path, line, language = columns.path(node), int(columns.start_line[node]), columns.language(node)
    if _PLATFORM_FILE.search(path):
        return True
    of_file = _OF_FILES.get(language)
    if of_file is not None:
        return any(of_file.match(text) for text in code.lines(path)[:_FILE_HEAD])
    if language in _PREPROCESSED:
        return any(first < line <= last for first, last in _conditions(code, path))
    around = code.openings(path, line)
    attribute = _ATTRIBUTES.get(language)
    if attribute is not None:
        openings = [line, *(number for number, _ in around)]
        return any(attribute.match(text) for opening in openings for text in head_lines(code, path, opening)) or any(
            # Attributes are among the lines of their definition.
            attribute.match(text)
            for text in code.lines(path)[line - 1 : line - 1 + MAX_HEAD]
            if text.lstrip().startswith("#[")
        )
    return any(_BRANCH.match(text) for _, text in around)


def _conditions(code: Code, path: str) -> list[tuple[int, int]]:
    """First and last line of each block between `#if` and `#endif`, except for a header's guard and `__cplusplus`."""

    def read() -> list[tuple[int, int]]:
        lines = code.lines(path)
        found: list[tuple[int, int]] = []
        open_: list[tuple[int, bool]] = []
        for number, text in enumerate(lines, 1):
            if "#" not in text:
                continue
            if match := _IF.match(text):
                following = next((one for one in lines[number : number + 3] if one.strip()), "")
                define = _DEFINE.match(following)
                guards = match[1] == "ifndef" and define is not None and define[1] == match[2].strip()
                open_.append((number, guards or "__cplusplus" in match[2]))
            elif _ELSE.match(text) and open_:
                open_[-1] = (open_[-1][0], False)
            elif _END.match(text) and open_:
                first, always = open_.pop()
                if not always:
                    found.append((first, number))
        return found

    return code.once(("conditions", path), read)
