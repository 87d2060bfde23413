"""The one style sheet and the one script of all pages.

Both are joined from the files of `static/`: browsers load no modules from `file://`, where an export is opened, and one
script for both means that what is tested on the server is what an export has.
"""

from __future__ import annotations

import re
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
    return "\n".join(map(_text, [BASE, *others]))


@cache
def script() -> str:
    """All modules that `app.js` needs, as one script: each after those it imports, in a function of its own scope."""
    order: list[str] = []

    def add(name: str, above: tuple[str, ...] = ()) -> None:
        if name in above:
            raise ImportError(f"modules import one another in a circle: {', '.join(above)}")
        if name in order:
            return
        for needed in _IMPORT.findall(_text(name)):
            add(f"{needed}.js", (*above, name))
        order.append(name)

    add(ENTRY)
    modules = (f"// {name}\n{_EXPORT.sub('', _IMPORT.sub('', _text(name))).strip()}\n" for name in order)
    return '(() => {\n"use strict";\n' + "\n".join(modules) + "})();\n"


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


def _text(name: str) -> str:
    return files("loregraph.pages").joinpath("static", name).read_text(encoding="utf-8")
