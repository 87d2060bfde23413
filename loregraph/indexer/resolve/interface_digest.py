"""A digest of everything in a file that the edges of other files may depend on.

Values are followed across files through calls, returns and stores, so nearly every fact of a file counts. Not covered
are positions (lines), descriptions (docstrings, signatures) and hashes of text. If the digest is unchanged, so are the
edges of all other files.
"""

from __future__ import annotations

import hashlib

import msgspec

from loregraph.indexer.facts import FileFacts

_encoder = msgspec.msgpack.Encoder()


def interface_digest(facts: FileFacts) -> str:
    """32 hex digits that change whenever edges of other files could change."""
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
    """Positions replaced by their rank, so that edits which only move code change nothing."""

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
