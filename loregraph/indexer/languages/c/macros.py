"""Which words of a C or C++ file are macros that its grammar cannot know, told by the company they keep.

Names in capitals are judged by what stands before and after them. Three words in a row (`BOOL WINAPI f(`), a word
between `class` and a name, a call behind a field's name: nothing but a macro can make C of those.
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from loregraph.indexer.languages.c.conditionals import blanked

_MASKED = re.compile(
    rb"//(?:[^\\\n]|\\\r?\n|\\.)*"
    rb"|/\*.*?(?:\*/|\Z)"
    rb'|R"(?P<mark>[^()\\\s]{0,16})\('
    rb'|"(?:\\.|[^"\\\n])*"?'
    rb"|'(?:\\.|[^'\\\n]){1,8}'",
    re.DOTALL,
)
_DIRECTIVE = re.compile(rb"^[ \t]*(?:#|%:)(?:[^\\\n]|\\\r?\n|\\.)*", re.MULTILINE)

_CANDIDATE = re.compile(
    rb"\b(?:[A-Z][A-Z0-9_]{2,}|_[A-Z0-9_]{3,}|__[a-z]\w+)\b(?=\s*\(|\s+[A-Za-z_~*:\[{]|[ \t]*\r?\n|\s*[;{=]|\Z)"
)
_BEFORE = re.compile(rb"([A-Za-z_]\w*|\S)\s*\Z")
_BRACKET = re.compile(rb"[()]")

_CLASS_KEY: Final = frozenset(b"class struct union enum".split())
_SPECIFIER: Final = frozenset(
    (
        b"static extern inline virtual explicit constexpr friend typedef const volatile consteval constinit mutable "
        b"register thread_local export"
    ).split()
)
_NO_TYPE: Final = frozenset(
    (
        b"return else case goto throw new delete do sizeof co_return co_yield co_await if while for switch default "
        b"using namespace operator not and or typename template"
    ).split()
)
_TYPE_WORDS = (
    rb"(?:void|int|char|bool|_Bool|float|double|long|short|unsigned|signed|auto|struct|class|union|enum|size_t|wchar_t)"
)
_TYPE_WORD: Final = re.compile(_TYPE_WORDS + rb"\Z")
_DECLARES = re.compile(
    rb"\s*(?:(?:static|extern|inline|virtual|explicit|constexpr|consteval|template|friend|typedef|typename|mutable"
    rb"|using|namespace|public:|private:|protected:|~)(?!\w)|" + _TYPE_WORDS + rb"\b|\[\[)"
)
_NAMED_TYPE = rb"(?:::\s*)?[A-Za-z_][\w:]*(?:\s*<[^;{}()]{0,200}>)?"
_TWO_WORDS = re.compile(
    rb"\s*(?:const\s+)?"
    + _NAMED_TYPE
    + rb"(?:\s+const)?[\s*&]+(?:[A-Z_]+\s+)?~?[A-Za-z_][\w:~]*(?:\s*<[^;{}()]{0,80}>)?\s*[(;=\[{]"
)
_NAME_AND_CALL = re.compile(rb"\s+~?[A-Za-z_][\w:~]*\s*\(")
_TYPE_HEAD = re.compile(rb"\s*[A-Za-z_][\w:]*\s*(?:<[^;{}()]{0,200}>\s*)?(?:final\b|[:{]|[A-Z_]{3,})")
_BEHIND_PARAMETERS = re.compile(
    rb"\s*(?:[{;]|=\s*(?:0|default|delete)\b|:(?!:)|->|const\b|override\b|final\b|noexcept\b|[A-Z_]{3,}"
    rb"|__attribute__)"
)
_FIELD = re.compile(rb"([A-Za-z_]\w*|[*&>])\s*\b([A-Za-z_]\w*)(?:\s*\[[^\]\n]*\])?\s*\Z")
_BEHIND_FIELD = re.compile(rb"\s*(?:[;{]|=(?!=)|[A-Z_]{3,}\s*[(;])")
_LINE_REST = re.compile(rb"[ \t]*(?:\r?\n|\Z)")
_STATEMENT_END: Final = frozenset({b"", b";", b"{", b"}", b":", b">", b")", b'"'})
_CALLBACK = re.compile(rb"\s*+\*\s*+(?:const\s++)?\w*+\s*+\)\s*+\(")
_TEMPLATE_HEAD = re.compile(rb"\btemplate\s*<[^;{}]*\Z")

_ANY_BEFORE_TYPE = re.compile(
    rb"\b([A-Za-z_]\w*)[ \t\r\n]+"
    rb"(?=(?:void|int|char|bool|float|double|long|short|unsigned|signed|struct|union|enum)\b)"
)
_ANY_AFTER_POINTER = re.compile(rb"(?<=[*&])\s*([A-Za-z_]\w*)\s+(?=[A-Za-z_][\w:]*\s*[,)=;\[(])")
_QUALIFIER: Final = frozenset(b"const volatile restrict __restrict __restrict__ _Nonnull _Nullable noexcept".split())
_NOT_BLANKED: Final = _SPECIFIER | _NO_TYPE | _QUALIFIER
_DIGRAPHS: Final = ((b"<%", b"{ "), (b"%>", b"} "), (b"<:", b"[ "), (b":>", b"] "), (b"%:", b"# "))
_TYPENAME_USING = re.compile(rb"(?<=\busing )typename ")
MAX_CANDIDATES: Final = 20_000
"""Words in capitals that are looked at in one range."""
_FAR: Final = 4000
"""Longest argument list of a macro, in bytes."""


class Levels(Protocol):
    """Tells what is inside functions."""

    def in_function(self, start: int, end: int) -> bool: ...


def mask(source: bytes) -> bytes:
    """`source` with comments blanked and strings emptied."""
    pieces: list[bytes] = []
    place = 0
    while (match := _MASKED.search(source, place)) is not None:
        start, end = match.span()
        pieces.append(source[place:start])
        mark = match["mark"]
        if mark is not None:
            end = source.find(b")" + mark + b'"', end)
            end = len(source) if end < 0 else end + len(mark) + 2
        plain = blanked(source[start:end])
        if source[start] in b"/'" or len(plain) < 2:
            pieces.append(plain)
        else:
            pieces.append(b'"' + plain[1:-1].replace(b" ", b"_") + b'"')
        place = end
    pieces.append(source[place:])
    return b"".join(pieces)


def without_directives(masked: bytes) -> bytes:
    """`masked` with preprocessor directives blanked too."""
    return _DIRECTIVE.sub(lambda match: blanked(match[0]), masked)


def blank_macros(source: bytes, masked: bytes, ranges: list[tuple[int, int]], levels: Levels) -> bytes:
    """`source` with the macros in `ranges` blanked that stand where its grammar has no place for them."""
    text = bytearray(source)
    view = bytearray(masked)
    for start, end in ranges:
        _blank_capitals(text, view, start, end, levels)
        _blank_any(text, view, start, end)
        if any(digraph in text[start:end] for digraph, _ in _DIGRAPHS):
            for digraph, plain in _DIGRAPHS:
                text[start:end] = text[start:end].replace(digraph, plain)
    return bytes(text)


# Regular expressions that see every file: each begins with what the engine can skip to.
_LINE_HEAD = re.compile(
    rb"^[ \t]*[A-Z][A-Z0-9_]{3,}(?=[ \t]*\n|[ \t]+(?:static|extern|inline|virtual|explicit|constexpr|void|int|char|bool"
    rb"|float|double|long|short|unsigned|struct|auto|size_t)[ \t])",
    re.MULTILINE,
)
_LONE = re.compile(rb"[ \t]*[A-Z][A-Z0-9_]{3,}[ \t]*")
_TYPE_HEAD_MACRO = re.compile(
    rb"(?:class|struct|union) ([A-Z][A-Z0-9_]{2,})"
    rb"(?=\s++\w++(?:\s*+<[^;{}()]{0,200}>)?\s*+(?:final\s*+)?(?:\{|:[^:\d]))"
)
_LINKAGE = re.compile(
    # `extern "C" {` and its `}`, each between directives of its own.
    rb"^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined[ \t(]*)__cplusplus\b[^\n]*\n((?:[ \t]*[^#\s][^\n]*\n|[ \t]*\n){1,4})"
    rb"[ \t]*#[ \t]*endif",
    re.MULTILINE,
)
_CONVENTION = re.compile(rb"\s*(?:WINAPI|CALLBACK|APIENTRY|PASCAL|STDCALL|CDECL|[A-Z]+(?:API|CALL))\b")
_GOES_ON: Final = b"([=,;|&+?."


def blank_sure(source: bytes) -> bytes:
    """`source` without the macros that need no second look: nothing else can stand where they do, or the grammar
    misreads them without an error (`class FOO_API Bar {` is a function to it)."""

    def line_head(match: re.Match[bytes]) -> bytes:
        end = match.end()
        rest = source[end : end + 400].lstrip()
        if source[end : end + 1] in b" \t" and not source[end : end + 400].lstrip(b" \t").startswith(b"\n"):
            return blanked(match[0])  # a declaration's keyword follows
        before = source[max(0, match.start() - 400) : match.start()].rstrip()
        line = before[before.rfind(b"\n") + 1 :]
        if b"//" in line:
            before = line[: line.index(b"//")].rstrip() or b";"
        if (line.lstrip()[:1] == b"#" and line[-1:] != b"\\") or _LONE.fullmatch(line):
            before = b";"
        alone = before[-1:] in b";{}" and rest[:1] not in _GOES_ON and not (rest[:1] == b"}" and before[-1:] == b"{")
        return blanked(match[0]) if alone else match[0]

    def type_head(match: re.Match[bytes]) -> bytes:
        start = match.start()
        if start and (source[start - 1 : start].isalnum() or source[start - 1] == 0x5F):
            return match[0]
        cut = match.start(1) - start
        return match[0][:cut] + blanked(match[1])

    text = _TYPE_HEAD_MACRO.sub(type_head, _LINE_HEAD.sub(line_head, source))
    return _LINKAGE.sub(_blank_linkage, text) if b"__cplusplus" in text else text


def _blank_linkage(match: re.Match[bytes]) -> bytes:
    inside = match[1]
    if b"extern" not in inside and inside.strip()[:1] != b"}":
        return match[0]
    start = match.start(1) - match.start()
    return match[0][:start] + blanked(inside) + match[0][start + len(inside) :]


def _blank_capitals(text: bytearray, view: bytearray, start: int, end: int, levels: Levels) -> None:
    place = start
    for _ in range(MAX_CANDIDATES):
        match = _CANDIDATE.search(view, place, end)
        if match is None:
            break
        first, last = match.span()
        place = last
        stop = _closing(view, last)
        verdict = _is_macro(view, first, last, stop, levels)
        if verdict:
            fill = blanked(bytes(text[first:stop]))
            if verdict == "type" and stop - first > 3:
                fill = b"int" + fill[3:]
            text[first:stop] = fill
            view[first:stop] = fill
            place = stop


def _closing(view: bytearray, place: int) -> int:
    """End of the parenthesised list that begins at `place` (spaces skipped), or `place` where there is none."""
    start = place
    while start < len(view) and view[start] in b" \t":
        start += 1
    if start >= len(view) or view[start] != 0x28:
        return place
    depth = 0
    for match in _BRACKET.finditer(view, start, start + _FAR):
        depth += 1 if match[0] == b"(" else -1
        if depth == 0:
            return match.end()
    return place


def _is_macro(view: bytearray, first: int, last: int, stop: int, levels: Levels) -> str:
    """ "blank" or "type" (a template's parameter) where the name at `first` can only be a macro, else ""."""
    before = bytes(view[max(0, first - 160) : first])
    found = _BEFORE.search(before)
    word = found[1] if found is not None else b""
    after = bytes(view[stop : stop + 300])
    called = stop > last
    starts = word in _STATEMENT_END or word in _SPECIFIER or before[before.rfind(b"\n") + 1 :].strip() == b""
    is_word = word[:1].isalpha() or word[:1] == b"_"
    if word in _CLASS_KEY:
        return "blank" if _TYPE_HEAD.match(after) else ""
    if word == b")" and _BEHIND_PARAMETERS.match(after) and _ends_parameters(view, before, first):
        return "blank"
    if starts and word not in _NO_TYPE:
        two = not called and _TWO_WORDS.match(after) and not _CONVENTION.match(after)
        if two or _DECLARES.match(after):
            return "blank"
    if starts and not called and _constructs(view, stop, after):
        return "blank"
    if starts and called and _TWO_WORDS.match(after) and not levels.in_function(first, last):
        return "blank"
    if ((is_word and word not in _NO_TYPE and word not in _SPECIFIER) or word in (b"*", b"&", b">")) and (
        _NAME_AND_CALL.match(after)
    ):
        return "blank"
    if word == b"(" and not called and _CALLBACK.match(after):
        return "blank"
    if word in (b"const", b"override", b"final", b"noexcept") and after.lstrip()[:1] in (b"{", b";", b"="):
        return "blank"
    if (called or word == b"]" or is_word) and _BEHIND_FIELD.match(after) and _behind_field(before):
        return "blank" if called or not levels.in_function(first, last) else ""
    if word in (b"<", b",") and called and after.lstrip()[:1] in (b",", b">") and _TEMPLATE_HEAD.search(before):
        return "type"
    return _alone(view, first, last, after, before, word, called, levels)


_CONSTRUCTOR = re.compile(rb"\s+(~?)[A-Za-z_]\w*(?=\s*\()")
_INITIALISERS = re.compile(rb"\s*+(?:noexcept\s*+)?:(?!:)")


def _constructs(view: bytearray, stop: int, after: bytes) -> bool:
    """Whether what follows is a destructor, or a constructor with its initialisers: neither has a type before it."""
    named = _CONSTRUCTOR.match(after)
    if named is None:
        return False
    if named[1]:
        return True
    closed = _closing(view, stop + named.end())
    return closed > stop + named.end() and _INITIALISERS.match(view, closed) is not None


def _alone(
    view: bytearray, first: int, last: int, after: bytes, before: bytes, word: bytes, called: bool, levels: Levels
) -> str:
    """Macros on a line of their own: `Q_OBJECT`, `BEGIN_DECLS`, `Q_PROPERTY(…)`."""
    if before[before.rfind(b"\n") + 1 :].strip() or word not in _STATEMENT_END:
        return ""
    following = after.lstrip()[:1]
    if not called:
        ends = _LINE_REST.match(after) is not None
        return "blank" if ends and not (word == b"{" and following == b"}") else ""
    if following == b"{" or not (_LINE_REST.match(after) or following == b";"):
        return ""
    return "" if levels.in_function(first, last) else "blank"


def _behind_field(before: bytes) -> bool:
    found = _FIELD.search(before)
    if found is None:
        return False
    type_, name = found[1], found[2]
    return (
        type_ not in _NO_TYPE
        and type_ not in _SPECIFIER
        and name not in _NO_TYPE
        and name not in _SPECIFIER
        and not _TYPE_WORD.match(name)
    )


_HEADS: Final = frozenset(b"if while for switch catch return sizeof defined constexpr".split())


def _ends_parameters(view: bytearray, before: bytes, first: int) -> bool:
    """Whether the `)` before `first` closes a function's parameters, not the head of a statement or a cast."""
    depth = 0
    floor = max(0, first - _FAR)
    place = first
    while place > floor:
        place = max(view.rfind(b")", floor, place), view.rfind(b"(", floor, place))
        if place < 0:
            return False
        depth += 1 if view[place] == 0x29 else -1
        if depth == 0:
            found = _BEFORE.search(bytes(view[max(0, place - 80) : place]))
            return found is not None and found[1] not in _HEADS and (found[1][:1] in b"_)" or found[1][:1].isalpha())
    return False


def _blank_any(text: bytearray, view: bytearray, start: int, end: int) -> None:
    """Macros in any case, where no other word can stand: before a type's keyword, between `*` and a name."""
    for pattern in (_ANY_BEFORE_TYPE, _ANY_AFTER_POINTER, _TYPENAME_USING):
        for match in list(pattern.finditer(view, start, end)):
            word = match[1] if match.re.groups else b"typename"
            if word != b"typename" and (word in _NOT_BLANKED or _TYPE_WORD.match(word)):
                continue
            first, last = match.span(1) if match.re.groups else match.span()
            text[first:last] = view[first:last] = blanked(bytes(text[first:last]))


# Types as arguments

_NAME = re.compile(rb"[A-Za-z_]\w*")
_TYPE_ARGUMENT = re.compile(
    rb"(?<=[(,])(\s*)((?:(?:const|volatile|struct|union|enum|unsigned|signed)\s+)*[A-Za-z_][\w:]*(?:\s+(?:int|long|char|short|double|const))*[\s*&]*)(?=[,)])"
)


def type_arguments(source: bytes, ranges: list[tuple[int, int]]) -> bytes:
    """`source` with types among the arguments in `ranges` (`va_arg(ap, char *)`) written as if they were names."""
    text = bytearray(source)
    for start, end in ranges:
        for match in _TYPE_ARGUMENT.finditer(source, start, end):
            piece = match[2].rstrip()
            if not piece or b"\n" in piece or (_NAME.fullmatch(piece) and not _TYPE_WORD.match(piece)):
                continue
            first = match.start(2)
            name = bytes(c if chr(c).isalnum() else 0x5F for c in piece)
            text[first : first + len(piece)] = name[:1].upper() + name[1:]
    return bytes(text)
