"""Ruby: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import BACKTICK, DOUBLE, HASH, IMPORTS, SINGLE, Tokens

LANGUAGES: Final = (
    Language(
        "ruby",
        "ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        filenames=("Gemfile", "Rakefile", "Guardfile", "Capfile", "Vagrantfile", "Podfile", "Fastfile"),
        shebangs=("ruby", "jruby"),
        tokens=Tokens(
            "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in "
            "module next nil "
            "not or private protected public redo rescue retry return self super then true undef "
            "unless until when while "
            "yield",
            comments=(r"^=begin\b.*?(?:^=end[^\n]*|\Z)", HASH),
            strings=(BACKTICK, DOUBLE, SINGLE),
            ignored=(IMPORTS,),
        ),
        counts_arguments=True,
        packaging=(Packaging(".gemspec", "gem", 14),),
        packaging_settings=("Gemfile",),
        called_by_name=frozenset(
            "method_missing respond_to_missing? inherited included extended prepended method_added const_missing"
            " initialize_copy initialize_dup initialize_clone to_s to_str to_ary to_hash to_proc "
            "inspect each call coerce"
            " marshal_dump marshal_load".split()
        ),
    ),
)
