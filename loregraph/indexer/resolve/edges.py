"""Turns the final values of all cells into edges. Resolves nothing beyond what the cells hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from loregraph.graph import model
from loregraph.graph.model import Edge
from loregraph.indexer.facts import FILE_SCOPE, NARROWING, SCOPE_KINDS, Base, Call, Expr, Import, is_node
from loregraph.indexer.resolve import (
    containers,
    fixtures,
    members,
    overloading,
    reasons,
    results,
    source_sets,
    types,
    unresolved,
)
from loregraph.indexer.resolve.calls import CallCell, called_method
from loregraph.indexer.resolve.canonical import Rank, file_of, rank
from loregraph.indexer.resolve.classes import enclosing_class, own_methods, types_of
from loregraph.indexer.resolve.constructors import constructors, super_constructors
from loregraph.indexer.resolve.container_methods import NAMESPACE
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.declared import class_of, external_at
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import accepts
from loregraph.indexer.resolve.hierarchy import common_base, linearised
from loregraph.indexer.resolve.how import confidence, surer
from loregraph.indexer.resolve.imports import import_values
from loregraph.indexer.resolve.layout import shared_folders
from loregraph.indexer.resolve.model import (
    DEFINITION,
    PARAMETER,
    VALUE,
    Bound,
    Class,
    Container,
    ContainerMethod,
    External,
    FileIndex,
    Function,
    FunctionMethod,
    Instance,
    Module,
    Namespace,
    Partial,
    Site,
    Super,
    Value,
    Values,
    Wrapped,
)
from loregraph.indexer.resolve.reads import SILENT
from loregraph.indexer.resolve.scoping import find, innermost

MAX_SURE: Final = 8
"""Above this many targets, a call through variables or containers is a low-confidence one. Larger sets mostly come from
a container with many writers from which a reader takes one item: each target is one of many."""
MAX_CANDIDATES: Final = 32
"""At most this many targets are written for such a call. In still larger sets almost no target is right (confirmed by
compilers and test runs), so only `MAX_SURE` are kept: the product before tests and examples, then those that share most
folders with the caller, then the least by `canonical.rank`."""

MAX_UNRELATED: Final = 4
"""Above this many types without a common supertype, an operator or conversion is not taken to run their methods: with
five and more types, test runs of five projects confirm 9 edges of 51, with fewer 76 of 100."""


# Implements REQ-RES-004.
class Draft:
    """An edge under construction: first line, the others in no order, count, highest-confidence reason."""

    __slots__ = ("count", "how", "line", "names", "others")

    def __init__(self, line: int, how: str) -> None:
        self.line = line
        self.others: set[int] | None = None
        self.count = 0
        self.how = how
        self.names: dict[str, None] = {}

    def more_lines(self) -> tuple[int, ...]:
        """The lines behind the first, ascending."""
        return tuple(sorted(self.others)) if self.others is not None else ()

    def note(self, line: int) -> None:
        """A further line."""
        if self.others is None:
            self.others = set()
        self.others.add(max(line, self.line))
        self.line = min(line, self.line)


# Implements REQ-RES-007, REQ-RES-008.
class EdgeBuilder:
    """Collects the edges of files, one file at a time, and the external symbols that they end at."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._external: dict[str, model.External] = {}
        self._reached: set[str] = set()
        """Their ids, of those that an edge ends at: of a call with too many candidates some are left out."""
        self._outside_ids: dict[External, str] = {}
        self._ids: list[str] = []
        self._drafts: dict[tuple[str, str, str], Draft] = {}
        self._language = ""
        self._nodeless = {
            cls.id
            for file in engine.project.indexed()
            if file.policy.members.module_types or file.policy.members.structural
            for cls in file.classes.values()
            if not is_node(cls.definition.kind, cls.definition.flags)
        }
        """Types that are no nodes: nothing can end at them."""

    def externals(self) -> tuple[model.External, ...]:
        """The external symbols that edges end at so far, sorted by id."""
        return tuple(value for identity, value in sorted(self._external.items()) if identity in self._reached)

    def file(self, file: FileIndex) -> tuple[tuple[Edge, ...], dict[str, tuple[int, ...]], tuple[int, int]]:
        """The edges of one file, the lines of its calls without an edge by the reason, the number of calls that reach
        something in the project, and the number that reach only something outside it."""
        self.engine.reader = None
        self.engine.home = file
        self._language = file.facts.language
        self._drafts = {}
        self._ids = scope_ids(file)
        nowhere: dict[str, list[int]] = {}
        resolved = outside = 0
        for cell in file.calls:
            reason = self._call(file, cell)
            if reason:
                if cell.call.function[0] != "x" and cell.call.kind not in SILENT:
                    nowhere.setdefault(reason, []).append(cell.call.line)
            elif type(cell.values[0]) is External and all(type(value) is External for value in cell.values):
                outside += 1
            else:
                resolved += 1
        for cells in file.decorated.values():
            for cell in cells:
                self._call(file, cell)
        for cell in file.implicit:
            if cell.values and not self._is_unrelated_choice(file, cell):
                self._call(file, cell)
        self._imports(file)
        self._types(file)
        self._values(file)
        self._fixtures(file)
        drafts = [(key, self._drafts[key]) for key in sorted(self._drafts)]
        if self._nodeless:
            drafts = [(key, draft) for key, draft in drafts if key[2] not in self._nodeless]
        self._reached.update([key[2] for key, _ in drafts if key[2] in self._external])
        edges = tuple(self._edge(key, draft) for key, draft in drafts)
        tests = self._tests(file, edges)
        # TESTS edges are derived from all other relations.
        found = (*edges, *sorted(tests, key=lambda e: (e.source, e.target)))
        return found, {reason: tuple(lines) for reason, lines in sorted(nowhere.items())}, (resolved, outside)

    def _edge(self, key: tuple[str, str, str], draft: Draft) -> Edge:
        rel, source, target = key
        sure = confidence(draft.how, self._language) if rel == "CALLS" else 1.0
        how = draft.how if rel in ("CALLS", "REFERENCES") else ""
        more = draft.more_lines() if rel == "CALLS" else ()
        return Edge(rel, source, target, draft.line, draft.count, sure, how, tuple(draft.names), more_lines=more)

    def _add(self, rel: str, source: str, target: str, line: int, how: str) -> Draft:
        key = (rel, source, target)
        draft = self._drafts.get(key)
        if draft is None:
            draft = self._drafts[key] = Draft(line, how)
        else:
            if line != draft.line:
                draft.note(line)
            draft.how = surer(draft.how, how)
        draft.count += 1
        return draft

    def _outside(self, value: External) -> str:
        identity = self._outside_ids.get(value)
        if identity is None:
            identity = self._outside_ids[value] = f"external:{value.path}"
            name = value.name.rpartition(".")[2] or value.package
            node = model.External(identity, name, value.path, value.package)
            known = self._external.get(identity)
            if known is None or node.package < known.package:
                self._external[identity] = node
        return identity

    # Calls

    def _call(self, file: FileIndex, cell: CallCell) -> str:
        """Adds the edges of a call; returns the reason why there are none, "" where there are."""
        call = cell.call
        if not cell.values:
            return unresolved.reason(self.engine, file, cell)
        values = cell.values
        if file.policy.modules.platform_variants and len(values) > 1:
            values = source_sets.visible(file, values)
        if file.policy.overloads and (len(values) > 1 or file.policy.calls.exact_arity):
            values = overloading.fitting(
                values, len(call.arguments), file.policy.calls.exact_arity and _is_counted(call)
            )
        if file.policy.types.basic_types and len(values) > 1:
            values = overloading.nearest(self.engine, file, call, values)
        if file.policy.calls.generic_functions and len(values) > MAX_SURE:
            cut = f"calls of which more than {MAX_SURE} methods of one function may be meant"
            self.engine.cut(file, call.line, cut)
            values = tuple(value for value in values if not isinstance(value, Function))
        written: dict[str, str] = {}
        reached = [self._targets(file, cell, value) for value in values]
        if len(values) > members.MAX_OF_MANY and any(members.is_capped(value) for value in values):
            most, kept = members.MAX_DISPATCH, members.MAX_OF_MANY
            cut = f"of more than {most} methods that override what is called all but {kept}"
            self.engine.cut(file, call.line, cut)
        if len(values) > MAX_SURE:
            reached = self._without_unlikely(file, cell, values, reached)
        elif file.policy.calls.generic_functions and len(values) > 1:
            reached = [
                [
                    (target, "candidate" if isinstance(value, Function) and how != "external" else how)
                    for target, how in part
                ]
                for value, part in zip(values, reached, strict=True)
            ]
        for targets in reached:
            for target, how in targets:
                written[target] = surer(written[target], how) if target in written else how
        source = self._ids[call.scope]
        for target, how in written.items():
            self._add("CALLS", source, target, call.line, how)
        return "" if written else unresolved.reason(self.engine, file, cell)

    # Implements REQ-SEC-010.
    def _is_unrelated_choice(self, file: FileIndex, cell: CallCell) -> bool:
        """Whether an implicit call of a method (`==`, `str(x)`) has targets in too many unrelated types: its receiver
        passed through code that handles all values."""
        function = cell.call.function
        if function[0] != "M":
            return False
        held = [v for v in evaluate(self.engine, file, cell.call, function[1]) if isinstance(v, Instance)]
        if len(held) <= MAX_UNRELATED or len({v.cls for v in held}) <= MAX_UNRELATED:
            return False
        if common_base(self.engine, list(held)) is not None:
            return False
        cut = f"methods that operators and conversions run on values of more than {MAX_UNRELATED} unrelated types"
        self.engine.cut(file, cell.call.line, cut)
        return True

    # Implements REQ-SEC-010.
    def _without_unlikely(
        self, file: FileIndex, cell: CallCell, values: Values, reached: list[list[tuple[str, str]]]
    ) -> list[list[tuple[str, str]]]:
        """The targets of a call that has more of them than are likely. Those found only by following values get low
        confidence, and where there are more than `MAX_CANDIDATES` most are dropped."""
        wrapped = _surely_wrapped(file, cell)
        unsure = {
            value: targets
            for value, targets in zip(values, reached, strict=True)
            if function_or_itself(value) not in wrapped and _by_value(self.engine, cell.call, value, targets)
        }
        if len(unsure) <= MAX_SURE:
            return reached
        kept = [targets for value, targets in zip(values, reached, strict=True) if value not in unsure]
        if cell.call.kind == "decorator":  # merged results of decorator factories, not what decorates here
            return kept
        least = sorted(unsure, key=_nearest_first(file))
        if len(least) > MAX_CANDIDATES:
            del least[MAX_SURE:]
            cut = f"of more than {MAX_CANDIDATES} functions that values bring to one call all but {MAX_SURE}"
            self.engine.cut(file, cell.call.line, cut)
        named = _found_by_name(self.engine, file, cell.call)
        if named is not None:
            least = [v for v in least if _held(v) in named or isinstance(v, FunctionMethod)]
        return kept + [
            [(target, "external" if how == "external" else "candidate") for target, how in unsure[value]]
            for value in least
        ]

    def _targets(self, file: FileIndex, cell: CallCell, value: Value) -> list[tuple[str, str]]:
        """(id, how) of everything that a call runs when it reaches `value`."""
        engine = self.engine
        call = cell.call
        if type(value) is External:  # tested first: half of all calls
            return [(self._outside(value), "external")]
        if isinstance(value, Function):
            how = reasons.how(self.engine, file, cell, value)
            if value.definition.kind == "constructor" and value.owner is not None:  # called by its own name
                return [(value.owner.id, "constructor"), (value.id, how)]
            return [(value.id, how)]
        if isinstance(value, Bound):
            return [(value.function.id, reasons.how(self.engine, file, cell, value))]
        if isinstance(value, Class):
            if (
                call.kind == "call"
                and file.policy.construction.instantiation == "new"
                and not file.policy.members.class_objects
            ):
                return []
            if (
                call.kind != "new" and file.policy.members.class_objects
            ):  # through a class object or a constructor reference
                return [(value.id, "value"), *((f.id, "value") for f in self._constructors(file, call, value))]
            how = reasons.how(self.engine, file, cell, value)
            found = [(value.id, "constructor" if how in ("scope", "import") else how)]
            return found + [(f.id, "constructor") for f in self._constructors(file, call, value)]
        if isinstance(value, Wrapped):
            return [(value.wrapper.id, "decorator"), *self._decorated(file, cell, value)]
        if isinstance(value, Super):
            run = [f for f, _ in super_constructors(engine, value)]
            return [(f.id, "super") for f in self._fitting(file, run, len(call.arguments))]
        if isinstance(value, Instance) and call.function == ("v",):
            # `this(…)` in a constructor runs another constructor of the same type, whatever type is being instantiated.
            own = enclosing_class(file, call.scope) or value.cls
            return [(f.id, "constructor") for f in self._constructors(file, call, own)]
        if isinstance(value, Instance):
            return [
                (m.function.id, "inferred-type" if m.receiver is value else "interface")
                for m in called_method(engine, value)
                if isinstance(m, Bound)
            ]
        if isinstance(value, ContainerMethod):
            if value.container.origin[0] == NAMESPACE:
                return []  # also the external object that the call names
            if value.container.origin[0] == OBJECT:
                owner = external_at(engine, class_of(value.container))
                return [(self._outside(engine.member_of(owner, value.name)), "external")]
            kind = value.container.policy.types.literal_types.get("dict()" if value.container.mapping else "list()")
            if kind is None:
                return []
            owner = engine.external(*kind)
            return [(self._outside(engine.member_of(owner, value.name)), "external")]
        if isinstance(value, Container) and value.origin[0] == OBJECT:
            return [(self._outside(engine.member_of(external_at(engine, class_of(value)), "__call__")), "external")]
        if isinstance(value, FunctionMethod):
            return [(value.function.id, "value")] if value.name != "bind" else []
        if isinstance(value, Partial):
            return self._targets(file, cell, value.function)
        return []

    def _decorated(self, file: FileIndex, cell: CallCell, value: Wrapped) -> list[tuple[str, str]]:
        """The functions behind a wrapper. For a wrapper of one function, the call inside the wrapper has the edge. For
        a wrapper of several, that would lose which caller calls which function, so the caller gets it; unless the call
        itself reaches functions of different names, which values merged on the way."""
        if len(self.engine.read(members.wraps_cell(value.wrapper))) < 2 or results.is_caller(value.wrapper):
            return []
        names = {function_of(v).definition.name for v in cell.values if isinstance(v, Wrapped)}
        if len(names) > 1:
            return []
        if isinstance(value.original, Function):
            return [(value.original.id, "decorated")]
        return self._targets(file, cell, value.original)

    def _constructors(self, file: FileIndex, call: Call, cls: Class) -> list[Function]:
        found = self._fitting(cls.file, [f for f, _ in constructors(self.engine, cls)], len(call.arguments))
        return overloading.chosen(self.engine, file, call, found) if file.policy.types.basic_types else found

    def _fitting(self, file: FileIndex, found: list[Function], arguments: int) -> list[Function]:
        """The constructors that accept so many arguments; all of them where none does."""
        if file.policy.overloads and len(found) > 1:
            return [f for f in found if accepts(f, arguments)] or found
        return found

    # Imports

    def _imports(self, file: FileIndex) -> None:
        engine = self.engine
        for fact in file.facts.imports:
            for target in self._import_targets(file, fact):
                draft = self._add("IMPORTS", file.path, target, fact.line, "import")
                if fact.name:
                    draft.names[fact.name] = None
            if file.policy.modules.module_hook and fact.name and not _is_optional(file, fact):
                for function in self._module_hooks(file, fact):
                    self._add("CALLS", self._ids[fact.scope], function.id, fact.line, "import")
        for cell in file.calls:
            if cell.call.function[0] == "m":
                for value in evaluate(engine, file, cell.call, cell.call.function):
                    if isinstance(value, Module) and value.file is not file:
                        self._add("IMPORTS", file.path, value.file.path, cell.call.line, "import")

    def _module_hooks(self, file: FileIndex, fact: Import) -> Iterator[Function]:
        """The hooks that importing a name runs: Python asks a module that is not a package for `__path__`, and a
        package for names that it lacks."""
        hook = file.policy.modules.module_hook
        whole = Import(fact.scope, fact.line, fact.at, fact.module, fact.level, "", "", "star")
        for value in import_values(self.engine, file, whole):
            if isinstance(value, Module) and value.file is not file:
                bindings = value.file.scopes[-1].bindings
                function = value.file.functions.get(bindings[hook][-1].payload) if hook in bindings else None
                is_package = value.file.path.endswith("__init__.py")
                found = is_package and (fact.name in bindings or bool(import_values(self.engine, file, fact)))
                if function is not None and bindings[hook][-1].kind == DEFINITION and not found:
                    yield function

    def _import_targets(self, file: FileIndex, fact: Any) -> list[str]:
        engine = self.engine
        if fact.kind == "include":
            path = engine.project.included_file(file, fact)
            if path is not None and path in engine.project.files:
                return [path] if path != file.path else []
            text = fact.module.strip("<>\"'")
            package = engine.project.layout.external_package(file.facts.language, text, file.path)
            return [self._outside(engine.external(package, ""))] if package else []
        if fact.name:
            held = import_values(engine, file, fact) if fact.name != "*" and fact.kind != "reexport" else ()
            modules = [value.file for value in held if isinstance(value, Module)]
            if modules:
                return [module.path for module in modules if module is not file]
        whole = type(fact)(fact.scope, fact.line, fact.at, fact.module, fact.level, "", "", "star")
        found: list[str] = []
        for value in import_values(engine, file, whole):
            if isinstance(value, Module):
                if value.file is not file:
                    found.append(value.file.path)
            elif isinstance(value, Namespace):
                found += self._components(value)
            elif isinstance(value, External):
                found.append(self._outside(engine.external(value.package, "")))
            elif isinstance(value, Function | Class) and value.file is not file:
                found.append(value.file.path)
        return list(dict.fromkeys(found))

    def _components(self, value: Namespace) -> list[str]:
        component_of = self.engine.project.layout.component_of
        if value.files:
            return sorted({component_of(path) for path in value.files} - {""})
        folder = self.engine.project.layout.of(self._language).package_dir(value.name, "")
        component = component_of(f"{folder}/__init__.py") if folder is not None else ""
        return [component] if component else []

    # Types, decorators, values

    def _types(self, file: FileIndex) -> None:
        engine = self.engine
        for number, definition in enumerate(file.facts.definitions):
            if definition.kind in SCOPE_KINDS:
                continue
            source = self._ids[number]
            site = Site(definition.parent, definition.start_byte, -2)
            for base in definition.bases:
                self._base(file, site, source, definition.kind, base)
            for parameter in definition.parameters:
                if parameter.type is not None:
                    self._refer(file, site, source, definition.start_line, parameter.type, "declared-type")
            if definition.returns is not None:
                self._refer(file, site, source, definition.start_line, definition.returns, "declared-type")
            for decorator in definition.decorators:
                target = decorator
                if decorator[0] == "c":
                    target = file.facts.calls[decorator[1]].function
                self._refer(file, site, source, definition.start_line, target, "decorator")
        for fact in file.facts.assignments:
            if fact.type is not None and fact.kind not in NARROWING:
                self._refer(file, fact, self._ids[fact.scope], fact.line, fact.type, "declared-type")
        for where, implementer, contract, line in engine.project.implemented:
            if where is file:
                identity = contract.id if isinstance(contract, Class) else self._outside(contract)
                self._add("IMPLEMENTS", implementer.id, identity, line, "scope")
        for cls in file.classes.values():
            for interface in engine.project.satisfied.get(cls, ()):
                self._add("IMPLEMENTS", cls.id, interface.id, cls.definition.start_line, "scope")
            self._overrides(engine, cls)

    def _base(self, file: FileIndex, site: Site, source: str, kind: str, base: Base) -> None:
        held = evaluate(self.engine, file, site, base.type)
        for value in types_of(held) if file.policy.members.companions else held:
            if isinstance(value, Class):
                relation = base.relation
                contract = value.definition.kind in ("interface", "protocol", "trait")
                if contract and kind not in ("interface", "protocol", "trait"):
                    relation = "IMPLEMENTS"
                if value.id != source:
                    self._add(relation, source, value.id, base.line, "scope")
            elif isinstance(value, External):
                self._add(base.relation, source, self._outside(value), base.line, "external")

    def _overrides(self, engine: Engine, cls: Class) -> None:
        order = linearised(engine, cls)[1:]
        for function in own_methods(cls):
            if (
                function.definition.kind == "constructor"
                or function.definition.name in cls.file.policy.construction.constructors
            ):
                continue
            for base in order:
                if not isinstance(base, Class):
                    continue
                found = own_methods(base, function.definition.name)
                if found:
                    if found[-1].id != function.id:
                        self._add("OVERRIDES", function.id, found[-1].id, function.definition.start_line, "inheritance")
                    break
            for interface in engine.project.satisfied.get(cls, ()):
                for asked in own_methods(interface, function.definition.name)[-1:]:
                    self._add("OVERRIDES", function.id, asked.id, function.definition.start_line, "inheritance")

    def _refer(self, file: FileIndex, site: Any, source: str, line: int, expr: Expr, how: str) -> None:
        """References to the classes and functions that type and decorator expressions name."""
        stack = [expr]
        while stack:
            part = stack.pop()
            op = part[0]
            if op in ("n", "a", "m"):
                for value in evaluate(self.engine, file, site, part):
                    if isinstance(value, Class | Function) and value.id != source:
                        self._add("REFERENCES", source, value.id, line, how)
            elif op == "s":
                stack += [part[2], part[1]]
            elif op in ("u", "l"):
                stack += reversed(part[1])
            elif op == "*":
                stack.append(part[1])
            elif op == "k" and part[1] == "str" and part[2].replace(".", "").isidentifier():
                stack.append(types.dotted(part[2]))

    def _values(self, file: FileIndex) -> None:
        """References to functions and classes that are passed or stored instead of called."""
        for call in file.facts.calls:
            if call.arguments or call.keywords:
                source = self._ids[call.scope]
                for argument in call.arguments:
                    self._value(file, call, source, argument)
                for _, argument in call.keywords:
                    self._value(file, call, source, argument)
        for fact in file.facts.assignments:
            if fact.kind == "read" or fact.kind in NARROWING:
                continue
            self._value(file, fact, self._ids[fact.scope], fact.value)
        for leaving in file.facts.returns:
            if leaving.kind != "throw":
                self._value(file, leaving, self._ids[leaving.scope], leaving.value)
        for reference in file.facts.references:
            site = Site(reference.scope, 1 << 60, -1)
            how = {"type": "declared-type", "decorator": "decorator"}.get(reference.how, "value")
            self._refer(file, site, self._ids[reference.scope], reference.line, reference.value, how)

    def _value(self, file: FileIndex, site: Any, source: str, expr: Expr) -> None:
        op = expr[0]
        if op == "n":
            self._named(file, site, source, expr)
        elif op == "a":
            self._member(file, site, source, expr)
        elif op == "l" or op == "u":
            for item in expr[1]:
                self._value(file, site, source, item)
        elif op == "d":
            for _, item in expr[1]:
                self._value(file, site, source, item)
        elif op in ("*", "w", "y"):
            self._value(file, site, source, expr[1])
        elif op == "m":
            self._refer(file, site, source, site.line, expr, "value")
        elif op == "f" and "expression" not in file.facts.definitions[expr[1]].flags:
            target = self._ids[expr[1]]  # a function defined elsewhere, captured by its name
            if target != source:
                self._add("REFERENCES", source, target, site.line, "value")

    def _named(self, file: FileIndex, site: Any, source: str, expr: Expr) -> None:
        owner = find(file.scopes[site.scope], expr[1])
        if owner is None or owner.bindings[expr[1]][0].kind in (PARAMETER, VALUE):
            return
        for value in evaluate(self.engine, file, site, expr):
            target = value.wrapper if isinstance(value, Wrapped) else value
            if isinstance(value, Wrapped) and isinstance(value.original, Function):
                target = value.original
            if isinstance(target, Function | Class) and target.id != source:
                self._add("REFERENCES", source, target.id, site.line, "value")

    def _member(self, file: FileIndex, site: Any, source: str, expr: Expr) -> None:
        base = expr[1]
        if expr[2] not in self.engine.project.member_names:
            return
        if base[0] not in ("n", "v", "a"):
            return
        for value in evaluate(self.engine, file, site, expr):
            target = value.function if isinstance(value, Bound) else value
            if isinstance(target, Function | Class) and target.id != source and target.definition.name == expr[2]:
                self._add("REFERENCES", source, target.id, site.line, "value")

    # Tests

    # Implements REQ-RES-018.
    def _fixtures(self, file: FileIndex) -> None:
        """References to the fixtures that tests and fixtures name without calling them."""
        if not file.policy.fixtures.decorators:
            return
        for function in file.functions.values():
            for fixture, line in fixtures.used(self.engine, function):
                self._add("REFERENCES", function.id, fixture.id, line, "fixture")
        for function, fixture, line in fixtures.asked_for(self.engine, file):
            self._add("REFERENCES", function.id, fixture.id, line, "fixture")

    def _tests(self, file: FileIndex, edges: tuple[Edge, ...]) -> list[Edge]:
        """TESTS edges: calls from test functions, and from functions nested in them, to code that is not test code."""
        tests: dict[str, str] = {}
        for number in range(len(file.facts.definitions)):
            around = number
            while around >= 0:
                if around in file.functions and "test" in file.facts.definitions[around].flags:
                    tests[self._ids[number]] = self._ids[around]
                    break
                around = file.facts.definitions[around].parent
        if not tests:
            return []
        found: dict[tuple[str, str], Edge] = {}
        for edge in edges:
            if edge.rel == "CALLS" and edge.source in tests and not edge.target.startswith("external:"):
                path = edge.target.partition("::")[0]
                if not self.engine.project.files[path].for_tests:
                    source = tests[edge.source]
                    if (source, edge.target) not in found:
                        found[source, edge.target] = Edge("TESTS", source, edge.target, how="call")
        return list(found.values())


