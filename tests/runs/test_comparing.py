"""Calls that runs saw and the code gave no edge for, by class."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import loregraph
from loregraph.runs import comparing

CODE = """
REGISTRY = {}


def register(name):
    def keep(function):
        REGISTRY[name] = function
        return function
    return keep


@register("a" + "b")
def registered():
    return 1


def plain():
    return 2


class Box:
    def __init__(self):
        self.x = 1

    def __len__(self):
        return 3

    @property
    def size(self):
        return 4

    def method(self):
        return 5


def make():
    def inner():
        return 6
    return inner


def run(what):
    return what()


def size_of(box):
    return box.size


def length(box):
    return len(box)


def named(box):
    return box.method()
"""
TEST = """import importlib
import shop


def load():
    return importlib.import_module("sh" + "op")


def test_all():
    module = load()
    assert module.run(module.REGISTRY["a" + "b"]) == 1
    assert module.run(module.plain) == 2
    box = module.Box()
    assert module.size_of(box) == 4 and module.length(box) == 3 and module.named(box) == 5
    assert module.run(module.make()) == 6
    assert module.run(lambda: 7) == 7
"""


# Verifies REQ-RUN-007.
def test_each_call_is_of_the_class_that_tells_why(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(CODE)
    (tmp_path / "test_shop.py").write_text(TEST)
    command = [sys.executable, *"-m pytest -q -p no:cacheprovider -p loregraph.pytest_plugin --loregraph".split()]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, timeout=90)
    with loregraph.open(tmp_path) as project:
        project.index(embed=False)
        project.import_runs([tmp_path / ".loregraph-run.jsonl"])
        found = project.compare_runs()
    kinds = {(one.caller.partition("::")[2], one.callee.partition("::")[2]): one.kind for one in found.calls}
    assert kinds[("run", "registered")] == comparing.REGISTERED
    assert kinds[("run", "plain")] == comparing.OTHER_NAME
    assert kinds[("run", "make.inner")] == comparing.CLOSURE
    assert kinds[("run", "test_all.<lambda1>")] == comparing.ANONYMOUS
    assert kinds[("size_of", "Box.size")] == comparing.PROPERTY
    assert kinds[("length", "Box.__len__")] == comparing.SPECIAL
    assert kinds[("named", "Box.method")] == comparing.NAMED
    assert kinds[("test_all", "Box.__init__")] == comparing.CONSTRUCTOR
    assert found.missed == len(found.calls) == sum(found.classes.values())
