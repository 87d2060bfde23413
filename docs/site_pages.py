"""Adds the pages at the repository's root to the documentation's site, and adapts links to them.

A hook of mkdocs (mkdocs.yml): the README is the site's first page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
AT_ROOT = {
    "README.md": "index.md",
    **{name: name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md")},
    "SECURITY.md": "reporting.md",  # another name than security.md's: some file systems ignore case
    "LICENSE": "LICENSE.txt",
}
"""File at the root → its name in the site."""


def on_files(files: Files, config: Any) -> Files:
    """Adds the files."""
    for name, page in AT_ROOT.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Points links to the pages' places in the site."""
    for name, page in AT_ROOT.items():
        markdown = markdown.replace(f"]({name})", f"]({page})").replace(f"](../{name})", f"]({page})")
    return markdown.replace("](docs/", "](")