def scope_ids(file: FileIndex) -> list[str]:
    """Id of the node that owns each scope's facts; the last one is the file's (`FILE_SCOPE` is −1)."""
    ids: list[str] = []
    for definition in file.facts.definitions:
        if definition.kind in SCOPE_KINDS:
            ids.append(file.path if definition.parent == FILE_SCOPE else ids[definition.parent])
        else:
            ids.append(f"{file.path}::{definition.qualname}")
    ids.append(file.path)
    return ids


def _by_value(engine: Engine, call: Call, value: Value, targets: list[tuple[str, str]]) -> bool:
    """Whether the targets of a call were found only by following values."""
    if call.kind == "decorator":
        return not _is_made(engine, value)
    return bool(targets) and targets[0][1] in ("value", "callback")


def _found_by_name(engine: Engine, file: FileIndex, call: Call) -> frozenset[Value] | None:
    """The functions in objects that have a member with the called name although no code stores that name, only computed
    keys: mostly the name is a library's, so any match is doubtful. None where nothing is stored under computed keys."""
    function = call.function
    if (
        call.kind == "callback"
        or function[0] != "a"
        or not file.policy.members.literal_members
        or file.policy.calls.sends
    ):
        return None
    if function[2] in engine.project.stored_names:
        return None
    on = [v for v in evaluate(engine, file, call, function[1]) if isinstance(v, Container) and v.mapping]
    if not any(engine.read(one.rest) for one in on):
        return None
    fields = [containers.field_of(engine, one, ("str", function[2])) for one in on]
    return frozenset(_held(value) for field in fields for value in engine.read(field))


