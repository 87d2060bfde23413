"""Where jedi says that the calls of a repository go: run with a Python that has jedi (a dependency of nothing else).

    python benchmarks/jedi_calls.py REPOSITORY FILE… > calls.json

Asked is what "go to definition" and "infer" give at the name of each call, of each decorator, and at each attribute
that is read (which counts where it leads to a property). The output is a JSON list of [caller, target], each a place in
the code: [file, first line, name]; the caller's first line is that of its decorators, the target's that of its name.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import jedi
from call_sites import Site, sites

Place = tuple[str, int, str]


def targets(root: Path, path: str, script: jedi.Script, one: Site, line: str) -> Iterator[Place]:
    column = len(line.encode()[: one.column].decode(errors="replace"))
    found = []
    for ask in (script.goto, script.infer):
        if ask == script.infer and not one.called:
            continue
        try:
            found += ask(one.line, column, **({"follow_imports": True} if ask == script.goto else {}))
        except Exception as error:  # jedi has bugs of its own with some code
            print(f"{path}:{one.line}: {type(error).__name__}", file=sys.stderr)
    for name in found:
        wanted = ("function", "class", "property") if one.called else ("property",)
        if name.type in wanted and name.module_path is not None and name.line is not None:
            file = os.path.realpath(name.module_path)
            if file.startswith(f"{root}{os.sep}"):
                yield file[len(str(root)) + 1 :].replace(os.sep, "/"), name.line, name.name


def main() -> int:
    root = Path(os.path.realpath(sys.argv[1]))
    project = jedi.Project(root)
    found: set[tuple[Place, Place]] = set()
    for path in sys.argv[2:]:
        text = (root / path).read_text(encoding="utf-8")
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        script = jedi.Script(text, path=root / path, project=project)
        lines = text.splitlines()
        for one in sites(tree):
            for target in targets(root, path, script, one, lines[one.line - 1]):
                found.add(((path, *one.scope), target))
    json.dump(sorted(found), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
