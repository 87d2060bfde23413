"""Dead functions and decoys for `benchmarks/dead_code.py`: text that is put into the files of a checkout."""

from __future__ import annotations

import ast
import random
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ENDINGS = "legacy fallback before_rewrite compat slow unchecked inplace naive verbose eager recursive cached".split()
FEWEST_LINES, MOST_LINES = 3, 40
TEST_PLACES = re.compile(
    r"(^|/)(tests?|docs|examples|testing|benchmarks?|scripts|conftest\.py|setup\.py|test_[^/]*)(/|$)"
)


@dataclass(frozen=True)
class Plant:
    """A planted definition: `kind` says how it is hidden, `is_dead` that nothing uses it."""

    path: str
    name: str
    kind: str
    is_dead: bool


@dataclass(frozen=True)
class Donor:
    """A function of the repository that is copied; `of_class` where it is a method."""

    name: str
    source: str
    of_class: str


class Planter:
    """Changes the files below `root`. The same files and `seed` give the same plants."""

    def __init__(self, root: Path, seed: str) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.texts = {path: (root / path).read_text(encoding="utf-8") for path in sorted(sources(root))}
        self.donors = {path: list(donors(text)) for path, text in self.texts.items()}
        self.words = {word for path in sources(root, tests=True) for word in words(root / path)}
        self.plants: list[Plant] = []

    # the ways to be dead

    def functions(self, path: str) -> None:
        """A private copy of a function."""
        name, text = self.copy(path)
        self.append(path, text, Plant(path, name, "function", True))

    def methods(self, path: str) -> None:
        """A private copy of a method, in its class."""
        self.in_class(path, "method", "")

    def static_methods(self, path: str) -> None:
        self.in_class(path, "static method", "@staticmethod\n")

    def chains(self, path: str) -> None:
        """A function that only a dead one calls."""
        (first, one), (second, other) = self.copy(path), self.copy(path)
        one = with_statement(one, f"{second}()")
        self.append(path, one, Plant(path, first, "first of a chain", True))
        self.append(path, other, Plant(path, second, "called by dead code", True))

    def circles(self, path: str) -> None:
        """Two functions that call each other."""
        (first, one), (second, other) = self.copy(path), self.copy(path)
        self.append(path, with_statement(one, f"{second}()"), Plant(path, first, "in a circle", True))
        self.append(path, with_statement(other, f"{first}()"), Plant(path, second, "in a circle", True))

    def in_comments(self, path: str) -> None:
        """Named in a comment and in a docstring only."""
        name, text = self.copy(path)
        other = self.random.choice([one for one in self.texts if self.donors[one]])
        self.append(path, text, Plant(path, name, "named in comments", True))
        self.texts[other] += f"\n\n# {name} did the same without the check, which was wrong for empty input.\n"

    def classes(self, path: str) -> None:
        """A private class with a public method that nothing makes."""
        method, text = self.copy(path)
        name = "_" + "".join(part.title() for part in method.strip("_").split("_"))
        body = textwrap.indent(re.sub(rf"def {method}\(", f"def {method.strip('_')}(self, *", text, count=1), "    ")
        body = re.sub(r"\(self, \*\)", "(self)", body)
        try:
            ast.parse(f"class {name}:\n{body}")
        except SyntaxError:
            body = f"    def {method.strip('_')}(self):\n        return self\n"
        self.append(path, f"class {name}:\n{body}", Plant(path, name, "class", True))

    # what only looks dead

    def looked_up(self, path: str) -> None:
        """Found by getattr with the constant beginning of its name."""
        name, text = self.copy(path)
        stem = f"_on_{name.strip('_')}"
        lookup = f'def look_up_{name.strip("_")}(kind):\n    return globals()[f"_on_{{kind}}"]\n'
        self.append(path, text.replace(f"def {name}(", f"def {stem}(", 1), Plant(path, stem, "getattr", False))
        self.texts[path] += "\n\n" + lookup

    def registered(self, path: str) -> None:
        name, text = self.copy(path)
        table = f"registry_of_{name.strip('_')}"
        head = f"{table} = {{}}\n\n\ndef register_{name.strip('_')}(function):\n"
        head += f"    {table}[function.__name__] = function\n    return function\n\n\n@register_{name.strip('_')}\n"
        self.append(path, head + text, Plant(path, name, "decorator", False))

    def entry_points(self, path: str) -> None:
        name, text = self.copy(path)
        self.append(path, text, Plant(path, name, "entry point", False))
        project = self.root / "pyproject.toml"
        module = path.removesuffix(".py").replace("/", ".")
        group = f'[project.entry-points."plugins.{name.strip("_")}"]\nplugin = "{module}:{name}"\n'
        project.write_text(f"{project.read_text() if project.exists() else ''}\n\n{group}")

    def configured(self, path: str) -> None:
        name, text = self.copy(path)
        self.append(path, text, Plant(path, name, "configuration", False))
        (self.root / f"{name.strip('_')}.ini").write_text(f"[hooks]\nbefore = {path}:{name}\n")

    def public(self, path: str) -> None:
        """Public and not tested: somebody else may use it."""
        name, text = self.copy(path)
        bare = name.strip("_")
        self.append(path, text.replace(f"def {name}(", f"def {bare}(", 1), Plant(path, bare, "public", False))

    def computed(self, path: str) -> None:
        """Runs by a name no part of which is written anywhere."""
        name = self.fresh("_computed_", "hook")
        spelled = repr(name[::-1])
        text = f'def {name}():\n    return __name__\n\n\nglobals()["".join(reversed({spelled}))]()\n'
        self.append(path, text, Plant(path, name, "computed name", False))

    def referred(self, path: str) -> None:
        name, text = self.copy(path)
        self.append(path, text, Plant(path, name, "reference", False))
        self.texts[path] += f"\n\nTABLE_OF_{name.strip('_').upper()} = {{'run': {name}}}\n"

    # how

    def copy(self, path: str) -> tuple[str, str]:
        """A new private name, and a function of that name."""
        donor = self.random.choice([one for one in self.donors[path] if not one.of_class])
        name = self.fresh(f"_{donor.name.strip('_')}_", self.random.choice(ENDINGS))
        return name, re.sub(rf"def {re.escape(donor.name)}\(", f"def {name}(", donor.source, count=1)

    def fresh(self, start: str, ending: str) -> str:
        number = 1
        while (name := f"{start}{ending}{number if number > 1 else ''}") in self.words:
            number += 1
        self.words.add(name)
        return name

    def in_class(self, path: str, kind: str, above: str) -> None:
        methods = [one for one in self.donors[path] if one.of_class]
        if not methods:
            self.functions(path)
            return
        donor = self.random.choice(methods)
        name = self.fresh(f"_{donor.name.strip('_')}_", self.random.choice(ENDINGS))
        text = above + re.sub(rf"def {re.escape(donor.name)}\(", f"def {name}(", donor.source, count=1)
        tree = ast.parse(self.texts[path])
        holder = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == donor.of_class)
        lines = self.texts[path].split("\n")
        lines[holder.end_lineno : holder.end_lineno] = ["", *textwrap.indent(text, "    ").rstrip().split("\n")]
        self.texts[path] = "\n".join(lines)
        self.plants.append(Plant(path, name, kind, True))

    def append(self, path: str, text: str, plant: Plant) -> None:
        self.texts[path] = f"{self.texts[path].rstrip()}\n\n\n{text.rstrip()}\n"
        self.plants.append(plant)

    def run(self, dead: int) -> list[Plant]:
        """Plants at least `dead` dead definitions, a decoy for every second one, and writes the files."""
        places = [path for path, own in self.donors.items() if any(not one.of_class for one in own)]
        ways = [
            self.functions, self.methods, self.chains, self.in_comments, self.methods, self.static_methods,
            self.circles, self.functions, self.classes,
        ]  # fmt: skip
        decoys = [
            self.looked_up, self.registered, self.entry_points, self.configured, self.public, self.computed,
            self.referred,
        ]  # fmt: skip
        turn = 0
        while sum(plant.is_dead for plant in self.plants) < dead:
            ways[turn % len(ways)](self.random.choice(places))
            decoys[turn % len(decoys)](self.random.choice(places))
            turn += 1
        for path, text in self.texts.items():
            ast.parse(text)
            (self.root / path).write_text(text, encoding="utf-8")
        return self.plants


