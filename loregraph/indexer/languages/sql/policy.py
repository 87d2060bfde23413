"""SQL's rules of naming: one database, whatever files its tables, views and functions are written in."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import Modules, Policy, Scopes

_FUNCTIONS: Final = (
    "count_big databasepropertyex datalength db_id db_name error_message error_number error_severity error_state "
    "nchar parsename patindex quotename raiserror replicate serverproperty sp_executesql suser_sname sysdatetimeoffset "
    "abs age any_value array_agg array_append array_length array_position array_remove array_to_json "
    "array_to_string ascii avg bit_and bit_or bool_and bool_or btrim ceil ceiling char_length "
    "character_length charindex chr clock_timestamp coalesce concat concat_ws convert count cume_dist "
    "curdate current_database current_schema current_setting currval curtime date_add date_format "
    "date_part date_sub date_trunc dateadd datediff datename datepart datetime dbms_output decode "
    "dense_rank digest encode every exp first_value floor format format_type gen_random_uuid "
    "generate_series getdate getutcdate greatest group_concat has_table_privilege iif ifnull initcap instr "
    "isnull json_agg json_array_elements json_build_array json_build_object json_extract json_object "
    "json_object_agg json_populate_record jsonb_agg jsonb_array_elements jsonb_build_array "
    "jsonb_build_object jsonb_each jsonb_object_agg jsonb_set jsonb_typeof julianday lag last_insert_id "
    "last_value lastval lcase lead least left length len ln localtimestamp locate log lower lpad ltrim "
    "make_date make_interval max md5 min mod month nextval newid now ntile nullif nvl object_id "
    "octet_length percent_rank pg_advisory_lock pg_advisory_xact_lock pg_backend_pid pg_get_viewdef "
    "pg_notify pg_relation_size pg_sleep pg_try_advisory_lock pi position power quote_ident quote_literal "
    "quote_nullable rand random rank regexp_match regexp_matches regexp_replace regexp_split_to_array "
    "regexp_split_to_table repeat replace reverse right round row_number row_to_json row_count rpad rtrim "
    "scope_identity set_config setval sha256 sign split_part sqrt stddev strftime string_agg "
    "string_to_array strpos stuff substr substring sum sysdate sysdatetime sysutcdatetime timeofday "
    "timestampdiff to_char to_date to_hex to_json to_jsonb to_number to_regclass to_timestamp to_tsquery "
    "to_tsvector transaction_timestamp translate trim trunc txid_current ucase unix_timestamp unnest upper "
    "uuid uuid_generate_v4 variance version year"
).split()

POLICY: Final = Policy(
    language="sql",
    modules=Modules(
        style="include", package_scope=True, package_lookup="global", shared_values=re.compile(r"\A[^.]+\.")
    ),
    scopes=Scopes(default_externals=dict.fromkeys(_FUNCTIONS, "sql")),
)
POLICIES: Final = {"sql": POLICY}
