"""C++: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.c.language import CONDITIONAL, DEFINED, TESTS, UNUSED_PERMITTED
from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, CPP_RAW, DOUBLE, C, Tokens

# What C++ says and C cannot, at the start of a line: prose in comments rarely begins a line like code does.
_HEADS: Final = (
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

LANGUAGES: Final = (
    Language(
        "cpp",
        "cpp",
        tuple(".cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .txx .inl .ixx .cppm".split()),
        scip="CPP",
        heads=_HEADS,
        layout="c",
        tests=TESTS,
        tokens=Tokens(
            C + " and catch class concept consteval constexpr const_cast co_await co_return co_yield decltype delete "
            "dynamic_cast explicit export false final friend mutable namespace new noexcept not nullptr operator or "
            "override private protected public reinterpret_cast requires static_assert static_cast template this throw "
            "true try typeid typename using virtual",
            strings=(CPP_RAW, DOUBLE, CHARACTER),
        ),
        loads_files_in_turn=True,
        shared=(".h",),
        unreadable=CONDITIONAL,
        documentation=Documentation(conventions=("doxygen", "xml_docs")),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(
            counts_arguments=True, overloads=True, checked_by_position=True, override_in_head=True, macros=True
        ),
        constants=Constants(declared=True, in_lines=DEFINED),
        unused=Unused(
            called_by_name=frozenset(
                "begin end get_return_object initial_suspend final_suspend unhandled_exception return_void return_value"
                " yield_value await_ready await_suspend await_resume await_transform".split()
            ),
            permitted=UNUSED_PERMITTED,
            loose_enumerators=True,
        ),
        packaging=(Packaging("CMakeLists.txt", "cmake-project", 9, any_language=True, yields=True),),
    ),
)
