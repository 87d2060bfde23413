"""Names that no scope of their file binds: members of the enclosing types, names from a namespace, package, include or
star import, builtins of the language."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import imports, includes, members, names, namespaces, packages, passing
from loregraph.indexer.resolve.classes import enclosing_class, enclosing_classes
from loregraph.indexer.resolve.definitions import with_definitions
from loregraph.indexer.resolve.dispatch import OPERATORS, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import receiver_function
from loregraph.indexer.resolve.model import ExternalInstance, FileIndex, Scope, Values
from loregraph.indexer.resolve.modules import open_namespace
from loregraph.indexer.resolve.project import package_key


def outside(engine: Engine, scope: Scope, name: str) -> Values:
    """The values of a name that the file itself does not bind."""
    file = scope.file
    policy = file.policy
    if name in policy.types.self_types:
        cls = enclosing_class(file, scope.number)
        if cls is not None:
            return cls.alone
    if policy.scopes.members_in_scope:
        values = enclosing_member(engine, scope, name)
        if values:
            return values
    if policy.modules.include_scope:
        values = namespaces.enclosing_namespaces_member(engine, scope, name)
        if values:
            return values
    if policy.modules.package_lookup:
        values = package_member(engine, file, name)
        if values:
            return values
        shared = engine.project.shared_stars.get((policy.language, engine.project.layout.component_of(file.path)), ())
        values = union([imports.star_member(engine, file, star, name) for star in shared])
        if values:
            return values
    around: Scope | None = scope
    while around is not None:
        if around.stars is not None:
            if len(around.stars) > names.MAX_STARS:
                engine.cut(file, around.stars[0].line, f"imports of all names before the last {names.MAX_STARS}")
            for star in reversed(around.stars[-names.MAX_STARS :]):
                values = imports.star_member(engine, file, star, name)
                if values:
                    return values
        around = around.parent
    if (policy.modules.package_scope or policy.modules.include_scope) and not policy.modules.package_lookup:
        values = package_member(engine, file, name)
        if not values and policy.modules.include_scope:
            values = open_namespace(engine, policy.language, name)
        if values:
            return values
    return engine.read(names.builtin(engine, file, name))


def package_member(engine: Engine, file: FileIndex, name: str) -> Values:
    """`name` as provided by other files of the package, or by included files."""
    policy = file.policy
    parts: list[Values] = []
    if policy.modules.package_lookup:
        return packages.visible_member(engine, file, name)
    if policy.modules.package_scope:
        for other in engine.project.packages.get(package_key(file), ()):
            if other is not file:
                cell = names.exit_cell(engine, other.scopes[-1], name)
                if cell is not None:
                    parts.append(engine.read(cell))
        return union(parts)
    for other in engine.project.included(file):
        cell = names.exit_cell(engine, other.scopes[-1], name)
        if cell is not None:
            parts.append(engine.read(cell))
    if policy.modules.includer_scope:
        return includes.visible(engine, file, name, union(parts))
    return with_definitions(engine, union(parts))


def enclosing_member(engine: Engine, scope: Scope, name: str) -> Values:
    """`name` as a member of the types around `scope`, innermost first."""
    file = scope.file
    around: Scope | None = scope
    while around is not None and around.definition is not None and around.definition.kind == "lambda":
        given = file.functions[around.number]
        if given.lists_receiver and not file.policy.members.explicit_receiver:
            values = engine.read(passing.receiver_cell(engine, given))
            found = union([member_of(engine, v, name) for v in values if not isinstance(v, ExternalInstance)])
            if found:
                return found
        around = around.parent
    for cls in enclosing_classes(scope):
        member = members.lookup(engine, cls, name)
        function = receiver_function(file, scope.number)
        received = function is not None and function.owner is cls and function.receives == "instance"
        missing = not member.found or (member.external and member.owner is None and not member.fields)
        # Methods of a module call methods of the class that mixes it in, without declaring them.
        mixed = file.policy.members.module_types and received and name.removesuffix("()") in engine.project.member_names
        if missing and not mixed:
            continue
        if function is not None and received:
            found = union([member_of(engine, v, name) for v in engine.read(passing.receiver_cell(engine, function))])
            if not member.found and not found:
                continue
            return found
        return union([members.instance_member(engine, cls.typed, name), members.class_member(engine, cls, name)])
    return ()


def _outside(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return outside(engine, expr[1], expr[2])


OPERATORS["O"] = _outside
