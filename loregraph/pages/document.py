"""A single page that is complete in itself: a report to attach to a build, opened from a file, printed or mailed.

It has the look of the pages of `view` and none of their surroundings. Style and scripts stand in it, allowed by their
hashes in a content security policy (https://www.w3.org/TR/CSP3/#csp-header, as a `meta` element) that forbids
everything else: nothing is loaded and nothing is sent.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from markupsafe import Markup

from loregraph.pages import assets
from loregraph.pages.rendering import render

_START: Final = re.compile(r"^export function (start\w*)\(", re.MULTILINE)


class Unlinked:
    """`Links` without a page behind any of them: each gives "", so that templates show names without a link."""

    def __getattr__(self, name: str) -> Callable[..., str]:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: ""


def document(
    title: str,
    template: str,
    values: Mapping[str, object],
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
) -> str:
    """The page as one text. `template` renders what stands in its body, with `links` that lead nowhere unless `values`
    has others.

    `styles` and `scripts` name files of `static/`: the styles follow the base one, the scripts what they import. Of
    each script its `start…` function is called with the body.
    """
    style = "\n".join(assets.text(name) for name in (assets.BASE, *styles))
    script = _script(scripts)
    body = render(template, {"links": Unlinked(), **values})
    return render(
        "document.html",
        {
            "title": title,
            "policy": _policy(style, script),
            # Ours, and hashed as they are: escaping would change them.
            "style": Markup(style),
            "script": Markup(script),
            "body": Markup(body),
        },
    )


def _script(names: Sequence[str]) -> str:
    starts = [f"{start}(document.body);\n" for name in names for start in _START.findall(assets.text(name))]
    return assets.joined(names, "".join(starts)) if names else ""


def _policy(style: str, script: str) -> str:
    scripts = f"script-src {_hash(script)}; " if script else ""
    return f"default-src 'none'; style-src {_hash(style)}; {scripts}img-src data:; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
