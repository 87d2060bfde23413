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
_FIRST_OF = "Kernel.spawn Kernel.spawn_link Task.async Task.start Task.start_link Agent.start_link"
_SECOND_OF = (
    "Enum.sort Kernel.then Kernel.tap Map.new MapSet.new Task.async_stream Agent.get Agent.update Agent.get_and_update"
)
_THIRD_OF = (
    "Enum.map_reduce Enum.flat_map_reduce Enum.into Keyword.update! Keyword.get_lazy List.foldl List.foldr "
    "List.update_at Map.get_lazy Map.get_and_update Map.merge Map.put_new_lazy Map.update!"
)
_FOURTH_OF = "Keyword.update Map.update"

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
            **dict.fromkeys(_FIRST_OF.split(), (0,)),
            **dict.fromkeys(_SECOND_OF.split(), (1,)),
            **dict.fromkeys(_THIRD_OF.split(), (2,)),
            **dict.fromkeys(_FOURTH_OF.split(), (3,)),
            "Enum.reduce": (1, 2),
        },
    ),
)
POLICIES: Final = {"elixir": POLICY}
