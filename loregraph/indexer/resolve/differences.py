"""What other files can see of an edit *statically*: by reading the edited file's definitions instead of its cells.

A file evaluates only expressions inside its own function bodies. From other files it reads cells, whose values are
compared elsewhere, and definition-level facts: the names bound in scopes that are not functions, and the declarations
of functions and types. `seen` collects these facts for one file; `compared` finds those that an edit changed.

A `Difference` describes in four ways which files a change may affect. A file is unaffected if none of them applies to
it:

- `names`: files that mention one of them (see `mentions`), directly or through a file that re-exports it (`passed_on`).
- `objects`: functions and types that changed or were removed. Affects files that hold one as a value, an instance of it
  or of a subtype, or anything created in it. Looking up a definition leaves no trace in cells, so files that mention a
  name in `bound` count as well.
- `types`: types whose supertypes changed or, where implementing is implicit, whose methods changed, and types with
  either that were added or removed. Affects files that hold one, a subtype of one, or a present or former supertype of
  one.
- `everything`: all files of the family; `why` is the reason.

Arguments passed by calls inside function bodies are not covered here: the call itself sends them to the function.
"""

from __future__ import annotations

import re
import sys
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final

import msgspec

from loregraph.indexer.facts import FILE_SCOPE, Expr, FileFacts, Parameter, is_anonymous
from loregraph.indexer.resolve.classes import declared_members, is_record
from loregraph.indexer.resolve.computed_names import asked_for, ways_to_ask
from loregraph.indexer.resolve.copying import copies_of
from loregraph.indexer.resolve.functions import is_abstract, is_accessor_kind
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.interface_digest import interface_digest
from loregraph.indexer.resolve.kept_apart import kept_parameters
from loregraph.indexer.resolve.marks import plugins
from loregraph.indexer.resolve.method_shapes import aliases_of, nowhere, shape_of
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    PARAMETER,
    VALUE,
    Binding,
    Class,
    FileIndex,
    Function,
    Scope,
    Site,
    function_name,
)
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.records import Difference, Seen
from loregraph.indexer.resolve.results import Returned, calls_wrapped
from loregraph.indexer.resolve.scoping import block_of, find, innermost

MAX_DEPTH: Final = 120
"""Maximum depth of expressions, counted through calls too. A file with deeper ones counts as changed by every edit of
it."""

_EXPORTS: Final = "=exports"
_WHOLE: Final = "="
"""The name of what a module exports as a whole: every file with an import mentions it."""
_MODULE_HOOK: Final = "=hook"
"""The name of the function that runs when something is imported from a module: mentioned the same way."""
_UNWRITTEN: Final = frozenset({_WHOLE, _MODULE_HOOK})
_NAME: Final = re.compile(r"[^\W\d]\w*")
_OWNER: Final = "of "
_FIXTURE: Final = "=named"
_SEPARATOR: Final = "\0"
_AT: Final = attrgetter("at")
_encoder = msgspec.msgpack.Encoder()
_json = msgspec.json.Encoder()


def difference(old: FileFacts, new: FileFacts) -> Difference:
    """What an edit from `old` to `new` changed for other files."""
    if old.language != new.language or not policy_of(old.language).replayed:
        same = old.language == new.language and interface_digest(old) == interface_digest(new)
        return Difference() if same else Difference(everything=True, why=("language",))
    policy = policy_of(new.language)
    return compared(seen(build_index(old, policy)), seen(build_index(new, policy)))


