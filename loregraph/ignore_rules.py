"""The rules of .gitignore: in its files, where git itself cannot be asked, and in a configuration. See gitignore(5).

Most real rules are a plain name (`build/`) or an extension (`*.pyc`), found by look-up; only the others are tried one
by one. A rule is only ever applied to the entry that it names. A walk goes from the top down and does not enter ignored
folders, as git does it; `matcher` decides about the path of a file.

pathspec differs from git: it does not know `[[:alpha:]]`, and a later `!/a` brings back what an earlier `/**/b` matches
within `a`. Without RE2 its expressions backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

MAX_RULES_BYTES: Final = 5_000_000
"""Maximum bytes of a file of rules."""
MAX_PATTERNS: Final = 1_000
"""Maximum rules per file other than names and extensions: each is tried for every entry."""
MAX_RULE: Final = 1_000
"""Maximum characters of such a rule."""

_SPECIAL: Final = re.compile(r"[*?\[\]\\]")
_TOKEN: Final = re.compile(
    r"(?P<any_depth>(?:^|(?<=/))\*\*/)|(?P<all_inside>(?<=/)\*\*$)|(?P<segment>(?:^|(?<=/))\*+(?=/|$))"
    r"|(?P<stars>\*+)|(?P<one>\?)|\\(?P<escaped>.)"
    r"|\[(?P<negated>[!^]?)(?P<set>\]?(?:\[:[^\]:]*:\]|\\.|[^\]\\])*+)\]|(?P<literal>[^\[\\])",
    re.DOTALL,
)
_IN_SET: Final = re.compile(r"\[:(?P<named>[^\]:]*):\]|\\?(?P<first>.)(?:-\\?(?P<last>.))?", re.DOTALL)
_POSIX_CLASSES: Final = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


@dataclass(slots=True)
class IgnoreRules:
    """The rules of one .gitignore. `base` is its folder's path with a trailing slash, "" for the root.

    A file above the root has an empty `base`, and in `prefix` the root's path relative to it, with a trailing slash.
    """

    base: str
    prefix: str = ""
    count: int = 0
    keep: list[bool] = field(default_factory=list)
    """By rule number: whether the rule re-includes (`!`) instead of ignoring."""
    names: dict[str, int] = field(default_factory=dict)
    folder_names: dict[str, int] = field(default_factory=dict)
    endings: dict[str, int] = field(default_factory=dict)
    patterns: list[tuple[int, re.Pattern[str]]] = field(default_factory=list)
    cut: int = 0
    """Number of rules that are not applied: see `MAX_PATTERNS` and `MAX_RULE`."""

    def decide(self, path: str, name: str, *, is_folder: bool) -> bool | None:
        """True: ignored; False: re-included; None: no rule matches. The last match decides."""
        best = self.names.get(name, -1)
        if is_folder:
            best = max(best, self.folder_names.get(name, -1))
        if self.endings:
            dot = name.find(".")
            while dot >= 0:
                best = max(best, self.endings.get(name[dot:], -1))
                dot = name.find(".", dot + 1)
        if self.patterns and self.patterns[-1][0] > best:
            relative = self.prefix + path[len(self.base) :] + ("/" if is_folder else "")
            for number, pattern in reversed(self.patterns):
                if number < best:
                    break
                if pattern.match(relative):
                    best = number
                    break
        return None if best < 0 else not self.keep[best]


def parse_rules(text: str, base: str, prefix: str = "") -> IgnoreRules | None:
    """The rules in a .gitignore's text; None where it has none. Invalid lines are ignored."""
    rules = IgnoreRules(base, prefix)
    for line in text.removeprefix("\ufeff").split("\n"):
        add_rule(rules, line)
    return rules if rules.count or rules.cut else None


def read_rules(path: Path, base: str, prefix: str = "") -> IgnoreRules | None:
    """The rules of a .gitignore file; None where there is no readable file."""
    try:
        if not path.is_file():  # a FIFO would block forever
            return None
        with path.open("rb") as file:
            data = file.read(MAX_RULES_BYTES + 1)
    except OSError:
        return None
    if len(data) > MAX_RULES_BYTES:
        return IgnoreRules(base, prefix, cut=1)
    return parse_rules(data.decode("utf-8", "replace"), base, prefix)


def matcher(rules: IgnoreRules) -> Callable[[str], bool]:
    """Whether `rules`, those of one list, match a file by its path, which is relative to where they are meant.

    The rule that decides is the last one for the file, else the last one for the nearest folder around it that any rule
    names. So `!` brings back what is in a folder that is matched (`vendor/`, `!vendor/ours/`). git reads the patterns
    of git-sparse-checkout(1) the same way; it never looks into a folder that a .gitignore names.
    """
    folders: dict[str, bool] = {}

    def matches(path: str) -> bool:
        decision = rules.decide(path, path.rpartition("/")[2], is_folder=False)
        undecided: list[str] = []
        folder = path
        while decision is None:
            folder, _, _ = folder.rpartition("/")
            if not folder:
                decision = False
            elif (decision := folders.get(folder)) is None:
                undecided.append(folder)
                decision = rules.decide(folder, folder.rpartition("/")[2], is_folder=True)
        folders.update(dict.fromkeys(undecided, decision))
        return decision

    return matches


