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
_ANNOTATIONS: Final = re.compile(
    r"[\w.]*(?:Mapping|Exchange|FeignClient|Route|Path|KafkaListener|RabbitListener|JmsListener)\b|Http[A-Z]\w*|(?:\w+::)?(?:get|post|put|delete|patch|head)\("
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
_SERVICES: Final = re.compile(
    rb"[gG]rpc|GRPC|\btonic\b|connectrpc|_pb2?\b|\bpb\.|\b[pP]rotos?\b|genproto|[pP]rotobuf|Servicer\b|::Stub\b|ImplBase\b"
    rb"|New[A-Z]\w{0,80}Client\(|\.[A-Z]\w{0,80}Client\b"
)
_ENDINGS: Final = ("Async", "ForObject", "ForEntity", "exchange")


def may_have(facts: FileFacts, source: bytes) -> bool:
    """Whether anything in a file with this text hints at endpoints."""
    return _may_register(facts) or may_call_services(facts, source)


def _may_register(facts: FileFacts) -> bool:
    """Whether anything hints at routes or requests: a package, an annotation, a call with a path."""
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


def may_call_services(facts: FileFacts, source: bytes) -> bool:
    """Whether a file may have anything to do with remote procedure calls."""
    return registry.BY_NAME[facts.language].declares_services or _SERVICES.search(source) is not None


def _is_path(text: str) -> bool:
    return not text or "/" in text
