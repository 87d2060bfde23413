"""Documents: files that are read for requirements and designs, and not for code; and the formats that requirements are
written in. A row in each table here and a module of `indexer.requirements` add one."""

from __future__ import annotations

from typing import Final, NamedTuple

from loregraph.indexer.languages.language import Language

MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mdx")

DOCUMENTS: Final = (
    Language("markdown", "markdown", MARKDOWN, document=True),
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
    Language("graphql", "graphql", (".graphql", ".gql"), document=True),
    Language("strictdoc", "", (".sdoc",), document=True),
    Language("reqif", "", (".reqif", ".reqifz"), document=True),
    # Most tables are data: one is a document only where the configuration names it as a source of requirements.
    Language("csv", "", (), document=True),
)


class Format(NamedTuple):
    """A format of requirements.

    `extensions` are in lower case; `reader` is "module:function" below `indexer.requirements`; `hints` is a regular
    expression (bytes, MULTILINE) that finds what a file must hold to be worth reading where the configuration does not
    name it. None: such a file is not read.
    """

    name: str
    extensions: tuple[str, ...]
    reader: str
    hints: bytes | None = None


FORMATS: Final[tuple[Format, ...]] = (
    Format("doorstop", (".yml", ".yaml"), "doorstop:read_yaml", rb"\nnormative:|^settings:"),
    Format("doorstop", MARKDOWN, "doorstop:read_markdown", rb"\nnormative:"),
    Format("sphinx-needs", (*MARKDOWN, ".rst", ".rest", ".txt"), "needs:read", rb":id:[ \t]*\S"),
    Format("markdown", MARKDOWN, "markdown:read", rb"[A-Z0-9][-_]?[0-9]"),
    Format("strictdoc", (".sdoc",), "strictdoc:read", rb"^\[DOCUMENT\]"),
    Format("reqif", (".reqif",), "reqif:read", rb"<(?:\w+:)?REQ-IF\b"),
    Format("csv", (".csv", ".tsv"), "spreadsheet:read"),
    Format("text", (".txt", ".text", ".rst", ".rest", ".adoc", ".asciidoc", ".org", ""), "plain:read_lines"),
)
"""A file goes to each format that has its extension, until one finds something."""
