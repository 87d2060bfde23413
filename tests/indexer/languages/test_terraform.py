"""Terraform: fixtures that assert themselves, and what only Terraform does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.languages.packaging.reader import PackagingReader
from loregraph.indexer.languages.terraform.layout import Layout
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "terraform").glob("*.tf"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "terraform", "#") == []


MODULE = {
    "main.tf": 'resource "aws_vpc" "this" {\n cidr = var.cidr\n}\nmodule "net" {\n source = "./modules/net"\n'
    ' count = 1\n vpc = aws_vpc.this.id\n}\nmodule "far" {\n source = "org/far/aws"\n vpc = 1\n}',
    "variables.tf": 'variable "cidr" {}',
    "outputs.tf": 'output "ids" {\n value = module.net[0].ids\n}\noutput "all" {\n value = module.far.ids\n}',
    "prod.tfvars": 'cidr = "10.0.0.0/8"',
    "modules/net/main.tf": 'variable "vpc" {}\nresource "aws_subnet" "x" {\n vpc_id = var.vpc\n}\n'
    'output "ids" {\n value = aws_subnet.x[*].id\n}\nlocals {\n own = var.cidr\n}',
}


def test_the_files_of_a_folder_are_one_module() -> None:
    edges = calls_between(MODULE, "REFERENCES")
    assert edges == {
        ("aws_vpc.this", "var.cidr"),
        ("module.net", "aws_vpc.this"),
        ("module.net", "var.vpc"),
        ("output.ids", "module.net"),
        ("output.ids", "output.ids"),
        ("output.all", "module.far"),
        ("prod.tfvars", "var.cidr"),
        ("aws_subnet.x", "var.vpc"),
        ("output.ids", "aws_subnet.x"),
    }


def test_modules_are_components_that_their_sources_import(tmp_path: Path) -> None:
    assert calls_between(MODULE, "IMPORTS") == {("main.tf", "component:modules/net")}
    layout = read_layout(tmp_path, MODULE)
    assert [(c.id, c.kind) for c in layout.components if c.kind == "terraform-module"] == [
        ("component:modules/net", "terraform-module")
    ]


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("terraform-aws-modules/vpc/aws", "terraform-aws-modules/vpc/aws"),
        ("terraform-aws-modules/iam/aws//modules/role", "terraform-aws-modules/iam/aws"),
        ("git::https://example.com/org/net.git?ref=v1", "example.com/org/net"),
        ("git@github.com:org/net.git", "github.com/org/net"),
        ("./net", ""),
    ],
)
def test_modules_from_elsewhere_are_named_by_where_they_are(source: str, package: str) -> None:
    assert Layout((), (), PackagingReader(Path())).external_package(source) == package


def test_other_files_in_its_syntax() -> None:
    packer = extract(
        "a.pkr.hcl", b'source "amazon-ebs" "x" {}\nbuild {\n sources = ["source.amazon-ebs.x"]\n}', "terraform"
    )
    assert [d.qualname for d in packer.definitions] == ["source.amazon-ebs.x"]
    tests = extract("a.tftest.hcl", b'run "plans" {\n command = plan\n}', "terraform")
    assert [(d.qualname, d.kind, d.flags) for d in tests.definitions] == [("run.plans", "function", ("test",))]
    lock = extract(".terraform.lock.hcl", b'provider "registry.terraform.io/hashicorp/aws" {}', "terraform")
    assert lock.definitions == ()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("locals {\n a = " + "(" * 3000 + "1" + ")" * 3000 + "\n}", "indexed"),
        ("locals {\n a = x" + ".b" * 5000 + "\n}", "indexed"),
        ("a {\n" * 1500 + "}\n" * 1500, "indexed"),
        ("locals { a = " + "[" * 3000, "partial"),
    ],
    ids=["parentheses", "chain", "blocks", "lists"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str) -> None:
    assert extract("main.tf", text.encode(), "terraform").status == status
