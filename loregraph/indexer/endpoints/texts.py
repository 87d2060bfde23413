"""What calls are given, as written: facts keep short strings without the names that are filled in.

Texts are read with the language's own comments and strings, and only where a call may be of interest. A file may have
`MAX_SCANNED` characters read in this way; calls beyond that are counted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from loregraph.indexer.endpoints.model import Template
from loregraph.indexer.languages import registry

MAX_SCANNED: Final = 4_000_000
MAX_ARGUMENTS: Final = 60_000
MAX_TEXT: Final = 2_000
"""Characters of a path or address that are read; longer ones are unknown."""
_OPEN: Final = {"(": ")", "[": "]", "{": "}"}
_STRING: Final = re.compile(
    r'(?P<prefix>[A-Za-z$@]{0,3}\#?)(?P<quote>"""|\'\'\'|"|\'|`)(?P<text>.*)(?P=quote)\#?', re.DOTALL
)
_PATH: Final = re.compile(r"""(["'`])/?[\w${}.:-]+/[\w${}./:-]*\1|(["'`])/[\w${}.:-]+\2""")
_DOTTED: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)*")
_SPLIT: Final = re.compile(r"\?\.|\.|::|->")
_CALL: Final = re.compile(r"([A-Za-z_$][\w$.:]*!?)\s*\(")
_FILLED_WITH: Final = frozenset({"format!", "fmt.Sprintf", "String.format", "string.Format", "Sprintf", "format"})
_JOINED_WITH: Final = frozenset(
    {"path.Join", "url.JoinPath", "urljoin", "urllib.parse.urljoin", "parse.urljoin", "posixpath.join", "path.join"}
)
_UNCHANGED: Final = frozenset({"str", "String", "encodeURI", "Uri", "URI.create", "Uri.parse", "url.Parse", "URL"})
_MARKS: Final = re.compile(r"%[-+#0-9.]*[a-zA-Z]|\{[^{}]*\}")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_TEMPLATE: Final = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")
_NAMED: Final = re.compile(r"\$([A-Za-z_]\w*)|\$\{([^{}]*)\}")
_KEYWORD: Final = re.compile(r"\s*(?:'(\w+)'|\"(\w+)\"|([A-Za-z_]\w*))\s*(?:=(?![=>])|:(?!:))\s*")


@lru_cache(maxsize=64)
def _scanner(language: str) -> re.Pattern[str]:
    """What matters when brackets are paired: comments and strings of a language, brackets and commas."""
    tokens = registry.BY_NAME[language].tokens if language in registry.BY_NAME else None
    comments = tokens.comments if tokens is not None else (r"//[^\n]*", r"/\*.*?(?:\*/|\Z)")
    strings = tokens.strings if tokens is not None else (r'(?<!\\)"(?:[^"\\\n]|\\.)*+"',)
    alternatives = [f"(?P<comment>{'|'.join(comments)})", f"(?P<string>{'|'.join(strings)})", r"(?P<sign>[()\[\]{},+])"]
    return re.compile("|".join(alternatives), re.DOTALL | re.MULTILINE)


