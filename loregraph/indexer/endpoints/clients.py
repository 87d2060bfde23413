"""Calls that request something of a server."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.endpoints import kinds
from loregraph.indexer.endpoints.collecting import Collected, written_of
from loregraph.indexer.endpoints.kinds import KINDS, Kind
from loregraph.indexer.endpoints.model import HTTP_METHODS, Request, Template
from loregraph.indexer.endpoints.texts import keyword
from loregraph.indexer.endpoints.view import Made, Symbol, Value
from loregraph.indexer.facts import Call

_CLIENTS: Final = frozenset({"http", "api", "axios", "session", "request", "agent", "app", "requests"})
"""Names of clients, also after other words: `admin_session`."""
_WORD: Final = re.compile(r"[A-Za-z][\w-]{2,}")
"""What may be a path behind an address that ends with a slash: `${base}users`."""
_METHOD: Final = re.compile(r"\bmethod\b['\"]?\s{0,9}:\s{0,9}['\"`]([A-Za-z]+)['\"`]")
_URL: Final = re.compile(r"\b(?:url|uri)\b['\"]?\s{0,9}:\s{0,9}")


def called_function(c: Collected, number: int, call: Call) -> None:
    """A call of a function that requests."""
    function = call.function
    value = c.view.value(function, call.scope)
    if isinstance(value, Made) and value.kind == "axios":
        path = "axios"
    elif isinstance(value, Symbol):
        path = value.path
    else:
        return
    if path.rpartition(".")[2] in kinds.LOWER and (
        kinds.TEST_BUILDERS in path or (path in kinds.LOWER and any(kinds.TEST_BUILDERS in one for one in c.view.stars))
    ):
        given = c.given(call)
        if given:
            url = c.template(given[0], call.scope)
            put_request(c, call, kinds.LOWER[path.rpartition(".")[2]], url, "test-client", has_base=False)
    elif path in kinds.FUNCTIONS:
        method, at = kinds.FUNCTIONS[path]
        given = c.given(call)
        if len(given) > at:
            url = c.template(given[at], call.scope)
            put_request(c, call, method, url, "client", has_base=c.is_ecmascript)
    elif path in kinds.GENERIC:
        said, at = kinds.GENERIC[path]
        given = c.given(call)
        if len(given) > at:
            method = given[said].strip("'\"`").rpartition("Method")[2].upper()
            if method in HTTP_METHODS:
                _request(c, call, method, given[at], "client", None)
    elif path in kinds.CONFIGURED and c.is_ecmascript:
        given = c.given(call)
        if given and given[0].startswith("{"):
            _options(c, call, given[0], value if isinstance(value, Made) else None)
        elif given:
            method_said = _METHOD.search(given[1]) if len(given) > 1 else None
            if method_said is None and len(given) > 1 and "method" in given[1]:
                return  # computed
            method = method_said[1].upper() if method_said is not None else "GET"
            _request(c, call, method, given[0], "client", value if isinstance(value, Made) else None)


def described(c: Collected, call: Call) -> None:
    """`request({method: "GET", url: "/users"})` of any function: what generated clients call."""
    for position, argument in enumerate(call.arguments):
        if argument[0] != "d":
            continue
        said = {key[2] for key, _ in argument[1] if key[:2] == ("k", "str")}
        verb = kinds.LOWER.get(call.function[2], "") if call.function[0] == "a" else ""
        if "url" not in said or not (verb or "method" in said):
            continue
        given = c.given(call)
        text = given[position] if position < len(given) else ""
        found, method = _URL.search(text), _METHOD.search(text)
        parts = c.texts.paired(f"f({text[found.end() : -1]})") if found is not None else None
        name = method[1].upper() if method is not None else verb
        if parts is not None and parts[1] and name in HTTP_METHODS:
            url = c.template(parts[1][0], call.scope)
            after = next((part for part in url if isinstance(part, str)), "")
            if after[:1] == "/":
                put_request(c, call, name, url, "client", has_base=True)


def addressed(c: Collected, call: Call) -> None:
    """`client.get().uri("/x")`."""
    inner = call.function[1]
    if inner[0] != "c" or not call.arguments:
        return
    before = c.facts.calls[inner[1]]
    if before.function[0] != "a":
        return
    name = before.function[2]
    method = kinds.LOWER.get(name, "")
    if name == "method" and before.arguments:
        method = (c.given(before) or [""])[0].rpartition(".")[2].upper()
    if method not in HTTP_METHODS or (before.arguments and name != "method"):
        return
    given = c.given(call)
    if given:
        put_request(c, call, method, c.template(given[0], call.scope), "client", has_base=True)


def client_request(c: Collected, call: Call, kind: Kind, name: str, base: Made) -> None:
    given = c.given(call)
    if not given:
        return
    how = "test-client" if kind.role == "test" else "client"
    if name == kind.generic and name not in kind.verbs:
        generic_request(c, call, (0, 1), how, base)
        return
    if name not in kind.verbs:
        return
    _request(c, call, kind.verbs[name], given[0], how, base)


def generic_request(
    c: Collected, call: Call, order: tuple[int, int], how: str = "client", base: Made | None = None
) -> None:
    value = base if base is not None else c.view.value(call.function[1], call.scope)
    if not isinstance(value, Made) or KINDS[value.kind].role not in ("client", "test"):
        return
    given = c.given(call)
    if given and given[0].startswith("{"):
        _options(c, call, given[0], value)
        return
    if len(given) < 2:
        return
    first, second = given[0].strip("'\"`"), given[1]
    if call.function[2] == "exchange":
        method = next((part for part in re.findall(r"HttpMethod\.(\w+)", " ".join(given))), "")
        if method:
            _request(c, call, method, given[0], how, value)
        return
    method = re.split(r"[.:]+", first)[-1].upper()
    if method in HTTP_METHODS:
        _request(c, call, method, second, how, value)
    elif KINDS[value.kind] is KINDS["angular"]:
        return


def imported_client(c: Collected, call: Call, base: Symbol) -> bool:
    """A request of a client that another file makes; whether this is one shows when files are joined."""
    alias = c.view.imports.get(base.names[0]) if base.names else None
    is_module = bool(base.names) and base.names[0][:1] == "="
    last = call.arguments[-1] if call.arguments else None
    if (alias is None and not is_module) or last is None or (len(call.arguments) > 1 and last[0] == "f"):
        return False
    given = c.given(call)
    if not given or given[0][:1] not in ("'", '"', "`", "f"):
        return False
    url = c.template(given[0], call.scope)
    names = c.reference(base)
    if not url or not names or (call.function[2] == "get" and c.in_test(call.scope)):
        return False
    scope = c.view.qualname(c.node_scope(call.scope))
    method = kinds.LOWER[call.function[2]]
    c.requests.append(Request(scope, method, url, call.line, "client", has_base=True, client=names))
    return False


def _options(c: Collected, call: Call, text: str, base: Made | None) -> None:
    """`axios({url, method})`."""
    found = _URL.search(text)
    if found is None:
        return
    method = _METHOD.search(text)
    rest = text[found.end() :]
    parts = c.texts.paired(f"f({rest[:-1]})")
    if parts is not None and parts[1]:
        _request(c, call, method[1].upper() if method else "GET", parts[1][0], "client", base)


def _is_called_like_a_client(name: str) -> bool:
    return "client" in name or "Client" in name or name.rpartition("_")[2] in _CLIENTS


def unknown_client(c: Collected, call: Call, name: str, base: Value | None) -> None:
    """`client.get("/users")` of a fixture or parameter: it counts where an endpoint of the project answers it."""
    names = written_of(call.function[1])
    if not names or not call.arguments or not _is_called_like_a_client(names[-1]):
        return
    is_test = c.in_test(call.scope)
    if isinstance(base, Symbol) and not is_test and not base.path.startswith("*.") and not base.names:
        return
    given = c.given(call)
    if not given or given[0][:1] not in ("'", '"', "`", "f", "$", "/"):
        return
    method = kinds.LOWER.get(name) or KINDS["dotnet"].verbs[name]
    template = c.template(given[0], call.scope)
    first = template[0] if template else ""
    if is_test:
        if isinstance(first, str) and first[:1] != "/" and name in kinds.LOWER:
            return
        put_request(c, call, method, template, "test-client", has_base=False)
    elif (isinstance(first, str) and first[:1] == "/") or (template and isinstance(first, list) and len(template) > 1):
        put_request(c, call, method, template, "presumed", has_base=True)


def _request(c: Collected, call: Call, method: str, text: str, how: str, base: Made | None) -> None:
    named = keyword(text)
    if named is not None and named[0] in ("url", "path") and text[:1] not in ("'", '"'):
        text = named[1]
    url = c.template(text, call.scope)
    has_base = False
    if base is not None:
        kind = KINDS[base.kind]
        has_base = True
        if kind.prefix and base.call >= 0:
            prefix = base_of(c, base, kind)
            if prefix is not None and not (url and isinstance(url[0], str) and "://" in url[0]):
                slash = [] if (url and isinstance(url[0], str) and url[0][:1] == "/") or not url else ["/"]
                url = [*_without_slash(prefix), *slash, *url]
    put_request(c, call, method, url, how, has_base=has_base)


def base_of(c: Collected, made: Made, kind: Kind) -> Template | None:
    call = c.facts.calls[made.call]
    for argument in c.given(call):
        inside = c.texts.paired(f"f({argument[1:-1]})") if argument[:1] == "{" else None
        for one in inside[1] if inside is not None else [argument]:
            named = keyword(one)
            if named is not None and named[0] in (kind.prefix, "baseURL", "base_url", "prefixUrl"):
                return c.template(named[1], call.scope)
    return None


def put_request(c: Collected, call: Call, method: str, url: Template, how: str, *, has_base: bool) -> None:
    is_relative = how == "client" and has_base and bool(url) and isinstance(url[0], str) and bool(url[0])
    is_relative |= how == "client" and len(url) == 2 and url[0] == [] and _WORD.fullmatch(str(url[1])) is not None
    if not is_relative and not any(isinstance(part, str) and "/" in part for part in url):
        return
    if how == "client" and c.in_test(call.scope):
        how = "test-client"
    scope = c.view.qualname(c.node_scope(call.scope))
    c.requests.append(Request(scope, method, url, call.line, how, has_base=has_base))


def _without_slash(parts: Template) -> Template:
    if parts and isinstance(parts[-1], str):
        return [*parts[:-1], parts[-1].rstrip("/")]
    return parts
