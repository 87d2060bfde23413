"""What the rest of loregraph has to know of a language, as one record.

A folder beside this module is a language, or a few that share nearly all: `language.py` in it lists its records as
`LANGUAGES`, `spec.py` says how its syntax becomes facts, `policy.py` what its names mean. The registry finds the
folders.
"""

from __future__ import annotations

from dataclasses import dataclass

from loregraph.indexer.languages.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Packaging:
    """A packaging file that makes a component of its folder.

    `name` is a file's whole name, or an ending of it (`.gemspec`); `kind` that of the component. Where a folder has
    several, the one of least `rank` names it.
    """

    name: str
    kind: str
    rank: int


# Implements REQ-IDX-019.
@dataclass(frozen=True, slots=True)
class Language:
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
    document: bool = False
    """Whether it is read for requirements and designs, and not for code."""
    holds: tuple[str, ...] = ()
    """Languages of the code in it, where it only holds code of others (`embedded`): the first is that whose rules
    decide where such a file belongs."""
    along: tuple[str, ...] = ()
    """Languages that a person means, too, who names this one."""
    tokens: Tokens | None = None
    """Comments, strings and keywords. None: those of C's family."""

    names_arguments: bool = False
    """Callers may name an argument, so that renaming a parameter breaks them."""
    counts_arguments: bool = False
    """A call with too few or too many arguments is refused."""
    ignores_surplus_arguments: bool = False
    """A function may be given more than it takes."""
    checked_by_position: bool = False
    """The compiler checks what a function is given, and no caller can write a parameter's name."""
    overloads: bool = False
    """Functions of one name and other parameters are other functions."""
    unchecked: bool = False
    """Nothing checks that functions in one table take the same."""
    override_in_head: bool = False
    """A word of the head says that a method overrides another, which the graph may not know."""
    ecmascript: bool = False
    """JavaScript and what is written like it: files list what of them is for others."""
    loads_files_in_turn: bool = False
    """Files are loaded one after the other, so that a cycle of imports matters; others compile a package as a whole."""
    preprocessed: bool = False
    """Lines with `#if` take code in or out."""
    capital_exports: bool = False
    """The first letter says whether a name is exported."""
    declares_constants: bool = False
    """What is declared at the top level with a literal is a constant, whatever its name looks like."""
    constants_in_types: bool = False
    """All constants stand in types, and begin with a capital."""
    called_by_name: frozenset[str] = frozenset()
    """Methods that the language's own syntax or library calls by their names, without an interface that says so."""

    packaging: tuple[Packaging, ...] = ()
    packaging_settings: tuple[str, ...] = ()
    """Other files that say what is in a folder."""