def _held(value: Value) -> Value:
    """The function of a bound method."""
    return value.function if isinstance(value, Bound) else value


def _is_made(engine: Engine, value: Value) -> bool:
    """Whether a function is returned by the one around it, as by a decorator factory."""
    if not isinstance(value, Function) or value.scope.parent is None:
        return False
    outer = value.file.functions.get(value.scope.parent.number)
    return outer is not None and value in engine.read(results.returned_cell(outer))


def function_of(value: Wrapped) -> Function:
    """The innermost decorated function; the wrapper itself where there is none."""
    original: Value = value
    while isinstance(original, Wrapped):
        value, original = original, original.original
    return original if isinstance(original, Function) else value.wrapper


def _is_optional(file: FileIndex, fact: Import) -> bool:
    """Whether an import is conditional and outside functions: most of these are for type checkers only."""
    block = innermost(file.scopes[fact.scope], fact.at) if fact.scope == FILE_SCOPE else -1
    return block >= 0 and file.facts.blocks[block].kind == "branch"


def _surely_wrapped(file: FileIndex, cell: CallCell) -> frozenset[Value]:
    """The functions that a call inside a decorator's wrapper certainly reaches: all that the wrapper wraps."""
    function = file.functions.get(cell.call.scope)
    wraps = function.wraps if function is not None else None
    if wraps is None or len(cell.values) >= cell.limit:
        return frozenset()
    return frozenset(wraps.values)


def function_or_itself(value: Value) -> Value:
    """The function of a bound method."""
    return value.function if isinstance(value, Bound) else value


def _nearest_first(file: FileIndex) -> Callable[[Value], tuple[bool, int, Rank]]:
    """A sort key: the nearest values for a caller in `file` first."""

    def order(value: Value) -> tuple[bool, int, Rank]:
        place = file_of(value)
        if place is None:
            return (False, 0, rank(value))
        return (place.aside and not file.aside, -shared_folders(place.path, file.path), rank(value))

    return order


def _is_counted(call: Call) -> bool:
    """Whether the number of a call's arguments is known: no spread, no implicit call by a library function."""
    return call.kind not in ("callback", "implicit") and all(a[0] != "*" for a in call.arguments)
