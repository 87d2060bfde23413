"""The messages of SCIP and the numbers of their fields, as the published `scip.proto` has them.

Only what is written or read here: a reader of protobuf skips other fields. The classes are made when they are first
asked for, because the runtime takes 30 ms to import.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

METADATA, DOCUMENTS, EXTERNAL_SYMBOLS = 1, 2, 3
"""The fields of `Index`, which are read and written one by one."""
RELATIVE_PATH, OCCURRENCES, TEXT, POSITION_ENCODING = 1, 2, 5, 6
"""The fields of `Document` that are read one by one."""

DEFINITION, IMPORT, GENERATED, TEST, FORWARD = 0x1, 0x2, 0x10, 0x20, 0x40
"""Roles of an occurrence, which are added up."""

UTF8, UTF16, UTF32 = 1, 2, 3
"""What a character of a range counts: bytes of UTF-8, units of UTF-16, code points."""

KINDS: Final = {
    "function": 17,
    "lambda": 17,
    "method": 26,
    "constructor": 9,
    "getter": 18,
    "setter": 45,
    "class": 7,
    "interface": 21,
    "struct": 49,
    "trait": 53,
    "enum": 11,
    "union": 59,
    "protocol": 42,
    "type": 54,
    "annotation": 21,
    "record": 7,
    "object": 33,
    "file": 16,
    "component": 35,
}
"""Kind of the graph → SCIP's number for it."""
ABSTRACT_METHOD, STATIC_METHOD = 66, 80

_MESSAGES: Final = {
    "ToolInfo": "name:1:string version:2:string arguments:3:string*",
    "Metadata": "version:1:int32 tool_info:2:ToolInfo project_root:3:string text_document_encoding:4:int32",
    "Relationship": (
        "symbol:1:string is_reference:2:bool is_implementation:3:bool is_type_definition:4:bool is_definition:5:bool"
    ),
    "SymbolInformation": (
        "symbol:1:string documentation:3:string* relationships:4:Relationship* kind:5:int32 display_name:6:string "
        "signature_documentation:7:Signature enclosing_symbol:8:string"
    ),
    # A document within a symbol, of which only these two are written.
    "Signature": "language:4:string text:5:string",
    "Occurrence": "range:1:int32* symbol:2:string symbol_roles:3:int32 enclosing_range:7:int32*",
    "Document": (
        "relative_path:1:string occurrences:2:Occurrence* symbols:3:SymbolInformation* language:4:string text:5:string "
        "position_encoding:6:int32"
    ),
}
"""Message → its fields: name, number and type, `*` for a repeated one. Enumerations have the form of int32."""


class Messages(NamedTuple):
    """The classes of the messages that stand alone or are filled one by one."""

    Metadata: Any
    Document: Any
    SymbolInformation: Any
    Occurrence: Any


@cache
def messages() -> Messages:
    """The classes of the protobuf runtime for SCIP's messages."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="loregraph/scip.proto", package="scip", syntax="proto3")
    field_type = descriptor_pb2.FieldDescriptorProto
    types = {"string": field_type.TYPE_STRING, "bool": field_type.TYPE_BOOL, "int32": field_type.TYPE_INT32}
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for row in fields.split():
            field, number, kind = row.split(":")
            one = message.field.add(name=field, number=int(number), label=field_type.LABEL_OPTIONAL)
            if kind.endswith("*"):
                one.label = field_type.LABEL_REPEATED
                kind = kind[:-1]
            if kind in types:
                one.type = types[kind]
            else:
                one.type, one.type_name = field_type.TYPE_MESSAGE, f".scip.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return Messages(
        *(message_factory.GetMessageClass(pool.FindMessageTypeByName(f"scip.{name}")) for name in Messages._fields)
    )
