"""Ruby: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import BACKTICK, DOUBLE, HASH, IMPORTS, SINGLE, Tokens

TESTS: Final = Tests(
    files=("*_test", "*_spec", "test_*", "spec_helper", "rails_helper"),
    folders=("spec",),
    prefixes=("test_",),
    callers=frozenset({"it", "specify", "example", "scenario", "test", "should"}),
)
LANGUAGES: Final = (
    Language(
        "ruby",
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        scip="Ruby",
        filenames=("Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"),
        shebangs=("ruby", "jruby"),
        tests=TESTS,
        runners="ruby",
        lexer="ruby",
        tokens=Tokens(
            "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in "
            "module next nil "
            "not or private protected public redo rescue retry return self super then true undef "
            "unless until when while "
            "yield",
            comments=(r"^=begin\b.*?(?:^=end[^\n]*|\Z)", HASH),
            strings=(BACKTICK, DOUBLE, SINGLE),
            ignored=(IMPORTS,),
            body="\n",
        ),
        documentation=Documentation(conventions=("yard",), marks=("#",)),
        signatures=Signatures(counts_arguments=True, reads_unnamed=r"\b(?:yield|block_given\?)", rest_documented=True),
        unused=Unused(
            called_by_name=frozenset(
                "method_missing respond_to_missing? inherited included extended prepended method_added const_missing"
                " initialize_copy initialize_dup initialize_clone to_s to_str to_ary to_hash to_proc "
                "inspect each call coerce"
                " marshal_dump marshal_load".split()
            )
        ),
        packaging=(Packaging(".gemspec", "gem", 14, manager="gem"),),
        packaging_settings=("Gemfile",),
    ),
)
