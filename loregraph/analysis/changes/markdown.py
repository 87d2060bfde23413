"""A change view as Markdown for a comment on a pull request: what needs attention first, the rest folded.

Uses lists rather than tables, and code spans around everything that comes from the code: so a name or a signature can
neither inject Markdown or HTML, nor notify anyone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from loregraph.analysis.changes.summary import CopyGroup, copy_groups, forgotten, grouped, summary, what_changed
from loregraph.analysis.changes.view import ChangedCode, ChangeView
from loregraph.terminal import visible

MAX_CHARACTERS: Final = 60_000
"""GitHub accepts 65,536 characters in a comment, GitLab more; some are left for a bot's own text."""
ROWS: Final = 30
"""Maximum lines of a list."""


def to_markdown(view: ChangeView, *, max_characters: int = MAX_CHARACTERS) -> str:
    """The comment. Lists are cut to `ROWS`, and to fewer where it would be too long; cuts are stated."""
    rows = ROWS
    while len(text := _document(view, rows)) > max_characters and rows > 1:
        rows //= 2
    return text if len(text) <= max_characters else text[: max_characters - 20] + "\n\n… cut\n"


def _document(view: ChangeView, rows: int) -> str:
    code = [one for one in view.code if not one.is_test]
    tests = [one for one in view.code if one.is_test]
    parts = [f"### Changes since {_code(view.revision)}", _headline(view)]
    parts += _open("Look at first", _first(view), rows)

    def of(*changes: str) -> list[ChangedCode]:
        return [one for one in code if one.change in changes]

    parts += _folded("Changed", of("signature", "body"), _code_line, rows)
    parts += _folded("Added", grouped(of("added")), lambda g: _code_line(g.code, g.members), rows, len(of("added")))
    parts += _folded("Moved or renamed", of("moved", "renamed"), _code_line, rows)
    gone = of("removed")
    parts += _folded("Removed", grouped(gone), lambda g: _code_line(g.code, g.members), rows, len(gone))
    parts += _folded("Requirements touched", view.requirements, _requirement_line, rows)
    parts += _folded("Callers that were edited as well", [c for c in view.callers if c.is_changed], _caller_line, rows)
    parts += _folded("Tests that reach the change", view.tests, _test_line, rows)
    parts += _folded("Changed code with no test that the graph can see", view.untested, _untested(view), rows)
    parts += _folded("Tests that changed", tests, _code_line, rows)
    return "\n\n".join(parts) + "\n"


def _headline(view: ChangeView) -> str:
    told = summary(view)
    changes = [
        f"{number:,} {what}"
        for number, what in (
            (told.added, "added"),
            (told.changed, "changed"),
            (told.moved + told.renamed, "moved or renamed"),
            (told.removed, "removed"),
        )
        if number
    ]
    if not changes and not told.changed_tests:
        return "No function or class changed."
    sentences = [f"Functions and classes: {', '.join(changes) or 'none but tests'}."]
    if told.breaking:
        sentences.append(f"**{told.breaking:,} may break who uses them**: {_number(told.callers, 'user')} found.")
    if told.requirements:
        sentences.append(f"{_number(told.requirements, 'requirement')} touched.")
    sentences.append(
        f"{_number(told.tests, 'test')} reach the change, {told.untested:,} changed functions have none "
        "that the graph can see."
    )
    if told.lost:
        sentences.append(f"**{told.lost:,} covered before and not now.**")
    if told.duplicates:
        sentences.append(f"**{_number(told.duplicate_groups, 'group')} of new copies.**")
    return " ".join(sentences)


def _first(view: ChangeView) -> list[str]:
    return [
        *(_caller_line(caller) for caller in forgotten(view.callers)),
        *(f"{_place(lost.file_path, lost.line)} {_message(lost.message)}" for lost in view.lost),
        *(_copies_line(group) for group in copy_groups(view.duplicates)),
    ]


def _open(title: str, lines: Sequence[str], rows: int) -> list[str]:
    return [f"**{title}**\n\n{_list(lines, rows)}"] if lines else []