def compared(old: Seen, new: Seen) -> Difference:
    """What changed from `old` to `new`, of a language whose edits are told apart (`Policy.replayed`)."""
    why: list[str] = []
    if old.language != new.language:
        why.append("language")
    if old.whole != new.whole:
        why.append("whole")
    changed = _changed(old.bindings, new.bindings)
    bound = {_name_of(path) for path in changed}
    names = set(old.accessors ^ new.accessors)
    if old.hidden and new.hidden:
        own = {_name_of(path) for path in changed if path.startswith(_SEPARATOR)}
        names |= {_name_of(path) for path in changed if not path.startswith(_SEPARATOR)}
        own |= passed_on(old, own).names | passed_on(new, own).names
        exports = (path for path in (*old.bindings, *new.bindings) if path.startswith(f"{_EXPORTS}{_SEPARATOR}"))
        names |= {name for path in exports if (name := _name_of(path)) in own}
    else:
        names |= bound
    if (old.listed is None) != (new.listed is None):
        why.append("all")
    names |= (old.listed or frozenset()) ^ (new.listed or frozenset())
    policy = policy_of(new.language)
    if policy.modules.module_hook and f"{_SEPARATOR}{policy.modules.module_hook}" in changed:
        names.add(_MODULE_HOOK)
    objects = {path for path in _changed(old.objects, new.objects) if path in old.objects}
    types = _changed(old.types, new.types)
    # Names in a definition are looked up here by the holders of the defined value.
    for path, used in new.used.items():
        if path in old.objects and not bound.isdisjoint(used):
            objects.add(path)
            if path in new.types:
                types.add(path)
    objects |= _moved(old.order, new.order)
    members = (old.members ^ new.members) - names
    names |= members
    hooks = {policy.implicit.item_methods.get("descriptor"), policy.implicit.item_methods.get("descriptor set")}
    special = _special_names(new.language)
    if any(path.startswith(_OWNER) and _name_of(path) in special for path in changed):
        why.append("special")  # run on instances by loops and operators, outside of their type
    if not hooks.isdisjoint(names):
        why.append("descriptor")  # every attribute made by calling such a type becomes a property
    stored = (old.stored ^ new.stored) - (names - members)
    return Difference(
        frozenset(names | stored),
        frozenset(objects),
        frozenset(types),
        bool(why),
        tuple(why),
        stored,
        members,
    )


def passed_on(file: Seen, names: Iterable[str]) -> Difference:
    """What changes in an unedited file when `names` mean something else in a file that it reads: the names it binds to
    one of them, and the objects whose definitions mention one."""
    changed = set(names)
    found: set[str] = set()
    grown = True
    while grown:
        fresh = {alias for name, alias in file.aliases if name in changed and alias not in changed}
        found |= fresh
        changed |= fresh
        grown = bool(fresh)
    objects = frozenset(path for path, used in file.used.items() if not changed.isdisjoint(used))
    types = frozenset(path for path in objects if path in file.types)
    return Difference(frozenset(found), objects, types)


def _name_of(path: str) -> str:
    """The last name in a binding's path; for functions too, where these have a name space of their own."""
    return path.rpartition(_SEPARATOR)[2].removesuffix("()")


def _changed(old: dict[str, bytes], new: dict[str, bytes]) -> set[str]:
    return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}


def _moved(old: tuple[str, ...], new: tuple[str, ...]) -> set[str]:
    """Entries of both that moved relative to others: all but a longest common subsequence. Containers are ranked by the
    positions of the scopes that make them."""
    places = {path: place for place, path in enumerate(old)}
    kept = [path for path in new if path in places]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, path in enumerate(kept):
        place = bisect_left(tails, places[path])
        if place == len(tails):
            tails.append(places[path])
            ends.append(index)
        else:
            tails[place] = places[path]
            ends[place] = index
        before.append(ends[place - 1] if place else -1)
    stay: set[str] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        stay.add(kept[at])
        at = before[at]
    return {path for path in kept if path not in stay}


def seen(file: FileIndex) -> Seen:
    """What other files can see of a file statically. `file` is as `build_index` made it."""
    return _Reader(file).seen()


