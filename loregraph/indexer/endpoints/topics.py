"""What a file sends to message topics and takes from them: queues, channels and tasks with literal names.

As with requests a call counts only where it is known what its receiver is. A name that is not known as a whole is none:
a topic has no parts that a parameter could stand for.
"""

from __future__ import annotations

import json
import re
from typing import Final

from loregraph.indexer.endpoints import topic_kinds
from loregraph.indexer.endpoints.collecting import Collected, written_of
from loregraph.indexer.endpoints.declared import annotations_of, named_paths
from loregraph.indexer.endpoints.model import TOPIC, Request, Route, Template
from loregraph.indexer.endpoints.topic_kinds import ALL, BROKERS, Naming
from loregraph.indexer.endpoints.view import Made, Symbol
from loregraph.indexer.facts import FILE_SCOPE, Call, Expr

_LAST: Final = -3
_MOST: Final = 100
"""Names of one call."""
_DEPTH: Final = 5
_PLACEHOLDER: Final = re.compile(r"[$#]\{")


# Implements REQ-NET-008.
def collect(c: Collected) -> None:
    """Adds what the file sends and takes."""
    _Topics(c).collected()


class _Topics:
    def __init__(self, c: Collected) -> None:
        self.c = c
        self.taken: list[tuple[str, Call, list[Template], Expr | None]] = []
        """What objects subscribe to: (key of the object, call, names, callback)."""
        self.callbacks: dict[str, Expr] = {}
        self.made: dict[str, tuple[Call, list[Template]]] = {}
        """What objects send to that were made for it."""
        self.used: set[str] = set()

    def collected(self) -> None:
        for number, call in enumerate(self.c.facts.calls):
            function = call.function
            if function[0] == "a" and function[2] in topic_kinds.METHODS:
                self._method(number, call)
            if function[0] in ("n", "a"):
                self._constructed(number, call)
            for argument in call.arguments:
                self._literal(argument, call.scope, call.line)
        for assignment in self.c.facts.assignments:
            self._literal(assignment.value, assignment.scope, assignment.line)
        for key, call, names, callback in self.taken:
            handler = callback if callback is not None else self.callbacks.get(key)
            self._handles(call, names, handler)
        for key, (call, names) in self.made.items():
            if key not in self.used:
                self._sends(call.scope, call.line, names)
        self._annotated()

    # calls

    def _method(self, number: int, call: Call) -> None:
        name = call.function[2]
        base = self.c.view.value(call.function[1], call.scope)
        if isinstance(base, Symbol):
            self._elsewhere(call, base, name)
        if not isinstance(base, Made) or base.kind not in BROKERS:
            return
        broker = BROKERS[base.kind]
        if name in broker.sends:
            names = self._names(call, broker.sends[name])
            if base.kind == "faust" and not names:
                names = self._of_expr(call.function[1], call.scope, broker.sends[name], 0)
            self._sends(call.scope, call.line, names)
        elif name in broker.takes:
            naming = broker.takes[name]
            names = self._names(call, naming)
            if base.kind == "queue" and base.call >= 0 and broker.made is not None:
                names = self._names(self.c.facts.calls[base.call], broker.made)
                self.used.add(base.key)
            self.taken.append((base.key, call, names, self._callback(call, naming)))
        elif name in broker.runs:
            found = self._callback(call, broker.runs[name])
            if found is not None:
                self.callbacks.setdefault(base.key, found)
        elif name in broker.registers and number in self.c.decorating:
            self._decorated(number, call, self._names(call, broker.registers[name]))
        elif name in broker.used and base.call >= 0 and broker.made is not None:
            self.used.add(base.key)
            self._sends(call.scope, call.line, self._names(self.c.facts.calls[base.call], broker.made))

    def _elsewhere(self, call: Call, base: Symbol, name: str) -> None:
        """A call of an object that another file makes; whether it is one of a library shows when files are joined."""
        alias = self.c.view.imports.get(base.names[0]) if base.names else None
        if alias is None and not (base.names and base.names[0][:1] == "="):
            return
        for kind, broker in BROKERS.items():
            if name in broker.sends:
                for names in self._names(call, broker.sends[name]):
                    scope = self.c.view.qualname(self.c.node_scope(call.scope))
                    client = self.c.reference(base)
                    self.c.requests.append(Request(scope, "", names, call.line, kind, TOPIC, client=client))

    def _constructed(self, number: int, call: Call) -> None:
        value = self.c.view.value(("c", number), call.scope)
        if isinstance(value, Made) and value.call == number and value.kind in BROKERS:
            broker = BROKERS[value.kind]
            if broker.made is None or (call.function[0] == "a" and call.function[2] in topic_kinds.METHODS):
                return
            names = self._names(call, broker.made)
            if broker.role == "sends":
                self.made[value.key] = (call, names)
            else:
                self.taken.append((value.key, call, names, self._callback(call, broker.made)))
            return
        function = self.c.view.value(call.function, call.scope)
        if not isinstance(function, Symbol):
            return
        if function.path in topic_kinds.DECORATORS and number in self.c.decorating:
            self._decorated(number, call, self._names(call, topic_kinds.DECORATORS[function.path]))
        elif function.path in topic_kinds.INJECTED:
            self._sends(call.scope, call.line, self._names(call, Naming(0)))

    def _literal(self, expr: Expr, scope: int, line: int) -> None:
        """A message or writer that is written as a literal of its type: `kafka.Writer{Topic: "orders"}`."""
        if expr[0] == "b" and expr[1] == "&":
            expr = expr[2]
        if expr[0] != "t" or len(expr) < 3 or expr[1][0] != "a":
            return
        written = written_of(expr[1])
        one = self.c.view.imports.get(written[0]) if written else None
        kind = topic_kinds.LITERALS.get(f"{one.module}.{written[-1]}") if one is not None else None
        made = BROKERS[kind].made if kind is not None else None
        if made is not None:
            self._sends(scope, line, self._of_expr(expr, scope, made, 0))

    # names

    def _names(self, call: Call, naming: Naming) -> list[Template]:
        """The names that a call says."""
        given = call.arguments
        if len(given) + len(call.keywords) < naming.least:
            return []
        found: list[Template] = []
        named = [value for key, value in call.keywords if key in naming.keys]
        if named:
            chosen: tuple[Expr, ...] = (named[0],)
        elif naming.at == ALL:
            chosen = given
        elif 0 <= naming.at < len(given):
            chosen = (given[naming.at],)
        elif given and given[0][0] == "d":
            chosen = (given[0],)
        elif naming.others:
            chosen = ()
        else:
            return []
        for one in chosen[:_MOST]:
            found += self._of_expr(one, call.scope, naming, 0)
        if not found and all(one[:2] == ("k", "str") and not one[2] for one in chosen):
            other = next((value for key, value in call.keywords if key in naming.others), None)
            if other is None and 0 <= naming.otherwise < len(given):
                other = given[naming.otherwise]
            found = self._of_expr(other, call.scope, naming, 0) if other is not None else []
        self.c.cut += max(0, len(found) - _MOST)
        return found[:_MOST]

    def _of_expr(self, expr: Expr, scope: int, naming: Naming, depth: int) -> list[Template]:
        """The names that an expression stands for."""
        if depth > _DEPTH:
            return []
        op = expr[0]
        if op == "k":
            return [[expr[2]]] if expr[1] == "str" and expr[2] else []
        if op in ("w", "e", "*") and len(expr) > 1:
            return self._of_expr(expr[1], scope, naming, depth + 1)
        if op == "b":
            if expr[1] == "+" and len(expr) > 3:
                return self._joined(expr, scope, naming, depth)
            return self._of_expr(expr[2], scope, naming, depth + 1) if len(expr) == 3 else []
        if op == "u":  # `Environment.GetEnvironmentVariable("TOPIC") ?? "orders"`
            default = [one for one in expr[1] if not self._is_environment(one)]
            return self._of_expr(default[0], scope, naming, depth + 1) if len(default) == 1 < len(expr[1]) else []
        if op == "l":
            return [name for one in expr[1][:_MOST] for name in self._of_expr(one, scope, naming, depth + 1)]
        if op == "d":
            return self._of_object(expr, scope, naming, depth)
        if op == "t":
            return self._of_expr(expr[2], scope, naming, depth + 1) if len(expr) > 2 else []
        if op == "c":
            call = self.c.facts.calls[expr[1]]
            function = call.function
            last = function[2] if function[0] == "a" else function[1] if function[0] == "n" else ""
            given = call.arguments if last in topic_kinds.LISTED else call.arguments[:1]
            if last in topic_kinds.LISTED or last in topic_kinds.WRAPPED:
                return [name for one in given[:_MOST] for name in self._of_expr(one, scope, naming, depth + 1)]
            return []
        if op in ("n", "a"):
            return self._of_name(expr, scope, naming, depth)
        return []

    def _is_environment(self, expr: Expr) -> bool:
        """Whether an expression reads the environment."""
        if expr[0] == "c":
            function = self.c.facts.calls[expr[1]].function
            return function[0] == "a" and function[2].lower() in ("getenvironmentvariable", "getenv")
        return expr[0] == "a" and expr[1][:1] == ("a",) and written_of(expr[1]) == ("process", "env")

    def _of_name(self, expr: Expr, scope: int, naming: Naming, depth: int) -> list[Template]:
        """What a constant, or a variable of one value, stands for."""
        view = self.c.view
        if expr[0] == "n":
            at = next((at for at in view.around(scope) if (at, expr[1]) in view.bound), None)
            own = view.bound[at, expr[1]] if at is not None else []
            if own:
                values = [one for one in own if one.value[0] != "x"]
                if len(values) != 1 or values[0].kind not in ("=", "declare"):
                    return []
                return self._of_expr(values[0].value, values[0].scope, naming, depth + 1)
        queue = self._queue(expr, scope, naming, depth)
        if queue is not None:
            return queue
        names = written_of(expr)
        found = self.c.template(".".join(names), scope) if names else []
        return [found] if found and [] not in found else []

    def _queue(self, expr: Expr, scope: int, naming: Naming, depth: int) -> list[Template] | None:
        """The name of a queue that the code declares: `q.Name` of `q, err := ch.QueueDeclare("mails", …)`."""
        if expr[0] != "a" or expr[2] not in topic_kinds.QUEUE_NAMES or expr[1][0] != "n":
            return None
        at = next((at for at in self.c.view.around(scope) if (at, expr[1][1]) in self.c.view.bound), None)
        own = self.c.view.bound[at, expr[1][1]] if at is not None else []
        made = own[0].value if len(own) == 1 else ("x",)
        made = made[1] if made[0] in ("w", "e") else made
        call = self.c.facts.calls[made[1]] if made[0] == "c" else None
        if call is None or call.function[0] != "a" or call.function[2] not in topic_kinds.QUEUES:
            return None
        return self._of_expr(call.arguments[0], call.scope, naming, depth + 1) if call.arguments else []

    def _of_object(self, expr: Expr, scope: int, naming: Naming, depth: int) -> list[Template]:
        """The names in an object with keys; an object of plain values is a name itself: `{ cmd: "sum" }`."""
        pairs = [(key[2], value) for key, value in expr[1] if key[:2] == ("k", "str")]
        for key, value in pairs:
            if key in naming.keys:
                return self._of_expr(value, scope, naming, depth + 1)
        plain = {key: value[2] for key, value in pairs if value[:2] == ("k", "str")}
        if naming.keys or not plain or len(plain) != len(expr[1]):
            return []
        return [[json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)]]

    def _joined(self, expr: Expr, scope: int, naming: Naming, depth: int) -> list[Template]:
        left, right = (self._of_expr(one, scope, naming, depth + 1) for one in expr[2:4])
        return [[*left[0], *right[0]]] if len(left) == len(right) == 1 else []

    # what is found

    def _callback(self, call: Call, naming: Naming) -> Expr | None:
        found = next((value for key, value in call.keywords if key in naming.callbacks), None)
        given = call.arguments
        if found is None and naming.callback == _LAST and len(given) > naming.at + 1:
            found = given[-1]
        elif found is None and naming.callback >= 0 and len(given) > max(0, naming.at):
            found = given[min(naming.callback, len(given) - 1)]
        if found is not None and found[0] == "d":
            found = next((value for key, value in found[1] if key[-1] in naming.callbacks), None)
        return found if found is not None and found[0] in ("f", "n", "a", "c") else None

    def _handles(self, call: Call, names: list[Template], callback: Expr | None) -> None:
        handler: tuple[str, ...] = ()
        named = False
        if callback is not None:
            handler, named = self.c.handler(callback, call.scope)
        for name in names:
            how = "callback" if handler else "consumes"
            self._route(call, name, how, handler, named)

    def _decorated(self, number: int, call: Call, names: list[Template]) -> None:
        definition = self.c.facts.definitions[self.c.decorating[number]]
        for name in names:
            self._route(call, name, "annotation", (definition.qualname,), named=False)

    def _route(self, call: Call, name: Template, how: str, handler: tuple[str, ...], named: bool) -> None:
        self.c.routes.append(Route("", ("",), name, call.line, how, handler, named, call.scope, protocol=TOPIC))

    def _sends(self, scope: int, line: int, names: list[Template]) -> None:
        source = self.c.view.qualname(self.c.node_scope(scope))
        for name in names:
            self.c.requests.append(Request(source, "", name, line, "client", TOPIC))

    def _annotated(self) -> None:
        """`@KafkaListener(topics = "orders")` of a method, or of a class."""
        for definition in self.c.facts.definitions:
            for name, text in annotations_of(definition):
                keys = topic_kinds.ANNOTATIONS.get(name)
                scope = definition.parent if definition.parent != FILE_SCOPE else FILE_SCOPE
                for path in named_paths(self.c, text, scope, keys) if keys is not None else ():
                    if not any(isinstance(part, str) and _PLACEHOLDER.search(part) for part in path):
                        self.c.routes.append(
                            Route(
                                "", ("",), path, definition.start_line, "annotation", (definition.qualname,),
                                protocol=TOPIC,
                            )
                        )  # fmt: skip
