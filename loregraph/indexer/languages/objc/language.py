"""Objective-C: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.c.language import CONDITIONAL, DEFINED, UNUSED_PERMITTED
from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, C, Tokens

TESTS: Final = Tests(files=("*Test", "*Tests"), folders=("*Test", "*Tests"), prefixes=("test",))
"""Those of XCTest. Folders are called `AFTests`, too."""
LANGUAGES: Final = (
    Language(
        "objc",
        "objc",
        (".m", ".mm"),
        scip="Objective_C",
        heads=(
            r"^@interface[ \t]+\w+[ \t]*(?:[:(<]|$)",
            r"^@protocol[ \t]+\w+[ \t]*(?:[<;,]|$)",
            r"^@(?:class|import)[ \t]+[\w, .]+;",
            r"^@(?:end|implementation)\b",
            r"^[ \t]*#[ \t]*import\b",
            r"^NS_ASSUME_NONNULL_BEGIN\b",
            r"^[ \t]*typedef[ \t]+NS_(?:CLOSED_)?(?:ENUM|OPTIONS)\b",
        ),
        shared=(".h",),
        # MATLAB's and Octave's files end in `.m`, too, and Mathematica's: comments with `%`, or `(*`, and functions.
        foreign=(
            r"\A\s*(?:%|\(\*|function\b|classdef\b|close all|clear\b|clc\b)",
            r"\A(?:\s*#[^\n]*\n)*+\s*function\b",
        ),
        tokens=Tokens(
            C + " BOOL NO YES autoreleasepool catch class dynamic encode end finally id implementation in instancetype "
            "interface nil nonatomic optional package private property protected protocol public readonly required "
            "selector self strong super synchronized synthesize throw try weak",
            strings=(DOUBLE, CHARACTER),
            ignored=(r"^[ \t]*\#[ \t]*import[^\n]*$",),
        ),
        tests=TESTS,
        loads_files_in_turn=True,
        unreadable=CONDITIONAL,
        layout="objc",
        documentation=Documentation(conventions=("doxygen",)),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(counts_arguments=True),
        constants=Constants(in_lines=DEFINED),
        packaging=(Packaging(".podspec", "cocoapod", 23, any_language=True, manager="cocoapods"),),
        unused=Unused(
            permitted=UNUSED_PERMITTED,
            loose_enumerators=True,
            called_by_name=frozenset(
                "dealloc description debugDescription encodeWithCoder: hash init initWithCoder: isEqual: load "
                "initialize viewDidLoad viewWillAppear: viewDidAppear: awakeFromNib drawRect: layoutSubviews main "
                "setUp tearDown copyWithZone: observeValueForKeyPath:ofObject:change:context: "
                "application:didFinishLaunchingWithOptions:".split()
            ),
        ),
    ),
)
