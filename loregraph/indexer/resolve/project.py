"""The static relations between a project's files, known before values are followed: names, types, packages, includes.

`arrange` derives what facts alone determine; the rest is computed on demand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from loregraph.indexer.facts import Call, Import
from loregraph.indexer.resolve.canonical import Rank, rank
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.resolve.model import Class, External, FileIndex, Function, Scope, Value
from loregraph.indexer.resolve.summary import Loaded

MAX_PARTS = 300
"""With more declarations of one name, they are different types rather than parts of one."""


class Project:
    """The files of one language family, indexed for look-ups across files."""

    def __init__(self, files: Mapping[str, FileIndex], layout: Layout) -> None:
        self.files = files
        self.layout = layout
        # Names
        self.member_names: set[str] = set()
        """Names of all functions and types."""
        self.stored_names: set[str] = set()
        """Names of all members that are written anywhere."""
        self.accessors: Callable[[], Iterable[str]] | None = None
        """Gives the names of all members that run code when read or written; None where files tell."""
        self.mixing = False
        """Whether classes may get members and supertypes while values are followed (`Object.assign`)."""
        self.macros: dict[str, list[Function]] = {}
        """Name of a macro → those that have it."""
        self.bodies: dict[tuple[str, str], list[Function]] = {}
        """(family, qualified name) → functions with a body, for prototypes."""
        self.fixtures: dict[FileIndex, dict[int, dict[str, Function]]] = {}
        """File → number of a scope → the fixtures in it by their names; filled as somebody asks."""
        self.marks: dict[Scope, list[tuple[str, Call]]] = {}
        """What is said of all tests in a scope: see `marks`; filled as somebody asks."""
        # Types
        self.parts: dict[Class, tuple[Class, ...]] = {}
        """A type that is written in several places → all its parts, in order."""
        self.extra_bases: dict[Class, list[Class | External]] = {}
        """Supertypes that are declared outside their type's body."""
        self.implemented: list[tuple[FileIndex, Class, Class | External, int]] = []
        """(file, type, contract, line) of implementations declared outside the type."""
        self.satisfied: dict[Class, list[Class]] = {}
        """Types → the interfaces that they implement by their methods alone."""
        self.circular: set[Class | External] = set()
        """Classes above which types inherit from one another in a circle."""
        self.extensions: dict[str, list[Function]] = {}
        """Name → functions that can be called like methods of what they extend."""
        self.plain_names: set[str] = set()
        """Names of functions that are no extensions, in languages that have them."""
        # Packages and namespaces
        self.packages: dict[tuple[str, str, str], list[FileIndex]] = {}
        """See `package_key` → the files of the package."""
        self.package_names: dict[tuple[str, str, str], dict[str, list[FileIndex]]] = {}
        """Package → name → files that define it at their top level; filled as packages are asked for."""
        self.outer_packages: set[tuple[str, str]] = set()
        """(family, package) of those that only hold other packages, and of others around one."""
        self.shared_stars: dict[tuple[str, str], list[Import]] = {}
        """(language, component) → star imports that hold for all its files."""
        self.member_lists: dict[str, dict[str, frozenset[str]]] = {}
        """Language → type or class → what `T(..)` stands for in lists; filled when somebody asks."""
        self.namespaces: dict[str, list[Scope]] = {}
        """Name of a namespace → its scopes in all files; none where it only holds others."""
        self.visible: dict[tuple[str, str], list[Scope]] = {}
        """(file that looks, name of a namespace) → those of its scopes that the file sees; filled as somebody asks."""
        # Files
        self.libraries: dict[str, str] | None = None
        """Name that a library gives itself (Dart) → its first file; None until somebody asks."""
        self.module_tables: dict[Value, FileIndex] = {}
        """Where a module is the table that its file returns: that table → the file."""
        self.includers: dict[str, list[FileIndex]] | None = None
        """File → those that include it, through others too; None until somebody asks."""
        self.open_files: dict[str, list[FileIndex]] | None = None
        """Component → its files that include what cannot be told; None until somebody asks."""
        self._included: dict[str, tuple[FileIndex, ...]] = {}

    def indexed(self) -> Collection[FileIndex]:
        """The files whose index exists so far; of a lazily indexed project not all."""
        return self.files.loaded.values() if isinstance(self.files, Loaded) else self.files.values()

    def file_at(self, path: str | None) -> FileIndex | None:
        """The file with that path; None where the project has none."""
        return self.files.get(path) if path is not None else None

    def included_file(self, file: FileIndex, fact: Import) -> str | None:
        """The file that an include refers to."""
        if file.policy.modules.style == "script":
            found: str | None = self.layout.of(file.facts.language).file_of(file.path, fact.module)
            return found
        return self.layout.include_file(file.path, fact.module)

    def included(self, file: FileIndex) -> tuple[FileIndex, ...]:
        """The files that a file includes, directly or indirectly."""
        found = self._included.get(file.path)
        if found is None:
            seen: dict[str, None] = {}
            stack = [file]
            while stack:
                current = stack.pop()
                for fact in current.facts.imports:
                    if fact.kind != "include":
                        continue
                    path = self.included_file(current, fact)
                    if path is not None and path not in seen and path != file.path and path in self.files:
                        seen[path] = None
                        stack.append(self.files[path])
            found = self._included[file.path] = tuple(self.files[p] for p in seen)
        return found

    def submodule(self, file: FileIndex, name: str) -> FileIndex | None:
        """The submodule `name` of the package that a file initialises."""
        directory, _, base = file.path.rpartition("/")
        if not base.startswith("__init__."):
            return None
        prefix = f"{directory}/{name}" if directory else name
        for candidate in (f"{prefix}.py", f"{prefix}/__init__.py", f"{prefix}.pyi", f"{prefix}/__init__.pyi"):
            found = self.files.get(candidate)
            if found is not None:
                return found
        return None


