"""Where imports lead, by each language's rules.

`RULES` has a row for each module style; a row finds the files or symbols behind an import, the rest here is common:
members of modules, star imports, packages whose files share their names.
"""

from __future__ import annotations

from collections.abc import Callable

from loregraph.indexer.facts import FILE_SCOPE, Import
from loregraph.indexer.resolution import absolute, includes, members, module_lists, names, packages
from loregraph.indexer.resolution.canonical import path_rank
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.model import (
    EMPTY,
    Binding,
    Cell,
    Class,
    Constant,
    External,
    FileIndex,
    Function,
    Module,
    Namespace,
    Scope,
    Site,
    Value,
    Values,
)
from loregraph.indexer.resolution.scoping import END


class Member(Cell):
    """A member of what another cell holds, for imports of single names."""

    __slots__ = ("holder", "name")

    def __init__(self, holder: Cell, name: str) -> None:
        super().__init__()
        self.holder = holder
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return union([members.get(engine, value, self.name) for value in engine.read(self.holder)])


class StarMember(Cell):
    """A name of a module that only its star imports may provide, or a module of the package."""

    __slots__ = ("file", "name")

    def __init__(self, file: FileIndex, name: str) -> None:
        super().__init__()
        self.file = file
        self.name = name

    def compute(self, engine: Engine) -> Values:
        file, name = self.file, self.name
        passed = file.policy.imports_passed
        for star in reversed((file.scopes[-1].stars or [])[-names.MAX_STARS :]):
            if not passed and star.kind != "part":
                continue
            values = star_member(engine, file, star, name)
            if values:
                return values
        for star in file.star_exports:
            for value in module_values(engine, file, star.module, star.level):
                values = members.get(engine, value, name)
                if values and name != "default":
                    return values
        submodule = _submodule(engine, file, name)
        return submodule.module.alone if submodule is not None else ()


# Implements REQ-RES-005.
def import_values(engine: Engine, file: FileIndex, fact: Import) -> Values:
    """The values that an import binds its name to."""
    return engine.read(imported_cell(engine, file, fact))


