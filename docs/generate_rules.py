"""Writes the part of docs/rules.md that lists the rules of `loregraph check`, from the rules themselves.

    python docs/generate_rules.py

tests/analysis/rules/test_docs.py fails if the page is outdated.
"""

from __future__ import annotations

from pathlib import Path

from loregraph.analysis.rules.registry import RULES
from loregraph.analysis.rules.rule import Case, Rule

PAGE = Path(__file__).resolve().parent / "rules.md"
BEGIN, END = "<!-- rules: written by docs/generate_rules.py -->", "<!-- end of rules -->"
LONGEST = 40
"""Maximum lines of a case shown: readers would skip a longer one."""


def page_with_rules(page: str) -> str:
    """`page` with the text between its two marks replaced."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{rules()}\n{END}{after}"


def rules() -> str:
    table = ["| rule | default | severity | |", "|---|---|---|---|"]
    table += [
        f"| [`{rule.name}`](#{rule.name}) | {'on' if rule.on else 'off'} | {rule.severity} | {rule.short} |"
        for rule in RULES.values()
    ]
    return "\n".join([*table, "", *(section(rule) for rule in RULES.values())])


def section(rule: Rule) -> str:
    parts = [f"### {rule.name}", f"{rule.short} {rule.full}"]
    if rule.why_off:
        parts.append(f"Off by default: {rule.why_off}.")
    shown = [case for case in rule.invalid if length(case) <= LONGEST]
    if shown:
        parts.append(f"Found ({shown[0].about}):")
        parts += blocks(shown[0])
        parts.append("at " + ", ".join(f"`{path}:{line}`" for path, line in shown[0].findings) + ".")
    parts.append("Left alone: " + "; ".join(case.about for case in rule.valid) + ".")
    return "\n\n".join(parts) + "\n"


def length(case: Case) -> int:
    return sum(text.count("\n") for text in case.files.values())


def blocks(case: Case) -> list[str]:
    found = [f"A `{kind}` memory about `{anchor}`:\n\n```text\n{text}\n```" for kind, text, anchor in case.memories]
    return found + [f"```text\n# {path}\n{text.rstrip()}\n```" for path, text in case.files.items() if text.strip()]


if __name__ == "__main__":
    PAGE.write_text(page_with_rules(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
