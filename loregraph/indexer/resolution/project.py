"""What files have to do with one another, whatever values are followed: includes, packages, modules by name."""

from __future__ import annotations

from loregraph.indexer.facts import Import
from loregraph.indexer.resolution.canonical import path_rank
from loregraph.indexer.resolution.engine import Engine
from loregraph.indexer.resolution.model import EMPTY, Cell, Constant, External, FileIndex, Namespace, Scope, Values


def package_key(file: FileIndex) -> tuple[str, str, str]:
    """What files of one package have in common."""
    policy = file.policy
    directory = file.path.rpartition("/")[0]
    if policy.modules == "go":
        return ("go", directory, file.facts.package)
    if policy.package_lookup in ("outer", "global"):  # what is in no package is everywhere
        directory = ""
    return (policy.family or policy.language, "", file.facts.package) if file.facts.package else (
        policy.family or policy.language, directory, "",
    )  # fmt: skip


def included_file(engine: Engine, file: FileIndex, fact: Import) -> str | None:
    """The file that an include reads."""
    if file.policy.modules == "script":
        return engine.layout.script_file(file.path, fact.module)
    return engine.layout.include_file(file.path, fact.module)


def included(engine: Engine, file: FileIndex) -> tuple[FileIndex, ...]:
    """The files that a file includes, through others too."""
    found = engine.included.get(file.path)
    if found is None:
        seen: dict[str, None] = {}
        stack = [file]
        while stack:
            current = stack.pop()
            for fact in current.facts.imports:
                if fact.kind != "include":
                    continue
                path = included_file(engine, current, fact)
                if path is not None and path not in seen and path != file.path and path in engine.files:
                    seen[path] = None
                    stack.append(engine.files[path])
        found = engine.included[file.path] = tuple(engine.files[p] for p in seen)
    return found


def external_module(engine: Engine, file: FileIndex, module: str) -> External:
    """The external package behind a module, the module itself as a path within it."""
    package = engine.layout.external_package(file.facts.language, module, file.path)
    for separator in (".", "/", "::"):
        if module.startswith(package + separator):
            rest = module[len(package) + len(separator) :]
            return engine.external(package, rest.replace("::", ".").replace("/", "."))
    return engine.external(package, "")


def open_namespace(engine: Engine, language: str, qualified: str) -> Values:
    """The namespace of that name, which several files may add to; nothing where none does."""
    scopes = engine.namespaces.get(qualified)
    if scopes is None:
        return ()
    key = ("open", qualified)
    found = engine.interned.get(key)
    if found is None:
        first = min(scopes, key=_place, default=None)
        spoken = first.file.policy.language if first is not None else language
        found = engine.interned[key] = Namespace(qualified, spoken, (), first)
    return found.alone


def _place(scope: Scope) -> tuple[str, int]:
    return path_rank(scope.file), scope.number


def python_module(engine: Engine, dotted: str, path: str) -> Cell:
    """The module or package of a dotted name; EMPTY where the project has none."""
    found = engine.layout.python_module_file(dotted, path)
    if found is not None and found in engine.files:
        return Constant(engine.files[found].module.alone)
    if engine.layout.python_package_dir(dotted, path) is not None:
        key = ("package", dotted)
        known = engine.interned.get(key)
        if known is None:
            known = engine.interned[key] = Namespace(dotted, "python")
        return Constant(known.alone)
    return EMPTY


def submodule_of(engine: Engine, file: FileIndex, name: str) -> FileIndex | None:
    """The module `name` of the package that a file begins."""
    directory, _, base = file.path.rpartition("/")
    if not base.startswith("__init__."):
        return None
    prefix = f"{directory}/{name}" if directory else name
    for candidate in (f"{prefix}.py", f"{prefix}/__init__.py", f"{prefix}.pyi", f"{prefix}/__init__.pyi"):
        found = engine.files.get(candidate)
        if found is not None:
            return found
    return None
