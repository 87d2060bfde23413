"""What the rest of loregraph has to know of a language, as one record.

A folder beside this module is a language, or a few that share nearly all: `language.py` in it lists its records as
`LANGUAGES`, `spec.py` says how its syntax becomes facts, `policy.py` what its names mean. The registry finds the
folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.testing import UNKNOWN, Tests
from loregraph.indexer.languages.tokens import Tokens

_DOCUMENTATION: Final = Documentation()
_CONDITIONS: Final = Conditions()
_UNUSED: Final = Unused()
_SIGNATURES: Final = Signatures()
_CONSTANTS: Final = Constants()


class Packaging(msgspec.Struct, frozen=True):
    """A packaging file that makes a component of its folder.

    `name` is a file's whole name, or an ending of it (`.gemspec`); `kind` that of the component. Where a folder has
    several, the one of least `rank` names it.
    """

    name: str
    kind: str
    rank: int
    any_language: bool = False
    """What builds with it may be written in another language: that of most files is the component's."""
    yields: bool = False
    """A folder that is a package by what lies in it stays one."""
    manager: str = ""
    """The package manager, by the name that package URLs have for it; "" where the file names no package."""


# Implements REQ-IDX-019.
class Language(msgspec.Struct, frozen=True):
    """One language.

    `extensions` are in lower case with their dot, `filenames` exact, `shebangs` names of interpreters. `grammar` is the
    name in the tree-sitter language pack, "" where none is used.
    """

    name: str
    grammar: str
    extensions: tuple[str, ...]
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    """Regular expressions: one that matches in the first bytes of a file claims it where its extension is shared."""
    shared: tuple[str, ...] = ()
    """Extensions that other languages have, too: the file is this one's where a head says so; of a language without
    heads where none does."""
    foreign: tuple[str, ...] = ()
    """Regular expressions: a file of one of these extensions in whose first bytes one matches is of another language
    that loregraph does not know (MATLAB's `.m`)."""
    counts_as: str = ""
    """The language that its sources count for where files of a shared extension are told apart (CUDA: C++)."""
    document: bool = False
    """Whether it is read for requirements and designs, and not for code."""
    holds: tuple[str, ...] = ()
    """Languages of the code in it, where it only holds code of others (`embedded`): the first is that whose rules
    decide where such a file belongs."""
    along: tuple[str, ...] = ()
    """Languages that a person means, too, who names this one."""
    tokens: Tokens | None = None
    """Comments, strings and keywords. None: those of C's family."""
    lexer: str = ""
    """Pygments' name of the lexer that colours its source on pages; "" where that is slow for some text, which
    tests/pages/test_highlight.py measures, or where there is none."""
    scip: str = ""
    """Its name in SCIP's list of languages; "" where that has none."""
    tests: Tests = UNKNOWN
    """How its tests are told."""
    runners: str = ""
    """The folder whose `runners.py` says how chosen tests are named to what runs them; "" where that is not known."""
    documentation: Documentation = _DOCUMENTATION
    conditions: Conditions = _CONDITIONS
    unused: Unused = _UNUSED
    signatures: Signatures = _SIGNATURES
    constants: Constants = _CONSTANTS

    declares_services: bool = False
    """Its methods are announced in it for other languages to implement and call over a network."""
    ecmascript: bool = False
    """JavaScript and what is written like it: files list what of them is for others."""
    loads_files_in_turn: bool = False
    """Files are loaded one after the other, so that a cycle of imports matters; others compile a package as a whole."""
    minified: bool = False
    """Tools ship it minified or compiled, with a map to the source."""
    generated_mark: str = ""
    """Searched in the head of a file, over its lines: an annotation of what a program wrote."""
    unpaired_brackets: bool = False
    """A bracket may stand alone: `case a in b) …`."""
    unreadable: str = ""
    """Searched in a text, over its lines: what makes the tokens of one that its grammar fails on no evidence of
    anything."""
    confidences: Mapping[str, float] = msgspec.field(default_factory=dict)
    """`how` of an edge → how sure it is, where that was measured and is not the general `how.CONFIDENCE`."""
    builtin_package: str = ""
    """The package of what comes with the language."""

    layout: str = ""
    """The folder whose `layout.py` says where files are and what they are called; "" where nothing has to."""
    global_names: bool = False
    """Qualified names begin with no module."""
    packaging: tuple[Packaging, ...] = ()
    packaging_settings: tuple[str, ...] = ()
    """Other files that say what is in a folder: names, or globs with one `*`."""
