"""Whether a file may have endpoints at all: nearly all files have none, and cost only this look at their facts."""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry

_PACKAGES: Final = re.compile(
    r"flask|quart|sanic|fastapi|starlette|django\.(?:conf\.)?urls|rest_framework|requests\b|httpx|aiohttp|urllib\.request"
    r"|express|fastify|hono|koa|polka|restify|axios|ky$|got$|superagent|supertest|ofetch|undici|node-fetch|@nestjs|@angular"
    r"|net/http|gin-gonic|labstack/echo|go-chi|gofiber|gorilla/mux|axum|reqwest|actix_web|rocket"
    r"|kafka|confluent_kafka|aiokafka|faust|pika|redis|ioredis|celery|nats\b|amqplib|bull|rabbitmq|github\.com/rabbitmq"
    r"|github\.com/(?:segmentio/kafka-go|streadway/amqp|nats-io|IBM/sarama|Shopify/sarama|redis/|go-redis/)"
    r"|org\.apache\.kafka|com\.rabbitmq|Confluent\.Kafka|RabbitMQ"
    r"|org\.springframework\.(?:web|cloud|kafka|amqp|jms)|ws\.rs|retrofit2|Microsoft\.AspNetCore|System\.Net\.Http"
)
_REMOTE: Final = re.compile(
    r"[gG]rpc|tonic|_pb|\bpb\b|pb$|\.pb\.|[pP]roto(?:s|buf)?\b|genproto|connectrpc|@nestjs/microservices|_(?:client|server)$"
)
_ANNOTATIONS: Final = re.compile(
    r"[\w.]*(?:Mapping|Exchange|FeignClient|Route|Path|KafkaListener|RabbitListener|JmsListener)\b"
    r"|Http[A-Z]\w*|(?:\w+::)?(?:get|post|put|delete|patch|head)\("
    r"|(?:GET|POST|PUT|DELETE|PATCH|HEAD)\b"
)
_TELLING: Final = frozenset(
    {
        *("include_router", "register_blueprint", "add_url_rule", "add_api_route", "setGlobalPrefix", "MapGroup"),
        *("HandleFunc", "fetch", "$fetch", "useFetch", "$get", "$post", "$put", "$delete", "$patch"),
        *("send_task", "send_and_wait", "sendToQueue", "basic_publish", "basicPublish"),
    }
)
_VERBS: Final = frozenset(
    {
        *("get", "post", "put", "delete", "patch", "head", "options", "all", "del", "use", "mount", "route", "request"),
        *("GET", "POST", "PUT", "DELETE", "PATCH", "Get", "Post", "Put", "Delete", "Patch", "Any", "Handle", "nest"),
        *("uri", "url", "register", "Mount", "Route", "Group", "PathPrefix"),
    }
)
_GENERATED: Final = ("Servicer", "Base")
"""How the names of what services are implemented below may end."""
_ENDINGS: Final = ("Async", "ForObject", "ForEntity", "exchange")


def may_have(facts: FileFacts) -> bool:
    """Whether anything in a file hints at routes, requests or remote calls: a package, an annotation, a call with a
    path."""
    if may_have_rpcs(facts):
        return True
    if any(_PACKAGES.match(one.module) is not None for one in facts.imports):
        return True
    if any(_ANNOTATIONS.match(name) for one in facts.definitions for name in one.decorator_names):
        return True
    for call in facts.calls:
        function = call.function
        if function[0] not in ("n", "a"):
            continue
        name = function[1] if function[0] == "n" else function[2]
        if name in _TELLING:
            return True
        if not call.arguments:
            continue
        first = call.arguments[0]
        if first[0] == "d":
            if any(key[:2] == ("k", "str") and key[2] in ("url", "topic") for key, _ in first[1]):
                return True
        elif (name in _VERBS or name.startswith("Map") or name.endswith(_ENDINGS)) and (
            first[0] == "b" or (first[0] == "k" and first[1] in ("str", "format") and _is_path(first[2]))
        ):
            return True
    return False


def may_have_rpcs(facts: FileFacts) -> bool:
    """Whether a file declares services, or imports what may be generated for one or is for gRPC."""
    if registry.BY_NAME[facts.language].declares_services:
        return True
    if any(_REMOTE.search(one.module) is not None or one.name[-5:] == "_grpc" for one in facts.imports):
        return True
    for definition in facts.definitions:  # a file may import nothing itself: C#'s global usings
        if any(str(base.type[-1]).endswith(_GENERATED) for base in definition.bases):
            return True
    for call in facts.calls:
        name = call.function[2] if call.function[0] == "a" else ""
        if (name[:3] == "New" and name[-6:] == "Client") or (name[:8] == "Register" and name[-6:] == "Server"):
            return True
    return False


def _is_path(text: str) -> bool:
    return not text or "/" in text