def with_statement(function: str, statement: str) -> str:
    """`function` with a statement before its first one, after its docstring."""
    body = ast.parse(function).body[0].body  # type: ignore[attr-defined]
    first = body[1] if len(body) > 1 and isinstance(body[0], ast.Expr) else body[0]
    lines = function.split("\n")
    above = [one.lineno for one in getattr(first, "decorator_list", ())]
    lines.insert(min([first.lineno, *above]) - 1, " " * first.col_offset + statement)
    return "\n".join(lines)


def sources(root: Path, *, tests: bool = False) -> Iterator[str]:
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if tests or not TEST_PLACES.search(name):
            yield name


def words(path: Path) -> list[str]:
    return re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace"))


def donors(text: str) -> Iterator[Donor]:
    """Functions that can be copied: plain ones of a module or of a class in it, short and without decorators."""
    lines = text.split("\n")
    for outer in ast.parse(text).body:
        of_class = outer.name if isinstance(outer, ast.ClassDef) else ""
        for one in outer.body if isinstance(outer, ast.ClassDef) else [outer]:
            if not isinstance(one, ast.FunctionDef) or one.decorator_list or one.name.startswith("__"):
                continue
            body = [each for each in one.body if not isinstance(each, ast.Expr)]
            if body and FEWEST_LINES <= one.end_lineno - one.lineno + 1 <= MOST_LINES:  # type: ignore[operator]
                source = textwrap.dedent("\n".join(lines[one.lineno - 1 : one.end_lineno]))
                yield Donor(one.name, source, of_class)
