"""docs/rules.md says what the rules say."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from loregraph.analysis.rules import memories
from loregraph.analysis.rules.registry import RULES

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "rules.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_rules_say() -> None:
    spec = importlib.util.spec_from_file_location("generate_rules", DOCS / "generate_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.page_with_rules(PAGE) == PAGE, "run: python docs/generate_rules.py"


def test_conventions_on_the_page_can_be_read() -> None:
    block = re.search(r"```text\n(rule: .+?)```", PAGE, re.DOTALL)
    assert block is not None
    found = list(memories.conventions(block[1]))
    assert len(found) == len(block[1].splitlines())
    assert [one for one in found if isinstance(one, str)] == []


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_texts(rule: object) -> None:
    texts = [getattr(rule, name) for name in ("short", "full")]
    assert all(text.endswith(".") and text[0].isupper() for text in texts)
    assert not getattr(rule, "why_off").endswith(".")  # noqa: B009 - the page adds it