def package_key(file: FileIndex) -> tuple[str, str, str]:
    """The key shared by all files of a package."""
    policy = file.policy
    directory = file.path.rpartition("/")[0]
    if policy.modules.style == "folder":
        return (policy.family, directory, file.facts.package)
    if policy.modules.package_lookup in ("outer", "global"):  # code outside packages is visible everywhere
        directory = ""
    return (policy.family, "", file.facts.package) if file.facts.package else (
        policy.family, directory, "",
    )  # fmt: skip


def package_keys(file: FileIndex) -> tuple[tuple[str, str, str], ...]:
    """The packages that a file contributes to; a file may open several namespaces."""
    first = package_key(file)
    more = file.facts.extras.get("packages", ()) if file.policy.modules.package_lookup else ()
    return (first, *((first[0], "", name) for name in more))


def arrange(files: Mapping[str, FileIndex], layout: Layout) -> Project:
    """Builds the project of these files, as far as facts alone determine it."""
    project = Project(files, layout)
    for file in files.values():
        policy = file.policy
        if policy.modules.package_scope:
            for key in package_keys(file):
                project.packages.setdefault(key, []).append(file)
        if policy.modules.package_lookup:
            for fact in file.facts.imports:
                if fact.kind == "global":
                    component = (policy.language, layout.component_of(file.path))
                    project.shared_stars.setdefault(component, []).append(fact)
        _note_names(project, file)
        if policy.construction.functions_construct:
            _note_properties(project, file)
    for family, _, package in project.packages:
        around = package.rpartition(".")[0]
        while around:
            project.outer_packages.add((family, around))
            around = around.rpartition(".")[0]
    _join_parts(project)
    _find_extensions(project)
    return project


def _note_names(project: Project, file: FileIndex) -> None:
    policy = file.policy
    for store in file.stores:
        if store.name is not None:
            project.stored_names.add(store.name)
    for number, definition in enumerate(file.facts.definitions):
        project.member_names.add(definition.name)
        if definition.kind == "macro":
            project.macros.setdefault(definition.name, []).append(file.functions[number])
        if definition.kind in ("namespace", "module"):
            name = definition.qualname.partition("#")[0]
            project.namespaces.setdefault(name, []).append(file.scopes[number])
            while "." in name:  # `namespace a::b` opens `a` too
                name = name.rpartition(".")[0]
                project.namespaces.setdefault(name, [])
        if policy.modules.include_scope and definition.is_function and "declaration" not in definition.flags:
            body = (policy.family, definition.qualname.partition("#")[0])
            project.bodies.setdefault(body, []).append(file.functions[number])


_MIXING: Final = ("assign", "setPrototypeOf", "inherits")
"""Names of functions that add members or supertypes to a type while values are followed."""


def _note_properties(project: Project, file: FileIndex) -> None:
    """Records the names of properties that calls define: attributes stored on a class are looked up before any call is
    followed."""
    for call in file.facts.calls:
        function = call.function
        if function and function[-1] in _MIXING:
            project.mixing = True
        if function[0] == "a" and function[2] in ("defineProperty", "defineProperties") and len(call.arguments) > 1:
            given = call.arguments[1]
            for key in (key for key, _ in given[1]) if given[0] == "d" else (given,):
                if key[0] == "k" and key[1] == "str" and key[2]:
                    project.stored_names.add(key[2])
    for fact in file.facts.assignments:
        if fact.value[-1] in _MIXING or (fact.target[0] == "a" and fact.target[2] == "prototype"):
            project.mixing = True  # `const extend = Object.assign`, `Type.prototype = Object.create(…)`


def _join_parts(project: Project) -> None:
    """Joins types that are declared in several parts: those flagged `partial`, or all where types are open, by package
    and qualified name."""
    found: dict[tuple[str, str, str, str], list[Class]] = {}
    for file in project.files.values():
        for cls in file.classes.values():
            if file.policy.members.open_types or "partial" in cls.definition.flags:
                key = (*package_key(file), cls.definition.qualname.partition("#")[0])
                found.setdefault(key, []).append(cls)
    for parts in found.values():
        if 1 < len(parts) <= MAX_PARTS:
            ordered = tuple(sorted(parts, key=_main_part))
            for part in parts:
                project.parts[part] = ordered


def _find_extensions(project: Project) -> None:
    """Records the functions that can be called like methods."""
    for file in project.files.values():
        if file.policy.members.extensions:
            for function in file.functions.values():
                name = function.definition.name
                if "extension" in function.definition.flags:
                    project.extensions.setdefault(name, []).append(function)
                else:
                    project.plain_names.add(name)


def _main_part(cls: Class) -> tuple[bool, Rank]:
    """A sort key for the parts of a type: first the one in the file named after it."""
    stem = cls.file.path.rpartition("/")[2].partition(".")[0].replace("_", "").lower()
    return stem != cls.definition.name.replace("_", "").lower(), rank(cls)
