"""Findings: what the rules of `check` find, copies, and two pieces of code side by side.

Checking a large project, and comparing all of its functions, takes seconds: such a page comes at once and its list is
loaded into it. The result is kept as long as the graph is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from loregraph.analysis.duplicates.reporting import only_new as only_new_copies
from loregraph.analysis.duplicates.results import CLONE_TYPES, ROLES, Duplicates
from loregraph.analysis.rules.registry import RULES
from loregraph.analysis.rules.runner import Checked, only_new
from loregraph.errors import NotFoundError, UsageError, known_name
from loregraph.pages import checked, copies
from loregraph.pages.page import Page, Part
from loregraph.viewer import analyses, baselines
from loregraph.viewer.asked import Asked

MOST_START: Final = 1_000_000
STATES: Final = ("new", "known")
LEAST_CHOICES: Final = (60, 70, 80, 90, 95, 100)


# Implements REQ-WEB-007.
def findings_page(asked: Asked) -> Page:
    """`rule`, `severity` and `path` say which findings, `baseline` which are known, `state` whether new or known ones;
    `start` is the number of the first of a rule."""
    wanted = _wanted_findings(asked)
    rules = tuple(filter(None, [wanted.rule]))
    options = _options(asked, "rule", "severity", "path", "baseline", "state")
    is_at_once = _is_at_once(asked, ("check", rules)) or asked.kept.has(("check", ()))
    values = _checked_values(asked, wanted) if is_at_once else {"checked": None}
    return Page(
        f"Findings: {wanted.rule}" if wanted.rule else "Findings",
        "findings.html",
        {
            "wanted": wanted,
            "options": options,
            "rules": tuple(RULES),
            "severities": tuple(checked.BADGES),
            "baseline": asked.value("baseline"),
            "baselines": baselines.baselines_in(asked.project, of_copies=False),
            "part": asked.links.part("findings", **options, start=asked.value("start")),
            "now": asked.links.findings(**options, start=asked.value("start"), now=True),
            **values,
        },
        "findings",
    )


def findings_part(asked: Asked) -> Part:
    """The list of `findings_page`."""
    options = _options(asked, "rule", "severity", "path", "baseline", "state")
    return Part("findings_list.html", {"options": options, **_checked_values(asked, _wanted_findings(asked))})


def _wanted_findings(asked: Asked) -> checked.Wanted:
    rule, severity, state = asked.value("rule"), asked.value("severity"), asked.value("state")
    return checked.Wanted(
        known_name("rule", rule, RULES) if rule else "",
        known_name("severity", severity, checked.BADGES) if severity else "",
        asked.value("path"),
        known_name("state", state, STATES) if state else "",
    )


def _checked_values(asked: Asked, wanted: checked.Wanted) -> dict[str, Any]:
    project = asked.project
    rules = () if asked.kept.has(("check", ())) and _is_on(asked, wanted.rule) else tuple(filter(None, [wanted.rule]))
    found: Sequence[Checked] = asked.kept.get(
        ("check", rules), lambda: analyses.checked(project, rules, apart=_later(asked))
    )
    baseline = asked.value("baseline")
    fresh = only_new(found, baselines.read(project, baseline)) if baseline else found
    start = asked.number("start", 0, MOST_START) if wanted.rule else 0
    most = checked.FINDINGS_OF_ONE if wanted.rule else checked.FINDINGS
    shown = checked.rules_shown(found, fresh, wanted, project.settings.check, start=start, most=most)
    return {
        "checked": shown,
        "only": bool(wanted.rule),
        "not_looked_at": len(project.generated()),
        "has_baseline": bool(baseline),
    }


def _is_on(asked: Asked, rule: str) -> bool:
    from loregraph.analysis.rules.registry import chosen

    return not rule or any(one.name == rule for one in chosen(asked.project.settings.check))


def duplicates_page(asked: Asked) -> Page:
    """`path`, `least` (a percentage), `role` and `type` say which families of copies, `baseline` which are known;
    `start` is the number of the first."""
    options = _options(asked, "path", "least", "role", "type", "baseline")
    wanted = _wanted_copies(asked)
    values = _copies_values(asked, wanted) if _is_at_once(asked, "duplicates") else {"copies": None}
    return Page(
        "Duplicates",
        "duplicates.html",
        {
            "wanted": wanted,
            "options": options,
            "types": CLONE_TYPES,
            "all_roles": ROLES,
            "least_choices": LEAST_CHOICES,
            "baseline": asked.value("baseline"),
            "baselines": baselines.baselines_in(asked.project, of_copies=True),
            "part": asked.links.part("duplicates", **options, start=asked.value("start")),
            "now": asked.links.duplicates(**options, start=asked.value("start"), now=True),
            **values,
        },
        "duplicates",
    )


def duplicates_part(asked: Asked) -> Part:
    """The list of `duplicates_page`."""
    options = _options(asked, "path", "least", "role", "type", "baseline")
    return Part("duplicates_list.html", {"options": options, **_copies_values(asked, _wanted_copies(asked))})


def _wanted_copies(asked: Asked) -> copies.Wanted:
    role, clone_type = asked.value("role"), asked.value("type")
    return copies.Wanted(
        asked.value("path"),
        asked.number("least", 0, 100),
        known_name("role", role, (*ROLES, copies.ALL)) if role else "",
        known_name("type", clone_type, CLONE_TYPES) if clone_type else "",
    )


def _copies_values(asked: Asked, wanted: copies.Wanted) -> dict[str, Any]:
    found = _duplicates(asked)
    baseline = asked.value("baseline")
    if baseline:
        found = only_new_copies(found, baselines.read(asked.project, baseline))
    return {"copies": copies.copies_shown(found, wanted, asked.number("start", 0, MOST_START)), "wanted": wanted}


def _duplicates(asked: Asked) -> Duplicates:
    return asked.kept.get("duplicates", lambda: analyses.duplicates(asked.project, apart=_later(asked)))


def pair_page(asked: Asked) -> Page:
    """`a` and `b`, ids of functions, classes or files, side by side. What is known of them as copies is told where the
    copies of the project were asked for before."""
    project = asked.project
    columns = project.reader().columns
    one, other = (_node(asked, name) for name in ("a", "b"))
    found = _duplicates(asked) if _is_at_once(asked, "duplicates") else None
    shown = copies.pair_shown(columns, project.source_lines, one, other, found.pairs if found else ())
    both = {shown.left.id, shown.right.id}
    families = [family for family in found.families if both <= {side.id for side in family.members}] if found else []
    paths = sorted({shown.left.file_path, shown.right.file_path})
    names = [side.id.partition("::")[2] or side.id for side in (shown.left, shown.right)]
    return Page(
        f"{names[0]} and {names[1]}",
        "pair.html",
        {
            "shown": shown,
            "names": names,
            "family": families[0] if families else None,
            "stale": [path for path in paths if path in project.behind(paths, others=False).changed],
            "types": CLONE_TYPES,
        },
        "duplicates",
    )


def _node(asked: Asked, name: str) -> int:
    columns = asked.project.reader().columns
    id = asked.value(name)
    node = columns.find_id(id)
    if node is None:
        raise NotFoundError(f"the graph has no {id[:200]!r}", "name two ids, as in `loregraph duplicates --json`")
    if columns.label(node) not in ("Function", "Class", "File"):
        raise UsageError(f"{id[:200]!r} has no source of its own", "name functions, classes or files")
    return node


def _options(asked: Asked, *names: str) -> dict[str, str]:
    return {name: value for name in names if (value := asked.value(name))}


def _is_at_once(asked: Asked, name: object) -> bool:
    """Whether a result is shown with the page: it is there, there is no way to load it later, or it was asked for."""
    return bool(asked.value("now")) or asked.kept.has(name) or not _later(asked)


def _later(asked: Asked) -> bool:
    """Whether parts of a page can be loaded later: an export has none."""
    return bool(asked.links.part("any"))
