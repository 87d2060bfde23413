"""The kinds of embedders in the setting `embedder`: `kind` or `kind:name`. A row here and a module with its loader add
one."""

from __future__ import annotations

from typing import Final, NamedTuple


class EmbedderKind(NamedTuple):
    """One kind of embedder.

    `name` describes the part after the colon, "" for none. `loader` is "module:function" below `loregraph.graph`, a
    function (name, cache_dir) → Embedder; "" for no vectors. `network` describes the network traffic, for `doctor`; ""
    for none: a repository's own configuration may only name such a kind.
    """

    name: str
    loader: str
    network: str = ""


KINDS: Final[dict[str, EmbedderKind]] = {
    "static": EmbedderKind("", "vectors:load_packaged"),
    "none": EmbedderKind("", ""),
    "fastembed": EmbedderKind(
        "<model or folder>", "vectors:load_fastembed", "is fetched once if it is not in fastembed's cache"
    ),
    "voyage": EmbedderKind("<model>", "voyage:load", "is hosted: texts of the code and of memories are sent to it"),
}


def kind_of(spec: str) -> EmbedderKind | None:
    """The kind in a value of the setting; None for an unknown one."""
    kind, colon, name = spec.partition(":")
    found = KINDS.get(kind)
    if found is None:
        return None
    fits = bool(name) if found.name else not colon
    return found if fits else None


def choices() -> str:
    """The valid values, for messages: "static, none, fastembed:<model or folder> or voyage:<model>"."""
    forms = [f"{kind}:{row.name}" if row.name else kind for kind, row in KINDS.items()]
    return f"{', '.join(forms[:-1])} or {forms[-1]}"
