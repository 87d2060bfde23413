"""Which code may implement a requirement: a ranking from words, names, structure and neighbours, without a model.

A requirement is compared with each file of code (`views`): by the words they share in text, names and folders, by what
is said more often here than elsewhere, by phrases of two words, and by what matching code of other files calls or
names. A word counts by how few requirements and how few files have it, which takes the words of templates ("actor",
"precondition") out wherever they come from; a file's length counts words that no requirement has too, and what is
reached counts only above what is usual for the file, so that what declares or serves everything is first for nothing,
and the less the more files a project has, whose calls seldom stay in one requirement's code. The sum is sharpened and
spread (`spreading`) to files that name each other or talk alike, and between requirements that talk alike. What is
usual for the requirement is taken off, and what remains is measured partly by its own best files and partly by how
broadly it matches (`setting` says how far), so that one threshold serves all and what has no code is below.

The parts are known from research on traceability: the vector space model (Antoniol et al., "Recovering traceability
links between code and documentation", TSE 2002), comparing parts rather than files (Hey et al., "Improving traceability
link recovery using fine-grained requirements-to-code relations", ICSME 2021), and relations of the code (Kuang et al.,
"Can method data dependencies support the assessment of traceability?", JSEP 2017).
"""

from loregraph.analysis.suggest.ranking import suggest

__all__ = ["suggest"]
