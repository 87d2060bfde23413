"""The ways an edge can be found, and the confidence of each, in general and for single languages."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages import registry

CONFIDENCE: Final[dict[str, float]] = {
    "scope": 1.0,  # a name bound by a definition in the same file
    "import": 1.0,  # a name or module member that an import resolves to
    "self": 1.0,  # a member of the receiver's own class
    "super": 1.0,  # the next class in the receiver's resolution order
    "constructor": 1.0,  # the constructors that instantiating a known class runs
    "fixture": 1.0,  # a fixture that a test framework runs for a test or another fixture which names it
    "reexport": 0.98,  # an import that resolves through another module's import, a star import or an index file
    "package": 0.98,  # a name of another file of the same package
    "include": 0.98,  # a name visible through an include; the definition behind a prototype
    "inheritance": 0.97,  # a member of the receiver, inherited from a supertype
    "decorator": 0.97,  # a decorator being applied; the function that it returned
    "attribute": 0.95,  # a member of a class, function or object that the code names directly
    "declared-type": 0.95,  # a member of a receiver with a declared type
    "inferred-type": 0.84,  # a member of a receiver whose class was found by following values
    "external": 0.9,  # a symbol outside the project
    "value": 0.83,  # a function that reached the call through variables, parameters, returns or containers
    "forwarded": 0.8,  # a method of an object to which the receiver forwards unknown calls (PHP)
    "callback": 0.95,  # a function passed to a library function that calls it
    "macro": 0.9,  # a function that a macro expands to a call of
    "decorated": 0.97,  # the function behind a decorator's wrapper shared by several functions
    "candidate": 0.66,  # one of more than eight functions that values lead to
    "computed-name": 0.83,  # a member whose name fits the literal parts of a computed name (few were checked)
    "interface": 0.35,  # an override in a subclass of the declared type: test suites run one in three
}
"""`how` → confidence, 0 to 1. An edge found in several ways has the highest."""

BY_LANGUAGE: Final = registry.table(lambda language: language.confidences)
"""Language → `how` → confidence, where it differs from the general one: where at least ten edges of at least two
repositories were judged, the 95 % interval excludes the general value, and it is off by .05 or more. `docs/graph.md`
has the counts; TypeScript, JavaScript, Java and Go by their compilers (`benchmarks/calibration_compiled.py`), Python by
traced test suites (`benchmarks/calls_traced.py`), the others by reading."""


_SURENESS: Final = {how: (sure, -place) for place, (how, sure) in enumerate(CONFIDENCE.items())}


def confidence(how: str, language: str) -> float:
    """The share of edges found this way that are right, in code of one language."""
    return BY_LANGUAGE.get(language, {}).get(how, CONFIDENCE[how])


# Implements REQ-GRA-007.
def surer(one: str, other: str) -> str:
    """The one with the higher general confidence; of equals, the first in the table."""
    return max(one, other, key=_SURENESS.__getitem__)
