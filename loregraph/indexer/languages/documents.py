"""Documents: what is read for requirements and designs, and not for code."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language

DOCUMENTS: Final = (
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
