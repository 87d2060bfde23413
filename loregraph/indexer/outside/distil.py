"""Makes `stdlib.jsonl` from typeshed's stubs: `python -m loregraph.indexer.outside.distil FOLDER`.

FOLDER has the stubs of the standard library, like `typeshed_client/typeshed` of the package of that name. Typeshed is
under the Apache License 2.0, as this package is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.indexer.outside.modules import Source
from loregraph.indexer.outside.shapes import STANDARD_LIBRARY
from loregraph.indexer.outside.stubs import Stubs
from loregraph.indexer.outside.types import Table

LEFT_OUT: Final = frozenset(
    """tkinter turtle turtledemo idlelib lib2to3 distutils ensurepip pydoc_data msilib curses _curses _curses_panel
    _tkinter antigravity this __main__ winreg winsound _winapi _msi msvcrt nis ossaudiodev spwd""".split()
)
"""Large packages that maintained code hardly uses."""
_TYPING: Final = ("typing.", "typing_extensions.", "_typeshed.", "types.")


def lines(folder: Path) -> Iterator[str]:
    """The lines of the table, by the names of modules."""
    stubs = Stubs(lambda module: source(folder, module))
    for module in sorted(_modules(folder)):
        if module.partition(".")[0] in LEFT_OUT:
            continue
        table = kept(module, stubs.table(module) or {})
        if table:
            yield f"{module} {msgspec.json.encode(table, order='sorted').decode()}"


def source(folder: Path, module: str) -> Source | None:
    """The stub of a module in `folder`."""
    base = folder.joinpath(*module.split("."))
    for path, is_package in ((base / "__init__.pyi", True), (base.with_name(f"{base.name}.pyi"), False)):
        if path.is_file():
            return path.read_bytes(), is_package
    return None


def _modules(folder: Path) -> set[str]:
    names = (path.relative_to(folder).with_suffix("").parts for path in folder.rglob("*.pyi"))
    return {".".join(parts).removesuffix(".__init__") for parts in names}


def kept(module: str, table: Table) -> Table:
    """The part of a table worth storing: not what a stub imports for its own use, nor what gives no information."""
    typing = module.startswith(("typing", "_typeshed", "types"))
    return {
        name: symbol
        for name, symbol in table.items()
        if not isinstance(symbol, str) or typing or not (symbol.startswith(_TYPING) or "." not in symbol)
    }


def main(arguments: list[str]) -> None:
    """Writes the table beside this module."""
    table = "\n".join(lines(Path(arguments[0]))) + "\n"
    rooted.write(Path(__file__).resolve().parent, STANDARD_LIBRARY, table.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
