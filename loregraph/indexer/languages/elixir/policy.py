"""Elixir's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Calls, Members, Modules, Policy, Scopes

_KERNEL = (
    "abs binary_part bit_size byte_size ceil div elem exit floor function_exported? get_and_update_in get_in hd "
    "inspect is_atom is_binary is_bitstring is_boolean is_exception is_float is_function is_integer is_list is_map "
    "is_map_key is_nil is_number is_pid is_port is_reference is_struct is_tuple length make_ref map_size match? max "
    "min node pop_in put_elem put_in raise rem reraise round self send spawn spawn_link spawn_monitor struct struct! "
    "tap then throw tl to_charlist to_string trunc tuple_size update_in dbg"
).split()
_EXUNIT = (
    "assert assert_raise assert_receive assert_received flunk on_exit refute refute_receive refute_received".split()
)
_SECOND = (
    "all? any? chunk_by chunk_while count dedup_by drop_while each filter find find_index find_value flat_map "
    "frequencies_by group_by map map_every map_intersperse map_join max_by min_by min_max_by reduce_while reject "
    "sort_by split_while split_with sum_by take_while uniq_by with_index zip_with"
).split()

POLICY: Final = Policy(
    language="elixir",
    modules=Modules(style="absolute"),
    scopes=Scopes(
        assigns_outward=frozenset(),
        functions_apart=True,
        default_externals={**dict.fromkeys(_KERNEL, "Kernel"), **dict.fromkeys(_EXUNIT, "ExUnit")},
    ),
    members=Members(inherits=False),
    calls=Calls(
        exact_arity=True,
        callbacks={
            **{f"{module}.{name}": (1,) for module in ("Enum", "Stream") for name in _SECOND},
            "Enum.reduce": (1, 2),
            "Enum.map_reduce": (2,),
            "Enum.flat_map_reduce": (2,),
            "Enum.into": (2,),
            "Enum.sort": (1,),
            "Kernel.then": (1,),
            "Kernel.tap": (1,),
            "Kernel.spawn": (0,),
            "Kernel.spawn_link": (0,),
            "Keyword.update": (3,),
            "Keyword.update!": (2,),
            "Keyword.get_lazy": (2,),
            "List.foldl": (2,),
            "List.foldr": (2,),
            "List.update_at": (2,),
            "Map.get_lazy": (2,),
            "Map.get_and_update": (2,),
            "Map.merge": (2,),
            "Map.new": (1,),
            "Map.put_new_lazy": (2,),
            "Map.update": (3,),
            "Map.update!": (2,),
            "MapSet.new": (1,),
            "Task.async": (0,),
            "Task.async_stream": (1,),
            "Task.start": (0,),
            "Task.start_link": (0,),
            "Agent.get": (1,),
            "Agent.update": (1,),
            "Agent.get_and_update": (1,),
            "Agent.start_link": (0,),
        },
    ),
)
POLICIES: Final = {"elixir": POLICY}
