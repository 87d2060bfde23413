"""Zig: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Signatures
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, LINE, Tokens

TESTS: Final = Tests(files=("test", "tests", "test_*", "*_test", "*_tests"))
LANGUAGES: Final = (
    Language(
        "zig",
        "zig",
        (".zig",),
        scip="Zig",
        layout="zig",
        tests=TESTS,
        tokens=Tokens(
            "addrspace align allowzero and anyframe anytype asm break callconv catch comptime const "
            "continue defer else "
            "enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend null opaque or "
            "orelse packed pub resume return struct suspend switch test threadlocal try undefined union unreachable "
            "usingnamespace var volatile while",
            comments=(LINE,),
            strings=(r"\\\\[^\n]*", DOUBLE, CHARACTER),
            ignored=(r"^[ \t]*(?:pub[ \t]+)?const[ \t]+\w+[ \t]*=[ \t]*@import\([^\n]*$",),
            name=r'[^\W\d]\w*|@"(?:[^"\\\n]|\\.)*"',
        ),
        signatures=Signatures(counts_arguments=True, checked_by_position=True),
        constants=Constants(declared=True),
        packaging=(Packaging("build.zig", "zig-package", 19),),
    ),
)
