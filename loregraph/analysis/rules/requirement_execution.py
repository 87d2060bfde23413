"""Requirements whose code was measured by a run and never executed."""

from __future__ import annotations

from collections.abc import Sequence

from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.rule import Case, Deviation, Outcome, Rule
from loregraph.analysis.tracing.execution import NOT_EXECUTED
from loregraph.analysis.tracing.traces import trace


# Implements REQ-RUN-019.
def check(code: Code, members: Sequence[int]) -> Outcome:
    columns = code.columns
    if not len(columns.nodes("Requirement")):
        return Outcome()
    asked = set(members)
    deviations = []
    checked = 0
    for one in trace(columns):
        nodes = [node for link in one.implementations if (node := columns.find_id(link.id)) is not None]
        if not one.counted or not asked.intersection(nodes):
            continue
        checked += 1
        if one.execution.state == NOT_EXECUTED:
            first, *others = sorted(nodes, key=lambda node: (columns.path(node), int(columns.start_line[node])))
            deviations.append(
                Deviation(
                    code.place(first),
                    f"no test executed the code of {one.id}: {one.title}",
                    "a test that executes it",
                    "it was measured, and nothing of it ran",
                    (f"{one.path}:{one.line} {one.id}", *(f"never ran: {code.where(node)}" for node in nodes)),
                    one.id,
                    tuple(code.place(node) for node in others),
                )
            )
    return Outcome(tuple(deviations), (), checked)


_FILES = {
    "loregraph.toml": '[requirements]\nsources = ["docs/requirements.md"]\n',
    "docs/requirements.md": "# Pay\n\n- **PAY-1** Payments are taken once.\n- **PAY-2** They are given back.\n",
    "pay.py": "# Implements: PAY-1\ndef take(amount):\n    return amount\n\n\n# Implements: PAY-2\n"
    "def give(amount):\n    return -amount\n",
}

RULE = Rule(
    name="requirement-execution",
    short="No test executed the code of a requirement.",
    full="Where runs were imported (`loregraph runs import`) that measured all functions by which a requirement is"
    " implemented, as they are now, and none of them ran. What was not measured, or changed since, is not reported, nor"
    " is a requirement that does not count by its status. `loregraph trace` lists them as `requirement_not_executed`.",
    severity="warning",
    check=check,
    whole=True,
    valid=(
        Case("not measured", _FILES),
        Case(
            "executed, and measured in part",
            _FILES
            | {
                "more.py": "# Implements: PAY-2\ndef back(amount):\n    return amount\n",
                "lcov.info": "SF:pay.py\nDA:2,1\nDA:3,1\nDA:7,1\nDA:8,0\nend_of_record\n",
            },
            runs=("lcov.info",),
        ),
    ),
    invalid=(
        Case(
            "measured, and never ran",
            _FILES | {"lcov.info": "SF:pay.py\nDA:2,1\nDA:3,1\nDA:7,1\nDA:8,0\nend_of_record\n"},
            (("pay.py", 7),),
            runs=("lcov.info",),
        ),
    ),
)
