"""The vocabulary that cypher.py accepts in reads; all other words are refused.

Clauses and operators are those of every dialect. Functions and procedures are those of Kuzu 0.11.3 (`CALL
show_functions() RETURN *`), without those that write, advance a sequence, or read anything but the graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLAUSES: Final = _words("MATCH OPTIONAL WITH UNWIND RETURN CALL")
"""Keywords that may begin a statement, or the part after UNION."""

CONTINUATIONS: Final = CLAUSES | _words("ORDER SKIP LIMIT UNION YIELD")
"""Keywords that may follow a complete expression at clause level."""

INFIX: Final = _words("AND OR XOR IN CONTAINS IS STARTS ENDS WHERE WHEN THEN ELSE")
"""Words between two expressions, or after one and before another."""

POSTFIX: Final = _words("END ASC ASCENDING DESC DESCENDING")
"""Words after an expression that complete it."""

PREFIX: Final = _words("NOT DISTINCT CASE WHEN WHERE")
"""Words before an expression."""

PATH_MODES: Final = _words("SHORTEST ALL TRAIL ACYCLIC WALK")
"""Words after the `*` of a path of variable length."""

PROCEDURES: Final = _words(
    """
    CATALOG_VERSION CURRENT_SETTING DB_VERSION SHOW_CONNECTION SHOW_FUNCTIONS SHOW_INDEXES SHOW_MACROS SHOW_SEQUENCES
    SHOW_TABLES SHOW_WARNINGS STATS_INFO STORAGE_INFO TABLE_INFO
    """
)
"""Procedures that may be called: they describe the graph, with at most a table's name as argument."""

FUNCTIONS: Final = _words(
    """
    ABS ACOS ALL ANY ARRAY_APPEND ARRAY_CAT ARRAY_CONCAT ARRAY_CONTAINS ARRAY_COSINE_SIMILARITY ARRAY_CROSS_PRODUCT
    ARRAY_DISTANCE ARRAY_DOT_PRODUCT ARRAY_EXTRACT ARRAY_HAS ARRAY_INDEXOF ARRAY_INNER_PRODUCT ARRAY_POSITION
    ARRAY_PREPEND ARRAY_PUSH_BACK ARRAY_PUSH_FRONT ARRAY_SLICE ARRAY_SQUARED_DISTANCE ARRAY_TO_JSON ARRAY_VALUE ASIN
    ATAN ATAN2 AVG BITSHIFT_LEFT BITSHIFT_RIGHT BITWISE_AND BITWISE_OR BITWISE_XOR BLOB CARDINALITY CAST CAST_TO_JSON
    CBRT CEIL CEILING CENTURY COALESCE COLLECT CONCAT CONCAT_WS CONSTANT_OR_NULL CONTAINS COS COST COT COUNT COUNT_IF
    COUNT_STAR CURRENT_DATE CURRENT_TIMESTAMP DATE DATEPART DATETRUNC DATE_PART DATE_TRUNC DAYNAME DECODE DEGREES
    DURATION ELEMENT_AT ENCODE ENDS_WITH END_NODE EPOCH_MS EQUALS ERROR EVEN FACTORIAL FLOOR GAMMA GEN_RANDOM_UUID
    GREATER_THAN GREATER_THAN_EQUALS GREATEST HASH ID IFNULL INITCAP INTERNAL_ID INTERVAL IS_ACYCLIC IS_TRAIL JSON
    JSON_ARRAY JSON_ARRAY_LENGTH JSON_CONTAINS JSON_EXTRACT JSON_KEYS JSON_MERGE_PATCH JSON_OBJECT JSON_QUOTE
    JSON_STRUCTURE JSON_VALID KEYS LABEL LABELS LAST_DAY LCASE LEAST LEFT LENGTH LESS_THAN LESS_THAN_EQUALS LEVENSHTEIN
    LGAMMA LIST_ANY_VALUE LIST_APPEND LIST_CAT LIST_CONCAT LIST_CONTAINS LIST_CREATION LIST_DISTINCT LIST_ELEMENT
    LIST_EXTRACT LIST_FILTER LIST_HAS LIST_HAS_ALL LIST_INDEXOF LIST_POSITION LIST_PREPEND LIST_PRODUCT LIST_REDUCE
    LIST_REVERSE LIST_REVERSE_SORT LIST_SLICE LIST_SORT LIST_SUM LIST_TO_STRING LIST_TRANSFORM LIST_UNIQUE LN LOG LOG10
    LOG2 LOWER LPAD LTRIM MAKE_DATE MAP MAP_EXTRACT MAP_KEYS MAP_VALUES MAX MD5 MIN MONTHNAME NEGATE NODES NONE
    NOT_EQUALS NULLIF OCTET_LENGTH OFFSET PI POW PREFIX PROPERTIES RADIANS RANGE REGEXP_EXTRACT REGEXP_EXTRACT_ALL
    REGEXP_FULL_MATCH REGEXP_MATCHES REGEXP_REPLACE REGEXP_SPLIT_TO_ARRAY RELATIONSHIPS RELS REPEAT REVERSE RIGHT ROUND
    ROW_TO_JSON RPAD RTRIM SHA256 SIGN SIN SINGLE SIZE SPLIT_PART SQRT STARTS_WITH START_NODE STEM STRING STRING_SPLIT
    STRING_TO_ARRAY STRUCT_EXTRACT STRUCT_PACK STR_SPLIT SUBSTR SUBSTRING SUFFIX SUM TAN TIMESTAMP TOLOWER TOUPPER
    TO_BLOB TO_BOOL TO_DATE TO_DAYS TO_DOUBLE TO_EPOCH_MS TO_FLOAT TO_HOURS TO_INT128 TO_INT16 TO_INT32 TO_INT64 TO_INT8
    TO_INTERVAL TO_JSON TO_MICROSECONDS TO_MILLISECONDS TO_MINUTES TO_MONTHS TO_SECONDS TO_SERIAL TO_STRING TO_TIMESTAMP
    TO_UINT16 TO_UINT32 TO_UINT64 TO_UINT8 TO_UUID TO_YEARS TRIM TYPEOF UCASE UNION_EXTRACT UNION_TAG UNION_VALUE UPPER
    UUID WSHORTEST
    """
)
"""Scalar functions and aggregates. WSHORTEST is a path mode that takes the name of a cost."""

INSTEAD: Final = {
    "TYPE": "label(r)",
    "TOINTEGER": "to_int64(x)",
    "TOFLOAT": "to_double(x)",
    "TOSTRING": "to_string(x)",
    "HEAD": "list_extract(x, 1)",
    "LAST": "list_extract(x, -1)",
    "SHORTESTPATH": "-[* SHORTEST 1..8]-",
    "REPLACE": "regexp_replace(text, pattern, by)",
    "SPLIT": "string_split(text, by)",
    "STARTNODE": "start_node(r)",
    "ENDNODE": "end_node(r)",
}
"""Functions of other dialects → the engine's equivalents."""


class Vocabulary(NamedTuple):
    """What a statement for one kind of engine may use beside the clauses and operators of all: words in upper case.

    `functions` and `procedures` may be called, `path_modes` follow the `*` of a path; `instead` has advice for
    functions of other dialects.
    """

    functions: frozenset[str]
    procedures: frozenset[str]
    path_modes: frozenset[str]
    instead: Mapping[str, str]


EMBEDDED: Final = Vocabulary(FUNCTIONS, PROCEDURES, PATH_MODES, INSTEAD)
"""Of the embedded engine."""
