"""Import resolution: the files or symbols behind an import by each language's rules, one row of `imports.STYLES`
each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import absolute, imports, module_lists, names, packages
from loregraph.indexer.resolve.canonical import path_rank
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.imports import STYLES
from loregraph.indexer.resolve.layout import DottedLayout, FileLayout, PackageLayout, PathLayout, TypeLayout
from loregraph.indexer.resolve.model import EMPTY, IMPORT, Cell, Constant, External, FileIndex, Module, Namespace
from loregraph.indexer.resolve.modules import dotted_module, external_module
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.scoping import find


def dotted_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`import a.b`, `from .a import b`."""
    dotted = fact.module
    if fact.level:
        layout: DottedLayout = engine.project.layout.of(file.policy.language)
        found = layout.absolute(file.path, fact.level, fact.module)
        if found is None:
            return EMPTY
        dotted = found
    if not dotted:
        return _submodule_cell(engine, file, fact)
    if not fact.name:
        if fact.kind != "star" and fact.alias and "." in dotted and fact.alias == dotted.partition(".")[0]:
            dotted = fact.alias
        cell = dotted_module(engine, file.policy.language, dotted, file.path)
        return cell if cell is not EMPTY else external_cell(engine, file, dotted)
    module = dotted_module(engine, file.policy.language, dotted, file.path)
    if module is EMPTY:
        if fact.level:
            return EMPTY
        return Constant(engine.member_of(external_module(engine, file, dotted), fact.name).alone)
    value = module.values[0]
    if isinstance(value, Module):
        if value.file is file or names.exit_cell(engine, value.file.scopes[-1], fact.name) is None:
            submodule = engine.project.submodule(value.file, fact.name)
            if submodule is not None:
                return Constant(submodule.module.alone)
        if value.file is file:
            return EMPTY
        return imports.member_cell(engine, value.file, fact.name)
    return names.MemberCell(file, module, fact.name)


