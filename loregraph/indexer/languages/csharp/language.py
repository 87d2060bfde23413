"""C#: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, IMPORTS, JVM, TEXT_BLOCK, Tokens

LANGUAGES: Final = (
    Language(
        "csharp",
        "csharp",
        (".cs", ".csx"),
        tokens=Tokens(
            JVM
            + " as async await base bool checked const decimal delegate event explicit extern fixed foreach get goto "
            "implicit in internal is lock namespace nameof object operator out override params "
            "readonly record ref sealed "
            "set sizeof stackalloc string struct typeof uint ulong unchecked unsafe using value var virtual when where",
            strings=(TEXT_BLOCK, r'[$@]{1,2}"(?:[^"]|"")*(?:"|\Z)', DOUBLE, CHARACTER),
            ignored=(IMPORTS,),
        ),
        names_arguments=True,
        counts_arguments=True,
        overloads=True,
        override_in_head=True,
        preprocessed=True,
        constants_in_types=True,
        packaging=(
            Packaging(".csproj", "dotnet-project", 11),
            Packaging(".fsproj", "dotnet-project", 12),
        ),
        called_by_name=frozenset(
            "GetEnumerator GetAsyncEnumerator MoveNext MoveNextAsync Deconstruct GetAwaiter GetResult "
            "Dispose DisposeAsync"
            " Add Slice GetPinnableReference".split()
        ),
    ),
)
