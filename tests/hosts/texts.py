"""Configurations as people write them: comments, trailing commas, line ends, marks and indents of all kinds."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=6)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-9, 9999), NAMES)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


@st.composite
def jsonc(draw: st.DrawFn, value: Any) -> str:
    """`value` as JSON with comments, in one of the many forms it can have."""
    eol = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    comments = draw(st.booleans())
    trailing = draw(st.booleans())
    unit = draw(st.sampled_from(["  ", "    ", "\t", ""]))
    lines = draw(st.booleans())

    def gap() -> str:
        kinds = ["", "", " "]
        if comments:
            kinds += ["/* a, b } */", f'// it\'s "x": {{{eol}']
        return draw(st.sampled_from(kinds))

    def write(one: Any, indent: str) -> str:
        if not isinstance(one, dict | list):
            return json.dumps(one, ensure_ascii=draw(st.booleans()))
        deeper = indent + unit
        start = eol + deeper if lines else gap()
        rows = (
            [f"{json.dumps(k, ensure_ascii=False)}{gap()}:{gap()}{write(v, deeper)}{gap()}" for k, v in one.items()]
            if isinstance(one, dict)
            else [write(v, deeper) + gap() for v in one]
        )
        inner = (",".join(start + row for row in rows)) + ("," if rows and trailing else "")
        ends = "{}" if isinstance(one, dict) else "[]"
        return ends[0] + gap() + inner + (eol + indent if lines and draw(st.booleans()) else gap()) + ends[1]

    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + gap() + write(value, "") + gap() + draw(st.sampled_from(["", eol, eol + eol]))


@st.composite
def toml(draw: st.DrawFn) -> str:
    """A TOML file of some tables, with comments between them."""
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    noise = st.sampled_from(["", "# a [mcp_servers.loregraph] of old", "   ", "\t# it's"])
    rows = [draw(noise), 'model = "o3"  # the best', "notes = '''", "[none]", "'''", draw(noise)]
    names = ["tui", "mcp_servers.other", "mcp_servers.other.env", "profiles.'a b'", "mcp_servers.zed"]
    for name in draw(st.lists(st.sampled_from(names), unique=True)):
        rows += [
            f"[{name}]",
            draw(noise),
            f"key = {json.dumps(draw(NAMES), ensure_ascii=False)}",
            "list = [",
            " 1,",
            "]",
        ]
        rows += [draw(noise)] * draw(st.integers(0, 2))
    text = eol.join(rows) if draw(st.booleans()) else ""
    mark = draw(st.sampled_from(["", "\ufeff"]))
    return mark + text.replace("\x7f", "") + draw(st.sampled_from(["", eol, eol * 3]))


@st.composite
def yaml(draw: st.DrawFn) -> str:
    """A YAML file like goose's, with or without extensions."""
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    noise = st.sampled_from(["", "# a comment: of mine", "  # indented"])
    rows = [draw(noise), "GOOSE_MODEL: gpt-4  # which", draw(noise)]
    if draw(st.booleans()):
        rows += ["extensions:", draw(noise)]
        indent = draw(st.sampled_from(["  ", "    "]))
        for name in draw(st.lists(st.sampled_from(["developer", "memory", "'x y'"]), unique=True, min_size=1)):
            rows += [f"{indent}{name}:", f"{indent}  enabled: true", f'{indent}  args: ["-y", "é"]', draw(noise)]
    if draw(st.booleans()):
        rows += ["text: |", "  extensions:", "    loregraph: no", draw(noise), "last: 1"]
    text = eol.join(rows) if draw(st.booleans()) else ""
    return text + draw(st.sampled_from(["", eol, eol + eol]))


@st.composite
def markdown(draw: st.DrawFn) -> str:
    eol = draw(st.sampled_from(["\n", "\r\n"]))
    rows = draw(
        st.lists(st.sampled_from(["# Rules", "", "- a", "text of `mine`", "<!-- a comment -->", "   "]), max_size=5)
    )
    return draw(st.sampled_from(["", "\ufeff"])) + eol.join(rows) + draw(st.sampled_from(["", eol, eol * 2]))
