"""Values of all cells → edges. Nothing is resolved here that the cells do not hold."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from loregraph.graph import model
from loregraph.graph.model import Edge
from loregraph.indexer.facts import FILE_SCOPE, SCOPE_KINDS, Base, Expr
from loregraph.indexer.resolution import calls, evaluate, members, types
from loregraph.indexer.resolution.calls import CallCell
from loregraph.indexer.resolution.engine import Engine
from loregraph.indexer.resolution.hierarchy import linearised
from loregraph.indexer.resolution.how import CONFIDENCE, surer
from loregraph.indexer.resolution.imports import import_values
from loregraph.indexer.resolution.model import (
    DEFINITION,
    IMPORT,
    PARAMETER,
    VALUE,
    Bound,
    Class,
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
from loregraph.indexer.resolution.scoping import find

MAX_CANDIDATES: Final = 8
"""Most functions that a call through variables or containers is written to. Larger sets come from a container that
many writers share and readers take one thing from: compilers and test runs confirm next to none of their members."""


# Implements REQ-RES-004.
class Draft:
    """An edge being gathered: first line, count, surest reason."""

    __slots__ = ("count", "how", "line", "names")

    def __init__(self, line: int, how: str) -> None:
        self.line = line
        self.count = 0
        self.how = how
        self.names: dict[str, None] = {}


# Implements REQ-RES-007, REQ-RES-008.
class Collector:
    """Gathers the edges of one file after another, and the external symbols that they end at."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._external: dict[str, model.External] = {}
        self._ids: list[str] = []
        self._drafts: dict[tuple[str, str, str], Draft] = {}
        self._nodeless = {
            cls.id
            for file in engine.files.values()
            if file.policy.module_types
            for cls in file.classes.values()
            if cls.definition.kind in SCOPE_KINDS
        }
        """Types that are no nodes: nothing can end at them."""

    def externals(self) -> tuple[model.External, ...]:
        """The external symbols so far, sorted by id."""
        return tuple(value for _, value in sorted(self._external.items()))

    def file(self, file: FileIndex) -> tuple[tuple[Edge, ...], dict[str, int]]:
        """Edges of one file, and its calls without an edge by the reason."""
        self.engine.reader = None
        self._drafts = {}
        self._ids = scope_ids(file)
        unresolved: Counter[str] = Counter()
        for cell in file.calls:
            reason = self._call(file, cell)
            if reason and cell.call.function[0] != "x":
                unresolved[reason] += 1
        for cells in file.decorated.values():
            for cell in cells:
                self._call(file, cell)
        for cell in file.implicit:
            self._call(file, cell)
        self._imports(file)
        self._types(file)
        self._values(file)
        drafts = sorted(self._drafts.items(), key=lambda kv: kv[0])
        if self._nodeless:
            drafts = [(key, draft) for key, draft in drafts if key[2] not in self._nodeless]
        edges = tuple(self._edge(key, draft) for key, draft in drafts)
        tests = self._tests(file, edges)
        found = tuple(sorted((*edges, *tests), key=lambda e: (e.rel, e.source, e.target)))
        return found, dict(sorted(unresolved.items()))

    def _edge(self, key: tuple[str, str, str], draft: Draft) -> Edge:
        rel, source, target = key
        confidence = CONFIDENCE[draft.how] if rel == "CALLS" else 1.0
        how = draft.how if rel in ("CALLS", "REFERENCES") else ""
        return Edge(rel, source, target, draft.line, draft.count, confidence, how, tuple(draft.names))

    def _add(self, rel: str, source: str, target: str, line: int, how: str) -> Draft:
        key = (rel, source, target)
        draft = self._drafts.get(key)
        if draft is None:
            draft = self._drafts[key] = Draft(line, how)
        else:
            draft.line = min(draft.line, line)
            draft.how = surer(draft.how, how)
        draft.count += 1
        return draft

    def _outside(self, value: External) -> str:
        identity = f"external:{value.path}"
        if identity not in self._external:
            name = value.name.rpartition(".")[2] or value.package
            self._external[identity] = model.External(identity, name, value.path, value.package)
        return identity

    # Calls

    def _call(self, file: FileIndex, cell: CallCell) -> str:
        """Adds the edges of a call; returns the reason why there are none, "" where there are."""
        call = cell.call
        if not cell.values:
            return self._reason(file, cell)
        values = cell.values
        if file.policy.overloads and len(values) > 1:
            values = fitting(values, len(call.arguments))
        written: dict[str, str] = {}
        merged = False
        if len(values) <= MAX_CANDIDATES:
            for value in values:
                for target, how in self._targets(file, cell, value):
                    written[target] = surer(written[target], how) if target in written else how
        else:
            reached = [self._targets(file, cell, value) for value in values]
            merged = sum(_by_value(targets) for targets in reached) > MAX_CANDIDATES
            for targets in reached:
                if merged and _by_value(targets):
                    continue
                for target, how in targets:
                    written[target] = surer(written[target], how) if target in written else how
        source = self._ids[call.scope]
        for target, how in written.items():
            self._add("CALLS", source, target, call.line, how)
        if written:
            return ""
        return "too-many-candidates" if merged else self._reason(file, cell)

    def _targets(self, file: FileIndex, cell: CallCell, value: Value) -> list[tuple[str, str]]:
        """(id, how) of everything that a call runs when it reaches `value`."""
        engine = self.engine
        call = cell.call
        if isinstance(value, Function):
            return [(value.id, self._how(file, cell, value))]
        if isinstance(value, Bound):
            return [(value.function.id, self._how(file, cell, value))]
        if isinstance(value, Class):
            if call.kind == "call" and file.policy.instantiation == "new":
                return []
            how = self._how(file, cell, value)
            found = [(value.id, "constructor" if how in ("scope", "import") else how)]
            return found + [(f.id, "constructor") for f in self._constructors(value, len(call.arguments))]
        if isinstance(value, Wrapped):
            return [(value.wrapper.id, "decorator")]
        if isinstance(value, Super):
            run = [f for f, _ in calls.super_constructors(engine, value)]
            return [(f.id, "super") for f in self._fitting(file, run, len(call.arguments))]
        if isinstance(value, Instance) and call.function == ("v",):
            # `this(…)` in a constructor runs another one of its type.
            return [(f.id, "constructor") for f in self._constructors(value.cls, len(call.arguments))]
        if isinstance(value, Instance):
            return [
                (m.function.id, "inferred-type") for m in calls.called_method(engine, value) if isinstance(m, Bound)
            ]
        if isinstance(value, External):
            return [(self._outside(value), "external")]
        if isinstance(value, ContainerMethod):
            kind = value.container.policy.literal_types.get("dict()" if value.container.mapping else "list()")
            if kind is None:
                return []
            owner = engine.external(*kind)
            return [(self._outside(engine.member_of(owner, value.name)), "external")]
        if isinstance(value, FunctionMethod):
            return [(value.function.id, "value")] if value.name != "bind" else []
        if isinstance(value, Partial):
            return self._targets(file, cell, value.function)
        return []

    def _constructors(self, cls: Class, arguments: int) -> list[Function]:
        return self._fitting(cls.file, [f for f, _ in calls.constructors(self.engine, cls)], arguments)

    def _fitting(self, file: FileIndex, found: list[Function], arguments: int) -> list[Function]:
        """Of several constructors, those that take so many arguments; all where none does."""
        if file.policy.overloads and len(found) > 1:
            return [f for f in found if accepts(f, arguments)] or found
        return found

    def _how(self, file: FileIndex, cell: CallCell, value: Value) -> str:
        call = cell.call
        if call.kind == "decorator":
            return "decorator"
        if call.kind == "callback":
            return "callback"
        if call.kind == "implicit":
            return "inferred-type"
        function = call.function
        op = function[0]
        if op == "n":
            return self._how_name(file, call.scope, function[1], value)
        if op == "a":
            return self._how_member(file, cell, value)
        if op == "p":
            return "super"
        if op == "f":
            return "scope"
        return "value"

    def _how_name(self, file: FileIndex, number: int, name: str, value: Value) -> str:
        scope = file.scopes[number]
        owner = find(scope, name)
        if owner is None:
            if isinstance(value, Bound):
                return "self" if value.function.owner in list(members.enclosing_classes(scope)) else "inheritance"
            policy = file.policy
            if policy.package_scope:
                return "package"
            return "include" if policy.include_scope else "reexport"
        target = value.function if isinstance(value, Bound) else value
        kinds = set()
        for binding in owner.bindings[name]:
            if binding.kind == DEFINITION:
                definition = binding.payload
                if isinstance(target, Function | Class) and target.file is file and target.number == definition:
                    return "scope"
            elif binding.kind == IMPORT:
                kinds.add(IMPORT)
                if isinstance(target, Function | Class) and target.definition.name == (
                    binding.payload.name or binding.payload.alias
                ):
                    return "import" if self._direct(file, binding.payload, target) else "reexport"
        return "import" if kinds == {IMPORT} else "value"

    def _direct(self, file: FileIndex, fact: Any, target: Function | Class) -> bool:
        """Whether an import names the very file that defines what it imports; one by package names it by itself."""
        if file.policy.package_lookup:
            return True
        stem = target.file.path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
        module = fact.module.replace("/", ".").strip(".").removesuffix(".js").removesuffix(".ts")
        return bool(module) and (stem == module or stem.endswith("." + module))

    def _how_member(self, file: FileIndex, cell: CallCell, value: Value) -> str:
        base = cell.call.function[1]
        if base[0] == "p":
            return "super"
        if isinstance(value, Bound):
            return self._how_bound(file, cell, value, base)
        values = evaluate.evaluate(self.engine, file, cell.call, base)
        if any(isinstance(v, Module | Namespace) for v in values):
            return "import"
        return "attribute" if any(isinstance(v, Class) for v in values) else "value"

    def _how_bound(self, file: FileIndex, cell: CallCell, value: Bound, base: Expr) -> str:
        receiver = value.receiver
        if isinstance(receiver, Class):
            return "attribute"
        if not isinstance(receiver, Instance):
            return "value"
        bases = evaluate.evaluate(self.engine, file, cell.call, base)
        if receiver not in bases:
            return "interface" if any(isinstance(v, Instance) for v in bases) else "value"
        owner = value.function.owner
        if is_receiver(file, cell.call.scope, base):
            enclosing = evaluate.enclosing_class(file, cell.call.scope)
            function = evaluate.receiver_function(file, cell.call.scope)
            if function is not None and function.owner is not None:
                enclosing = function.owner
            if owner is enclosing:
                return "self"
            if enclosing is not None and owner in linearised(self.engine, enclosing):
                return "inheritance"
            return "interface"
        return "declared-type" if receiver.declared else "inferred-type"

    def _reason(self, file: FileIndex, cell: CallCell) -> str:
        """Why a call gave no edge."""
        function = cell.call.function
        if cell.values:
            return "no-project-target"
        op = function[0]
        if op == "n":
            return "unknown-value" if find(file.scopes[cell.call.scope], function[1]) else "unknown-name"
        if op == "a":
            base = evaluate.evaluate(self.engine, file, cell.call, function[1])
            return "unknown-member" if base else "unknown-receiver"
        return "unknown-value"

    # Imports

    def _imports(self, file: FileIndex) -> None:
        engine = self.engine
        for fact in file.facts.imports:
            for target in self._import_targets(file, fact):
                draft = self._add("IMPORTS", file.path, target, fact.line, "import")
                if fact.name:
                    draft.names[fact.name] = None
        for cell in file.calls:
            if cell.call.function[0] == "m":
                for value in evaluate.evaluate(engine, file, cell.call, cell.call.function):
                    if isinstance(value, Module) and value.file is not file:
                        self._add("IMPORTS", file.path, value.file.path, cell.call.line, "import")

    def _import_targets(self, file: FileIndex, fact: Any) -> list[str]:
        engine = self.engine
        if fact.kind == "include":
            path = engine.layout.include_file(file.path, fact.module)
            if path is not None and path in engine.files:
                return [path] if path != file.path else []
            text = fact.module.strip("<>\"'")
            package = engine.layout.external_package(file.facts.language, text, file.path)
            return [self._outside(engine.external(package, ""))]
        if fact.name:
            held = import_values(engine, file, fact) if fact.name != "*" and fact.kind != "reexport" else ()
            for value in held:
                if isinstance(value, Module):
                    return [value.file.path] if value.file is not file else []
        whole = type(fact)(fact.scope, fact.line, fact.at, fact.module, fact.level, "", "", "star")
        found: list[str] = []
        for value in import_values(engine, file, whole):
            if isinstance(value, Module):
                if value.file is not file:
                    found.append(value.file.path)
            elif isinstance(value, Namespace):
                component = self._component(value)
                if component:
                    found.append(component)
            elif isinstance(value, External):
                found.append(self._outside(engine.external(value.package, "")))
            elif isinstance(value, Function | Class) and value.file is not file:
                found.append(value.file.path)
        return list(dict.fromkeys(found))

    def _component(self, value: Namespace) -> str:
        if value.files:
            return self.engine.layout.component_of(value.files[0])
        folder = self.engine.layout.python_package_dir(value.name)
        return self.engine.layout.component_of(f"{folder}/__init__.py") if folder is not None else ""

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
            if fact.type is not None:
                self._refer(file, fact, self._ids[fact.scope], fact.line, fact.type, "declared-type")
        for where, implementer, contract, line in engine.implemented:
            if where is file:
                identity = contract.id if isinstance(contract, Class) else self._outside(contract)
                self._add("IMPLEMENTS", implementer.id, identity, line, "scope")
        for cls in file.classes.values():
            self._overrides(engine, cls)

    def _base(self, file: FileIndex, site: Site, source: str, kind: str, base: Base) -> None:
        for value in evaluate.evaluate(self.engine, file, site, base.type):
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
            if function.definition.kind == "constructor" or function.definition.name in cls.file.policy.constructors:
                continue
            for base in order:
                if not isinstance(base, Class):
                    continue
                found = own_methods(base, function.definition.name)
                if found:
                    if found[-1].id != function.id:
                        self._add("OVERRIDES", function.id, found[-1].id, function.definition.start_line, "inheritance")
                    break

    def _refer(self, file: FileIndex, site: Any, source: str, line: int, expr: Expr, how: str) -> None:
        """References to the classes and functions that an expression of types or decorators names."""
        stack = [expr]
        while stack:
            part = stack.pop()
            op = part[0]
            if op in ("n", "a"):
                for value in evaluate.evaluate(self.engine, file, site, part):
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

    def _named(self, file: FileIndex, site: Any, source: str, expr: Expr) -> None:
        owner = find(file.scopes[site.scope], expr[1])
        if owner is None or owner.bindings[expr[1]][0].kind in (PARAMETER, VALUE):
            return
        for value in evaluate.evaluate(self.engine, file, site, expr):
            target = value.wrapper if isinstance(value, Wrapped) else value
            if isinstance(value, Wrapped) and isinstance(value.original, Function):
                target = value.original
            if isinstance(target, Function | Class) and target.id != source:
                self._add("REFERENCES", source, target.id, site.line, "value")

    def _member(self, file: FileIndex, site: Any, source: str, expr: Expr) -> None:
        base = expr[1]
        if expr[2] not in self.engine.member_names:
            return
        if base[0] not in ("n", "v", "a"):
            return
        for value in evaluate.evaluate(self.engine, file, site, expr):
            target = value.function if isinstance(value, Bound) else value
            if isinstance(target, Function | Class) and target.id != source and target.definition.name == expr[2]:
                self._add("REFERENCES", source, target.id, site.line, "value")

    # Tests

    def _tests(self, file: FileIndex, edges: tuple[Edge, ...]) -> list[Edge]:
        """TESTS edges: what test functions, and the functions inside them, call in code that is not test code."""
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
                if not is_test_file(self.engine.files[path]):
                    source = tests[edge.source]
                    if (source, edge.target) not in found:
                        found[source, edge.target] = Edge("TESTS", source, edge.target, how="call")
        return list(found.values())


