"""Negation: whether a text denies what it says about an id: "does not implement REQ-1", "REQ-1 does not apply here".

After NegEx (Chapman et al., "A simple algorithm for identifying negated findings and diseases in discharge summaries",
J. Biomed. Inform. 34, 2001): a cue before or after has a scope of a few words, up to a terminating word or sign, and
some phrases look like a cue but are not ("not only"). Plans, and statements about the past, are cues after ConText
(Harkema et al., J. Biomed. Inform. 42, 2009). The word lists are our own: comments are not discharge summaries.
"""

from __future__ import annotations

import re
from typing import Final

WINDOW: Final = 6
"""Words in the scope of a cue before an id, as in NegEx's second version."""
BEHIND: Final = 4
"""Words after an id that are searched for a cue."""
_BEFORE: Final = 160
"""Characters examined on either side."""

_QUOTE = str.maketrans({"\N{RIGHT SINGLE QUOTATION MARK}": "'"})
_WORD = re.compile(r"[^\W_](?:[\w'-]*[^\W_])?|[.;:,!?()\[\]{}\N{EN DASH}\N{EM DASH}]|--+")
_ENDS: Final = frozenset(
    ". ; : , ! ? ( ) [ ] { } \N{EN DASH} \N{EM DASH} but however although though yet still because since while whereas "
    "which that so therefore hence thus then when".split()
)
"""Terminates the scope of a cue."""
_NOT_A_CUE: Final = frozenset({"only", "just", "merely", "simply", "necessarily"})
"""After "not": an addition, not a negation."""
_CUES: Final = frozenset(
    "not never no none neither nor without unlike except excluding excludes cannot unrelated irrelevant contradicts "
    "contradicting violates violating ignores ignoring lacks lacking waives opposed exempt exempted".split()
)
_PHRASES: Final = frozenset(
    {("instead", "of"), ("rather", "than"), ("other", "than"), ("independent", "of"), ("regardless", "of")}
    | {
        ("fails", "to"),
        ("failed", "to"),
        ("used", "to"),
        ("deviates", "from"),
        ("deviation", "from"),
        ("apart", "from"),
    }
    | {("aside", "from"), ("yet", "to"), ("far", "from"), ("formerly",), ("previously",), ("formerly",), ("obsoletes",)}
)
"""Cues of several words, and statements about the past."""
_NOT_YET: Final = frozenset(
    "will would should could might must shall may todo once until if unless eventually later someday planned plan "
    "plans need needs wants want ought supposed going try tries trying intended whether".split()
)
"""What follows these may be planned rather than present."""
_SAYS: Final = frozenset("says states requires demands wants asks forbids defines specifies about on".split())
"""After an id: the text of the requirement follows, which does not concern the link."""

