"""Declared contracts: which parts of the project may not reach which others.

The three kinds are those of import-linter (layers, forbidden, independence), over the graph's imports of any language.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import msgspec

from loregraph.analysis.findings import Place
from loregraph.analysis.rules.code import CLASS, FUNCTION, Code
from loregraph.analysis.rules.imports import imports_of, part, when
from loregraph.analysis.rules.rule import Case, Deviation, Habit, Outcome, Rule
from loregraph.config import ContractSettings
from loregraph.errors import ConfigError


class Ban(msgspec.Struct, frozen=True):
    """Nothing in `source` may reach `target`; chains through `closed` belong to another ban."""

    source: str
    target: str
    closed: frozenset[int]
    says: str


class Step(msgspec.Struct, frozen=True):
    """One import or call: the files, the line in the first, and the text for the second."""

    source: int
    target: int
    line: int
    verb: str
    named: int


class Breach(msgspec.Struct, frozen=True):
    """What breaks a contract: the imports, or calls, from the part that may not reach another to that other."""

    contract: ContractSettings
    ban: Ban
    chain: tuple[Step, ...]


def check(code: Code, members: Sequence[int]) -> Outcome:
    files = {int(code.file[member]) for member in members}
    checked = sum(
        len(part(code, ban.source) & files) for contract in code.settings.contracts for ban in bans(code, contract)
    )
    return Outcome(
        tuple(_deviation(code, breach) for breach in breaches(code) if breach.chain[0].source in files),
        tuple(Habit(f"{contract.kind}: {contract.name}", ()) for contract in code.settings.contracts),
        checked,
    )


def breaches(code: Code) -> Iterator[Breach]:
    """What breaks the declared contracts, in their order. Raises ConfigError where one names nothing that exists."""
    for contract in code.settings.contracts:
        steps = _steps(code, contract)
        for ban in bans(code, contract):
            sources, targets = part(code, ban.source), part(code, ban.target)
            found = _direct(steps, sources, targets)
            if not contract.direct:
                found = [*found, *_chains(steps, sources, targets, ban.closed)]
            yield from (Breach(contract, ban, chain) for chain in found)


def bans(code: Code, contract: ContractSettings) -> Iterator[Ban]:
    """The forbidden pairs of a contract. Raises ConfigError where it names nothing that exists."""
    where = f"[[check.contracts]] {contract.name!r}"
    if contract.kind == "layers":
        layers = [[one.strip() for one in layer.split("|") if one.strip()] for layer in contract.layers]
        _require(code, where, "layers", [one for layer in layers for one in layer], 2)
        closed = frozenset().union(*(part(code, one) for layer in layers for one in layer))
        for number, layer in enumerate(layers):
            for one in layer:
                for above in (other for higher in layers[:number] for other in higher):
                    yield Ban(one, above, closed, f"{one} is below {above}")
                for beside in (other for other in layer if other != one):
                    yield Ban(one, beside, closed, f"{one} and {beside} are independent layers")
    elif contract.kind == "forbidden":
        _require(code, where, "sources", contract.sources, 1)
        _require(code, where, "targets", contract.targets, 1)
        for source in contract.sources:
            for target in contract.targets:
                yield Ban(source, target, frozenset(), f"{source} may not reach {target}")
    else:
        _require(code, where, "sources", contract.sources, 2)
        for source in contract.sources:
            for other in contract.sources:
                if other != source:
                    yield Ban(source, other, frozenset(), f"{source} and {other} are independent")


def _require(code: Code, where: str, key: str, texts: Sequence[str], fewest: int) -> None:
    if len(texts) < fewest:
        raise ConfigError(f"{where}: {key} names {len(texts)} parts", f"name at least {fewest}")
    for text in texts:
        # A package that is not imported yet is a good reason for a contract; a folder that does not exist is a mistake.
        if not text.startswith("external:") and not part(code, text):
            raise ConfigError(f"{where}: nothing in the graph is {text!r}", "name a path, or a qualified name")


def _steps(code: Code, contract: ContractSettings) -> dict[int, list[Step]]:
    """File → its imports, and calls if the contract includes them, without those that the contract ignores."""
    columns = code.columns
    ignored = []
    for line in contract.ignore:
        importer, arrow, imported = (piece.strip() for piece in line.partition("->"))
        if not arrow or not importer or not imported:
            raise ConfigError(
                f"[[check.contracts]] {contract.name!r}: ignore = {line!r} is no import", 'write "importer -> imported"'
            )
        ignored.append((part(code, importer), part(code, imported)))
    found: dict[int, list[Step]] = {}
    for file, edges in imports_of(code).items():
        for edge in edges:
            target = int(columns.target[edge])
            if any(file in sources and target in targets for sources, targets in ignored):
                continue
            if not contract.types and when(code, edge) == "types":
                continue
            found.setdefault(file, []).append(Step(file, target, int(columns.line[edge]), "imports", target))
    for edge in columns.edges("CALLS").tolist() if contract.calls else ():
        called = int(columns.target[edge])
        source, target = int(code.file[columns.source[edge]]), int(code.file[called])
        if columns.labels[called] not in (FUNCTION, CLASS) or source < 0 or target < 0 or source == target:
            continue
        if not any(source in sources and target in targets for sources, targets in ignored):
            found.setdefault(source, []).append(Step(source, target, int(columns.line[edge]), "calls", called))
    return found


def _direct(steps: dict[int, list[Step]], sources: frozenset[int], targets: frozenset[int]) -> list[tuple[Step, ...]]:
    return [(step,) for file in sorted(sources & steps.keys()) for step in steps[file] if step.target in targets]


def _chains(
    steps: dict[int, list[Step]], sources: frozenset[int], targets: frozenset[int], closed: frozenset[int]
) -> list[tuple[Step, ...]]:
    """The shortest chain behind each import that leaves `sources` for code through which `targets` are reached."""
    into: dict[int, list[Step]] = {}
    outside = [file for file in sorted(steps) if file not in sources and file not in targets and file not in closed]
    for file in outside:
        for step in steps[file]:
            into.setdefault(step.target, []).append(step)
    onward: dict[int, Step] = {}
    queue = deque(sorted(targets))
    while queue:
        for step in into.get(queue.popleft(), ()):
            if step.source not in onward:
                onward[step.source] = step
                queue.append(step.source)
    found = []
    for file in sorted(sources & steps.keys()):
        for step in steps[file]:
            chain = [step]
            while chain[-1].target in onward:
                chain.append(onward[chain[-1].target])
            if len(chain) > 1:
                found.append(tuple(chain))
    return found


def _deviation(code: Code, breach: Breach) -> Deviation:
    contract, ban, chain = breach.contract, breach.ban, breach.chain
    columns = code.columns
    places = [Place(columns.path(s.source), s.line, s.line, columns.id(s.source)) for s in chain]
    said = [f"{p.file_path}:{p.start_line} {s.verb} {columns.id(s.named)}" for p, s in zip(places, chain, strict=True)]
    first, last = columns.id(chain[0].named), columns.id(chain[-1].named)
    through = f" and through it reaches {last}" if len(chain) > 1 else ""
    return Deviation(
        places[0],
        f"{columns.path(chain[0].source)} {chain[0].verb} {first}{through}: {ban.says} ({contract.name})",
        ban.says,
        f"{chain[0].verb} {first}{through}",
        tuple(said),
        f"{contract.name} {columns.id(chain[0].source)} {first} {last}",
        tuple(places[1:]),
    )


_LAYERED = {
    "loregraph.toml": '[[check.contracts]]\nname = "web above data"\nkind = "layers"\nlayers = ["web", "data"]\n',
    "web/__init__.py": "",
    "web/pages.py": "from data import rows\n\n\ndef page():\n    return rows.read()\n",
    "data/__init__.py": "",
    "data/rows.py": "def read():\n    return 1\n",
}

RULE = Rule(
    name="layers",
    short="A part of the code reaches another that a contract keeps it from.",
    full="Declared as [[check.contracts]]: `layers` in their order, `forbidden` from sources to targets, `independent`"
    " parts. A finding stands at the import (or call, where the contract counts them) that leaves the part, and shows"
    " the chain where the other part is reached through code of neither.",
    severity="error",
    check=check,
    valid=(
        Case("downwards only", _LAYERED),
        Case(
            "an import that the contract ignores",
            _LAYERED
            | {
                "loregraph.toml": _LAYERED["loregraph.toml"] + 'ignore = ["data/back.py -> web"]\n',
                "data/back.py": "import web.pages\n",
            },
        ),
    ),
    invalid=(
        Case("upwards", _LAYERED | {"data/back.py": "import os\nimport web.pages\n"}, (("data/back.py", 2),)),
        Case(
            "upwards through code of no layer",
            _LAYERED | {"data/back.py": "import helper\n", "helper.py": "from web.pages import page\n"},
            (("data/back.py", 1),),
        ),
        Case(
            "a package that only one file may use",
            {
                "loregraph.toml": '[[check.contracts]]\nname = "one door"\nkind = "forbidden"\nsources = ["app"]\n'
                'targets = ["external:sqlite3"]\nignore = ["app/store.py -> external:sqlite3"]\ndirect = true\n',
                "app/__init__.py": "",
                "app/store.py": "import sqlite3\n",
                "app/page.py": "import sqlite3\n",
            },
            (("app/page.py", 1),),
        ),
    ),
)
