"""What of a file other files' edges may depend on.

Values are followed through calls, returns and stores across files, so nearly every fact of a file can matter
elsewhere; what cannot is where things stand (lines), what they say (docstrings, signatures) and hashes of text. Equal
surfaces mean that every other file's edges stay as they are.
"""

from __future__ import annotations

import hashlib

import msgspec

from loregraph.indexer.facts import FileFacts

_encoder = msgspec.msgpack.Encoder()


def interface_digest(facts: FileFacts) -> str:
    """32 hex digits that change whenever another file's edges could."""
    order = _Order(facts)
    parts = (
        facts.path,
        facts.language,
        facts.package,
        [
            (
                d.name, d.qualname, d.kind, d.parent, order.of(d.start_byte), d.parameters, d.returns,
                [(b.type, b.relation) for b in d.bases], d.decorators, d.owner, d.type_parameters, d.flags,
            )
            for d in facts.definitions
        ],
        [(i.scope, order.of(i.at), i.module, i.level, i.name, i.alias, i.kind) for i in facts.imports],
        [(e.scope, order.of(e.at), e.name, e.value) for e in facts.exports],
        [(a.scope, order.of(a.at), a.block, a.target, a.value, a.type, a.kind) for a in facts.assignments],
        [(c.scope, order.of(c.at), c.block, c.function, c.arguments, c.keywords, c.kind) for c in facts.calls],
        [(r.scope, order.of(r.at), r.block, r.value, r.kind) for r in facts.returns],
        [(b.scope, b.parent, b.kind, order.of(b.start), order.of(b.end)) for b in facts.blocks],
        facts.extras,
    )  # fmt: skip
    return hashlib.blake2b(_encoder.encode(parts), digest_size=16).hexdigest()


class _Order:
    """Places by their rank: edits that only move code leave ranks alone."""

    def __init__(self, facts: FileFacts) -> None:
        places = {d.start_byte for d in facts.definitions}
        for listed in (facts.imports, facts.exports, facts.assignments, facts.calls, facts.returns):
            places.update(fact.at for fact in listed)
        for block in facts.blocks:
            places.add(block.start)
            places.add(block.end)
        self._ranks = {place: rank for rank, place in enumerate(sorted(places))}

    def of(self, place: int) -> int:
        return self._ranks[place]
