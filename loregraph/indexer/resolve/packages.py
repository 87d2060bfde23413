"""Names in declared packages: namespaces of C# and PHP, packages of Kotlin, a global name space (Ruby).

Files that declare the same package share their top-level names wherever they are located. `Modules.package_lookup` says
where else a bare name is looked up. All look-ups are by name: only files that define the name are touched.
"""

from __future__ import annotations

from loregraph.indexer.facts import Import
from loregraph.indexer.resolve import names, source_sets
from loregraph.indexer.resolve.dispatch import evaluate, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.layout import shared_folders
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    VALUE,
    Cell,
    Class,
    Constant,
    FileIndex,
    Namespace,
    Site,
    Values,
)
from loregraph.indexer.resolve.modules import external_module
from loregraph.indexer.resolve.project import package_keys
from loregraph.indexer.resolve.scoping import find

MAX_NEAREST = 3
"""With a name defined outside packages in more files than this, it is unclear which file is meant: none counts."""


def named(engine: Engine, key: tuple[str, str, str]) -> dict[str, list[FileIndex]]:
    """Name → the files of a package that define it at their top level."""
    found = engine.project.package_names.get(key)
    if found is None:
        found = engine.project.package_names[key] = {}
        for file in engine.project.packages.get(key, ()):
            for name, bindings in file.scopes[-1].bindings.items():
                shared = file.policy.modules.shared_values
                if any(b.kind == DEFINITION or (b.kind == VALUE and shared.match(name)) for b in bindings):
                    found.setdefault(name, []).append(file)
    return found


def package(engine: Engine, family: str, dotted: str) -> Values:
    """The package of that name; none where the project has none."""
    key = ("declared", family, dotted)
    found = engine.interned.get(key)
    if found is None:
        files = engine.project.packages.get((family, "", dotted))
        if files is None and (family, dotted) not in engine.project.outer_packages:
            return ()
        found = engine.interned[key] = Namespace(dotted, family, tuple(file.path for file in files or ()))
    return found.alone


def is_declared(engine: Engine, value: Namespace) -> bool:
    """Whether a namespace is a package that files declare."""
    return engine.interned.get(("declared", value.language, value.name)) is value


def member(engine: Engine, family: str, dotted: str, name: str, file: FileIndex | None = None) -> Values:
    """`name` in a package: what its files define, as `file` sees it, else a subpackage."""
    files: list[FileIndex] | tuple[FileIndex, ...] = named(engine, (family, "", dotted)).get(name, ())
    if file is not None:
        files = _own_variant(file, files, name)
    found = _read(engine, files, name) or package(engine, family, f"{dotted}.{name}" if dotted else name)
    return found or (_passed_on(engine, family, dotted, name) if file is None else ())


def _passed_on(engine: Engine, family: str, dotted: str, name: str) -> Values:
    """What the files of a package import by that name, where a package hands that on (Julia)."""
    passing = [
        file for file in engine.project.packages.get((family, "", dotted), ()) if file.policy.calls.generic_functions
    ]
    for file in passing:
        bindings = file.scopes[-1].bindings.get(name, ())
        if bindings and all(binding.kind == IMPORT for binding in bindings):
            return _read(engine, [file], name)
    return ()


def _own_variant(
    file: FileIndex, files: list[FileIndex] | tuple[FileIndex, ...], name: str
) -> list[FileIndex] | tuple[FileIndex, ...]:
    if len(files) < 2 or not file.policy.modules.platform_variants:
        return files
    return source_sets.own_variant(file, list(files), name)


def _read(engine: Engine, files: list[FileIndex] | tuple[FileIndex, ...], name: str) -> Values:
    cells = (names.exit_cell(engine, file.scopes[-1], name) for file in files)
    return _whole(engine, union([engine.read(cell) for cell in cells if cell is not None]))


def _whole(engine: Engine, values: Values) -> Values:
    """Of the parts of a partial type only the first: its resolution order includes the others."""
    if len(values) < 2 or not engine.project.parts:
        return values
    return tuple(v for v in values if not isinstance(v, Class) or engine.project.parts.get(v, (v,))[0] is v)