class _Reader:
    """Reads one file: the canonical forms of its calls, and the names met since the last query."""

    def __init__(self, file: FileIndex) -> None:
        self.file = file
        self.calls: dict[int, bytes] = {}
        self.met: set[str] = set()
        self.met_in: dict[int, frozenset[str]] = {}
        self.deep = False
        self.aliases: list[tuple[str, str]] = []
        self.blocks: dict[tuple[int, str], dict[int, int]] = {}

    def seen(self) -> Seen:
        file, facts, policy = self.file, self.file.facts, self.file.policy
        bindings: dict[str, bytes] = {}
        for scope in file.scopes:
            if scope.definition is None or not scope.definition.is_function:
                around = scope.definition.qualname if scope.definition is not None else ""
                for name, held in scope.bindings.items():
                    bindings[f"{around}{_SEPARATOR}{name}"] = _digest(self._bound(scope, name, held))
        for name, held in file.exports.items():
            bindings[f"{_EXPORTS}{_SEPARATOR}{name}"] = _digest([self._binding(None, name, b) for b in held])
        bindings.update(self._outside_types())
        objects: dict[str, bytes] = {}
        used: dict[str, tuple[str, ...]] = {}
        for number, definition in enumerate(facts.definitions):
            self.met = set()
            own = self._definition(number)
            function = file.functions.get(number)
            if function is not None:
                own += self._function(function)
            objects[definition.qualname] = _digest(own)
            if self.met:
                used[definition.qualname] = tuple(sorted(self.met))
        for cls in file.classes.values():
            path = cls.definition.qualname
            objects[path] = _digest([objects[path], *self._special(cls, objects, bindings)])
        types = self._types()
        listed = facts.extras.get("all")
        return Seen(
            facts.language,
            self._whole(),
            bindings,
            objects,
            types,
            tuple(definition.qualname for definition in facts.definitions),
            frozenset(d.name for d in facts.definitions if is_accessor_kind(d.kind, d.flags)),
            frozenset(d.name for d in facts.definitions if not is_anonymous(d.name)),
            self._stored(),
            frozenset(listed) if listed is not None else None,
            used,
            tuple(self.aliases),
            policy.modules.module_exports and bool(file.exports or file.star_exports),
        )

    def _whole(self) -> bytes:
        """What every look-up into the file depends on. Of star imports only their presence counts: cells of the file
        itself read the names."""
        file, facts = self.file, self.file.facts
        stars = [s.definition.qualname if s.definition is not None else "" for s in file.scopes if s.stars is not None]
        extras = {k: v for k, v in facts.extras.items() if k != "all"}
        parts = (
            facts.path, facts.package, sorted(extras.items()), stars, bool(file.star_exports), bool(file.exports),
            _WHOLE in file.exports, self._mixes(), facts.content_hash if self.deep else "", self._shared_fixtures(),
        )  # fmt: skip
        return _digest(parts)

    def _shared_fixtures(self) -> list[tuple[str, int]]:
        """The modules whose fixtures other files see through this one without naming them."""
        file = self.file
        if file.path.rpartition("/")[2] != file.policy.fixtures.files:
            return []
        taken = [*(file.scopes[FILE_SCOPE].stars or ()), *plugins(file)]
        return [(fact.module, fact.level) for fact in taken]

    def _mixes(self) -> bool:
        """Whether calls may add members to classes (`Object.assign`): see `project`."""
        facts = self.file.facts
        if not self.file.policy.construction.functions_construct:
            return False
        return any(
            call.function[-1:] == ("assign",) or call.function[-1:] == ["assign"] for call in facts.calls
        ) or any(fact.value[-1:] == ("assign",) or fact.value[-1:] == ["assign"] for fact in facts.assignments)

    def _stored(self) -> frozenset[str]:
        """Names of members that the file writes anywhere or defines by a call."""
        file = self.file
        found = {store.name for store in file.stores if store.name is not None}
        if file.policy.construction.functions_construct:
            for call in file.facts.calls:
                function = call.function
                if function[0] == "a" and function[2] in ("defineProperty", "defineProperties"):
                    given: Expr = call.arguments[1] if len(call.arguments) > 1 else ("x",)
                    for key in (key for key, _ in given[1]) if given[0] == "d" else (given,):
                        if key[0] == "k" and key[1] == "str" and key[2]:
                            found.add(key[2])
        return frozenset(found)

    # Bindings

    def _bound(self, scope: Scope, name: str, held: list[Binding]) -> list[Any]:
        forms: list[Any] = [self._binding(scope, name, binding) for binding in held]
        if len(held) > 1:
            blocks = self.file.facts.blocks
            local = self._local_blocks(scope, name)
            forms.append([(local.get(blocks[number].parent, -1), blocks[number].kind) for number in local])
        return forms

    def _binding(self, scope: Scope | None, name: str, binding: Binding) -> Any:
        kind = binding.kind
        block = -1
        if scope is not None and not binding.foreign and len(scope.bindings[name]) > 1:
            block = self._local_blocks(scope, name).get(block_of(scope, binding), -1)
        if kind == DEFINITION:
            definition = self.file.facts.definitions[binding.payload]
            return (kind, block, definition.qualname, bool(definition.decorators))
        if kind == IMPORT:
            fact = binding.payload
            self.aliases.append((fact.name or fact.module, name))
            return (kind, block, fact.module, fact.level, fact.name, fact.alias, fact.kind)
        if kind != VALUE:
            return (kind, block)
        if binding.payload[0] == "n" and binding.payload[1] != name:
            self.aliases.append((binding.payload[1], name))
        type_ = self._form(binding.type, binding.site) if binding.type is not None else None
        return (kind, block, binding.foreign, self._value(binding.payload, binding.site), type_)

    def _local_blocks(self, scope: Scope, name: str) -> dict[int, int]:
        """The blocks around the bindings of a name → their numbers, counted among these blocks, in order."""
        found = self.blocks.get((scope.number, name))
        if found is None:
            blocks = self.file.facts.blocks
            around: set[int] = set()
            for binding in scope.bindings[name]:
                block = block_of(scope, binding) if not binding.foreign else -1
                while block >= 0 and block not in around:
                    around.add(block)
                    block = blocks[block].parent
            found = self.blocks[scope.number, name] = {block: i for i, block in enumerate(sorted(around))}
        return found

    def _outside_types(self) -> dict[str, bytes]:
        """Names that no scope binds: methods defined outside their types, and names given by a decorator."""
        facts = self.file.facts
        found: dict[str, list[Any]] = {}
        for definition in facts.definitions:
            if definition.owner is not None:
                owner = f"{_OWNER}{definition.qualname.rpartition('.')[0]}"
                found.setdefault(f"{owner}{_SEPARATOR}{definition.name}", []).append(definition.qualname)
            for decorator in definition.decorators:
                if decorator[0] == "c" and self.file.policy.fixtures.decorators:
                    for key, value in facts.calls[decorator[1]].keywords:
                        if key == "name" and value[0] == "k" and value[1] == "str":
                            found.setdefault(f"{_FIXTURE}{_SEPARATOR}{value[2]}", []).append(definition.qualname)
        return {path: _digest(held) for path, held in found.items()}

    # Definitions

    def _definition(self, number: int) -> list[Any]:
        definitions = self.file.facts.definitions
        definition = definitions[number]
        site = Site(definition.parent, definition.start_byte, -2)
        return [
            definition.name,
            definition.kind,
            definitions[definition.parent].qualname if definition.parent >= 0 else "",
            definition.flags,
            definition.type_parameters,
            [self._parameter(parameter, site) for parameter in definition.parameters],
            self._optional(definition.returns, site),
            [self._form(decorator, site) for decorator in definition.decorators],
            self._optional(definition.owner, site),
            [(self._form(base.type, site), base.relation) for base in definition.bases],
        ]

    def _parameter(self, parameter: Parameter, site: Site) -> Any:
        default, pattern = parameter.default, parameter.pattern
        if default is None and pattern is None and parameter.type is None:
            return (parameter.name, parameter.kind)
        return (
            parameter.name,
            parameter.kind,
            self._optional(parameter.type, site),
            self._optional(default, site),
            pattern is not None,  # its parts are read where the function runs
        )

    def _optional(self, expr: Expr | None, site: Any) -> Any:
        return self._form(expr, site) if expr is not None else None

    def _function(self, function: Function) -> list[Any]:
        """What other files read of a function's body: how it returns its arguments."""
        leaving = self.file.returns.get(function.number, ())
        forwards = any(fact.kind == "return" and calls_wrapped(function, fact) for fact in leaving)
        overloads = [
            (s.definition.qualname, *self._definition(s.number)) for s in function.signatures if s.definition.parameters
        ]
        return [
            function.receives,
            function.lists_receiver,
            function.generator,
            sorted(Returned(function).passed),
            forwards,
            is_abstract(function),
            len(function.signatures),
            overloads,
            copies_of(function),
            sorted(kept_parameters(function).items()),
        ]

    def _special(self, cls: Class, objects: dict[str, bytes], bindings: dict[str, bytes]) -> list[Any]:
        """The members of a type that run without being named: constructors, operators, the methods behind calls and
        loops. Code that makes or uses an instance reaches them through the type alone."""
        file = self.file
        found: list[Any] = [
            (f.definition.qualname, objects[f.definition.qualname]) for f in file.constructors.get(cls.number, ())
        ]
        for name in _special_names(file.facts.language).intersection(cls.scope.bindings):
            found.append((name, bindings[f"{cls.definition.qualname}{_SEPARATOR}{name}"]))
            for binding in cls.scope.bindings[name]:
                if binding.kind == DEFINITION:
                    found.append((name, objects[file.facts.definitions[binding.payload].qualname]))
        if file.policy.construction.kept_by_bases and (cls.definition.bases or is_record(cls)):
            found.append(("=declared", declared_members(cls)))  # the parameters of a generated constructor
        return sorted(found)

    def _types(self) -> dict[str, bytes]:
        """What determines a type's place in the hierarchy: its supertypes and, where implementing is implicit, its
        methods."""
        file = self.file
        structural = file.policy.members.structural
        found: dict[str, list[Any]] = {}
        for cls in file.classes.values():
            definition = cls.definition
            site = Site(definition.parent, definition.start_byte, -2)
            bases = [self._form(base.type, site) for base in definition.bases]
            if bases or structural:
                found[definition.qualname] = [definition.kind if structural else "", bases]
        if structural:
            for function in file.functions.values():
                definition = function.definition
                around = definition.qualname.rpartition(".")[0]
                if function.owner is not None or definition.owner is not None:
                    found.setdefault(around, []).append((definition.name, shape_of(function, nowhere)))
            aliases = aliases_of(file)
            if aliases:
                found[""] = aliases
        return {path: _digest(held) for path, held in found.items()}

    # Expressions

    def _value(self, expr: Expr, site: Any) -> Any:
        """The canonical form of a possibly long value: a table of literals is taken as it is."""
        if expr[0] == "d" or expr[0] == "l":
            raw = _encoder.encode(expr)
            if b"\xa1n" not in raw and b"\xa1c" not in raw and b"\xa1f" not in raw:
                return raw
        return self._form(expr, site)

    def _form(self, expr: Any, site: Any, depth: int = 0) -> Any:
        """`expr` in a form without numbers that edits elsewhere change: calls by their content, functions by their
        names, names with their index among several bindings."""
        op = expr[0]
        if op == "n":
            return self._name(expr[1], site)
        if op == "k":
            if expr[1] == "str":
                self.met.update(_NAME.findall(expr[2]))
            return expr
        if depth > MAX_DEPTH:
            self.deep = True
            return ""
        if op == "a":
            self.met.add(expr[2])
            return ("a", self._form(expr[1], site, depth + 1), expr[2])
        if op == "c":
            return ("c", self._call(expr[1], depth + 1))
        if op == "f":
            definitions = self.file.facts.definitions
            return ("f", definitions[expr[1]].qualname)
        return [self._part(part, site, depth + 1) for part in expr]

    def _part(self, part: Any, site: Any, depth: int) -> Any:
        if type(part) is not tuple and type(part) is not list:
            return part if not isinstance(part, Function) else part.definition.qualname
        if part and type(part[0]) is str:
            return self._form(part, site, depth)
        if depth > MAX_DEPTH:
            self.deep = True
            return ""
        return [self._part(inner, site, depth + 1) for inner in part]

    def _call(self, number: int, depth: int) -> bytes:
        found = self.calls.get(number)
        if found is None:
            self.calls[number] = b""  # hand-made facts may be cyclic
            call = self.file.facts.calls[number]
            met, self.met = self.met, set()
            parts = (
                call.kind,
                self._form(call.function, call, depth),
                [self._form(argument, call, depth) for argument in call.arguments],
                [(name, self._form(value, call, depth)) for name, value in call.keywords],
            )
            found = self.calls[number] = _digest(parts)
            self.met_in[number] = frozenset(self.met)
            self.met = met
        self.met |= self.met_in.get(number, frozenset())
        return found

    def _name(self, name: str, site: Any) -> Any:
        self.met.add(name)
        scope = self.file.scopes[site.scope]
        owner = find(scope, name)
        if owner is None:
            return ("n", name)
        held = owner.bindings[name]
        inside = owner.definition is not None and owner.definition.is_function
        if not inside and (len(held) == 1 or owner is not scope):
            return ("n", name, owner.definition.qualname if owner.definition is not None else "")
        what = [self._local(binding) for binding in held] if inside else []
        place: Any = None
        if owner is scope and len(held) > 1:
            at = self.file.assigned_at.get(site.at, site.at)
            block = site.block if site.block != -2 else innermost(scope, site.at)
            local = self._local_blocks(owner, name)
            while block >= 0 and block not in local:
                block = self.file.facts.blocks[block].parent
            place = (bisect_left(held, at, key=_AT), bisect_right(held, at, key=_AT), local.get(block, -1))
        return ("n", name, owner.definition.qualname if owner.definition is not None else "", what, place)

    def _local(self, binding: Binding) -> Any:
        """A binding inside a function that a definition in it refers to: its values come from a cell."""
        if binding.kind == DEFINITION:
            return self.file.facts.definitions[binding.payload].qualname
        if binding.kind == IMPORT:
            return (binding.payload.module, binding.payload.level, binding.payload.name)
        if binding.kind == PARAMETER:
            return (binding.kind, binding.payload[1].definition.qualname, binding.payload[2])
        return (binding.kind, binding.foreign)


