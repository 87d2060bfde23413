"""How chosen tests are named to Maven and Gradle."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import EVERYTHING, Asked, TestPlace, TestRunner, Words, unique

_EXPANDED: Final = ("RunWith", "Parameterized", "TestFactory", "TestTemplate")
"""What may give the tests of a class other names than those of its methods."""


def _class_name(place: TestPlace) -> str:
    """The class as the virtual machine names it, with `$` before a class within another; "" where there is none."""
    classes = [holder.name for holder in place.holders if holder.is_class]
    name = "$".join(classes)
    return f"{place.prefix}.{name}" if place.prefix and name else name


def _is_single(place: TestPlace) -> bool:
    """Whether the method is one that can be named."""
    heads = [*place.decorators, *(head for holder in place.holders for head in holder.heads)]
    return place.name.isidentifier() and not any(word in head for head in heads for word in _EXPANDED)


def _outermost(name: str) -> str:
    return name.partition("$")[0]


# Implements REQ-RUN-011.
def maven_words(asked: Asked) -> Words:
    """`-Dtest` with classes and methods. Modules without any of them are no failure."""
    start, notes = _pom(asked)
    if asked.width > 1 or not all(_is_plain(_class_name(place)) for place in asked.places):
        return Words((*start, "-DskipTests=false"), (*notes, "all tests are selected, as some cannot be named"))
    methods: dict[str, list[str] | None] = {}
    for place in asked.places:
        name = _class_name(place)
        if asked.width or place.path in asked.whole or not _is_single(place):
            methods[name] = None
        elif (known := methods.setdefault(name, [])) is not None:
            known.append(place.name)
    named = [name if chosen is None else f"{name}#{'+'.join(unique(chosen))}" for name, chosen in methods.items()]
    options = ("-Dsurefire.failIfNoSpecifiedTests=false", "-DfailIfNoTests=false")
    return Words((*start, f"-Dtest={','.join(named)}", *options), notes)


def _is_plain(name: str) -> bool:
    return bool(name) and all(part.isidentifier() for part in name.replace("$", ".").split("."))


def _pom(asked: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    roots = {place.root for place in asked.places}
    if len(roots) == 1 and (root := next(iter(roots))) not in (EVERYTHING, ""):
        if asked.expressible(root):
            return ("-f", f"./{root}/pom.xml"), ()
        return (), ("run it in the folder of the module, whose name cannot be passed this way",)
    return (), ()


def gradle_words(asked: Asked) -> Words:
    """For each project its task `test`, with `--tests` for classes and methods."""
    by_root: dict[str, list[TestPlace]] = {}
    for place in asked.places:
        by_root.setdefault(place.root, []).append(place)
    words: list[str] = []
    notes: tuple[str, ...] = ()
    for root, places in by_root.items():
        if not asked.expressible(root or EVERYTHING) or ":" in root:
            return Words(("test",), ("a project whose name cannot be passed this way selects all tests",))
        words.append(":test" if root in (EVERYTHING, "") else f":{root.replace('/', ':')}:test")
        if asked.width > 1 or not all(_is_plain(_class_name(place)) for place in places):
            notes = ("all tests of a project are selected, as some cannot be named",)
            continue
        for name in unique(_gradle_name(place, asked) for place in places):
            words += ["--tests", name]
    return Words(tuple(words), notes)


def _gradle_name(place: TestPlace, asked: Asked) -> str:
    name = _class_name(place)
    single = not asked.width and place.path not in asked.whole and _is_single(place)
    return f"{name}.{place.name}" if single else name


RUNNERS: Final = (
    TestRunner("maven", "mvn test", ("-DskipTests",), maven_words, kinds=("maven-module",)),
    TestRunner("gradle", "gradle", ("--version",), gradle_words, kinds=("gradle-module",)),
)
