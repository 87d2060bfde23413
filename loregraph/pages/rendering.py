"""Templates to text. Everything printed is escaped, and characters that are invisible or turn text around are shown.

All text of a page comes from a repository that nobody has to trust: there is no filter in any template that leaves a
text of the project unescaped.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from loregraph.terminal import counted, visible_json, visible_lines

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_JSON_IN_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


# Implements REQ-SEC-008.
def shown(value: Any) -> Any:
    """A printed value: a text with control and bidirectional characters as escapes; others, and markup, as they are."""
    return visible_lines(value) if type(value) is str else value


def json_block(value: object) -> Markup:
    """JSON for a `<script type="application/json">`, in which nothing can end the element."""
    import msgspec
    from markupsafe import Markup

    document = msgspec.json.encode(value).decode("utf-8", "backslashreplace")
    return Markup(visible_json(document).translate(_JSON_IN_HTML))


def thousands(number: float) -> str:
    return f"{number:,}"


@cache
def environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("loregraph.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(json=json_block, thousands=thousands)
    made.globals.update(several=counted)
    return made


def render(template: str, values: Mapping[str, object]) -> str:
    """The template, one of `templates/`, with these values. Raises jinja2.UndefinedError for one that is missing."""
    return environment().get_template(template).render(values)