@cache
def _special_names(language: str) -> frozenset[str]:
    policy = policy_of(language)
    made, run = policy.construction, policy.implicit
    found = {
        *made.constructors, *made.allocators, *run.call_methods, *run.iterator_methods, *run.context_methods,
        *run.item_methods.values(), run.subclass_hook, *run.text_methods,
        *(name for methods in run.operators.values() for name in methods),
        *(name for methods in run.protocols.values() for name in methods),
    }  # fmt: skip
    return frozenset({*found, *(function_name(name) for name in found)})


def _digest(parts: Any) -> bytes:
    return blake2b(_encoder.encode(parts), digest_size=16).digest()


# Mentions

_ASKING: Final = b"*"
"""A marker word of every file that computes member names."""
_WORD: Final = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]+")
"""Words of two or more UTF-8 bytes: single characters are the operators of expressions."""
_ESCAPE: Final = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)")


def mentions(facts: FileFacts) -> bytes:
    """The words that a file mentions anywhere, as sorted little-endian CRC-32 sums of 4 bytes each. Includes the
    methods that its operators run, `=` where it imports anything, and the prefixes and suffixes of the member names
    that it computes. See `mentioned`."""
    text = _text(facts)
    words = set(_WORD.findall(text))
    policy = policy_of(facts.language)
    for operator, methods in policy.implicit.operators.items():
        if (b'["s",' if "[" in operator else _json.encode(operator)) in text:
            words.update(name.encode() for name in methods)
    if policy.implicit.text_takers or b'["b","+",' in text:
        words.update(name.encode() for name in policy.implicit.text_methods)
    if policy.implicit.subclass_hook and any(definition.bases for definition in facts.definitions):
        words.add(policy.implicit.subclass_hook.encode())
    if facts.imports or b'["m",' in text:
        words.add(_WHOLE.encode())
    if policy.modules.module_hook and facts.imports:
        words.add(_MODULE_HOOK.encode())
    asked = set(asked_for(text))
    if asked:
        words.update(asked)
        words.add(_ASKING)
    sums = array("I", sorted(map(zlib.crc32, words)))
    if sys.byteorder == "big":
        sums.byteswap()
    return sums.tobytes()


