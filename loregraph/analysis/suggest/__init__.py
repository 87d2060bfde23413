"""Which code may implement a requirement: a ranking from words, names, structure and neighbours, without a model.

A requirement is compared with each file of code five ways (`views`): the words they share, once counted gently and once
by what is said more often here than elsewhere, phrases of two words, the best single function or class, and what that
function calls or names. A word counts by how few requirements and how few files have it, which takes the words of
templates ("actor", "precondition") out wherever they come from. The sum is sharpened and spread (`spreading`) to files
that name each other or talk alike, and between requirements that talk alike; each requirement is then measured by its
own best files, so that one threshold serves all.

The parts are known from research on traceability: the vector space model (Antoniol et al., "Recovering traceability
links between code and documentation", TSE 2002), comparing parts rather than files (Hey et al., "Improving traceability
link recovery using fine-grained requirements-to-code relations", ICSME 2021), and relations of the code (Kuang et al.,
"Can method data dependencies support the assessment of traceability?", JSEP 2017).
"""

from loregraph.analysis.suggest.ranking import suggest

__all__ = ["suggest"]
