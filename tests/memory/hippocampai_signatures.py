"""Signatures of HippocampAI's client, read from its source: importing it takes torch and a database.

python tests/memory/hippocampai_signatures.py path/to/hippocampai > tests/memory/hippocampai_0_6_0.json
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from pathlib import Path
from typing import Any

METHODS = ("remember", "recall", "update_memory", "delete_memory", "get_memories")
RECORDS = ("Memory", "RetrievalResult")


def recorded() -> dict[str, Any]:
    """What version 0.6.0 has."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name("hippocampai_0_6_0.json").read_text(encoding="utf-8"))
    return found


def of_package(folder: Path) -> dict[str, Any]:
    """The same of the package in `folder`."""
    client = class_in(folder / "client.py", "MemoryClient")
    functions = {node.name: node for node in client.body if isinstance(node, ast.FunctionDef)}
    records = [class_in(folder / "models" / "memory.py", name) for name in RECORDS]
    types = class_in(folder / "models" / "memory.py", "MemoryType")
    return {
        "methods": {name: written(functions[name].args) for name in METHODS},
        "records": {record.name: fields(record) for record in records},
        "types": [ast.literal_eval(node.value) for node in types.body if isinstance(node, ast.Assign)],
    }


def class_in(path: Path, name: str) -> ast.ClassDef:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def written(arguments: ast.arguments) -> str:
    """Parameters after `self`, with their defaults and without their types."""
    for argument in (*arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    del arguments.args[0]
    return ast.unparse(arguments)


def of_function(function: Any) -> str:
    """The same of a method that is there."""
    module = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function)))
    (node,) = module.body
    assert isinstance(node, ast.FunctionDef)
    return written(node.args)


def fields(record: ast.ClassDef) -> dict[str, str]:
    """Name → annotation."""
    annotated = (node for node in record.body if isinstance(node, ast.AnnAssign))
    return {node.target.id: ast.unparse(node.annotation) for node in annotated if isinstance(node.target, ast.Name)}


if __name__ == "__main__":
    json.dump(of_package(Path(sys.argv[1])), sys.stdout, indent=1)
    sys.stdout.write("\n")
