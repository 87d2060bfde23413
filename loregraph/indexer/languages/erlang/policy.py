"""Erlang's rules of naming and calling. A function is called by its name and number of parameters: `total/2`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Calls, Members, Modules, Policy, Scopes

_AUTO_IMPORTED: Final = (
    "abs/1 apply/2 apply/3 atom_to_binary/1 atom_to_binary/2 atom_to_list/1 binary_part/2 binary_part/3 "
    "binary_to_atom/1 binary_to_atom/2 binary_to_existing_atom/1 binary_to_existing_atom/2 binary_to_float/1 "
    "binary_to_integer/1 binary_to_integer/2 binary_to_list/1 binary_to_list/3 binary_to_term/1 binary_to_term/2 "
    "bit_size/1 bitstring_to_list/1 byte_size/1 ceil/1 date/0 delete_module/1 demonitor/1 demonitor/2 element/2 "
    "erase/0 erase/1 error/1 error/2 error/3 exit/1 exit/2 float/1 float_to_binary/1 float_to_binary/2 "
    "float_to_list/1 float_to_list/2 floor/1 garbage_collect/0 get/0 get/1 get_keys/0 group_leader/0 group_leader/2 "
    "halt/0 halt/1 halt/2 hd/1 integer_to_binary/1 integer_to_binary/2 integer_to_list/1 integer_to_list/2 "
    "iolist_size/1 iolist_to_binary/1 is_alive/0 is_atom/1 is_binary/1 is_bitstring/1 is_boolean/1 is_float/1 "
    "is_function/1 is_function/2 is_integer/1 is_list/1 is_map/1 is_map_key/2 is_number/1 is_pid/1 is_port/1 "
    "is_process_alive/1 is_record/2 is_record/3 is_reference/1 is_tuple/1 length/1 link/1 list_to_atom/1 "
    "list_to_binary/1 list_to_bitstring/1 list_to_existing_atom/1 list_to_float/1 list_to_integer/1 "
    "list_to_integer/2 list_to_pid/1 list_to_tuple/1 make_ref/0 map_get/2 map_size/1 max/2 min/2 monitor/2 monitor/3 "
    "monitor_node/2 node/0 node/1 nodes/0 nodes/1 now/0 open_port/2 pid_to_list/1 port_close/1 port_command/2 "
    "process_flag/2 process_info/1 process_info/2 processes/0 put/2 ref_to_list/1 register/2 registered/0 round/1 "
    "self/0 setelement/3 size/1 spawn/1 spawn/2 spawn/3 spawn/4 spawn_link/1 spawn_link/2 spawn_link/3 "
    "spawn_monitor/1 spawn_monitor/3 spawn_opt/2 spawn_opt/4 split_binary/2 statistics/1 term_to_binary/1 "
    "term_to_binary/2 term_to_iovec/1 throw/1 time/0 tl/1 trunc/1 tuple_size/1 tuple_to_list/1 unlink/1 unregister/1 "
    "whereis/1"
).split()
_FIRST: Final = (
    "lists: all/2 any/2 dropwhile/2 filter/2 filtermap/2 flatmap/2 foldl/3 foldr/3 foreach/2 map/2 mapfoldl/3 "
    "mapfoldr/3 partition/2 search/2 sort/2 splitwith/2 takewhile/2 umerge/3 usort/2 zipwith/3; "
    "maps: filter/2 filtermap/2 fold/3 foreach/2 map/2; dict: filter/2 fold/3 map/2; sets: filter/2 fold/3; "
    "gb_sets: filter/2 fold/3; gb_trees: map/2; ordsets: filter/2 fold/3; orddict: filter/2 fold/3 map/2; "
    "queue: filter/2 fold/3; array: foldl/3 map/2; ets: foldl/3 foldr/3; dets: foldl/3; "
    "erlang: apply/2 spawn/1 spawn_link/1 spawn_monitor/1 spawn_opt/2; proc_lib: spawn/1 spawn_link/1 spawn_opt/2; "
    "mnesia: activity/2 async_dirty/1 dirty/1 sync_dirty/1 sync_transaction/1 transaction/1; timer: tc/1"
)
"""Functions that call their first argument."""

POLICY: Final = Policy(
    language="erlang",
    modules=Modules(
        style="absolute",
        include_scope=True,
    ),
    scopes=Scopes(
        assigns_outward=frozenset(),
        default_externals=dict.fromkeys(_AUTO_IMPORTED, "erlang"),
    ),
    members=Members(
        inherits=False,
    ),
    calls=Calls(
        callbacks={
            f"{module.strip()}.{name}": (0,)
            for module, _, names in (row.partition(":") for row in _FIRST.split(";"))
            for name in names.split()
        },
    ),
)
POLICIES: Final = {"erlang": POLICY}
