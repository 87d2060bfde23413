"""Suggests code that may implement a requirement: a ranking from words, names, structure and neighbours, without a
model.

A requirement is compared with each file of code (`views`): by shared words in text, names and folders, by words that
are more frequent here than elsewhere, by phrases of two words, and by matching code in other files that the file calls
or names. Words are weighted by their rarity among requirements and among files, which removes the words of templates
("actor", "precondition"). A file's length includes words that no requirement has, and matches of reached code count
only above what is usual for the file, so that files which declare or serve everything do not come first; they count the
less the more files a project has, since calls then seldom stay within one requirement's code. The sum is sharpened and
spread (`spreading`) to files that refer to each other or have similar words, and between requirements with similar
words. The requirement's usual score is subtracted, and the rest is normalised partly by its own best files and partly
by how broadly it matches (`setting` gives the proportions), so that one threshold suits all requirements and those
without code are below it.

The parts are known from research on traceability: the vector space model (Antoniol et al., "Recovering traceability
links between code and documentation", TSE 2002), comparing parts rather than files (Hey et al., "Improving traceability
link recovery using fine-grained requirements-to-code relations", ICSME 2021), and relations of the code (Kuang et al.,
"Can method data dependencies support the assessment of traceability?", JSEP 2017).
"""

from loregraph.analysis.suggest.ranking import suggest

__all__ = ["suggest"]