class Texts:
    """The text of one file."""

    def __init__(self, source: bytes, language: str) -> None:
        self._source = source
        self._scanner = _scanner(language)
        self._groups: dict[int, list[tuple[str, list[str]]]] = {}
        self._ends: dict[int, int] = {}
        self.left = MAX_SCANNED
        self.cut = 0

    def arguments(self, at: int, depth: int, name: str) -> list[str] | None:
        """The arguments of a call, as written. The expression begins at byte `at`; `depth` calls of its chain come
        before the one in question, whose function's last name is `name`. None where they cannot be told."""
        groups = self._chain(at, depth + 1)
        for after, parts in groups[depth : depth + 1]:
            if after == name:
                return parts
        groups = self._chain(at, depth + 3)  # parentheses around what the chain begins with are no call
        return next((parts for after, parts in groups[depth + 1 : depth + 3] if after == name), None)

    def value(self, at: int) -> str:
        """What stands behind the first `=` or `:=` of an assignment that begins at byte `at`, up to the statement's
        end."""
        text = self._source[at : at + 600].decode("utf-8", "replace")
        found = re.match(r"[^=\n;]{0,200}=\s*", text)
        if found is None or text[found.end() : found.end() + 1] in ("=", ">"):
            return ""
        rest, depth, last = text[found.end() :], 0, 0
        self.left -= len(rest)
        for token in self._scanner.finditer(rest):
            if not depth and (end := _end_of_statement(rest, last, token.start())) >= 0:
                return rest[:end]
            sign = token["sign"]
            if sign in _OPEN:
                depth += 1
            elif sign in (")", "]", "}"):
                depth -= 1
            if depth < 0 or (sign == "," and not depth):
                return rest[: token.start()]
            last = token.end()
        end = _end_of_statement(rest, last, len(rest)) if not depth else -1
        return rest[:end] if end >= 0 else rest

    def _chain(self, at: int, wanted: int) -> list[tuple[str, list[str]]]:
        known = self._groups.setdefault(at, [])
        while len(known) < wanted:
            start = self._ends.get(at, at)
            if self.left <= 0 or start < 0:
                self.cut += start >= 0
                break
            found = self._group(start)
            if found is None:
                self._ends[at] = -1
                break
            name, parts, end = found
            known.append((name, parts))
            self._ends[at] = end
        return known

    def _group(self, start: int) -> tuple[str, list[str], int] | None:
        """The next pair of parentheses from byte `start`: the name before it, its parts, the byte behind it."""
        size = 4_000
        while True:
            text = self._source[start : start + size].decode("utf-8", "replace")
            self.left -= len(text)
            found = self.paired(text)
            if found is not None or size >= MAX_ARGUMENTS or start + size >= len(self._source) or self.left <= 0:
                break
            size *= 15
        if found is None:
            return None
        name, parts, end = found
        return name, parts, start + len(text[:end].encode("utf-8", "replace"))

    def paired(self, text: str) -> tuple[str, list[str], int] | None:
        opened: list[str] = []
        begin = -1
        name = ""
        parts: list[str] = []
        last = 0
        for token in self._scanner.finditer(text):
            sign = token["sign"]
            if token["comment"]:
                if begin >= 0 and len(opened) == 1 and not text[last : token.start()].strip():
                    last = token.end()
                continue
            if sign is None or sign == "+":
                continue
            if sign in _OPEN:
                if begin < 0 and sign == "(":
                    name = _last_name(text[: token.start()])
                    begin = last = token.end()
                    opened = [")"]
                else:
                    opened.append(_OPEN[sign])
            elif sign == ",":
                if begin >= 0 and len(opened) == 1:
                    parts.append(text[last : token.start()].strip())
                    last = token.end()
            elif not opened or opened.pop() != sign:
                return None
            elif begin >= 0 and not opened:
                rest = text[last : token.start()].strip()
                return name, [*parts, rest] if rest else parts, token.end()
        return None

    # strings

    def template(self, text: str, depth: int = 0) -> Template:
        """The text that an expression stands for; one gap where nothing of it is known."""
        text = text.strip()
        self.left -= len(text)
        if not text or len(text) > MAX_TEXT or depth > 6 or self.left <= 0:
            return [[]]
        while text.startswith(("await ", "&", "(")):
            if text[0] == "(":
                if not text.endswith(")") or self._end_of(text) != len(text):
                    break
                text = text[1:-1].strip()
            else:
                text = text.removeprefix("await ").removeprefix("&").strip()
        pieces = self._pieces(text)
        if len(pieces) > 1:
            return [part for piece in pieces for part in self.template(piece, depth + 1)]
        for ending in (".to_string()", ".to_owned()", ".as_str()", ".into()", ".toString()"):
            text = text.removesuffix(ending)
        string = _STRING.fullmatch(text)
        if string is not None and string["quote"] not in string["text"].replace("\\" + string["quote"], ""):
            return _filled(string["prefix"].lower(), string["quote"], string["text"])
        if _DOTTED.fullmatch(text):
            return [_SPLIT.split(text)]
        if (made := self._made(text, depth)) is not None:
            return made
        return [[]]

    def _made(self, text: str, depth: int) -> Template | None:
        """What a call that puts a text together gives."""
        call = _CALL.match(text.removeprefix("new "))
        if call is not None and self._end_of(text.removeprefix("new ")) == len(text.removeprefix("new ")):
            found = self.paired(text)
            given = found[1] if found is not None else []
            name = call[1]
            if name in _FILLED_WITH and given:
                return self._with(self.template(given[0], depth + 1), given[1:], depth)
            if name in _JOINED_WITH and given:
                return _joined([self.template(one, depth + 1) for one in given])
            if name == "URL" and len(given) == 2 and text.startswith("new "):
                return _joined([self.template(given[1], depth + 1), self.template(given[0], depth + 1)])
            if name in _UNCHANGED and len(given) == 1:
                return self.template(given[0], depth + 1)
            if len(given) in (1, 2) and _PATH.fullmatch(given[0]):
                return [[], "/", *self.template(given[0], depth + 1)]  # it puts an address before a path
            return None
        for way in (".format(", ".formatted("):
            at = text.find(way)
            if at > 0 and text.endswith(")"):
                found = self.paired(text[at:])
                return self._with(self.template(text[:at], depth + 1), found[1] if found else [], depth)
        at = text.find("%")
        if text[:1] in ("'", '"') and at > 0:
            string = re.match(r"(\"[^\"\n]*\"|'[^'\n]*')\s*%\s*(.*)", text, re.DOTALL)
            if string is not None:
                rest = string[2].strip()
                found = self.paired(f"f{rest}") if rest.startswith("(") else None
                return self._with(self.template(string[1], depth + 1), found[1] if found else [rest], depth)
        return None

    def _with(self, parts: Template, given: list[str], depth: int) -> Template:
        """A text with its marks (`%s`, `{}`) filled in."""
        filled: Template = []
        rest = [one for one in given if not _KEYWORD.match(one)]
        named = {
            found[1] or found[2] or found[3]: one[found.end() :] for one in given if (found := _KEYWORD.match(one))
        }
        for part in parts:
            if not isinstance(part, str):
                filled.append(part)
                continue
            last = 0
            for mark in _MARKS.finditer(part):
                filled.append(part[last : mark.start()])
                last = mark.end()
                inside = mark[0][1:-1].split(":")[0] if mark[0][0] == "{" else ""
                if inside.isdigit() and int(inside) < len(given):
                    filled += self.template(given[int(inside)], depth + 1)
                elif inside:
                    known = named.get(inside)
                    filled += self.template(known, depth + 1) if known is not None else [[inside]]
                elif rest:
                    filled += self.template(rest.pop(0), depth + 1)
                else:
                    filled.append([])
            filled.append(part[last:])
        return [part for part in filled if part != ""]

    def _pieces(self, text: str) -> list[str]:
        """The parts of a text put together with `+`, or written one behind the other."""
        depth, last, pieces, ended = 0, 0, [], -1
        for token in self._scanner.finditer(text):
            sign = token["sign"]
            if sign in _OPEN:
                depth += 1
            elif sign in (")", "]", "}"):
                depth -= 1
            elif not depth and sign == "+":
                pieces.append(text[last : token.start()])
                last = token.end()
            elif not depth and token["string"]:
                if ended >= last and not text[ended : token.start()].strip(" \n\t\\rfbuRFBU"):
                    pieces.append(text[last:ended])
                    last = ended
                ended = token.end()
        return [*pieces, text[last:]]

    def _end_of(self, text: str) -> int:
        """Where the first pair of parentheses ends."""
        found = self.paired(text)
        return found[2] if found is not None else -1


