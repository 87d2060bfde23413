"""Solidity's rules of naming and calling."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.languages.policy import Calls, Construction, Library, Members, Modules, Policy, Scopes, Types

_SIZES: Final = range(8, 257, 8)
_UNSIGNED: Final = tuple(f"uint{size}" for size in _SIZES)
_SIGNED: Final = tuple(f"int{size}" for size in _SIZES)
_BYTES: Final = tuple(f"bytes{size}" for size in range(1, 33))
_VALUES: Final = (*_UNSIGNED, *_SIGNED, *_BYTES, "address", "bool", "fixed", "ufixed")
_TYPES: Final = (*_VALUES, "bytes", "string")
_GLOBAL: Final = (
    "abi addmod assert block blockhash blobhash ecrecover gasleft keccak256 msg mulmod now require revert ripemd160 "
    "selfdestruct sha256 tx"
).split()

BASIC: Final[dict[str, tuple[str, ...]]] = {
    **{name: _UNSIGNED[place + 1 :] + _SIGNED[place + 1 :] for place, name in enumerate(_UNSIGNED)},
    **{name: _SIGNED[place + 1 :] for place, name in enumerate(_SIGNED)},
    **{name: _BYTES[place + 1 :] for place, name in enumerate(_BYTES)},
    **dict.fromkeys(("address", "bool", "fixed", "ufixed", "bytes", "string"), ()),
    "number literal": ("uint256", "int256", *reversed(_UNSIGNED[:-1]), *reversed(_SIGNED[:-1])),
    "string literal": ("string", "bytes", *reversed(_BYTES)),
}
"""Solidity's own types and what takes them too ("Implicit Conversions" in its documentation); literals have no type
before they are given to something."""

POLICY: Final = Policy(
    language="solidity",
    modules=Modules(
        style="file",
        inside=re.compile(r"\A\."),
    ),
    scopes=Scopes(
        members_in_scope=True,
        default_externals=dict.fromkeys((*_TYPES, *_GLOBAL), "solidity"),
    ),
    members=Members(
        attributes_called=True,
        extensions=True,
        extensions_imported=True,
        extensions_named=True,
    ),
    construction=Construction(
        conversion=True,
    ),
    calls=Calls(
        overload_results=True,
        dispatch_self=True,
    ),
    types=Types(
        static_types=True,
        basic_types=BASIC,
        literal_types={"str": ("solidity", "string")},
        literal_names={"str": "string literal", "int": "number literal", "bool": "bool"},
        value_types=frozenset(_VALUES),
        type_containers=frozenset({"[]", "mapping"}),
    ),
    library=Library(
        container_methods={"push": "append"},
    ),
)
POLICIES: Final = {"solidity": POLICY}