def visible_member(engine: Engine, file: FileIndex, name: str) -> Values:
    """`name` as defined in the file's own packages, or those that its language searches next."""
    lookup = file.policy.modules.package_lookup
    for family, folder, dotted in package_keys(file):
        while True:
            files = _own_variant(file, named(engine, (family, folder, dotted)).get(name, ()), name)
            values = _read(engine, files, name)
            if len(values) > 1 and not dotted:
                values = _read(engine, _nearest(engine, file, files), name)
            if not values and dotted:
                values = package(engine, family, f"{dotted}.{name}")
            if values:
                return values
            if not dotted or lookup == "own":
                break
            dotted = dotted.rpartition(".")[0] if lookup == "outer" else ""
            folder = ""
    return package(engine, file.policy.family, name)


def _nearest(
    engine: Engine, file: FileIndex, files: list[FileIndex] | tuple[FileIndex, ...]
) -> list[FileIndex] | tuple[FileIndex, ...]:
    """Of several files that define a name outside packages, those that the file includes, else the nearest."""
    if len(files) <= 1:
        return files
    own = {other.path for other in engine.project.included(file)}
    found = [other for other in files if other.path in own]
    if not found:
        shared = [shared_folders(other.path, file.path) for other in files]
        found = [other for other, count in zip(files, shared, strict=True) if count == max(shared)]
    return found if len(found) <= MAX_NEAREST else ()


class PackageMember(Cell):
    """A name of a package that several files may define."""

    __slots__ = ("family", "file", "name", "package")
    of_import = True

    def __init__(self, file: FileIndex, family: str, package: str, name: str) -> None:
        super().__init__(file)
        self.file = file
        self.family = family
        self.package = package
        self.name = name

    def compute(self, engine: Engine) -> Values:
        return member(engine, self.family, self.package, self.name, self.file)


class Relative(Cell):
    """The target of an import whose path begins with no package: a member of a name in scope, else an external
    symbol."""

    __slots__ = ("dotted", "fact", "file")
    of_import = True

    def __init__(self, file: FileIndex, fact: Import, dotted: str) -> None:
        super().__init__(file)
        self.file = file
        self.fact = fact
        self.dotted = dotted

    def compute(self, engine: Engine) -> Values:
        file, fact = self.file, self.fact
        first, *rest = self.dotted.split(".")
        scope = file.scopes[fact.scope]
        owner = find(scope, first)
        if owner is not None and any(b.kind == IMPORT and b.payload is fact for b in owner.bindings[first]):
            values = evaluate(engine, file, None, ("O", file.scopes[-1], first))
        else:
            values = evaluate(engine, file, Site(fact.scope, fact.at, -2), ("n", first))
        for name in rest:
            values = union([member_of(engine, value, name) for value in values])
        if values:
            return values
        before, _, last = self.dotted.rpartition(".")
        return engine.member_of(external_module(engine, file, before or self.dotted), last).alone


def package_import(engine: Engine, file: FileIndex, fact: Import) -> Cell:
    """`using A.B`, `use A\\B\\C`, `import a.b.c`: the longest prefix that is a package, and the member of it."""
    family = file.policy.family
    dotted = fact.module
    if fact.name and fact.name != "*":
        dotted = f"{dotted}.{fact.name}" if dotted else fact.name
    if fact.kind == "star" or fact.name == "*":
        whole = package(engine, family, dotted)
        if whole:
            return Constant(whole)
    parts = dotted.split(".")
    for count in range(len(parts) - 1, -1, -1):
        around = ".".join(parts[:count])
        if parts[count] in named(engine, (family, "", around)):
            cell: Cell = PackageMember(file, family, around, parts[count])
            for part in parts[count + 1 :]:
                cell = names.MemberCell(file, cell, part)
            return cell
    whole = package(engine, family, dotted)
    if whole:
        return Constant(whole)
    if file.policy.modules.relative_imports:
        return Relative(file, fact, dotted)
    before, _, last = dotted.rpartition(".")
    if not before and last in file.policy.scopes.default_externals:  # `use Exception;`
        return names.builtin(engine, file, last)
    return Constant(engine.member_of(external_module(engine, file, before or dotted), last).alone)
