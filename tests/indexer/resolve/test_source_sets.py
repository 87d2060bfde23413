"""Declarations with a definition for each platform."""

from __future__ import annotations

from .conftest import Resolve

EXPECTED = """
    package shop

    expect class Till() {
        fun ring()
    }
    expect fun find(): Till
    fun common() { find().ring() }
    interface Bell
    fun star(till: Till) { till.ring() }
"""
ACTUAL = """
    package shop

    actual class Till {
        actual fun ring() {}
    }
    actual fun find(): Till = Till()
    fun {name}() { find().ring() }
"""


def test_a_file_calls_what_its_own_source_set_defines(project: Resolve) -> None:
    found = project(
        {
            "lib/src/commonMain/kotlin/shop/Till.kt": EXPECTED,
            "lib/src/jvmMain/kotlin/shop/Till.kt": ACTUAL.replace("{name}", "jvm"),
            "lib/src/nativeMain/kotlin/shop/Till.kt": ACTUAL.replace("{name}", "native"),
            "lib/src/commonMain/kotlin/shop/More.kt": "package shop\n\nfun more() { find().ring() }\n",
            "lib/src/appleMain/kotlin/shop/Apple.kt": "package shop\n\nfun apple() { find().ring() }\n",
            "lib/src/jvmTest/kotlin/shop/TillTest.kt": "package shop\n\nfun tested() { find().ring() }\n",
            "app/src/main/kotlin/app/App.kt": "package app\n\nimport shop.find\n\nfun app() { find().ring() }\n",
            "app/src/main/kotlin/app/Star.kt": "package app\n\nimport shop.*\n\nfun star() { find().ring() }\n",
        }
    )
    callers: dict[str, set[str]] = {}
    for source, target in found.calls():
        callers.setdefault(source.rpartition("::")[2], set()).add(target)
    for name in ("common", "more", "apple"):
        where = "lib/src/commonMain/kotlin/shop/Till.kt"
        assert callers[name] == {f"{where}::find", f"{where}::Till.ring"}
    for name in ("jvm", "tested", "app", "star"):
        where = "lib/src/jvmMain/kotlin/shop/Till.kt"
        assert {f"{where}::find", f"{where}::Till.ring"} <= callers[name]
        assert not any("native" in target for target in callers[name])
    assert not any("jvm" in target for target in callers["native"])
