"""The tables that rules register in: nothing that facts can say, and no kind of value, is left out by mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from loregraph.indexer import facts
from loregraph.indexer.languages.registry import FOLDERS
from loregraph.indexer.resolve import dispatch, imports, names, rules
from loregraph.indexer.resolve.model import (
    IMPORT,
    PARAMETER,
    Bound,
    Class,
    Container,
    ContainerMethod,
    External,
    ExternalInstance,
    Function,
    FunctionMethod,
    Generator,
    Instance,
    Literal,
    Module,
    Namespace,
    Partial,
    ReturnsReceiver,
    Super,
    Value,
    Wrapped,
)
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.scope_functions import Handed

PACKAGE = Path(rules.__file__).parent

WITHOUT_A_VALUE = {"x", "*"}
"""Operators that stand for nothing by themselves: the unknown, and a spread, which what it stands in takes apart."""

# Of what nothing is known but that it is there: no member, no element. A kind that is new belongs to a row or in here.
NO_MEMBERS = {ContainerMethod, FunctionMethod, Generator, Handed, Literal, Partial, ReturnsReceiver}
NOT_CALLED = {ExternalInstance, Generator, Handed, Literal, Module, Namespace, ReturnsReceiver}
NO_RESULT = {Generator, Literal, Module, Namespace, Super}
ITERATED = {Container, ExternalInstance, Generator, Instance}
SUBSCRIPTED = {Class, Container, External, ExternalInstance, Function, Generator, Instance, Module}


def kinds(of: type[Value]) -> set[type[Value]]:
    below = set(of.__subclasses__())
    return below.union(*(kinds(kind) for kind in below))


# Verifies REQ-RES-001.
def test_every_operator_of_facts_means_something() -> None:
    source = Path(facts.__file__).read_text(encoding="utf-8")
    operators = set(re.findall(r'^([A-Z]+): Final = "(.)"\n"""`\(\1,', source, re.MULTILINE))
    operators = {sign for _, sign in operators} | {facts.UNKNOWN[0]}
    assert {"n", "a", "c", "x", "*"} < operators
    assert operators - dispatch.OPERATORS.keys() == WITHOUT_A_VALUE


def test_every_operator_that_rules_ask_for_means_something() -> None:
    asked = set()
    for path in PACKAGE.glob("*.py"):
        asked |= set(re.findall(r'evaluate\(engine, [^()]*, \("([^"]+)",', path.read_text(encoding="utf-8")))
    assert {"O", "A", "F", "H"} <= asked
    assert asked <= dispatch.OPERATORS.keys()


# Verifies REQ-RES-001.
@pytest.mark.parametrize(
    ("table", "left_out"),
    [
        pytest.param(dispatch.MEMBERS, NO_MEMBERS, id="members"),
        pytest.param(dispatch.LINKS, NOT_CALLED, id="links"),
        pytest.param(dispatch.RESULTS, NO_RESULT, id="results"),
        pytest.param(dispatch.ELEMENTS, kinds(Value) - ITERATED, id="elements"),
        pytest.param(dispatch.ITEMS, kinds(Value) - SUBSCRIPTED, id="items"),
    ],
)
def test_every_kind_of_value_has_its_row(table: dict[type[Value], object], left_out: set[type[Value]]) -> None:
    assert kinds(Value) - table.keys() == left_out
    assert {Function, Bound, Class, Wrapped, Partial, External} <= kinds(Value)


def test_no_kind_of_value_is_a_kind_of_another_one() -> None:
    """Tables are asked by the type alone."""
    assert kinds(Value) == set(Value.__subclasses__())


# Verifies REQ-RES-005.
def test_every_language_has_its_imports() -> None:
    styles = {policy_of(language).modules.style for language in FOLDERS}
    assert styles <= imports.STYLES.keys()
    assert {IMPORT, PARAMETER} == names.CELLS.keys()


def test_the_list_of_rules_has_every_module_that_registers_any() -> None:
    registering = {
        path.stem
        for path in PACKAGE.glob("*.py")
        if re.search(
            r"^(names\.)?(OPERATORS|MEMBERS|LINKS|RESULTS|ELEMENTS|ITEMS|CELLS|STYLES|STARS|MODELS|EFFECTS)(\.update\(|\[)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    }
    assert registering
    assert {module.__name__.rpartition(".")[2] for module in rules.FILLED} == registering
