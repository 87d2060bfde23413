"""JSON schemas of tools, as short as possible: every host pays for them in tokens, in every session.

No titles, no `$defs`, and optional types do not include `null`: optional values are omitted rather than null. Maximum
lengths of texts and lists are checked but not listed: nobody chooses a value by them.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

_PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_UNREMARKABLE: Final = ("max_tokens",)
"""Arguments whose default does not help to choose a value."""
_BOUNDS: Final = (("ge", "minimum"), ("le", "maximum"))


def arguments_schema(arguments: type[msgspec.Struct], shown: Collection[str] | None = None) -> dict[str, Any]:
    """The input schema of a record of arguments; only of those in `shown`, if given."""
    schema = _object(arguments)
    if shown is not None:
        schema["properties"] = {name: kind for name, kind in schema["properties"].items() if name in shown}
    if len(schema["properties"]) == len(arguments.__struct_fields__):
        schema["additionalProperties"] = False
    return schema


def output_schema(output: type[msgspec.Struct], shown: Collection[str] = (), *, brief: bool = False) -> dict[str, Any]:
    """The output schema of an answer, or of its fields in `shown`. Nothing is required at the top: error bodies must
    match as well, because some clients validate them with the same schema. Occasional fields (`truncated`) are left
    out, too, and types where it is `brief`."""
    omits = output.__struct_config__.omit_defaults
    fields = msgspec.structs.fields(output)
    always = (field for field in fields if field.required or not (omits or field.default is msgspec.UNSET))
    properties = {field.encode_name: {} if brief else _answer(field.type) for field in always}
    if shown:
        properties = {name: properties[name] for name in shown}
    return {"type": "object", "properties": properties}


def _object(record: type[msgspec.Struct]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    required = []
    for field in msgspec.structs.fields(record):
        shown = _argument(field.type)
        if field.required:
            required.append(field.encode_name)
        elif field.default not in (None, "", False, 0) and field.encode_name not in _UNREMARKABLE:
            shown["default"] = field.default
        schema["properties"][field.encode_name] = shown
    if required:
        schema["required"] = required
    return schema


def _argument(kind: Any) -> dict[str, Any]:
    """The schema of a type, including its `Meta`."""
    kind, metas = _bare(kind)
    given = next((meta.extra_json_schema for meta in metas if meta.extra_json_schema is not None), None)
    origin = get_origin(kind)
    schema: dict[str, Any]
    if given is not None:
        schema = dict(given)
    elif kind in _PLAIN:
        schema = {"type": _PLAIN[kind]}
    elif origin is Literal:
        schema = {"enum": list(get_args(kind))}
    elif origin in (tuple, list):
        items = _argument(get_args(kind)[0])
        schema = {"type": "array", "items": items} if items else {"type": "array"}
    elif origin in (dict, Mapping) or kind is dict:
        schema = {"type": "object"}
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        schema = _object(kind)
    else:
        schema = {}
    for meta in metas:
        if given is None:
            schema |= {name: value for key, name in _BOUNDS if (value := getattr(meta, key)) is not None}
        if meta.description:
            schema["description"] = meta.description
    return schema


def _answer(kind: Any) -> dict[str, Any]:
    if type(None) in get_args(kind):
        schema = _answer(next(k for k in get_args(kind) if k is not type(None)))
        return {"type": [schema["type"], "null"]}
    kind, _ = _bare(kind)
    origin = get_origin(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if origin in (tuple, list):
        return {"type": "array"}
    if origin in (dict, Mapping) or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return {"type": "object"}
    return {}


def _bare(kind: Any) -> tuple[Any, list[msgspec.Meta]]:
    """`kind` without `None` and without `Annotated`, and the latter's `Meta`s, the last of which prevails."""
    metas: list[msgspec.Meta] = []
    while True:
        origin = get_origin(kind)
        if origin is Annotated:
            metas = [*(m for m in kind.__metadata__ if isinstance(m, msgspec.Meta)), *metas]
            kind = get_args(kind)[0]
        elif origin in (Union, types.UnionType):
            kinds = [k for k in get_args(kind) if k not in (type(None), msgspec.UnsetType)]
            if len(kinds) != 1:
                return Any, metas
            kind = kinds[0]
        else:
            return kind, metas