def add_rule(rules: IgnoreRules, line: str) -> bool:
    """Adds one line to the rules before it. False where it is no pattern: nothing could ever match it."""
    text = line.removesuffix("\r")
    shorter = text.rstrip(" ")
    is_escaped = (len(shorter) - len(shorter.rstrip("\\"))) % 2
    text = shorter + " " if is_escaped and shorter != text else shorter
    if not text or text.startswith("#"):
        return True
    keep = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    plain = text.removesuffix("/")
    if not plain:
        return False
    number = rules.count
    if "/" not in plain and not _SPECIAL.search(plain):
        (rules.folder_names if folders_only else rules.names)[plain] = number
    elif plain.startswith("*.") and "/" not in text and not _SPECIAL.search(plain[1:]):
        rules.endings[plain[1:]] = number
    else:
        if len(plain) > MAX_RULE or len(rules.patterns) >= MAX_PATTERNS:
            rules.cut += 1
            return True
        pattern = _compiled(plain, folders_only=folders_only)
        if pattern is None:
            return False
        rules.patterns.append((number, pattern))
    rules.keep.append(keep)
    rules.count += 1
    return True


def _compiled(plain: str, *, folders_only: bool) -> re.Pattern[str] | None:
    """A pattern without `!` and trailing slash as a regular expression of paths, folders' with a trailing slash.

    None for one that git's wildmatch never matches: an open bracket, a trailing backslash.
    """
    parts = [] if "/" in plain else [("any_depth", "")]
    position = 1 if plain.startswith("/") else 0
    while position < len(plain):
        token = _TOKEN.match(plain, position)
        regex = _translated(token) if token is not None else None
        if token is None or regex is None:
            return None
        parts.append((token.lastgroup or "", regex))
        position = token.end()
    return re.compile(f"{_joined(parts)}{'/' if folders_only else '/?'}$", re.DOTALL)


# Implements REQ-SEC-009.
def _joined(parts: Sequence[tuple[str, str]]) -> str:
    """The regular expression for the tokens of a pattern; it never backtracks twice over the same text.

    Between two `**/`, and between two `*` of one name, the first match is sufficient, and the search continues after
    it. So only the last wildcard of each kind is ever retried.
    """
    chunks: list[list[tuple[str, str]]] = [[]]
    for kind, regex in parts:
        if kind == "any_depth":
            chunks.append([])
        else:
            chunks[-1].append((kind, regex))
    inner = [f"(?>(?:.*?/)??{_names(chunk)})" for chunk in chunks[1:-1] if chunk]
    last = f"(?:.*/)?{_names(chunks[-1])}" if len(chunks) > 1 else ""
    return f"{_names(chunks[0])}{''.join(inner)}{last}"


def _names(chunk: Sequence[tuple[str, str]]) -> str:
    """The names of a pattern from one `**/` to the next."""
    regex: list[str] = []
    pieces: list[str] = [""]
    for kind, text in (*chunk, ("end", "")):
        if kind == "end" or (kind == "literal" and text == "/"):
            # pieces[1:] each follow a star.
            regex.append(pieces[0])
            regex += [f"(?>[^/]*?{piece})" for piece in pieces[1:-1]]
            if len(pieces) > 1:
                regex.append(f"[^/]*{pieces[-1]}")
            regex.append(text)
            pieces = [""]
        elif kind == "stars":
            pieces.append("")
        else:
            pieces[-1] += text
    return "".join(regex)


def _translated(token: re.Match[str]) -> str | None:
    kind = token.lastgroup
    if kind == "any_depth":
        return "(?:.*/)?"
    if kind == "all_inside":
        return ".+"
    if kind == "segment":
        return "[^/]+"  # `a/*` matches what is in `a`, not `a/` itself
    if kind == "stars":
        return "[^/]*"
    if kind == "one":
        return "[^/]"
    if kind == "set":
        inner = _set(token["set"])
        return f"(?!/)[{'^' if token['negated'] else ''}{inner}]" if inner else None
    return re.escape(token["escaped"] or token["literal"])


def _set(text: str) -> str:
    """What stands between brackets, for `re`; "" where a class is not POSIX's or a range runs backwards."""
    parts: list[str] = []
    for item in _IN_SET.finditer(text):
        if item["named"] is not None:
            part = _POSIX_CLASSES.get(item["named"], "")
        elif item["last"] is None:
            part = re.escape(item["first"])
        else:
            part = f"{re.escape(item['first'])}-{re.escape(item['last'])}" if item["first"] <= item["last"] else ""
        if not part:
            return ""
        parts.append(part)
    return "".join(parts)
