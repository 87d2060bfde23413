"""Packages and types of Java, Kotlin and Scala."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from loregraph.indexer.discover.layout import ProjectLayout

Laid = Callable[[dict[str, str]], ProjectLayout]

POM = """<?xml version="1.0" encoding="ISO-8859-1"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>p</groupId><artifactId>parent</artifactId></parent>
  <artifactId>shop</artifactId>
  <dependencies>
    <dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId></dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>own</artifactId></dependency>
  </dependencies>
</project>
"""


def empty(*paths: str) -> dict[str, str]:
    return dict.fromkeys(paths, "")


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("src/main/java/com/acme/Foo.java", "com.acme"),
        ("mod/src/test/kotlin/com/acme/FooTest.kt", "com.acme"),
        ("src/main/java-templates/com/acme/T.java", "com.acme"),
        ("src/main/java/Root.java", ""),
        ("app/com/acme/Foo.java", "com.acme"),
        ("src/util/Text.java", "util"),
        ("Main.java", ""),
        ("somewhere/Main.java", ""),
    ],
)
def test_packages_by_folder(laid: Laid, path: str, package: str) -> None:
    assert laid(empty(path)).module_name(path) == package


def test_declared_packages_win(laid: Laid) -> None:
    layout = laid(empty("code/a/Foo.java", "code/b/Bar.java", "code/c/None.java"))
    declared = layout.with_packages(
        {"code/a/Foo.java": "com.acme", "code/b/Bar.java": "com.acme", "code/c/None.java": ""}
    )
    assert declared.of("java").type_file("com.acme.Foo") == "code/a/Foo.java"
    assert declared.of("java").type_file("com.acme.Foo.Inner.Deep") == "code/a/Foo.java"
    assert declared.of("java").type_file("com.acme") is None
    assert declared.of("java").type_file("None") == "code/c/None.java"
    assert declared.of("java").package_files("com.acme") == ("code/a/Foo.java", "code/b/Bar.java")
    assert declared.of("java").package_files("com.other") == ()
    assert declared.module_name("code/a/Foo.java") == "com.acme"
    assert declared.module_name("code/a/Foo.java", "org.other") == "org.other"
    # The first layout is as it was.
    assert layout.of("java").type_file("com.acme.Foo") is None


def test_one_type_in_several_modules_means_the_nearest(laid: Laid) -> None:
    layout = laid(
        empty(*(f"{m}/src/{s}/java/com/acme/{n}.java" for m in "ab" for s in ("main", "test") for n in ("X", "Y")))
    )
    assert (
        layout.of("java").type_file("com.acme.X", "b/src/main/java/com/acme/Y.java")
        == "b/src/main/java/com/acme/X.java"
    )
    assert (
        layout.of("java").type_file("com.acme.X", "a/src/test/java/com/acme/Y.java")
        == "a/src/test/java/com/acme/X.java"
    )
    assert layout.of("java").type_file("com.acme.X") == "a/src/main/java/com/acme/X.java"


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("java.util.List", "java.util"),
        ("java.util.Map.Entry", "java.util"),
        ("java.util.*", "java.util"),
        ("kotlin.collections.listOf", "kotlin.collections"),
        ("com.google.guava.base.Strings", "com.google.guava"),
        ("com.google.common.base.Strings", "com.google.common.base"),
        ("org.junit.Assert.assertThrows", "org.junit"),
        ("Foo", "Foo"),
        ("", ""),
    ],
)
def test_externals(laid: Laid, module: str, package: str) -> None:
    assert laid({"pom.xml": POM}).external_package("java", module) == package


def test_maven(laid: Laid) -> None:
    layout = laid({"pom.xml": POM, **empty("src/main/java/com/acme/Foo.java")})
    assert layout.problems == ()
    assert layout.dependencies("component:.") == ("com.google.guava:guava",)
    assert layout.components[0].name == "shop"
    assert layout.components[0].kind == "maven-module"


def test_gradle(laid: Laid) -> None:
    layout = laid(
        {
            "settings.gradle.kts": 'rootProject.name = "shop"\n',
            "build.gradle.kts": 'dependencies {\n implementation("com.acme:core:1.0")\n'
            ' testImplementation(platform("org.junit:bom:5"))\n}',
            "lib/build.gradle": "dependencies {\n  api 'a.b:c:1'\n  compileOnly \"d.e:f\"\n}",
            **empty("lib/src/main/java/com/acme/Foo.java"),
        }
    )
    assert layout.components[0].name == "shop"
    assert layout.dependencies("component:.") == ("com.acme:core", "org.junit:bom")
    assert layout.dependencies("component:lib") == ("a.b:c", "d.e:f")


def test_a_document_type_is_refused(laid: Laid) -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><project><artifactId>&b;</artifactId></project>'
    layout = laid({"pom.xml": bomb, "a/pom.xml": "<project", "a/A.java": ""})
    assert [(problem.path, problem.message) for problem in layout.problems][1] == (
        "pom.xml",
        "not valid XML: document types are not read",
    )
    assert layout.problems[0].path == "a/pom.xml"
    assert layout.problems[0].line == 1