_ANSWER = (
    r"(?:appl(?:y|ies|icable)|relevan(?:t|ce)|(?:fully|really|yet)|implement\w*|satisf\w*|met|fulfill?\w*|cover\w*"
    r"|verif\w*|test\w*|validat\w*|support\w*|handled|done|here|holds?|true|concern\w*|belong\w*|addressed|enforced"
    r"|anymore|needed|in\s++force)"
)
_DENIED_LATER = re.compile(
    r"[\s)\]`'\"*]*+(?:[(\[,\N{EN DASH}\N{EM DASH}-]++\s*+)?(?:(?:is|are|was|were|does|do|did|has|have|been|be|can"
    r"|will|would|should|shall|still|currently|really|here|this|it)\s++){0,3}"
    rf"(?:(?:not|never|cannot|no\s++longer|(?:is|are|was|were|does|do|did|has|have|ca|wo|would|should)n't)\s++"
    rf"(?:\w++\s++){{0,2}}?{_ANSWER}\b|n/?a\b|elsewhere\b|no\s++longer\b)",
    re.IGNORECASE,
)
"""After a declaration, whose ids are often followed by their text: only explicit denials of the link."""
_STATE = (
    r"(?:obsolete|deprecated|withdrawn|superseded|rejected|removed|gone|dropped|missing|unimplemented|untested|tbd)"
)
_LAPSED = re.compile(
    rf"[\s)\]`'\"*]*+(?:[(\[,\N{{EN DASH}}\N{{EM DASH}}-]++\s*+(?:now\s++)?{_STATE}\b\s*+(?:[)\].,;!]|$)"
    rf"|(?:(?:is|are|was|were|has|have|been|now)\s++){{1,3}}{_STATE}\b|{_STATE}\s*+[.)\]]?\s*+$)",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"\b(?:TODO|FIXME|XXX|HACK|TBD|WONTFIX|NOT[ -]IMPLEMENTED|NOT YET|OBSOLETE|DEPRECATED|REMOVED)\b"
    r"|^\W*+(?:todo|fixme|obsolete|deprecated|removed|formerly|not (?:yet )?implemented|not yet|planned|future"
    r"|n/a)\s*+:",
    re.MULTILINE,
)
_UNDONE_LOWER = re.compile(
    r"^\W*+(?:Todo|Fixme|Obsolete|Deprecated|Removed|Formerly|Planned|Not implemented|Not yet)\s*+:"
)
_EXAMPLE = re.compile(
    r"(?:\be\.\s?g\.|\bfor (?:example|instance)|\bsuch as|\blike|\bi\.\s?e\.|\bexample)[\s,:`'\"(]*+"
    r"(?:an?\s++)?[\s,:#/@`'\"(]*+$",
    re.IGNORECASE,
)


def is_undone(line: str) -> bool:
    """Whether a line is about a plan or the past."""
    return _UNDONE.search(line) is not None or _UNDONE_LOWER.search(line) is not None


# Implements REQ-TRC-008.
def is_denied_before(text: str, *, finite: bool = False) -> bool:
    """Whether `text`, which ends where an id or a verb begins, negates it.

    `finite`: what follows is a finite verb ("implements"), which a negation before "and" does not affect.
    """
    words = _scope(text, finite)
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if (word in _CUES or word.endswith("n't")) and following not in _NOT_A_CUE:
            return True
        if (word, following) in _PHRASES or (word,) in _PHRASES:
            return True
    return False


def is_hypothetical(text: str) -> bool:
    """Whether `text`, which ends where a verb begins, makes the verb a wish or a plan."""
    return not _NOT_YET.isdisjoint(_scope(text, False))


def is_example(text: str) -> bool:
    """Whether `text` announces that what follows is an example."""
    return _EXAMPLE.search(text[-_BEFORE:]) is not None


def is_denied_behind(text: str, *, declared: bool) -> bool:
    """Whether `text`, which begins after ids, negates the reference to them.

    The text after a declaration's ids is often their title, so only cues that concern the link count there.
    """
    text = text[:_BEFORE].translate(_QUOTE)
    if _DENIED_LATER.match(text) is not None or _LAPSED.match(text) is not None:
        return True
    if declared:
        return False
    words = [word.lower() for word in _WORD.findall(text)][: BEHIND + 1]
    for at, word in enumerate(words[:BEHIND]):
        if word in _ENDS or word in _SAYS:
            return False
        following = words[at + 1] if at + 1 < len(words) else ""
        if (word in ("not", "never", "cannot") or word.endswith("n't")) and following not in _NOT_A_CUE:
            return True
    return False


def _scope(text: str, finite: bool) -> list[str]:
    """The last words of `text` within the current scope."""
    words = [word.lower() for word in _WORD.findall(text[-_BEFORE:].translate(_QUOTE))][-WINDOW:]
    for at in range(len(words) - 1, -1, -1):
        if words[at] in _ENDS or words[at].startswith("--") or (finite and words[at] == "and"):
            # "not yet" and "still not" are what they look like.
            if words[at] == "yet" and at and (words[at - 1] == "not" or words[at - 1].endswith("n't")):
                continue
            return words[at + 1 :]
    return words