def _folded(
    title: str, items: Sequence[Any], line: Callable[[Any], str], rows: int, counted: int | None = None
) -> list[str]:
    """A collapsed list. `counted` is the number in its heading, where that is not the number of lines."""
    if not items:
        return []
    lines = _list([line(item) for item in items[: rows + 1]], rows, len(items))
    return [f"<details><summary>{title} ({counted or len(items):,})</summary>\n\n{lines}\n\n</details>"]


def _list(lines: Sequence[str], rows: int, total: int | None = None) -> str:
    total = len(lines) if total is None else total
    shown = [f"- {line}" for line in lines[:rows]]
    if total > len(shown):
        shown.append(f"- … and {total - len(shown):,} more, which `loregraph diff` lists")
    return "\n".join(shown)


def _code_line(one: ChangedCode, members: int = 0) -> str:
    told = _message(what_changed(one))
    warning = " ⚠️" if one.breaks and one.change == "signature" else ""
    inside = f", with {_number(members, 'member')}" if members else ""
    return (
        f"{_place(one.file_path, one.start_line)} {_code(_name(one.id))}{inside}{warning}{': ' + told if told else ''}"
    )


def _caller_line(caller: Any) -> str:
    what = {
        "removed": "which is gone",
        "renamed": "which has another name",
        "moved": "which stands elsewhere",
        "signature": "whose signature changed",
    }[caller.change]
    now = f"; finds {_code(caller.reaches)} now" if caller.reaches and caller.change != "signature" else ""
    where = _place(caller.file_path, caller.line)
    return f"{where} {_code(_name(caller.id))} uses {_code(_name(caller.symbol))}, {what}{now}"


def _requirement_line(requirement: Any) -> str:
    reworded = " (its text changed)" if requirement.is_reworded else ""
    code = ", ".join(_code(_name(id)) for id in requirement.code[:5])
    more = f" and {len(requirement.code) - 5} more" if len(requirement.code) > 5 else ""
    title = f" {_code(requirement.title)}" if requirement.title else ""
    return f"**{_code(requirement.id)}**{title}{reworded}{': ' + code + more if code else ''}"


def _test_line(test: Any) -> str:
    changed = f" ({test.change})" if test.change else ""
    through = f", through {_number(test.distance, 'call')}" if test.distance else ""
    return (
        f"{_place(test.file_path, test.line)} {_code(_name(test.id))}{changed}: {_exercised(test.exercises)}{through}"
    )


def _exercised(ids: Sequence[str]) -> str:
    shown = ", ".join(_code(_name(id)) for id in ids[:3])
    return shown + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")


def _untested(view: ChangeView) -> Callable[[str], str]:
    lines = {one.id: one.start_line for one in view.code if one.change != "removed"}
    return lambda id: (
        f"{_place(id.partition('::')[0], lines.get(id, 0))} {_code(_name(id))}{_escaped(_unseen(view, id))}"
    )


def _unseen(view: ChangeView, id: str) -> str:
    """The number of unresolved calls on the way to untested code, "" for none."""
    number = view.unresolved_calls.get(id, 0)
    return f": {_number(number, 'call')} on the way not resolved" if number else ""


def _copies_line(group: CopyGroup) -> str:
    one, other = (
        f"{_place(side['file_path'], side['start_line'])} {_code(_name(side['id']))}"
        for side in (group.first, group.others[0])
    )
    more = f" and {_number(len(group.others) - 1, 'other')}" if len(group.others) > 1 else ""
    return f"{one} is {'up to ' if more else ''}{group.similarity:.0%} like {other}{more}"


def _name(id: str) -> str:
    return id.partition("::")[2] or id


def _place(path: str, line: int) -> str:
    return _code(f"{path}:{line}" if line else path)


def _code(text: str) -> str:
    """A code span: one line, and no backtick that would end it."""
    return f"`{visible(' '.join(text.split())).replace('`', chr(39)) or ' '}`"


def _message(text: str) -> str:
    """One of our messages, in which text between backticks is code."""
    parts = text.split("`")
    return "".join(_code(part) if index % 2 else _escaped(part) for index, part in enumerate(parts))


def _escaped(text: str) -> str:
    text = visible(text)
    for character in "\\*_<>[]@|#":
        text = text.replace(character, f"\\{character}" if character not in "<>@" else f"&#{ord(character)};")
    return text


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
