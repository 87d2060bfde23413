"""Protocol Buffers: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, SINGLE, Tokens

TESTS: Final = Tests(folders=("testdata",))
LANGUAGES: Final = (
    Language(
        "proto",
        "proto",
        (".proto",),
        layout="proto",
        global_names=True,
        declares_services=True,
        tests=TESTS,
        tokens=Tokens(
            "bool bytes double edition enum extend extensions false fixed32 fixed64 float group import int32 int64 map "
            "message oneof option optional package public repeated required reserved returns rpc service sfixed32 "
            "sfixed64 sint32 sint64 stream string syntax true uint32 uint64 weak",
            strings=(DOUBLE, SINGLE),
            ignored=(r"^[ \t]*(?:import|option|package|syntax)\b[^;\n]*;",),
        ),
    ),
)