def _submodule_cell(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`from . import b` at the root."""
    directory = file.path.rpartition("/")[0]
    prefix = f"{directory}/" if directory else ""
    for candidate in (f"{prefix}{fact.name}.py", f"{prefix}{fact.name}/__init__.py"):
        submodule = engine.project.file_at(candidate)
        if submodule is not None:
            return Constant(submodule.module.alone)
    package = engine.project.files.get(f"{prefix}__init__.py")
    if package is not None and package is not file and fact.name:
        return imports.member_cell(engine, package, fact.name)
    return EMPTY


def external_cell(engine: Engine, file: FileIndex, module: str) -> Cell:
    """A module outside the project."""
    return Constant(external_module(engine, file, module).alone)


def file_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A file by what the import says: ES imports, `require`, `@import`. Its members, or what it is as a value."""
    layout: FileLayout = engine.project.layout.of(file.facts.language)
    inside = file.policy.modules.inside.search(fact.module) is not None
    return imported_file(engine, file, layout.file_of(file.path, fact.module), fact, inside=inside)


def imported_file(engine: Engine, file: FileIndex, path: str | None, fact: Import, *, inside: bool = False) -> Cell:
    """What an import takes from the file at `path`, or from outside where the project has no such file; nothing where
    the path lies `inside` the project."""
    target = engine.project.file_at(path)
    if target is not None:
        return imported_from(engine, target, fact)
    return EMPTY if inside else imported_from_outside(engine, external_module(engine, file, fact.module), fact)


def imported_from(engine: Engine, target: FileIndex, fact: Import) -> Cell:
    """What an import takes from a file of the project: a member, the file's value, or ("star") the file."""
    if fact.name and fact.name != "*":
        return imports.member_cell(engine, target, fact.name)
    whole = target.exports.get("=") if not fact.name and fact.kind != "star" else None
    return imports.whole_cell(target) if whole else Constant(target.module.alone)


def imported_from_outside(engine: Engine, module: External, fact: Import) -> Cell:
    """What an import takes from a module outside the project."""
    return Constant((engine.member_of(module, fact.name) if fact.name.strip("*") else module).alone)


def folder_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A folder whose files share one scope (Go's packages, Terraform's modules)."""
    layout: PackageLayout = engine.project.layout.of(file.policy.language)
    directory = layout.package_dir(fact.module, file.path)
    if directory is None:
        inside = file.policy.modules.inside.search(fact.module) is not None
        return EMPTY if inside else external_cell(engine, file, fact.module)
    language = file.policy.language
    return Constant(package_of(engine, language, directory, _folder_files(engine, language, directory)).alone)


def package_of(engine: Engine, language: str, name: str, files: tuple[str, ...]) -> Namespace:
    key = ("package", language, name)
    known = engine.interned.get(key)
    if known is None:
        known = engine.interned[key] = Namespace(name, language, files)
    assert isinstance(known, Namespace)
    return known


def _folder_files(engine: Engine, language: str, name: str) -> tuple[str, ...]:
    """The files of a folder that are of its package, without those that are compiled for its tests."""
    apart = policy_of(language).modules.files_apart
    files = _type_files(engine, language, name)
    return tuple(path for path in files if not path.endswith(apart)) if apart else files


def _type_files(engine: Engine, language: str, name: str) -> tuple[str, ...]:
    layout: PackageLayout = engine.project.layout.of(language)
    return layout.package_files(name)


PACKAGE_FILES: Final[dict[str, Callable[[Engine, str, str], tuple[str, ...]]]] = {
    "folder": _folder_files,
    "type": _type_files,
}
"""Style of imports → the files of a package by its name, in a language."""


def type_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`import a.b.C`, `import static a.b.C.m`, `import a.b.*`."""
    dotted = fact.module
    if fact.kind == "star" or fact.name == "*":
        files = _type_files(engine, file.policy.language, dotted)
        if files:
            return Constant(package_of(engine, file.policy.language, dotted, files).alone)
        fact = Import(fact.scope, fact.line, fact.at, dotted)
    elif fact.name:
        dotted = f"{dotted}.{fact.name}" if dotted else fact.name
    layout: TypeLayout = engine.project.layout.of(file.policy.language)
    target = engine.project.file_at(layout.type_file(dotted, file.path))
    if target is None:
        package, _, name = dotted.rpartition(".")
        return Constant(engine.member_of(external_module(engine, file, package or dotted), name).alone)
    package = target.facts.package
    inner = dotted[len(package) + 1 :] if package and dotted.startswith(package + ".") else dotted
    parts = inner.split(".")
    cell = names.exit_cell(engine, target.scopes[-1], parts[0])
    if cell is None:
        return EMPTY
    for part in parts[1:]:
        cell = names.MemberCell(file, cell, part)
    return cell


def _path_layout(engine: Engine, file: FileIndex) -> PathLayout:
    found: PathLayout = engine.project.layout.of(file.policy.language)
    return found


def path_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`use crate::a::B`, `mod a;`."""
    segments = [s for s in fact.module.split("::") if s]
    if fact.name and fact.name not in ("*", "self"):
        segments.append(fact.name)
    return _by_import(engine, file, fact, segments) or rust_path(engine, file, tuple(segments))


def _by_import(engine: Engine, file: FileIndex, fact: Import, segments: list[str]) -> Cell | None:
    """A path that begins with a name imported by another import of the file: `use axum_core::body;`, then `use
    body::Body;`. None for all others."""
    first = segments[0] if len(segments) > 1 else ""
    owner = find(file.scopes[fact.scope], first)
    if owner is None or _path_layout(engine, file).module_file(file.path, segments[:1]) is not None:
        return None
    bindings = owner.bindings[first]
    if len(bindings) != 1 or bindings[0].kind != IMPORT or bindings[0].payload.at == fact.at:
        return None
    cell = imports.imported_cell(engine, file, bindings[0].payload)
    for part in segments[1:]:
        cell = names.MemberCell(file, cell, part)
    return cell


def rust_path(engine: Engine, file: FileIndex, segments: tuple[str, ...]) -> Cell:
    """The values that a path names."""
    if not segments:
        return EMPTY
    found = _path_layout(engine, file).module_file(file.path, segments)
    if found is None or found[0] not in engine.project.files:
        return Constant(external_path(engine, file, segments).alone)
    path, rest = found
    target = engine.project.files[path]
    if not rest:
        return Constant(target.module.alone)
    if target is file and rest == segments:
        return Constant(external_path(engine, file, segments).alone)
    cell = imports.member_cell(engine, target, rest[0])
    for part in rest[1:]:
        cell = names.MemberCell(file, cell, part)
    return cell


def external_path(engine: Engine, file: FileIndex, segments: tuple[str, ...]) -> External:
    """The external symbol with that path."""
    value = external_module(engine, file, segments[0])
    for part in segments[1:]:
        value = engine.member_of(value, part)
    return value


def uri_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A library by its URI; for a part file, the library that it names."""
    layout: FileLayout = engine.project.layout.of(file.policy.language)
    path = layout.file_of(file.path, fact.module)
    if path is None and fact.module.replace(".", "").isidentifier() and not fact.module.endswith(".dart"):
        path = _named_libraries(engine).get(fact.module)
    target = engine.project.file_at(path)
    if target is None:
        external = engine.external(
            engine.project.layout.external_package(file.policy.language, fact.module, file.path), ""
        )
        return imported_from_outside(engine, external, fact) if external.package else EMPTY
    return imported_from(engine, target, fact)


def _named_libraries(engine: Engine) -> dict[str, str]:
    if engine.project.libraries is None:
        engine.project.libraries = {}
        for file in sorted(engine.project.files.values(), key=path_rank):
            name = file.facts.extras.get("library")
            if name:
                engine.project.libraries.setdefault(name, file.path)
    return engine.project.libraries


def no_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """Includes bind no name: see `outside`."""
    return EMPTY


def script_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A script executed by its path. It runs in its own process: no names come from it."""
    layout: FileLayout = engine.project.layout.of(file.policy.language)
    target = engine.project.file_at(layout.file_of(file.path, fact.module))
    return Constant(target.module.alone) if target is not None else EMPTY


STYLES.update(
    {
        "dotted": dotted_import,
        "file": file_import,
        "folder": folder_import,
        "type": type_import,
        "path": path_import,
        "uri": uri_import,
        "absolute": absolute.absolute_import,
        "include": no_import,
        "package": packages.package_import,
        "script": script_import,
        "listed": module_lists.listed_import,
    }
)