def mentioned(kept: bytes, names: Iterable[str]) -> bool:
    """Whether a file with these `mentions` may mention one of `names` (CRC collisions give false positives). A name
    without a word (an operator, a single letter) counts as mentioned; a name of several words where all of them are
    mentioned."""
    sums = array("I", kept[: len(kept) // 4 * 4])
    if sys.byteorder == "big":
        sums.byteswap()
    asking = _holds(sums, zlib.crc32(_ASKING))
    for name in names:
        words = [name.encode()] if name in _UNWRITTEN else _WORD.findall(name.encode())
        if all(_holds(sums, zlib.crc32(word)) for word in words):
            return True
        if asking and any(_holds(sums, zlib.crc32(way)) for way in ways_to_ask(name)):
            return True
    return False


def _holds(sums: array[int], wanted: int) -> bool:
    place = bisect_left(sums, wanted)
    return place < len(sums) and sums[place] == wanted


def _text(facts: FileFacts) -> bytes:
    """All names in a file's facts, as JSON without escapes."""
    declared = [
        (d.name, d.parameters, d.returns, d.bases, d.decorators, d.owner, d.type_parameters) for d in facts.definitions
    ]
    carried = (facts.imports, facts.exports, facts.assignments, facts.calls, facts.returns, facts.references)
    text = _json.encode((declared, carried))
    return _ESCAPE.sub(b" ", text) if b"\\" in text else text
