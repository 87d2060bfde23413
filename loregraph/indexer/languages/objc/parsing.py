"""What Objective-C's grammar stumbles over: macros that say something to the compiler, and enumerations made by macros.

They are blanked out, or replaced by as many characters of plain C, so that all offsets stay true.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.c import rescue

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_ANNOTATION: Final = re.compile(
    rb"\b(?:[A-Z]{2,12}_)*(?:AVAILABLE|UNAVAILABLE|DEPRECATED|DEPRECATED_WITH_REPLACEMENT|AVAILABLE_IOS|NONNULL_BEGIN"
    rb"|NONNULL_END|DESIGNATED_INITIALIZER|REQUIRES_SUPER|REFINED_FOR_SWIFT|SWIFT_NAME|SWIFT_NOTHROW|SWIFT_UNAVAILABLE"
    rb"|SWIFT_SENDABLE|SWIFT_NONISOLATED|SWIFT_NONSENDABLE|SWIFT_UI_ACTOR|RETURNS_RETAINED|RETURNS_NOT_RETAINED|RETURNS_INNER_POINTER|FORMAT_FUNCTION"
    rb"|FORMAT_ARGUMENT|NOESCAPE|REQUIRES_NIL_TERMINATION|EXPERIMENTAL|BOXABLE|NS_CONSUMED|APPEARANCE_SELECTOR|"
    rb"TO_BE_DEPRECATED|NO_TAIL_CALL|WARN_UNUSED_RESULT|EXTERN_C_BEGIN|EXTERN_C_END|CF_CONSUMED)\b"
    rb"(?:\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*+\))*+\)){0,400}+\))?+"
)
_ATTRIBUTE: Final = re.compile(rb"__attribute__[ \t]*+\(\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*+\))*+\)){0,400}+\)\)")
_QUALIFIER: Final = re.compile(
    rb"\b(?:_Nullable|_Nonnull|_Null_unspecified|_Nullable_result|__nullable|__nonnull|__kindof|__autoreleasing"
    rb"|__unsafe_unretained|cg_nullable|__covariant|__contravariant|IBOutlet|IBInspectable|IB_DESIGNABLE|OBJC_EXPORT)\b"
)
_EXTERN: Final = re.compile(rb"^[ \t]*(?:[A-Z]{2,12}_)+(?:EXPORT|EXTERN)\b(?=[^\n]*[;)])", re.MULTILINE)
_ENUM: Final = re.compile(
    rb"\b(?:typedef[ \t]++)?+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)\([ \t]*+\w++[ \t]*+,[ \t]*+(\w++)[ \t]*+\)"
)


def parsed(x: Extraction) -> Node | None:
    """The tree of a file without such macros."""
    source = x.source
    x.source = _plain(source)
    try:
        return rescue.parsed(x)
    finally:
        x.source = source


def _plain(source: bytes) -> bytes:
    """`source` with as many bytes, and no macros that the grammar cannot read."""
    for pattern in (_ANNOTATION, _ATTRIBUTE, _QUALIFIER):
        source = pattern.sub(_blank, source)
    source = _EXTERN.sub(lambda match: b"extern".ljust(len(match[0])), source)
    return _ENUM.sub(_as_enum, source)


def _as_enum(match: re.Match[bytes]) -> bytes:
    before = match.start(1) - match.start()  # its name stays where it is
    return (b"enum".ljust(before) + match[1]).ljust(len(match[0]))


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])
