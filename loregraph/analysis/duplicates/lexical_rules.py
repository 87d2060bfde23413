"""How each language writes comments, strings and keywords: one row a language, all that telling tokens apart needs.

A language that has no row is read as one of C's family. Only what decides copies is here: numbers, names and signs look
much the same everywhere. Patterns end at the end of the file where a quote or a comment is not closed, so that reading
stays linear whatever the file holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

_DOUBLE: Final = r'(?<!\\)"(?:[^"\\\n]|\\.)*+"'
_SINGLE: Final = r"(?<!\\)'(?:[^'\\\n]|\\.)*+'"
_BACKTICK: Final = r"`(?:[^`\\]|\\.)*+(?:`|\\?\Z)"
_RAW_BACKTICK: Final = r"`[^`]*(?:`|\Z)"
_CHARACTER: Final = r"'(?:[^'\\\n]|\\[^\n][^'\n]{0,9})'"
_TRIPLE_DOUBLE: Final = r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\\?\Z)'
_TRIPLE_SINGLE: Final = r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\\?\Z)"
_TEXT_BLOCK: Final = r'"""(?:[^"]|"(?!""))*(?:"""|\Z)'
_PYTHON_PREFIX: Final = r"(?:[rbfutRBFUT]{1,2}(?=[\"']))?"
_RUST_RAW: Final = r'b?r"[^"]*(?:"|\Z)|b?r\#".*?(?:"\#|\Z)|b?r\#\#".*?(?:"\#\#|\Z)'
_CPP_RAW: Final = r'(?:u8|[uUL])?R"[^()\\\s"]{0,16}\(.*?(?:\)[^()\\\s"]{0,16}"|\Z)'
_REGEX: Final = r"(?<=[=(,:!&|?\[;{}])[ \t]*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\])++/[a-z]*"
"""JavaScript's, where a division cannot stand."""

_NUMBER: Final = r"\d\w*(?:\.\d\w*)*"
_SIGN: Final = r"[^\s\w]"
_PLAIN_SIGN: Final = r"[(),;:.\]}+*&|<>]"
_PLAIN_NAME: Final = r"[^\W\d]\w*+(?![\"'$#])"
"""What begins nothing else in any language, and most tokens are. A name before a quote may be a string's prefix."""

_LINE: Final = r"//[^\n]*"
_BLOCK: Final = r"/\*.*?(?:\*/|\Z)"
_HASH: Final = r"\#[^\n]*"
_SLASHES: Final = (_LINE, _BLOCK)

_C: Final = (
    "auto bool break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)
_JVM: Final = (
    "abstract assert boolean break byte case catch char class continue default do double else enum extends false final "
    "finally float for if implements import instanceof int interface long native new null package private protected "
    "public return short static super switch synchronized this throw throws transient true try void volatile while"
)
_ECMA: Final = (
    "as async await break case catch class const continue debugger default delete do else enum export extends false "
    "finally for from function get if implements import in instanceof interface let new null of private protected "
    "public readonly return set static super switch this throw true try type typeof undefined var void while with yield"
)
_ANNOTATIONS: Final = r"@(?:Override|Deprecated|NonNull|Nonnull|Nullable|NotNull|SuppressWarnings\s*\([^)]*\))"
"""Notes to a compiler, which no copy differs in."""
_IMPORTS: Final = (
    r"^[ \t]*(?:import|package|using|use|namespace|alias|require|require_relative)[ \t]++[^\n;{(]++;?[ \t]*+$"
)


@dataclass(frozen=True, slots=True)
class LexicalRules:
    """One row. `comments`, `strings` and `ignored` are regular expressions; `ignored` is passed over like a comment.

    `docstrings`: a string that is a statement of its own says nothing to the machine. `name` is a name's pattern.
    """

    keywords: str
    comments: tuple[str, ...] = _SLASHES
    strings: tuple[str, ...] = (_DOUBLE, _SINGLE)
    ignored: tuple[str, ...] = ()
    docstrings: bool = False
    name: str = r"[^\W\d]\w*"


_ECMA_RULES: Final = LexicalRules(_ECMA, strings=(_BACKTICK, _DOUBLE, _SINGLE, _REGEX), name=r"[^\W\d]\w*|[$][\w$]*")
_C_RULES: Final = LexicalRules(_C, strings=(_DOUBLE, _CHARACTER))

RULES: Final[dict[str, LexicalRules]] = {
    "python": LexicalRules(
        "False None True and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return self try while with yield",
        comments=(_HASH,),
        strings=tuple(_PYTHON_PREFIX + text for text in (_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE)),
        docstrings=True,
    ),
    "javascript": _ECMA_RULES,
    "typescript": _ECMA_RULES,
    "tsx": _ECMA_RULES,
    "java": LexicalRules(_JVM, strings=(_TEXT_BLOCK, _DOUBLE, _CHARACTER), ignored=(_ANNOTATIONS,)),
    "go": LexicalRules(
        "break case chan const continue default defer else fallthrough false for func go goto if import interface map "
        "nil package range return select struct switch true type var",
        strings=(_RAW_BACKTICK, _DOUBLE, _CHARACTER),
    ),
    "rust": LexicalRules(
        "Self as async await break const continue crate dyn else enum extern false fn for if impl in let "
        "loop match mod "
        "move mut pub ref return self static struct super trait true type unsafe use where while",
        strings=(_RUST_RAW, _DOUBLE, _CHARACTER),
    ),
    "c": _C_RULES,
    "cpp": LexicalRules(
        _C + " and catch class concept consteval constexpr const_cast co_await co_return co_yield decltype delete "
        "dynamic_cast explicit export false final friend mutable namespace new noexcept not nullptr operator or "
        "override private protected public reinterpret_cast requires static_assert static_cast template this throw "
        "true try typeid typename using virtual",
        strings=(_CPP_RAW, _DOUBLE, _CHARACTER),
    ),
    "csharp": LexicalRules(
        _JVM + " as async await base bool checked const decimal delegate event explicit extern fixed foreach get goto "
        "implicit in internal is lock namespace nameof object operator out override params readonly record ref sealed "
        "set sizeof stackalloc string struct typeof uint ulong unchecked unsafe using value var virtual when where",
        strings=(_TEXT_BLOCK, r'[$@]{1,2}"(?:[^"]|"")*(?:"|\Z)', _DOUBLE, _CHARACTER),
        ignored=(_IMPORTS,),
    ),
    "kotlin": LexicalRules(
        "as break by catch class companion constructor continue data do else enum false final finally for fun get if "
        "import in init inline interface internal is lateinit null object open operator out override package private "
        "protected public return sealed set super suspend this throw true try typealias val var vararg when "
        "where while",
        strings=(_TEXT_BLOCK, _DOUBLE, _CHARACTER),
        ignored=(_ANNOTATIONS, _IMPORTS),
    ),
    "swift": LexicalRules(
        "Self as associatedtype async await break case catch class continue default defer deinit do else "
        "enum extension "
        "fallthrough false fileprivate final for func get guard if import in init inout internal is let mutating nil "
        "open operator override private protocol public repeat rethrows return self set static struct subscript super "
        "switch throw throws true try typealias var where while",
        strings=(_TEXT_BLOCK, _DOUBLE),
        ignored=(_IMPORTS,),
    ),
    "scala": LexicalRules(
        _JVM + " def forSome given implicit lazy match object override sealed then trait type using val var with yield",
        strings=(_TEXT_BLOCK, _DOUBLE, _CHARACTER),
        ignored=(_IMPORTS,),
    ),
    "php": LexicalRules(
        _JVM
        + " and array as callable clone const declare echo elseif empty endfor endforeach endif endwhile fn foreach "
        "function global goto include include_once isset list match namespace or print readonly require require_once "
        "trait unset use var xor yield",
        comments=(*_SLASHES, r"\#(?!\[)[^\n]*"),
        ignored=(_IMPORTS,),
        name=r"[$]?[^\W\d]\w*",
    ),
    "ruby": LexicalRules(
        "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in "
        "module next nil "
        "not or private protected public redo rescue retry return self super then true undef unless until when while "
        "yield",
        comments=(r"^=begin\b.*?(?:^=end[^\n]*|\Z)", _HASH),
        strings=(_BACKTICK, _DOUBLE, _SINGLE),
        ignored=(_IMPORTS,),
    ),
    "bash": LexicalRules(
        "case do done elif else esac exit export fi for function if in local return select shift then until while",
        comments=(r"(?:^|(?<=[\s;(]))\#[^\n]*",),
        strings=(_DOUBLE, r"'[^']*(?:'|\Z)"),
        name=r"[^\W\d]\w*",
    ),
    "lua": LexicalRules(
        "and break do else elseif end false for function goto if in local nil not or repeat return then true "
        "until while",
        comments=(r"--\[\[.*?(?:\]\]|\Z)", r"--\[=\[.*?(?:\]=\]|\Z)", r"--[^\n]*"),
        strings=(r"\[\[.*?(?:\]\]|\Z)", _DOUBLE, _SINGLE),
    ),
    "dart": LexicalRules(
        _JVM
        + " as async await const covariant deferred dynamic export extension external factory function get hide in "
        "is late library mixin of on operator part required rethrow sealed set show sync typedef var when with yield",
        strings=(_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE),
        ignored=(_ANNOTATIONS, _IMPORTS),
    ),
    "elixir": LexicalRules(
        "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else "
        "end false fn "
        "for if import in nil not or quote raise receive require rescue super true try unless unquote use when with",
        comments=(_HASH,),
        strings=(_TRIPLE_DOUBLE, _DOUBLE, _SINGLE),
        ignored=(_IMPORTS, r"@(?:doc|moduledoc)\s+(?:\"\"\".*?(?:\"\"\"|\Z)|false)"),
    ),
    "haskell": LexicalRules(
        "case class data default deriving do else forall foreign if import in infix infixl infixr instance let module "
        "newtype of then type where",
        comments=(r"\{-.*?(?:-\}|\Z)", r"--+(?![!#$%&*+./<=>?@\\^|~:-])[^\n]*"),
        strings=(_DOUBLE, r"(?<!\w)'(?:[^'\\\n]|\\[^'\n]{1,6})'"),
        ignored=(r"^import[ \t]+[^\n]*$",),
        name=r"[^\W\d][\w']*",
    ),
    "zig": LexicalRules(
        "addrspace align allowzero and anyframe anytype asm break callconv catch comptime const continue defer else "
        "enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend null opaque or "
        "orelse packed pub resume return struct suspend switch test threadlocal try undefined union unreachable "
        "usingnamespace var volatile while",
        comments=(_LINE,),
        strings=(r"\\\\[^\n]*", _DOUBLE, _CHARACTER),
        ignored=(r"^[ \t]*(?:pub[ \t]+)?const[ \t]+\w+[ \t]*=[ \t]*@import\([^\n]*$",),
        name=r'[^\W\d]\w*|@"(?:[^"\\\n]|\\.)*"',
    ),
}
"""Language (a name as in the graph) → its row."""

PLAIN: Final = LexicalRules(f"{_C} {_JVM}", strings=(_DOUBLE, _SINGLE))
"""For a language without a row."""


@dataclass(frozen=True, slots=True)
class Lexer:
    """What `rules` come to: one pattern that finds every token, and what is needed to tell which kind each one is."""

    tokens: re.Pattern[str]
    comment: re.Pattern[str]
    string: re.Pattern[str]
    ignored: re.Pattern[str] | None
    keywords: frozenset[str]
    docstrings: bool


@cache
def lexer_of(language: str) -> Lexer:
    """The lexer of a language; PLAIN's where it has no row."""
    rules = RULES.get(language, PLAIN)
    flags = re.DOTALL | re.MULTILINE
    # No groups anywhere: `findall` then gives the tokens themselves, three times as fast as matches.
    parts = (
        "\n",
        _PLAIN_SIGN,
        *rules.ignored,
        *rules.comments,
        _PLAIN_NAME,
        *rules.strings,
        _NUMBER,
        rules.name,
        _SIGN,
    )
    return Lexer(
        re.compile("|".join(parts), flags),
        re.compile("|".join(rules.comments), flags),
        re.compile("|".join(rules.strings), flags),
        re.compile("|".join(rules.ignored), flags) if rules.ignored else None,
        frozenset(rules.keywords.split()),
        rules.docstrings,
    )
