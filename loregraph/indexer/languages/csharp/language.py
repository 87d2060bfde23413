"""C#: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, IMPORTS, JVM, TEXT_BLOCK, Tokens

TESTS: Final = Tests(
    files=(
        "*[A-Za-z0-9_]Test",
        "*[A-Za-z0-9_]Tests",
        "*[A-Za-z0-9_]TestCase",
        "*[A-Za-z0-9_]TestBase",
        "*[A-Za-z0-9_]Specs",
    ),
    marks=frozenset(
        "Fact Theory SkippableFact SkippableTheory ConditionalFact ConditionalTheory Test TestCase TestCaseSource "
        "TestMethod DataTestMethod".split()
    ),
)
LANGUAGES: Final = (
    Language(
        "csharp",
        "csharp",
        (".cs", ".csx"),
        scip="CSharp",
        tests=TESTS,
        runners="csharp",
        tokens=Tokens(
            JVM
            + " as async await base bool checked const decimal delegate event explicit extern fixed foreach get goto "
            "implicit in internal is lock namespace nameof object operator out override params "
            "readonly record ref sealed "
            "set sizeof stackalloc string struct typeof uint ulong unchecked unsafe using value var virtual when where",
            strings=(TEXT_BLOCK, r'[$@]{1,2}"(?:[^"]|"")*(?:"|\Z)', DOUBLE, CHARACTER),
            ignored=(IMPORTS,),
        ),
        unreadable=r"^[ \t]*+#[ \t]*+if",
        documentation=Documentation(conventions=("xml_docs",), marked_up=True),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(names_arguments=True, counts_arguments=True, overloads=True, override_in_head=True),
        constants=Constants(in_types=True),
        unused=Unused(
            called_by_name=frozenset(
                "GetEnumerator GetAsyncEnumerator MoveNext MoveNextAsync Deconstruct GetAwaiter GetResult "
                "Dispose DisposeAsync"
                " Add Slice GetPinnableReference".split()
            ),
            permitted=r"SuppressMessage.*(?:IDE005[12]|CA1811|CA1812|CA1823)|UsedImplicitly|#pragma\s++warning\s++disable",
            platform=r"\s*+namespace\s++System\b",
        ),
        layout="csharp",
        packaging=(
            Packaging(".csproj", "dotnet-project", 11, manager="nuget"),
            Packaging(".fsproj", "dotnet-project", 12, manager="nuget"),
        ),
        confidences={"declared-type": 0.64},  # it is often not known which overload is meant
    ),
)