def scope_ids(file: FileIndex) -> list[str]:
    """Id of the node that each scope's facts belong to; the last one is the file's (`FILE_SCOPE` is −1)."""
    ids: list[str] = []
    for definition in file.facts.definitions:
        if definition.kind in SCOPE_KINDS:
            ids.append(file.path if definition.parent == FILE_SCOPE else ids[definition.parent])
        else:
            ids.append(f"{file.path}::{definition.qualname}")
    ids.append(file.path)
    return ids


def _by_value(targets: list[tuple[str, str]]) -> bool:
    """Whether what a call reaches was found by following values alone."""
    return bool(targets) and targets[0][1] == "value"


def own_methods(cls: Class, name: str | None = None) -> list[Function]:
    """The functions that a class itself defines, in order; only those called `name` where it is given."""
    found = []
    functions = cls.file.functions
    if name is not None:
        for binding in cls.scope.bindings.get(name, ()):
            if binding.kind == DEFINITION and binding.payload in functions:
                found.append(functions[binding.payload])
        return found + cls.extra.get(name, [])
    for bindings in cls.scope.bindings.values():
        found += [functions[b.payload] for b in bindings if b.kind == DEFINITION and b.payload in functions]
    for key, extra in cls.extra.items():
        if not key.endswith("()"):  # the same functions by the name that calls look for
            found += extra
    return found


