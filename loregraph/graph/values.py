"""Converts values of the engine to plain JSON values."""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Any

from loregraph.graph import schema


def plain(value: Any) -> Any:
    """A value of the engine as plain JSON: nodes and relationships lose their internal ids and get `label` or `rel`."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None  # JSON has no infinities and no NaN
    if isinstance(value, dict):
        return _plain_mapping(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).hex()
    return str(value) if isinstance(value, uuid.UUID) else repr(value)


def as_whole(value: Any) -> Any:
    """A value of a column of 128-bit integers, which the engine's binding returns as a float: sums have that type."""
    if isinstance(value, float):
        return int(value)
    return [as_whole(item) for item in value] if isinstance(value, list) else value


def _plain_mapping(value: dict[Any, Any]) -> Any:
    # Internal keys are `_id`, `_label`, … in Kuzu and `_ID`, `_LABEL`, … in its fork.
    internal = {key.lower(): item for key, item in value.items() if isinstance(key, str) and key.startswith("_")}
    if internal.keys() >= {"_label", "_id"}:
        label = internal["_label"]
        name = "rel" if "_src" in internal else "label"
        columns = schema.REL_COLUMNS.get(label) if name == "rel" else schema.NODE_COLUMNS.get(label)
        if columns is not None:
            return {name: label, **{field: plain(value.get(field)) for field, _ in columns}}
    if internal.keys() == {"_nodes", "_rels"} and len(value) == len(internal):
        return {"nodes": plain(internal["_nodes"]), "rels": plain(internal["_rels"])}
    hidden = ("_id", "_src", "_dst", schema.NUMBER)
    return {str(key): plain(item) for key, item in value.items() if str(key).lower() not in hidden}
