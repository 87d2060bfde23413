"""The values that the setting `embedder` takes, and that each kind has a loader."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from loregraph.embedder_kinds import KINDS, choices, kind_of
from loregraph.reach import embedder as reach


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("static", "static"),
        ("none", "none"),
        ("fastembed:BAAI/bge-small-en-v1.5", "fastembed"),
        ("fastembed:C:\\models", "fastembed"),
        ("voyage:voyage-code-3", "voyage"),
        ("static:", ""),
        ("none:x", ""),
        ("fastembed", ""),
        ("voyage:", ""),
        ("", ""),
        (":x", ""),
        ("Static", ""),
    ],
)
def test_a_value_names_a_kind_and_what_it_takes(spec: str, kind: str) -> None:
    assert kind_of(spec) == (KINDS[kind] if kind else None)


def test_every_kind_but_none_has_a_loader() -> None:
    loaders = {kind: row.loader for kind, row in KINDS.items()}
    assert [kind for kind, loader in loaders.items() if not loader] == ["none"]
    for loader in filter(None, loaders.values()):
        module, function = loader.split(":")
        assert callable(getattr(import_module(f"loregraph.graph.{module}"), function))


# Verifies REQ-SEC-002.
def test_a_repository_may_name_kinds_that_stay_on_the_machine() -> None:
    allowed = [kind for kind, row in KINDS.items() if not reach(Path(), f"{kind}:x" if row.name else kind)]
    assert allowed == ["static", "none"]


def test_the_choices_are_said_in_words() -> None:
    assert choices() == "static, none, fastembed:<model or folder> or voyage:<model>"
