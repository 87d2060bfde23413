"""R: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import BACKTICK, DOUBLE, HASH, SINGLE, Tokens

TESTS: Final = Tests(files=("test-*", "test_*"), callers=frozenset({"describe", "it", "test_that"}))
LANGUAGES: Final = (
    Language(
        "r",
        "r",
        (".r",),
        scip="R",
        filenames=(".Rprofile", "Rprofile.site"),
        shebangs=("Rscript", "r", "littler"),
        tokens=Tokens(
            "FALSE Inf NA NULL NaN TRUE break else for function if in next repeat return while",
            comments=(HASH,),
            strings=(DOUBLE, SINGLE, BACKTICK),
            ignored=(r"^[ \t]*(?:library|require)\([^()\n]*\)[ \t]*$",),
            name=r"(?:[^\W\d]|\.)[\w.]*",
        ),
        tests=TESTS,
        loads_files_in_turn=True,
        layout="r",
        documentation=Documentation(marks=("#'",)),
        signatures=Signatures(names_arguments=True),
        packaging=(Packaging("DESCRIPTION", "r-package", 21, manager="cran"),),
        unused=Unused(
            called_by_name=frozenset(
                ".onAttach .onDetach .onLoad .onUnload .First.lib .Last.lib clone deep_clone finalize initialize print "
                "show summary format".split()
            )
        ),
    ),
)
