"""Julia: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, HASH, IMPORTS, TRIPLE_DOUBLE, Tokens

TESTS: Final = Tests(files=("runtests",), callers=frozenset({"safetestset", "testitem", "testset"}))
LANGUAGES: Final = (
    Language(
        "julia",
        "julia",
        (".jl",),
        scip="Julia",
        shebangs=("julia",),
        lexer="julia",
        tokens=Tokens(
            "abstract baremodule begin break catch const continue do else elseif end export false finally for function "
            "global if import in isa let local macro module mutable new primitive quote return struct true try type "
            "using where while",
            comments=(r"\#=.*?(?:=\#|\Z)", HASH),
            strings=(TRIPLE_DOUBLE, DOUBLE),
            ignored=(IMPORTS, r"^[ \t]*export[ \t]++[^\n]*$"),
            docstrings=True,
            name=r"@?[^\W\d][\w!]*",
        ),
        tests=TESTS,
        loads_files_in_turn=True,
        layout="julia",
        signatures=Signatures(counts_arguments=True, overloads=True),
        constants=Constants(declared=True),
        packaging=(Packaging("Project.toml", "julia-package", 22, manager="julia"),),
        packaging_settings=("JuliaProject.toml",),
        unused=Unused(
            called_by_name=frozenset(
                "__init__ convert eltype firstindex getindex getproperty hash isequal iterate lastindex length "
                "promote_rule propertynames setindex! setproperty! show size".split()
            )
        ),
    ),
)
