"""Every language loregraph knows, and how a file's name tells its language.

One frozen table. `supported` says that loregraph extracts the language (there is a folder for it beside this file); a
known language without that is counted as unsupported; a document is read for requirements and designs. Nothing here
needs a grammar, so that discovery stays cheap.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """One row. `extensions` are lower case with their dot, `filenames` exact, `shebangs` names of interpreters.

    `grammar` is the name in the tree-sitter language pack, "" where none is used. `heads` are regular expressions; one
    that matches in the first `HEAD_BYTES` of a file claims it where its extension is shared (`contested`) or missing.
    """

    name: str
    grammar: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    supported: bool = False
    document: bool = False


HEAD_BYTES: Final = 32_768
"""How much of a file is looked at to tell its language: long licence headers come first in many headers."""

CONTESTED: Final[dict[str, tuple[str, ...]]] = {".h": ("cpp", "c")}
"""Extension → the languages that share it, the one to look for by its `heads` first, the plain one last."""

# What C++ says and C cannot, at the start of a line: prose in comments rarely begins a line like code does.
_CPP_HEADS: Final = (
    r"^[ \t]*(?:inline[ \t]+)?namespace\b[^;{]{0,200}\{",
    r"^[ \t]*template[ \t]*<",
    r"^[ \t]*(?:public|private|protected)[ \t]*:",
    r"^[ \t]*class[ \t]+[A-Za-z_][\w \t:<>,()]*(?:[{;]|$)",
    r"^[ \t]*using[ \t]+[\w:]+(?:[ \t]*=|;)",
    r"^[ \t]*enum[ \t]+class\b",
    r"^[ \t]*(?:static|inline)?[ \t]*constexpr\b",
    r"^[ \t]*#[ \t]*include[ \t]*<(?:algorithm|array|atomic|chrono|deque|exception|functional|iostream|iosfwd|limits"
    r"|list|map|memory|mutex|new|optional|ostream|queue|set|sstream|stdexcept|string|string_view|thread|tuple|type_traits"
    r"|unordered_map|unordered_set|utility|variant|vector|cst[a-z]+|cassert|cmath|ctime)>",
    r"^[^/*\n]*\bstd::\w",
    r"^[ \t]*virtual[ \t]+[~\w]",
    r"^[^/*\n]*\boperator[ \t]*(?:[=+\-*/<>!]|\(\)|\[\])",
    r"^[^/*\n]*\b(?:static|dynamic|reinterpret|const)_cast<",
)

LANGUAGES: Final[tuple[Language, ...]] = (
    Language(
        "python",
        "python",
        (".py", ".pyi", ".pyw"),
        filenames=("SConstruct", "SConscript"),
        shebangs=("python", "python2", "python3", "pypy", "pypy3"),
        supported=True,
    ),
    Language(
        "javascript",
        "javascript",
        (".js", ".jsx", ".mjs", ".cjs"),
        filenames=("Jakefile",),
        shebangs=("node", "nodejs", "bun"),
        supported=True,
    ),
    Language("typescript", "typescript", (".ts", ".mts", ".cts"), shebangs=("ts-node", "tsx", "deno"), supported=True),
    Language("tsx", "tsx", (".tsx",), supported=True),
    Language("java", "java", (".java",), supported=True),
    Language("go", "go", (".go",), supported=True),
    Language("rust", "rust", (".rs",), shebangs=("rust-script",), supported=True),
    Language("c", "c", (".c", ".h"), shebangs=("tcc",), supported=True),
    Language(
        "cpp",
        "cpp",
        (
            ".cpp",
            ".cc",
            ".cxx",
            ".c++",
            ".hpp",
            ".hh",
            ".hxx",
            ".h++",
            ".ipp",
            ".tpp",
            ".txx",
            ".inl",
            ".ixx",
            ".cppm",
            ".cu",
            ".cuh",
        ),
        heads=_CPP_HEADS,
        supported=True,
    ),
    Language("csharp", "csharp", (".cs", ".csx"), supported=True),
    Language("kotlin", "kotlin", (".kt", ".kts"), shebangs=("kotlin",), supported=True),
    Language("swift", "swift", (".swift",), shebangs=("swift",), supported=True),
    Language("scala", "scala", (".scala", ".sc", ".sbt"), shebangs=("scala",), supported=True),
    Language("php", "php", (".php", ".phtml", ".php5"), shebangs=("php",), supported=True),
    Language(
        "ruby",
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        filenames=("Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"),
        shebangs=("ruby", "jruby"),
        supported=True,
    ),
    Language(
        "bash",
        "bash",
        (".sh", ".bash", ".bats", ".ksh"),
        filenames=(".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
        shebangs=("sh", "bash", "dash", "ksh", "zsh", "bats"),
        supported=True,
    ),
    Language("lua", "lua", (".lua",), shebangs=("lua", "luajit", "texlua", "resty"), supported=True),
    Language("dart", "dart", (".dart",), shebangs=("dart",), supported=True),
    Language("elixir", "elixir", (".ex", ".exs"), shebangs=("elixir",), supported=True),
    Language("haskell", "haskell", (".hs", ".hsc"), shebangs=("runhaskell", "runghc"), supported=True),
    Language("zig", "zig", (".zig",), supported=True),
    Language("markdown", "markdown", (".md", ".markdown", ".mdown", ".mdx"), document=True),
    Language("rst", "rst", (".rst", ".rest"), document=True),
    Language("asciidoc", "", (".adoc", ".asciidoc"), document=True),
    Language("org", "org", (".org",), document=True),
    Language(
        "text",
        "",
        (".txt", ".text"),
        filenames=("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "CHANGELOG", "CHANGES", "NEWS"),
        document=True,
    ),
    Language("toml", "toml", (".toml",), filenames=("Cargo.lock", "poetry.lock", "uv.lock"), document=True),
    Language("json", "json", (".json", ".jsonc", ".json5"), document=True),
    Language("yaml", "yaml", (".yaml", ".yml"), document=True),
    Language("ini", "ini", (".ini", ".cfg"), document=True),
    Language("xml", "xml", (".xml", ".xsd", ".xsl"), document=True),
    Language("html", "html", (".html", ".htm", ".xhtml"), document=True),
    Language("css", "css", (".css", ".scss", ".sass", ".less"), document=True),
    Language("sql", "sql", (".sql",), document=True),
    Language("proto", "proto", (".proto",), document=True),
    Language("graphql", "graphql", (".graphql", ".gql"), document=True),
    Language("strictdoc", "", (".sdoc",), document=True),
    Language("reqif", "", (".reqif", ".reqifz"), document=True),
    # Most tables are data: one is a document only where the configuration names it as a source of requirements.
    Language("csv", "", (), document=True),
)
"""Sources first, in the order in which they are reported, then documents."""

BY_NAME: Final[dict[str, Language]] = {language.name: language for language in LANGUAGES}
SOURCES: Final = frozenset(language.name for language in LANGUAGES if not language.document)
DOCUMENTS: Final = frozenset(language.name for language in LANGUAGES if language.document)
SUPPORTED: Final = frozenset(language.name for language in LANGUAGES if language.supported)

BY_EXTENSION: Final[dict[str, str]] = {
    extension: language.name for language in LANGUAGES for extension in language.extensions
}
BY_FILENAME: Final[dict[str, str]] = {name: language.name for language in LANGUAGES for name in language.filenames}
_BY_SHEBANG: Final = {name: language.name for language in LANGUAGES for name in language.shebangs}

_SHEBANG = re.compile(rb"#![ \t]*(?P<program>[^ \t\r\n]++)(?P<rest>[^\r\n]*)")


# Implements REQ-IDX-006.
def by_path(path: str) -> str | None:
    """Name of the language that a path's file name or extension tells; None where it tells none.

    A contested extension (`.h`) gives the plain language; `by_head` can tell better.
    """
    name = path[path.rfind("/") + 1 :]
    found = BY_FILENAME.get(name)
    if found is not None:
        return found
    dot = name.rfind(".")
    if dot <= 0:
        return None
    return BY_EXTENSION.get(name[dot:]) or BY_EXTENSION.get(name[dot:].lower())


def by_head(path: str, head: bytes) -> str | None:
    """Name of the language that a file's first bytes tell: a `#!` line, or the `heads` of a contested extension.

    None where they tell none; the plain language of a contested extension is never told, only its absence.
    """
    if head.startswith(b"#!"):
        return _by_shebang(head)
    extension = path[path.rfind(".") :].lower() if "." in path else ""
    for name in CONTESTED.get(extension, ()):
        if any(pattern.search(head) for pattern in _heads(name)):
            return name
    return None


@cache
def _heads(name: str) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(pattern.encode(), re.MULTILINE) for pattern in BY_NAME[name].heads)


def _by_shebang(head: bytes) -> str | None:
    match = _SHEBANG.match(head)
    if match is None:
        return None
    words = [match["program"], *match["rest"].split()]
    names = [word.rsplit(b"/", 1)[-1].decode("ascii", "replace") for word in words]
    if names[0] == "env":
        # `env -S python3 -u`, `env FOO=1 python3`: the first word that is neither an option nor an assignment.
        names = [name for name in names[1:] if not name.startswith("-") and "=" not in name]
    if not names:
        return None
    return _BY_SHEBANG.get(names[0]) or _BY_SHEBANG.get(names[0].rstrip("0123456789."))
