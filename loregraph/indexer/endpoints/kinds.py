"""Frameworks and clients, by the names that they export: what makes an application, a router or a client, and which of
its methods do what. A row here adds a framework whose routes are calls of methods.

A symbol's path is its module and name joined with a dot (`flask.Flask`, `express.default` for what a module exports by
default, `net/http.NewServeMux`); `*.Name` is a type that a file sees by an import of all names, or of its namespace.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from loregraph.indexer.endpoints import topic_kinds
from loregraph.indexer.endpoints.model import ANY

LOWER: Final = {name: name.upper() for name in ("get", "post", "put", "delete", "patch", "head", "options")}
_UPPER: Final = {name: name for name in LOWER.values()}
_TITLE: Final = {name.title(): method for name, method in LOWER.items()}
_MAP: Final = {f"Map{name}": method for name, method in _TITLE.items()}
_WITH_ALL: Final = {**LOWER, "all": ANY, "del": "DELETE"}


class Kind(NamedTuple):
    """`verbs` map methods that register a route, or request one, to an HTTP method. `mounts` take (prefix, router),
    `includes` (router, `prefix=`), `groups` give a router below this one. `routes` take a path and say methods by
    `methods=`; of `chains` (`route("/x").get(h)`) the verbs follow; `adders` take (path, …, view); `nested` take
    (path, get(h).post(h)); `patterns` take "METHOD /path" or a path. `fluent` methods return the same object."""

    role: str = "router"
    verbs: Mapping[str, str] = MappingProxyType({})
    mounts: frozenset[str] = frozenset()
    includes: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    routes: frozenset[str] = frozenset()
    chains: frozenset[str] = frozenset()
    adders: frozenset[str] = frozenset()
    nested: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    prefix: str = ""
    """The argument of the constructor that is a prefix, or an address."""
    generic: str = ""
    """The method of a client that takes the HTTP method as its first argument."""
    root: bool = False
    decorates: bool = False
    """Its verbs stand before the handler, as decorators."""
    fluent: bool = False


def _of(names: str) -> frozenset[str]:
    return frozenset(names.split())


_FLASK = Kind(
    verbs=LOWER,
    includes=_of("register_blueprint"),
    routes=_of("route websocket"),
    adders=_of("add_url_rule"),
    prefix="url_prefix",
    decorates=True,
)
_FASTAPI = Kind(
    verbs={**LOWER, "api_route": ANY},
    includes=_of("include_router"),
    mounts=_of("mount"),
    routes=_of("route"),
    adders=_of("add_api_route"),
    prefix="prefix",
    decorates=True,
)
_EXPRESS = Kind(
    verbs=_WITH_ALL, mounts=_of("use register route"), chains=_of("route"), includes=_of("register"), prefix="prefix"
)
_GIN = Kind(verbs={**_UPPER, "Any": ANY}, groups=_of("Group"))
_CHI = Kind(
    verbs=_TITLE,
    mounts=_of("Mount"),
    groups=_of("Route Group With"),
    patterns=_of("HandleFunc Handle"),
)
_MUX = Kind(patterns=_of("HandleFunc Handle"), groups=_of("PathPrefix Subrouter"))
_AXUM = Kind(root=True, nested=_of("route"), mounts=_of("nest nest_service"), includes=_of("merge"), fluent=True)
_MINIMAL = Kind(verbs={**_MAP, "Map": ANY}, groups=_of("MapGroup"))
_HTTP_CLIENT = Kind("client", {**LOWER}, generic="request", prefix="base_url")
_ANGULAR = Kind("client", {**LOWER}, generic="request")
_AXIOS = Kind("client", {**LOWER}, generic="request", prefix="baseURL")
_DOTNET = Kind(
    "client",
    {
        f"{verb}{kind}Async": verb.upper()
        for verb in ("Get", "Post", "Put", "Delete", "Patch")
        for kind in ("", "String", "Stream", "ByteArray", "FromJson", "AsJson", "FromJsonAsAsyncEnumerable")
    }
    | {"GetFromJsonAsAsyncEnumerable": "GET", "DeleteFromJsonAsync": "DELETE"},
)
_REST_TEMPLATE = Kind(
    "client",
    {
        "getForObject": "GET",
        "getForEntity": "GET",
        "postForObject": "POST",
        "postForEntity": "POST",
        "postForLocation": "POST",
        "put": "PUT",
        "delete": "DELETE",
        "patchForObject": "PATCH",
    },
    generic="exchange",
)

KINDS: Final[dict[str, Kind]] = {
    "flask": _FLASK._replace(root=True, prefix=""),
    "blueprint": _FLASK,
    "fastapi": _FASTAPI._replace(root=True, prefix=""),
    "apirouter": _FASTAPI,
    "express": _EXPRESS._replace(root=True, prefix=""),
    "express-router": _EXPRESS,
    "chained": Kind(verbs=_WITH_ALL, chains=frozenset(), fluent=True),
    "gin": _GIN._replace(root=True),
    "gin-group": _GIN,
    "chi": _CHI._replace(root=True),
    "chi-group": _CHI,
    "mux": _MUX._replace(root=True),
    "mux-group": _MUX,
    "axum": _AXUM,
    "minimal": _MINIMAL._replace(root=True),
    "minimal-group": _MINIMAL,
    "client": _HTTP_CLIENT,
    "axios": _AXIOS,
    "angular": _ANGULAR,
    "dotnet": _DOTNET,
    "rest-template": _REST_TEMPLATE,
    "test": Kind("test", LOWER, generic="request"),
    "parameter": _EXPRESS,
    **dict.fromkeys(topic_kinds.BROKERS, Kind("messages")),
}

GROUPS: Final = {
    "gin": "gin-group", "chi": "chi-group", "mux": "mux-group", "minimal": "minimal-group", "axum": "axum",
    "gin-group": "gin-group", "chi-group": "chi-group", "mux-group": "mux-group", "minimal-group": "minimal-group",
}  # fmt: skip
"""The kind of what a group of routes is."""

_GO_ECHO = "github.com/labstack/echo"
_GO_CHI = "github.com/go-chi/chi"
_GO_FIBER = "github.com/gofiber/fiber"

MAKES: Final[dict[str, str]] = {
    "flask.Flask": "flask",
    "flask.Blueprint": "blueprint",
    "quart.Quart": "flask",
    "quart.Blueprint": "blueprint",
    "sanic.Sanic": "flask",
    "sanic.Blueprint": "blueprint",
    "fastapi.FastAPI": "fastapi",
    "fastapi.APIRouter": "apirouter",
    "fastapi.routing.APIRouter": "apirouter",
    "starlette.applications.Starlette": "fastapi",
    "express.default": "express",
    "express": "express",
    "express.Router": "express-router",
    "express.default.Router": "express-router",
    "express-promise-router.default": "express-router",
    "fastify.default": "express",
    "fastify": "express",
    "fastify.Fastify": "express",
    "hono.Hono": "express",
    "koa-router.default": "express-router",
    "koa-router": "express-router",
    "@koa/router.default": "express-router",
    "@koa/router": "express-router",
    "polka": "express",
    "polka.default": "express",
    "restify.createServer": "express",
    "github.com/gin-gonic/gin.Default": "gin",
    "github.com/gin-gonic/gin.New": "gin",
    **{f"{_GO_ECHO}{version}.New": "gin" for version in ("", "/v4", "/v5")},
    **{f"{_GO_CHI}{version}.{name}": "chi" for version in ("", "/v4", "/v5") for name in ("NewRouter", "NewMux")},
    **{f"{_GO_FIBER}{version}.New": "chi" for version in ("", "/v2", "/v3")},
    "github.com/gorilla/mux.NewRouter": "mux",
    "net/http.NewServeMux": "mux",
    "axum.Router.new": "axum",
    "axum.Router.default": "axum",
    "utoipa_axum.router.OpenApiRouter.new": "axum",
    "*.WebApplication.Create": "minimal",
    "httpx.Client": "client",
    "httpx.AsyncClient": "client",
    "requests.Session": "client",
    "requests.session": "client",
    "requests.sessions.Session": "client",
    "aiohttp.ClientSession": "client",
    "axios.default.create": "axios",
    "axios.create": "axios",
    "ky.default.create": "axios",
    "*.HttpClient": "dotnet",
    "reqwest.Client.new": "client",
    "reqwest.Client.builder": "client",
    "*.RestTemplate": "rest-template",
    "org.springframework.web.client.RestTemplate": "rest-template",
    "fastapi.testclient.TestClient": "test",
    "starlette.testclient.TestClient": "test",
    "django.test.Client": "test",
    "django.test.client.Client": "test",
    "rest_framework.test.APIClient": "test",
    "supertest.default": "test",
    "supertest": "test",
    **topic_kinds.MAKES,
}
"""Path of a constructor or function → kind of what it makes."""

TYPES: Final[dict[str, str]] = {
    **{path: kind for path, kind in MAKES.items() if path.rpartition(".")[2][:1].isupper()},
    "express.Application": "express",
    "express.default.Application": "express",
    "express.Express": "express",
    "express.Router": "express-router",
    "express.IRouter": "express-router",
    "fastify.FastifyInstance": "express",
    "github.com/gin-gonic/gin.Engine": "gin",
    "github.com/gin-gonic/gin.RouterGroup": "gin-group",
    "github.com/gin-gonic/gin.IRouter": "gin-group",
    "github.com/gin-gonic/gin.IRoutes": "gin-group",
    **{f"{_GO_ECHO}{version}.Echo": "gin" for version in ("", "/v4", "/v5")},
    **{f"{_GO_ECHO}{version}.Group": "gin-group" for version in ("", "/v4", "/v5")},
    **{f"{_GO_CHI}{version}.{name}": "chi-group" for version in ("", "/v4", "/v5") for name in ("Router", "Mux")},
    **{f"{_GO_FIBER}{version}.{name}": "chi-group" for version in ("", "/v2", "/v3") for name in ("App", "Router")},
    "github.com/gorilla/mux.Router": "mux-group",
    "net/http.ServeMux": "mux",
    "axum.Router": "axum",
    "*.WebApplication": "minimal",
    "*.IEndpointRouteBuilder": "minimal",
    "*.RouteGroupBuilder": "minimal-group",
    "*.HttpClient": "dotnet",
    "net/http.Client": "go-client",
    "reqwest.Client": "client",
    "reqwest.blocking.Client": "client",
    "axios.AxiosInstance": "axios",
    "axios.AxiosStatic": "axios",
    "@angular/common/http.HttpClient": "angular",
    "@nestjs/axios.HttpService": "angular",
    "*.RestTemplate": "rest-template",
    "*.TestRestTemplate": "test-template",
    "flask.testing.FlaskClient": "test",
    **topic_kinds.TYPES,
}
"""Path of a type → kind of its instances."""

KINDS["injected"] = Kind("client", {**LOWER, **{f"${name}": method for name, method in LOWER.items()}})
KINDS["http-service"] = Kind("client", {**LOWER})
KINDS["go-client"] = Kind("client", {"Get": "GET", "Head": "HEAD", "Post": "POST", "PostForm": "POST"})
KINDS["test-template"] = _REST_TEMPLATE._replace(role="test")

FUNCTIONS: Final[dict[str, tuple[str, int]]] = {
    **{f"requests.{name}": (method, 0) for name, method in LOWER.items()},
    **{f"httpx.{name}": (method, 0) for name, method in LOWER.items()},
    **{f"{name}.{verb}": (method, 0) for name in ("axios.default", "axios", "ky.default", "got.default")
       for verb, method in LOWER.items()},
    **{f"{name}.{verb}": (method, 0) for name in ("superagent", "superagent.default")
       for verb, method in LOWER.items()},
    **{f"net/http.{name}": (method, 0) for name, method in
       {"Get": "GET", "Post": "POST", "Head": "HEAD", "PostForm": "POST"}.items()},
    "reqwest.get": ("GET", 0),
    "reqwest.blocking.get": ("GET", 0),
    "urllib.request.urlopen": ("GET", 0),
}  # fmt: skip
"""Path of a function that requests → (method, which argument is the address)."""

GENERIC: Final[dict[str, tuple[int, int]]] = {
    "requests.request": (0, 1),
    "httpx.request": (0, 1),
    "httpx.stream": (0, 1),
    "net/http.NewRequest": (0, 1),
    "net/http.NewRequestWithContext": (1, 2),
}
"""Path of a function that takes the HTTP method → which arguments are that and the address."""

CONFIGURED: Final = frozenset(
    {"fetch", "window.fetch", "globalThis.fetch", "axios", "axios.default", "ky.default", "got.default",
     "node-fetch.default", "cross-fetch.default", "isomorphic-fetch.default", "node-fetch", "undici.fetch",
     "ofetch.$fetch", "$fetch", "ofetch.ofetch", "useFetch"}
)  # fmt: skip
"""Functions that take an address and options (`{method: "POST"}`), or options with an address."""

INJECTS: Final = frozenset({"@angular/core.inject"})
"""Functions that give an object of the type that they are given."""
TEST_BUILDERS: Final = "MockMvcRequestBuilders"
"""The class whose functions make requests of an application under test, imported one by one or all."""
_LIKE: Final = {"APIRouter": "apirouter", "Blueprint": "blueprint"}


def like(path: str) -> str:
    """The kind of a project's own class by the class that its name extends: `UserAPIRouter`; "" for none."""
    last = path.rpartition(".")[2]
    return next((kind for name, kind in _LIKE.items() if last.endswith(name) and last != name), "")


ADDRESSED: Final = frozenset({"uri", "url"})
"""Methods that take the address where one before them in the chain says the HTTP method: `client.get().uri("/x")`."""

METHODS: Final = frozenset(name for kind in KINDS.values() for name in (
    *kind.verbs, *kind.mounts, *kind.includes, *kind.groups, *kind.routes, *kind.chains, *kind.adders, *kind.nested,
    *kind.patterns, *((kind.generic,) if kind.generic else ()),
))  # fmt: skip

CALLED: Final = frozenset(
    {path.rpartition(".")[2] for path in (*FUNCTIONS, *GENERIC, *CONFIGURED)} | CONFIGURED | LOWER.keys() | {"default"}
)
"""Last names of functions that request."""
GROUPING: Final = frozenset(name for kind in KINDS.values() for name in kind.groups)
