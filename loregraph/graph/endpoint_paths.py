"""Paths of endpoints: how frameworks and clients write them, one normal form, and whether they meet.

The normal form begins with a slash, has no slash at its end, and `{}` for every parameter; `{*}` takes the rest of a
path. `/users/<int:id>/`, `/users/:id`, `/users/{id}`, `/users/${id}` are all `/users/{}`.
"""

from __future__ import annotations

import re
from typing import Final

MAX_PATH: Final = 2_000
"""Characters of a path that are compared."""
GAP: Final = "{}"
REST: Final = "{*}"
_REST: Final = re.compile(r"<path:[^<>]*>|\{\*[^{}]*\}|\{[^{}]*:path\}|\{[^{}]*\.\.\.\}|\(\.\*\)|\*[\w*]*")
_PARAMETER: Final = re.compile(
    r"<[^<>]*>|\{[^{}]*\}|(?<=[/.\-~@(]):\w+(?:\([^()]*\))?[?*+]?|\(\?P<\w+>(?:[^()]|\([^()]*\))*\)|\([^()]*\)"
)
_REST_AT_END: Final = (REST,)


# Implements REQ-NET-002.
def normalised(path: str) -> str:
    """The normal form of a handler's or client's path."""
    path = path.split("?", 1)[0] if "(?" not in path and "?}" not in path and ":" not in path else path
    path = path[:MAX_PATH].replace("${", "{")
    path = _REST.sub(lambda _: "\0", path)
    path = _PARAMETER.sub("\1", path)
    path = path.replace("\0", REST).replace("\1", GAP)
    parts = [part for part in path.strip().split("/") if part]
    parts = [GAP if part == REST and n + 1 < len(parts) else part for n, part in enumerate(parts)]
    parts = [part if part == REST or GAP not in part else _merged(part) for part in parts]
    return "/" + "/".join(parts)


def _merged(part: str) -> str:
    while GAP + GAP in part:
        part = part.replace(GAP + GAP, GAP)
    return part


# Implements REQ-NET-002.
def matches(client: str, handler: str) -> float:
    """How well the path that a client requests meets that of a handler, both in any notation; 0.0 where they do not.

    1.0: segment by segment the same, with a parameter of the handler for any segment. Less, where one of them begins
    with a part that the other does not say: 0.8 where the handler's whole path is the end of the client's (a gateway or
    proxy strips the beginning), 0.7 where the client's is the end of the handler's (the rest is in an address that is
    not known). Neither a trailing slash nor case matters. In the last two cases something literal has to agree.
    """
    wanted, own = segments(client), segments(handler)
    if agree(wanted, own):
        return 1.0
    if 0 < len(own) < len(wanted) and agree_literally(wanted[len(wanted) - len(own) :], own):
        return 0.8
    if 0 < len(wanted) < len(own) and agree_literally(wanted, own[len(own) - len(wanted) :]):
        return 0.7
    return 0.0


def segments(path: str) -> list[str]:
    """The segments of a path's normal form."""
    return normalised(path).split("/")[1:] if path.strip("/") else []


def agree(wanted: list[str], own: list[str]) -> bool:
    """Whether a request for the segments `wanted` reaches the handler of `own`."""
    if own and own[-1] == REST:
        own = own[:-1]
        if len(wanted) < len(own) or not own:
            return False
        wanted = wanted[: len(own)]
    return len(wanted) == len(own) and all(map(_fits, wanted, own))


def _fits(wanted: str, own: str) -> bool:
    if own == GAP or wanted == own or wanted.lower() == own.lower():
        return True
    if GAP not in own or wanted == GAP:
        return False
    before, _, after = own.partition(GAP)
    return wanted.startswith(before) and wanted.endswith(after) and len(wanted) > len(before) + len(after)


def agree_literally(wanted: list[str], own: list[str]) -> bool:
    """Whether segments agree, and one of them in what is written on both sides: parameters alone say nothing."""
    return agree(wanted, own) and any(
        a.lower() == b.lower() and GAP not in b for a, b in zip(wanted, own, strict=False)
    )