def _end_of_statement(text: str, start: int, stop: int) -> int:
    """Where a statement ends between two tokens, −1 where it goes on: at a semicolon, or at the end of a line unless
    an operator stands there or begins the next one."""
    for at in range(start, stop):
        sign = text[at]
        if sign == ";":
            return at
        goes_on = text[:at].rstrip(" \t")[-1:] in ("+", "\\", "=", "(", ":", "?")
        if sign == "\n" and not goes_on and text[at:].lstrip()[:1] not in ("+", ".", "?", ":"):
            return at
    return -1


def keyword(text: str) -> tuple[str, str] | None:
    """The name and the value of a named argument (`prefix="/x"`, `prefix: "/x"`); None for another."""
    found = _KEYWORD.match(text[:300])
    return (found[1] or found[2] or found[3], text[found.end() :]) if found is not None else None


def _last_name(text: str) -> str:
    """The name that a call's parentheses stand behind: `get` of `api.get<User[]>`."""
    text = text.rstrip()
    if text.endswith(">"):
        depth = 0
        for at in range(len(text) - 1, max(-1, len(text) - 400), -1):
            depth += (text[at] == ">") - (text[at] == "<")
            if not depth:
                text = text[:at].rstrip().removesuffix("::")
                break
    found = re.search(r"([A-Za-z_$][\w$]{0,80})[!?]?\Z", text[-90:])
    return found[1] if found is not None else ""


def _filled(prefix: str, quote: str, text: str) -> Template:
    """A string's parts."""
    if quote == "`" and "${" in text:
        return _split(_TEMPLATE, text)
    if "f" in prefix:
        return _split(_BRACES, text.replace("{{", "{").replace("}}", "}") if "{{" in text else text)
    if "$" in prefix:
        return _split(_BRACES, text)
    return [text] if text else []


def _split(pattern: re.Pattern[str], text: str) -> Template:
    parts: Template = []
    last = 0
    for found in pattern.finditer(text):
        if found.start() > last:
            parts.append(text[last : found.start()])
        last = found.end()
        inside = re.split(r"[!:](?!:)", found[1].strip(), maxsplit=1)[0].strip()
        parts.append(_SPLIT.split(inside) if _DOTTED.fullmatch(inside) else [])
    return [*parts, text[last:]] if last < len(text) else parts


def _joined(parts: list[Template]) -> Template:
    """Texts with a slash between any two."""
    made: Template = []
    for part in parts:
        if made:
            made.append("/")
        made += part
    return made
