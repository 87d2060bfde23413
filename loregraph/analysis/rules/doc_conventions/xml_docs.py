"""XML documentation of C#: `<param name="x">`, beside `<typeparam>` and `<inheritdoc/>`.

https://learn.microsoft.com/dotnet/csharp/language-reference/xmldoc/recommended-tags. Doxygen and Visual C++ read it in
C++ too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example

_PARAM: Final = re.compile(r"<param\s++name\s*+=\s*+(?:\"([^\"\n<>]*+)\"|'([^'\n<>]*+)')")
_ENDS: Final = {"<code": "</code>", "<example": "</example>", "<c>": "</c>", "<!--": "-->", "<![CDATA[": "]]>"}
"""How what shows markup begins, and how it ends."""
_BEGINS: Final = re.compile("|".join(map(re.escape, _ENDS)))
_NAME: Final = re.compile(r"@?+([^\W\d]\w*+)")


def parameters(text: str) -> Iterator[str]:
    for match in _PARAM.finditer(_without_examples(text)):
        if name := _NAME.fullmatch((match[1] or match[2] or "").strip()):
            yield name[1]


def _without_examples(text: str) -> str:
    kept: list[str] = []
    at = 0
    while begin := _BEGINS.search(text, at):
        end = text.find(_ENDS[begin[0]], begin.end())
        kept.append(text[at : begin.start()])
        if end < 0:
            return "".join(kept)
        at = end + len(_ENDS[begin[0]])
    return "".join([*kept, text[at:]])


CONVENTION = Convention(
    name="XML documentation",
    openings=frozenset({"///", "/**"}),
    shows=lambda text: _PARAM.search(_without_examples(text)) is not None,
    parameters=parameters,
    good=(
        Example("<summary>It.</summary>\n<param name=\"x\">it</param>\n<param name='y' />", ("x", "y")),
        Example('<typeparam name="T">its type</typeparam>\n<param\n  name="@event">it</param>', ("event",)),
        Example('<inheritdoc/>\n<param name="more">only here</param>', ("more",)),
    ),
    bad=(
        Example('<inheritdoc cref="Other"/>'),
        Example('Takes <paramref name="x"/> and <typeparamref name="T"/>.'),
        Example('<example><code><param name="x"></code></example>\n<!-- <param name="y"> -->'),
        Example('<param>x</param>\n<param name="">y</param>\n<param name="a b">z</param>'),
    ),
)