def imported_cell(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """The cell that an import makes its name stand for."""
    key = ("import", file.path, fact.at, fact.alias, fact.name)
    cells = file.scopes[-1].cells
    found = cells.get(key)
    if found is None:
        cells[key] = EMPTY
        found = cells[key] = RULES[file.policy.modules](engine, file, fact)
    return found


def module_values(engine: Engine, file: FileIndex, text: str, level: int = 0) -> Values:
    """The module that a text names: `import("./x")`, `importlib.import_module("a.b")`."""
    return engine.read(RULES[file.policy.modules](engine, file, Import(-1, 0, -1, text, level)))


def member_cell(engine: Engine, file: FileIndex, name: str) -> Cell:
    """The cell of what a file publishes as `name`."""
    top = file.scopes[-1]
    key = ("member", name)
    found = top.cells.get(key)
    if found is None:
        found = top.cells[key] = _member_cell(engine, file, name)
    return found


def _member_cell(engine: Engine, file: FileIndex, name: str) -> Cell:
    top = file.scopes[-1]
    bindings = file.exports.get(name)
    if bindings:
        return names.Variable(file, tuple(bindings))
    if not file.policy.module_exports or (not file.exports and not file.star_exports):
        cell = names.exit_cell(engine, top, name)
        if cell is not None:
            return cell
    whole = file.exports.get("=")
    if whole:
        if name == "default":
            return names.Variable(file, tuple(whole))
        return WholeMember(file, tuple(whole), name)
    if top.stars is None and not file.star_exports and _submodule(engine, file, name) is None:
        return EMPTY
    return StarMember(file, name)


class WholeMember(Cell):
    """A member of what a CommonJS module exports as a whole."""

    __slots__ = ("name", "whole")

    def __init__(self, file: FileIndex, bindings: tuple[Binding, ...], name: str) -> None:
        super().__init__()
        self.whole = names.Variable(file, bindings)
        self.name = name

    def compute(self, engine: Engine) -> Values:
        whole = engine.read(self.whole)
        return union([members.get(engine, value, self.name) for value in whole])


def member_values(engine: Engine, file: FileIndex, name: str) -> Values:
    """What a file publishes as `name`, or a module of the package."""
    return engine.read(member_cell(engine, file, name))


def star_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` as a star import brings it in."""
    if star.kind == "listed":
        return module_lists.star_member(engine, file, star, name)
    if star.kind.partition(" ")[0] == "use":
        return absolute.used_member(engine, file, star, name)
    key = ("star", star.module, star.level, star.at)
    cells = file.scopes[-1].cells
    cell = cells.get(key)
    if cell is None:
        cells[key] = EMPTY
        whole = Import(star.scope, star.line, star.at, star.module, star.level, "", "", "star")
        cell = cells[key] = RULES[file.policy.modules](engine, file, whole)
    parts: list[Values] = []
    if star.kind == "using":
        return using_member(engine, file, star, name)
    for value in engine.read(cell):
        if isinstance(value, Module) and star.kind in ("part", "part of"):
            parts.append(_of_library(engine, value.file, star, name))
        elif isinstance(value, Module):
            listed = value.file.facts.extras.get("all")
            if listed is not None and value.file.facts.language == "python":
                if name not in listed:
                    continue
            elif file.policy.private_prefix and name.startswith(file.policy.private_prefix):
                continue
            if value.file is not file:
                parts.append(member_values(engine, value.file, name))
        elif isinstance(value, Namespace) and packages.is_declared(engine, value):
            parts.append(packages.member(engine, value.language, value.name, name, file))
        elif isinstance(value, Class | Namespace):
            parts.append(members.get(engine, value, name))
    return union(parts)


def _of_library(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` of another file of the same library: private names too, and for a part what the library imports."""
    if star.kind == "part":
        return member_values(engine, file, name)
    return engine.read(names.name_cell(engine, file, name, Site(FILE_SCOPE, END, -1)))


def _submodule(engine: Engine, file: FileIndex, name: str) -> FileIndex | None:
    directory, _, base = file.path.rpartition("/")
    if not base.startswith("__init__."):
        return None
    prefix = f"{directory}/{name}" if directory else name
    for candidate in (f"{prefix}.py", f"{prefix}/__init__.py", f"{prefix}.pyi", f"{prefix}/__init__.pyi"):
        found = engine.files.get(candidate)
        if found is not None:
            return found
    return None


def namespace_member(engine: Engine, value: Namespace, name: str) -> Values:
    """`name` in a package or namespace."""
    if packages.is_declared(engine, value):
        return packages.member(engine, value.language, value.name, name)
    if value.scope is not None or engine.interned.get(("open", value.name)) is value:
        qualified = _namespace_name(value) or value.name
        scopes = engine.namespaces.get(qualified) or ([value.scope] if value.scope is not None else [])
        found = union([engine.read(cell) for cell in _cells(engine, ("", qualified, name), scopes)])
        return _definitions_first(found) or open_namespace(engine, value.language, f"{qualified}.{name}")
    parts = []
    for path in value.files:
        file = engine.files.get(path)
        if file is not None:
            parts.append(member_values(engine, file, name))
    found = union(parts)
    if found or value.language != "python":
        return found
    return engine.read(_python_module(engine, f"{value.name}.{name}", ""))


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


def using_member(engine: Engine, file: FileIndex, star: Import, name: str) -> Values:
    """`name` as `using namespace` lets it be seen: the namespace is looked for from the inside out."""
    written = star.module.replace("::", ".")
    for around in (*_namespaces_around(file.scopes[star.scope]), ""):
        found = _in_namespace(engine, file, f"{around}.{written}" if around else written, name)
        if found:
            return found
    return ()


def enclosing_namespaces_member(engine: Engine, scope: Scope, name: str) -> Values:
    """`name` in the namespaces around `scope`, as the files that its file includes fill them, innermost first."""
    for qualified in _namespaces_around(scope):
        found = _in_namespace(engine, scope.file, qualified, name)
        if found:
            return found
    return ()


def _namespaces_around(scope: Scope) -> list[str]:
    """Qualified names of the namespaces around a scope, innermost first; of a method, those around its type too."""
    found: dict[str, None] = {}
    starts = [scope, *(cls.scope for cls in members.enclosing_classes(scope))]
    for start in starts:
        around: Scope | None = start
        while around is not None and around.definition is not None:
            if around.definition.kind == "namespace":
                name = around.definition.qualname.partition("#")[0]
                while name:
                    found[name] = None
                    name = name.rpartition(".")[0]
                break
            around = around.parent
    return list(found)


def _in_namespace(engine: Engine, file: FileIndex, qualified: str, name: str) -> Values:
    """`name` in what `file` and those it includes put into a namespace."""
    if qualified not in engine.namespaces:
        return ()
    cells = _cells(engine, (file.path, qualified, name), _visible_scopes(engine, file, qualified))
    found = with_definitions(engine, union([engine.read(cell) for cell in cells]))
    return found or open_namespace(engine, file.policy.language, f"{qualified}.{name}")


def _cells(engine: Engine, key: tuple[str, str, str], scopes: list[Scope]) -> list[Cell]:
    cells = engine.namespace_cells.get(key)
    if cells is None:
        found = (names.exit_cell(engine, scope, key[2]) for scope in scopes)
        cells = engine.namespace_cells[key] = [cell for cell in found if cell is not None]
    return cells


def _visible_scopes(engine: Engine, file: FileIndex, qualified: str) -> list[Scope]:
    """The places where a file, and those it includes, open a namespace."""
    found = engine.visible.get((file.path, qualified))
    if found is None:
        seen = {file.path, *(other.path for other in included(engine, file))}
        found = [scope for scope in engine.namespaces.get(qualified, ()) if scope.file.path in seen]
        engine.visible[file.path, qualified] = found
    return found


def _namespace_name(value: Namespace) -> str:
    scope = value.scope
    return scope.definition.qualname.partition("#")[0] if scope is not None and scope.definition is not None else ""


def _definitions_first(values: Values) -> Values:
    """Without prototypes where there are definitions."""
    found = tuple(v for v in values if not (isinstance(v, Function) and "declaration" in v.definition.flags))
    return found or values


# Names shared by the files of a package, or through includes


def package_member(engine: Engine, file: FileIndex, name: str) -> Values:
    """`name` as other files of the package or included files provide it."""
    policy = file.policy
    parts: list[Values] = []
    if policy.package_lookup:
        return packages.visible_member(engine, file, name)
    if policy.package_scope:
        for other in engine.packages.get(package_key(file), ()):
            if other is not file:
                cell = names.exit_cell(engine, other.scopes[-1], name)
                if cell is not None:
                    parts.append(engine.read(cell))
        return union(parts)
    for other in included(engine, file):
        cell = names.exit_cell(engine, other.scopes[-1], name)
        if cell is not None:
            parts.append(engine.read(cell))
    if policy.includer_scope:
        return includes.visible(engine, file, name, union(parts))
    return with_definitions(engine, union(parts))


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


def with_definitions(engine: Engine, values: Values) -> Values:
    """Prototypes replaced by the functions of the project that they announce."""
    found: list[Value] = []
    for value in values:
        if isinstance(value, Function) and "declaration" in value.definition.flags:
            found.extend(definitions_of(engine, value) or value.alone)
        else:
            found.append(value)
    return tuple(dict.fromkeys(found))


def definitions_of(engine: Engine, function: Function) -> Values:
    """The definitions that a prototype stands for: same name, in a file that sees the prototype."""
    qualname = function.definition.qualname.partition("#")[0]
    found = []
    for other in engine.bodies.get((function.file.policy.family, qualname), ()):
        if other.file is function.file or function.file in included(engine, other.file):
            found.append(other)
    if not found:
        # What the linker would take: the one function of that name that other files may see.
        bodies = engine.bodies.get((function.file.policy.family, qualname), ())
        found = [other for other in bodies if "exported" in other.definition.flags]
        found = found if len(found) == 1 else []
    return tuple(found)


# Module styles


def external_module(engine: Engine, file: FileIndex, module: str) -> External:
    """The external package behind a module, the module itself as a path within it."""
    package = engine.layout.external_package(file.facts.language, module, file.path)
    for separator in (".", "/", "::"):
        if module.startswith(package + separator):
            rest = module[len(package) + len(separator) :]
            return engine.external(package, rest.replace("::", ".").replace("/", "."))
    return engine.external(package, "")


def _python_module(engine: Engine, dotted: str, path: str) -> Cell:
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


def python_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`import a.b`, `from .a import b`."""
    dotted = fact.module
    if fact.level:
        absolute = engine.layout.python_absolute(file.path, fact.level, fact.module)
        if absolute is None:
            return EMPTY
        dotted = absolute
    if not dotted:
        return _submodule_cell(engine, file, fact)
    if not fact.name:
        if fact.kind != "star" and fact.alias and "." in dotted and fact.alias == dotted.partition(".")[0]:
            dotted = fact.alias
        cell = _python_module(engine, dotted, file.path)
        return cell if cell is not EMPTY else _external_cell(engine, file, dotted)
    module = _python_module(engine, dotted, file.path)
    if module is EMPTY:
        if fact.level:
            return EMPTY
        return Constant(engine.member_of(external_module(engine, file, dotted), fact.name).alone)
    value = module.values[0]
    if isinstance(value, Module):
        if value.file is file or names.exit_cell(engine, value.file.scopes[-1], fact.name) is None:
            submodule = _submodule(engine, value.file, fact.name)
            if submodule is not None:
                return Constant(submodule.module.alone)
        if value.file is file:
            return EMPTY
        return member_cell(engine, value.file, fact.name)
    return Member(module, fact.name)


def _submodule_cell(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`from . import b` at the root."""
    directory = file.path.rpartition("/")[0]
    prefix = f"{directory}/" if directory else ""
    for candidate in (f"{prefix}{fact.name}.py", f"{prefix}{fact.name}/__init__.py"):
        if candidate in engine.files:
            return Constant(engine.files[candidate].module.alone)
    package = engine.files.get(f"{prefix}__init__.py")
    if package is not None and package is not file and fact.name:
        return member_cell(engine, package, fact.name)
    return EMPTY


def _external_cell(engine: Engine, file: FileIndex, module: str) -> Cell:
    return Constant(external_module(engine, file, module).alone)


def node_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """ES imports, `require`."""
    path = engine.layout.node_resolve(file.path, fact.module)
    if path is None or path not in engine.files:
        if fact.module.startswith("."):
            return EMPTY
        return imported_from_outside(engine, external_module(engine, file, fact.module), fact)
    return imported_from(engine, engine.files[path], fact)


def imported_from(engine: Engine, target: FileIndex, fact: Import) -> Cell:
    """What an import takes from a file of the project: a member, what the file is as a value, or ("star") the file."""
    if fact.name and fact.name != "*":
        return member_cell(engine, target, fact.name)
    whole = target.exports.get("=") if not fact.name and fact.kind != "star" else None
    return names.Variable(target, tuple(whole)) if whole else Constant(target.module.alone)


def imported_from_outside(engine: Engine, module: External, fact: Import) -> Cell:
    """What an import takes from a module outside the project."""
    return Constant((engine.member_of(module, fact.name) if fact.name.strip("*") else module).alone)


def go_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A Go package."""
    directory = engine.layout.go_package_dir(fact.module, file.path)
    if directory is None:
        return _external_cell(engine, file, fact.module)
    files = tuple(p for p in engine.layout.go_package_files(directory) if not p.endswith("_test.go"))
    return Constant(_package(engine, "go", directory, files).alone)


def _package(engine: Engine, language: str, name: str, files: tuple[str, ...]) -> Namespace:
    key = ("package", language, name)
    known = engine.interned.get(key)
    if known is None:
        known = engine.interned[key] = Namespace(name, language, files)
    assert isinstance(known, Namespace)
    return known


def java_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`import a.b.C`, `import static a.b.C.m`, `import a.b.*`."""
    dotted = fact.module
    if fact.kind == "star" or fact.name == "*":
        files = engine.layout.java_package_files(dotted)
        if files:
            return Constant(_package(engine, "java", dotted, files).alone)
        fact = Import(fact.scope, fact.line, fact.at, dotted)
    elif fact.name:
        dotted = f"{dotted}.{fact.name}" if dotted else fact.name
    path = engine.layout.java_type_file(dotted, file.path)
    if path is None or path not in engine.files:
        package, _, name = dotted.rpartition(".")
        return Constant(engine.member_of(external_module(engine, file, package or dotted), name).alone)
    target = engine.files[path]
    package = target.facts.package
    inner = dotted[len(package) + 1 :] if package and dotted.startswith(package + ".") else dotted
    parts = inner.split(".")
    cell = names.exit_cell(engine, target.scopes[-1], parts[0])
    if cell is None:
        return EMPTY
    for part in parts[1:]:
        cell = Member(cell, part)
    return cell


def rust_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`use crate::a::B`, `mod a;`."""
    segments = [s for s in fact.module.split("::") if s]
    if fact.name and fact.name not in ("*", "self"):
        segments.append(fact.name)
    return rust_path(engine, file, tuple(segments))


def rust_path(engine: Engine, file: FileIndex, segments: tuple[str, ...]) -> Cell:
    """What a path names."""
    if not segments:
        return EMPTY
    found = engine.layout.rust_module_file(file.path, segments)
    if found is None or found[0] not in engine.files:
        return Constant(external_path(engine, file, segments).alone)
    path, rest = found
    target = engine.files[path]
    if not rest:
        return Constant(target.module.alone)
    if target is file and rest == segments:
        return Constant(external_path(engine, file, segments).alone)
    cell = member_cell(engine, target, rest[0])
    for part in rest[1:]:
        cell = Member(cell, part)
    return cell


def external_path(engine: Engine, file: FileIndex, segments: tuple[str, ...]) -> External:
    """An external symbol by its path."""
    value = external_module(engine, file, segments[0])
    for part in segments[1:]:
        value = engine.member_of(value, part)
    return value


def dart_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A library by its URI; of a part, the library that it names."""
    path = engine.layout.dart_library(file.path, fact.module)
    if path is None and fact.module.replace(".", "").isidentifier() and not fact.module.endswith(".dart"):
        path = _named_libraries(engine).get(fact.module)
    if path is None or path not in engine.files:
        external = engine.external(engine.layout.external_package("dart", fact.module, file.path), "")
        return imported_from_outside(engine, external, fact) if external.package else EMPTY
    return imported_from(engine, engine.files[path], fact)


def _named_libraries(engine: Engine) -> dict[str, str]:
    if engine.libraries is None:
        engine.libraries = {}
        for file in sorted(engine.files.values(), key=path_rank):
            name = file.facts.extras.get("library")
            if name:
                engine.libraries.setdefault(name, file.path)
    return engine.libraries


def absolute_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """Modules by their whole names: see `absolute`."""
    return absolute.absolute_import(engine, file, fact)


def no_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """Includes bind no name: see `package_member`."""
    return EMPTY


def lua_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`require "a.b"`: what the module's file returns."""
    path = engine.layout.lua_module_file(file.path, fact.module)
    if path is None or path not in engine.files:
        return imported_from_outside(engine, external_module(engine, file, fact.module), fact)
    return imported_from(engine, engine.files[path], fact)


def zig_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`@import`: a file, which is a type where it has fields."""
    path = engine.layout.zig_module_file(file.path, fact.module)
    if path is None or path not in engine.files:
        if fact.module.endswith(".zig"):
            return EMPTY
        return imported_from_outside(engine, external_module(engine, file, fact.module), fact)
    return imported_from(engine, engine.files[path], fact)


def script_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """A script that is run by its path. It is a process of its own: no names come from it."""
    path = engine.layout.script_file(file.path, fact.module)
    return Constant(engine.files[path].module.alone) if path is not None and path in engine.files else EMPTY


def package_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """Packages that files declare: see `packages`."""
    return packages.package_import(engine, file, fact)


def listed_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """Modules with lists of what they export: see `module_lists`."""
    return module_lists.listed_import(engine, file, fact)


Rule = Callable[[Engine, FileIndex, Import], Cell]

RULES: dict[str, Rule] = {
    "python": python_import,
    "node": node_import,
    "go": go_import,
    "java": java_import,
    "rust": rust_import,
    "dart": dart_import,
    "absolute": absolute_import,
    "include": no_import,
    "package": package_import,
    "lua": lua_import,
    "zig": zig_import,
    "script": script_import,
    "listed": listed_import,
}
"""Module style → what an import binds."""