def is_receiver(file: FileIndex, number: int, expr: Expr) -> bool:
    """Whether an expression is the receiver of the method around a scope."""
    if expr[0] == "v":
        return True
    if expr[0] != "n" or not file.policy.explicit_receiver:
        return False
    function = evaluate.receiver_function(file, number)
    return (
        function is not None
        and bool(function.receives)
        and bool(function.parameters)
        and function.parameters[0].name == expr[1]
    )


def accepts(function: Function, arguments: int) -> bool:
    """Whether a function can be called with so many positional arguments."""
    least = most = 0
    for parameter in function.parameters:
        if parameter.kind == "*":
            return arguments >= least
        if parameter.kind in ("", "kw"):
            most += 1
            least += parameter.default is None
    return least <= arguments <= most


def fitting(values: Values, arguments: int) -> Values:
    """Of functions that share a name and an owner, those that take so many arguments; all where none does."""
    groups: dict[tuple[object, str], list[Value]] = {}
    for value in values:
        function = value.function if isinstance(value, Bound) else value
        if isinstance(function, Function):
            key: tuple[object, str] = (function.owner or function.file, function.definition.name)
        else:
            key = (value, "")
        groups.setdefault(key, []).append(value)
    found: list[Value] = []
    for group in groups.values():
        chosen = group
        if len(group) > 1:
            chosen = []
            for value in group:
                function = value.function if isinstance(value, Bound) else value
                if isinstance(function, Function) and accepts(function, arguments):
                    chosen.append(value)
        found.extend(chosen or group)
    return tuple(found)


def is_test_file(file: FileIndex) -> bool:
    """Whether a file holds tests or their helpers."""
    return bool(file.policy.test_path.search(file.path))
