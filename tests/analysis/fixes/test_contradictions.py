"""Fixes against what was decided, and fixes that are fine."""

from __future__ import annotations

import time

import pytest

from loregraph.analysis.fixes.contradictions import Statement, contradictions


def found(text: str, description: str = "", diff: str = "") -> list[str]:
    return [one.message for one in contradictions([Statement("requirement", "REQ-1", text)], description, diff)]


AGAINST = [
    ("Payments must be retried 3 times.", "", "-RETRIES = 3\n+RETRIES = 1\n"),
    ("Payments are retried three times before they fail.", "", "-    max_retries=3,\n+    max_retries=1,\n"),
    ("The client must retry 3 times.", "Set retries to 1, to fail faster.", ""),
    ("A request must be answered within 5 seconds.", "", "-REQUEST_TIMEOUT = 5\n+REQUEST_TIMEOUT = 30\n"),
    ("The request timeout is at most 5 seconds.", "", "-REQUEST_TIMEOUT = 5\n+REQUEST_TIMEOUT = 30\n"),
    ("The timeout is at most 2 seconds.", "", "-timeout_ms = 2000\n+timeout_ms = 5000\n"),
    (
        "Passwords have at least 12 characters: the password length is at least 12.",
        "",
        "-PASSWORD_LENGTH = 12\n+PASSWORD_LENGTH = 8\n",
    ),
    ("Prices are rounded to 2 digits.", "", "-    return round(price, digits=2)\n+    return round(price, digits=3)\n"),
    ("We do not use pickle: it runs code.", "", "+import pickle\n+data = pickle.loads(raw)\n"),
    ("Do not use `pickle` for anything that comes from outside.", "Use pickle to read the cache.", ""),
    ("Avoid pickle, since it runs code.", "", "+import pickle\n"),
    ("Never call `save_order` directly; go through the queue.", "", "+    save_order(order)\n"),
    ("never call Order.save directly", "", "+    order.save()\n"),
    ("`eval` must not be used.", "", "+    return eval(text)\n"),
    ("Handlers must not import `requests`.", "", "+import requests\n"),
    ("Code here shall not depend on django.", "", "+from django.conf import settings\n"),
    ("You can't use threading in the worker.", "", "+import threading\n"),
    ("Every request must call `verify_token` first.", "", "-    verify_token(request)\n     return 1\n"),
    ("Totals must be computed with `Decimal`.", "", "-    total = Decimal(price)\n+    total = float(price)\n"),
    ("Amounts are never stored with to_float().", "", "+    row.amount = to_float(amount)\n"),
]

FINE = [
    ("Payments must be retried 3 times.", "", "-RETRIES = 1\n+RETRIES = 3\n"),
    ("Payments must be retried 3 times.", "Log the order's id.", "+    log.info(order.id)\n"),
    ("Payments must be retried 3 times.", "", "-PAGE_SIZE = 3\n+PAGE_SIZE = 5\n"),
    ("The request timeout is at most 5 seconds.", "", "-REQUEST_TIMEOUT = 5\n+REQUEST_TIMEOUT = 3\n"),
    ("The timeout is at most 2 seconds.", "", "-timeout_ms = 2000\n+timeout_ms = 1500\n"),
    ("Do not use pickle.", "", "-import pickle\n+import json\n"),
    ("Do not use pickle.", "Replace pickle with json.", "-import pickle\n+import json\n"),
    ("Do not use pickle.", "Remove the use of pickle.", ""),
    ("Do not use pickle.", "", "+# not pickle: it runs code\n+import json\n"),
    ("Never call `save_order` directly, use `enqueue_order` instead.", "", "+    enqueue_order(order)\n"),
    ("Use `json`, not `pickle`.", "", "+import json\n"),
    (
        "Every request must call `verify_token` first.",
        "",
        "-    verify_token(request)\n+    verify_token(request, now)\n",
    ),
    ("A cart may not be empty.", "", "+    if not cart:\n+        raise EmptyCart\n"),
    ("It must not use more than one connection.", "", "+    connection = pool.take()\n"),
    ("Version 2 of the API is supported.", "", "-VERSION = 1\n+VERSION = 2\n"),
    (
        "Prices are rounded to 2 digits.",
        "Round half up.",
        "-    return round(price, 2)\n+    return half_up(price, 2)\n",
    ),
]


# Verifies REQ-CON-004.
@pytest.mark.parametrize(("text", "description", "diff"), AGAINST)
def test_what_contradicts_is_found_with_its_sentence(text: str, description: str, diff: str) -> None:
    messages = found(text, description, diff)
    assert len(messages) == 1
    assert messages[0].startswith("the requirement REQ-1 says ")


@pytest.mark.parametrize(("text", "description", "diff"), FINE)
def test_what_is_fine_is_no_concern(text: str, description: str, diff: str) -> None:
    assert found(text, description, diff) == []


def test_an_exception_makes_it_less_sure() -> None:
    statement = Statement("design", "ADR-7", "Never use pickle, except in tests.")
    (concern,) = contradictions([statement], "", "+import pickle\n")
    assert (concern.type, concern.severity, concern.related) == ("contradicts_design", "medium", ("ADR-7",))


@pytest.mark.parametrize("piece", ["never use ", "a_b ", "must 3 ", "`", "at most ", "\n", "x to 1 ", "( ", "replace "])
def test_hostile_texts_take_little_time(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    begun = time.process_time()
    contradictions([Statement("memory", "m", text)], text, "+" + text)
    assert time.process_time() - begun < 5
