"""The one style sheet and the one script of all pages.

Both are joined from the files of `static/`: browsers load no modules from `file://`, where an export is opened, and one
script for both means that what is tested on the server is what an export has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

BASE: Final = "style.css"
ENTRY: Final = "app.js"
MEDIA_TYPES: Final = {"style.css": "text/css; charset=utf-8", "app.js": "text/javascript; charset=utf-8"}

_IMPORT: Final = re.compile(r"""^import\s*\{[^}]*\}\s*from\s*"\./([a-z_-]+)\.js";?[ \t]*$""", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?function|const|class|let)", re.MULTILINE)


@cache
def style() -> str:
    """All style sheets, the base first, the others by name."""
    names = sorted(one.name for one in files("loregraph.pages").joinpath("static").iterdir())
    others = [name for name in names if name.endswith(".css") and name != BASE]
    return "\n".join(map(text, [BASE, *others]))


@cache
def script() -> str:
    """All modules that `app.js` needs, as one script."""
    return joined([ENTRY])


def joined(entries: Iterable[str], last: str = "") -> str:
    """The modules `entries` and all that they need as one script with a scope of its own: each after those it imports,
    then the statements `last`."""
    order: list[str] = []

    def add(name: str, above: tuple[str, ...] = ()) -> None:
        if name in above:
            raise ImportError(f"modules import one another in a circle: {', '.join(above)}")
        if name in order:
            return
        for needed in _IMPORT.findall(text(name)):
            add(f"{needed}.js", (*above, name))
        order.append(name)

    for entry in entries:
        add(entry)
    modules = (f"// {name}\n{_EXPORT.sub('', _IMPORT.sub('', text(name))).strip()}\n" for name in order)
    return '(() => {\n"use strict";\n' + "\n".join([*modules, last]) + "})();\n"


def asset(name: str) -> bytes | None:
    """The content of `style.css` or `app.js`, None for any other name."""
    if name == BASE:
        return style().encode()
    return script().encode() if name == ENTRY else None


@cache
def version(name: str) -> str:
    """Changes with the content."""
    content = asset(name)
    assert content is not None, name
    return sha256(content).hexdigest()[:12]


def text(name: str) -> str:
    """A file of `static/`."""
    return files("loregraph.pages").joinpath("static", name).read_text(encoding="utf-8")
