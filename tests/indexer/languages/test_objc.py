"""Objective-C: fixtures that assert themselves, and what only Objective-C does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.config import Settings
from loregraph.indexer.discover.files import discover
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "objc").glob("*.m"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "objc", "//") == []


def facts_of(text: str, path: str = "Cart.m") -> FileFacts:
    return extract(path, text.encode(), "objc")


HEADER = """
@interface Policy : NSObject
@property (nonatomic, class, readonly) Policy *shared;
@property (nonatomic) Policy *next;
+ (instancetype)policyWith:(int)a;
- (void)go;
@end
"""
POLICY = """
#import "Policy.h"
@interface Policy ()
@property (nonatomic) Helper *helper;
@end
@implementation Policy
+ (Policy *)shared { return nil; }
+ (instancetype)policyWith:(int)a { Policy *made = [[self alloc] init]; return made; }
- (instancetype)init { self = [super init]; [self go]; return self; }
- (void)go { [self.helper help]; [_helper help]; }
@end
@implementation Helper
- (void)help {}
@end
"""


def test_messages_reach_the_methods_of_types() -> None:
    files = {
        "include/Policy.h": HEADER,
        "src/Policy.m": POLICY,
        "src/Use.m": "#import <Shop/Policy.h>\n@implementation Use\n- (void)use { [[Policy policyWith:1] go];\n"
        "[Policy.shared go]; Policy *own; [own.next go]; Other *other = [Other new]; [other go]; }\n@end",
    }
    assert calls_between(files) == {
        ("Policy.policyWith:", "Policy"), ("Policy.policyWith:", "Policy.init"), ("Policy.init", "Policy.go"),
        ("Policy.go", "Helper.help"), ("Use.use", "Policy.policyWith:"), ("Use.use", "Policy.go"),
        ("Use.use", "Policy.shared"),
    }  # fmt: skip


def test_protocols_and_categories_are_followed() -> None:
    files = {
        "a.m": "@protocol Runs <NSObject>\n- (void)run;\n@end\n@interface A : NSObject <Runs>\n@end\n"
        "@implementation A\n- (void)run {}\n@end\n@interface B : A\n@end\n@implementation B\n"
        "- (void)run { [super run]; }\n@end\n@implementation B (More)\n- (void)more { [self run]; }\n@end\n"
        "void f(id<Runs> one) { [one run]; B *b = [[B alloc] init]; [b more]; }",
    }
    assert calls_between(files, "IMPLEMENTS") == {("A", "Runs")}
    assert calls_between(files, "EXTENDS") == {("B", "A")}
    assert {("B.run", "A.run"), ("B.more", "B.run"), ("f", "Runs.run"), ("f", "B.more")} <= calls_between(files)


def test_a_block_that_a_property_holds_is_called_where_it_is_called() -> None:
    text = (
        "@interface A : NSObject\n@property (copy) void (^done)(void);\n@end\n@implementation A\n"
        "- (void)set { self.done = ^{ [self end]; }; }\n- (void)end {}\n- (void)ask { if (self.done) {} }\n"
        "- (void)call { self.done(); }\n@end"
    )
    edges = calls_between({"a.m": text})
    assert ("A.call", "A.set.<lambda1>") in edges
    assert not [edge for edge in edges if edge[0] == "A.ask"]


def test_parts_of_a_class_in_a_file_are_one() -> None:
    facts = facts_of("@interface A ()\n@end\n@implementation A\n- (void)f {}\n@end\n@implementation A (B)\n@end")
    assert [(d.qualname, d.start_line, d.end_line) for d in facts.definitions] == [("A", 3, 5), ("A.f", 4, 4)]


def test_macros_for_the_compiler_are_passed_over() -> None:
    text = (
        "NS_ASSUME_NONNULL_BEGIN\nFOUNDATION_EXPORT NSString * const Key;\nNS_SWIFT_NAME(Shop)\n"
        "API_AVAILABLE(ios(13.0), macos(10.15))\n@interface A : NSObject\n"
        "- (instancetype)init NS_UNAVAILABLE;\n- (void)f:(int)a NS_SWIFT_NAME(f(a:));\n@end\n"
        "typedef NS_OPTIONS(NSUInteger, Flags) { FlagOne = 1 << 0 };\nNS_ASSUME_NONNULL_END"
    )
    facts = facts_of(text, "A.h")
    assert (facts.status, [d.qualname for d in facts.definitions]) == ("indexed", ["A", "Flags"])


def test_headers_and_m_files_are_told_apart(tmp_path: Path) -> None:
    files = {
        "A.h": "// A\n#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n",
        "b.h": "int f(void);\n",
        "c.hpp": "class C {};\n",
        "b.c": "int f(void) { return 1; }\n",
        "A.m": '#import "A.h"\n@implementation A\n@end\n',
        "fit.m": "% Fits a line.\nfunction y = fit(x)\ny = x;\nend\n",
        "plot.m": "function plot(x)\nend\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = {file.path: file.language for file in discover(tmp_path, Settings()).files}
    assert found == {"A.h": "objc", "b.h": "c", "c.hpp": "cpp", "b.c": "c", "A.m": "objc"}
    assert registry.is_foreign("fit.m", b"% MATLAB") and not registry.is_foreign("A.m", b"// a\n#import <A/A.h>")


@pytest.mark.parametrize(
    ("text", "status", "definitions"),
    [
        ("void f() { " + "[" * 2000 + "a b" + " c]" * 2000 + "; }", "indexed", 1),
        ("void f() { x = a" + ".b" * 5000 + "; }", "indexed", 1),
        ("void f() { " + "^{ " * 800 + "}; " * 800 + "}", "indexed", 334),
        ("@implementation A\n" * 500, "partial", 1),
        ("@interface A\n@property (copy) " + "NSArray<" * 2000 + "A" + " *>" * 2000 + " *a;\n@end", "indexed", 1),
    ],
    ids=["messages", "members", "blocks", "classes", "types"],
)
def test_deep_nesting_ends(text: str, status: str, definitions: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions)) == (status, definitions)
