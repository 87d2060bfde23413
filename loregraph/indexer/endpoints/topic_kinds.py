"""Libraries that send and take messages, by the names that they export: which of their calls name a topic, queue,
channel or task, and where. A row here adds a library.

Paths are those of `kinds`. All objects of a library are one kind: what a connection gives is as good as a channel of
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

ALL: Final = -1
"""All positional arguments are names."""
NEVER: Final = -2
"""No positional argument is a name: it is given by keyword, or by a key of an object."""


class Naming(NamedTuple):
    """Where a call says names, and who is called back: the position, or the keyword or key of an object. `least` is the
    number of arguments below which a call means something else."""

    at: int = 0
    keys: tuple[str, ...] = ()
    callback: int = NEVER
    callbacks: tuple[str, ...] = ()
    least: int = 1
    otherwise: int = NEVER
    others: tuple[str, ...] = ()
    """The position and the keywords of the name where the first is empty."""


class Broker(NamedTuple):
    """`sends` and `takes` are methods; `runs` are methods that say the callback of what `takes` of the same object
    name. `made` says where a constructor gives the name, `role` what is then done with it: "sends" or "takes".
    `registers` are methods that decorate a handler."""

    sends: Mapping[str, Naming] = MappingProxyType({})
    takes: Mapping[str, Naming] = MappingProxyType({})
    runs: Mapping[str, Naming] = MappingProxyType({})
    registers: Mapping[str, Naming] = MappingProxyType({})
    made: Naming | None = None
    role: str = ""
    used: frozenset[str] = frozenset()
    """Methods that send to what the constructor named."""


_TOPIC: Final = Naming(0, ("topic", "topics"))
_OBJECT: Final = Naming(0, ("topic", "topics", "Topic", "topicMessages"))
_CHANNEL: Final = Naming(0, ("channel", "name"))
_AMQP_SENT: Final = Naming(1, ("routing_key", "routingKey"), least=2, otherwise=0, others=("exchange",))
"""What goes to the default exchange goes to the queue of that name; else the routing key is the topic, and the exchange
where there is none."""
_SUBJECT: Final = Naming(0, ("subject",), callback=-3, callbacks=("cb", "handler"))
"""A callback at −3 is the last argument."""

BROKERS: Final[dict[str, Broker]] = {
    "kafka-python": Broker(
        {"send": _TOPIC, "send_and_wait": _TOPIC, "produce": _TOPIC},
        {"subscribe": _TOPIC},
    ),
    "kafka-consumer": Broker(takes={"subscribe": _TOPIC}, made=Naming(ALL, ("topics",)), role="takes"),
    "faust": Broker(registers={"agent": Naming(0, ("channel",))}, sends={"send": Naming(0, ("channel",))}),
    "pika": Broker(
        {"basic_publish": _AMQP_SENT},
        {
            "basic_consume": Naming(0, ("queue",), callback=1, callbacks=("on_message_callback",)),
            "queue_bind": Naming(2, ("routing_key",), least=2, otherwise=1, others=("exchange",)),
        },
    ),
    "redis": Broker(
        {"publish": _CHANNEL, "Publish": Naming(1, least=3)},
        {
            "subscribe": Naming(ALL, callback=-3),
            "psubscribe": Naming(ALL, callback=-3),
            "Subscribe": Naming(1, least=2),
        },
    ),
    "celery": Broker(
        {"send_task": Naming(0, ("name",))},
        registers={"task": Naming(NEVER, ("name",))},
    ),
    "nats": Broker(
        {"publish": _SUBJECT, "request": _SUBJECT, "Publish": _SUBJECT, "Request": _SUBJECT, "PublishAsync": _SUBJECT},
        {"subscribe": _SUBJECT, "Subscribe": _SUBJECT, "QueueSubscribe": _SUBJECT, "SubscribeAsync": _SUBJECT},
    ),
    "kafkajs": Broker(
        {"send": _OBJECT, "sendBatch": _OBJECT},
        {"subscribe": _OBJECT},
        {"run": Naming(NEVER, callback=0, callbacks=("eachMessage", "eachBatch"))},
    ),
    "amqplib": Broker(
        {"sendToQueue": Naming(0), "publish": _AMQP_SENT},
        {"consume": Naming(0, callback=1), "bindQueue": Naming(2, least=2, otherwise=1)},
    ),
    "queue": Broker(
        takes={"process": Naming(NEVER, callback=-3)}, made=Naming(0), role="sends", used=frozenset({"add", "addBulk"})
    ),
    "worker": Broker(made=Naming(0, callback=1), role="takes"),
    "nest-client": Broker({"emit": Naming(0), "send": Naming(0)}),
    "kafka-template": Broker({"send": _TOPIC, "sendDefault": Naming(NEVER)}),
    "rabbit-template": Broker(
        {"convertAndSend": Naming(0, least=2), "convertSendAndReceive": Naming(0, least=2), "send": Naming(0, least=2)}
    ),
    "jms-template": Broker({"convertAndSend": Naming(0, least=2), "send": Naming(0, least=2)}),
    "kafka-java": Broker({"send": _TOPIC}, {"subscribe": Naming(0)}),
    "kafka-streams": Broker(
        {"to": Naming(0)},
        {"stream": Naming(0), "table": Naming(0), "globalTable": Naming(0)},
    ),
    "rabbit-java": Broker(
        {"basicPublish": _AMQP_SENT},
        {"basicConsume": Naming(0, callback=2), "queueBind": Naming(2, least=3, otherwise=1)},
    ),
    "confluent-net": Broker({"Produce": _TOPIC, "ProduceAsync": _TOPIC}, {"Subscribe": _TOPIC}),
    "rabbit-net": Broker(
        {"BasicPublish": _AMQP_SENT, "BasicPublishAsync": _AMQP_SENT},
        {"BasicConsume": Naming(0, ("queue",)), "BasicConsumeAsync": Naming(0, ("queue",))},
    ),
    "kafka-go": Broker({"WriteMessages": Naming(ALL, ("Topic",))}),
    "kafka-go-writer": Broker(
        {"WriteMessages": Naming(ALL, ("Topic",))}, made=Naming(0, ("Topic",)), role="sends",
    ),
    "kafka-go-reader": Broker(made=Naming(0, ("Topic", "GroupTopics")), role="takes"),
    "sarama": Broker(
        {"SendMessage": _OBJECT},
        {"ConsumePartition": Naming(0), "Consume": Naming(1, least=3, callback=-3)},
    ),
    "sarama-message": Broker(made=Naming(0, ("Topic",)), role="sends"),
    "amqp-go": Broker(
        {
            "Publish": Naming(1, least=4, otherwise=0),
            "PublishWithContext": Naming(2, least=5, otherwise=1),
        },
        {
            "Consume": Naming(0, least=6),
            "ConsumeWithContext": Naming(1, least=7),
            "QueueBind": Naming(1, least=4, otherwise=2),
        },
    ),
}  # fmt: skip

_KAFKA_GO: Final = "github.com/segmentio/kafka-go"
_AMQP_GO: Final = ("github.com/rabbitmq/amqp091-go", "github.com/streadway/amqp")
_NATS_GO: Final = "github.com/nats-io/nats.go"
_SARAMA: Final = ("github.com/IBM/sarama", "github.com/Shopify/sarama")
_REDIS_GO: Final = tuple(
    f"github.com/{owner}{version}"
    for owner in ("redis/go-redis", "go-redis/redis")
    for version in ("", "/v7", "/v8", "/v9")
)

MAKES: Final[dict[str, str]] = {
    "kafka.KafkaProducer": "kafka-python",
    "kafka.KafkaConsumer": "kafka-consumer",
    "confluent_kafka.Producer": "kafka-python",
    "confluent_kafka.Consumer": "kafka-python",
    "confluent_kafka.SerializingProducer": "kafka-python",
    "confluent_kafka.DeserializingConsumer": "kafka-python",
    "confluent_kafka.avro.AvroProducer": "kafka-python",
    "confluent_kafka.avro.AvroConsumer": "kafka-python",
    "aiokafka.AIOKafkaProducer": "kafka-python",
    "aiokafka.AIOKafkaConsumer": "kafka-consumer",
    "faust.App": "faust",
    "pika.BlockingConnection": "pika",
    "redis.Redis": "redis",
    "redis.StrictRedis": "redis",
    "redis.from_url": "redis",
    "redis.Redis.from_url": "redis",
    "redis.asyncio.Redis": "redis",
    "redis.asyncio.from_url": "redis",
    "redis.asyncio.Redis.from_url": "redis",
    "redis.createClient": "redis",
    "redis.default.createClient": "redis",
    "ioredis.default": "redis",
    "ioredis": "redis",
    "ioredis.Redis": "redis",
    "celery.Celery": "celery",
    "nats.connect": "nats",
    "nats.default.connect": "nats",
    "nats.aio.client.Client": "nats",
    "nats.NATS": "nats",
    "kafkajs.Kafka": "kafkajs",
    "amqplib.connect": "amqplib",
    "amqplib.default.connect": "amqplib",
    "amqplib/callback_api.connect": "amqplib",
    "bullmq.Queue": "queue",
    "bullmq.Worker": "worker",
    "bull.default": "queue",
    "bull": "queue",
    "bull.Queue": "queue",
    "com.rabbitmq.client.ConnectionFactory": "rabbit-java",
    "org.apache.kafka.clients.consumer.KafkaConsumer": "kafka-java",
    "org.apache.kafka.clients.producer.KafkaProducer": "kafka-java",
    "org.apache.kafka.streams.StreamsBuilder": "kafka-streams",
    "*.KafkaTemplate": "kafka-template",
    "*.RabbitTemplate": "rabbit-template",
    "*.JmsTemplate": "jms-template",
    "*.ConsumerBuilder": "confluent-net",
    "*.ProducerBuilder": "confluent-net",
    f"{_KAFKA_GO}.NewWriter": "kafka-go-writer",
    f"{_KAFKA_GO}.NewReader": "kafka-go-reader",
    **{f"{path}.Dial": "amqp-go" for path in _AMQP_GO},
    f"{_NATS_GO}.Connect": "nats",
    **{
        f"{path}.{name}": "sarama"
        for path in _SARAMA
        for name in ("NewSyncProducer", "NewAsyncProducer", "NewConsumer", "NewConsumerGroup")
    },
    **{f"{path}.NewClient": "redis" for path in _REDIS_GO},
}

TYPES: Final[dict[str, str]] = {
    **{path: kind for path, kind in MAKES.items() if path.rpartition(".")[2][:1].isupper() and ".New" not in path},
    "pika.channel.Channel": "pika",
    "pika.adapters.blocking_connection.BlockingChannel": "pika",
    "kafkajs.Producer": "kafkajs",
    "kafkajs.Consumer": "kafkajs",
    "amqplib.Channel": "amqplib",
    "amqplib.ConfirmChannel": "amqplib",
    "@nestjs/microservices.ClientProxy": "nest-client",
    "@nestjs/microservices.ClientKafka": "nest-client",
    "@nestjs/microservices.ClientRMQ": "nest-client",
    "com.rabbitmq.client.Channel": "rabbit-java",
    "org.apache.kafka.clients.consumer.Consumer": "kafka-java",
    "org.apache.kafka.clients.producer.Producer": "kafka-java",
    "*.IConsumer": "confluent-net",
    "*.IProducer": "confluent-net",
    "*.RabbitOperations": "rabbit-template",
    "*.AmqpTemplate": "rabbit-template",
    "*.KafkaOperations": "kafka-template",
    f"{_KAFKA_GO}.Writer": "kafka-go",
    **{f"{path}.{name}": "amqp-go" for path in _AMQP_GO for name in ("Channel", "Connection")},
    f"{_NATS_GO}.Conn": "nats",
    **{
        f"{path}.{name}": "sarama"
        for path in _SARAMA
        for name in ("SyncProducer", "AsyncProducer", "Consumer", "ConsumerGroup")
    },
    **{f"{path}.Client": "redis" for path in _REDIS_GO},
}

LITERALS: Final[dict[str, str]] = {
    f"{_KAFKA_GO}.Writer": "kafka-go-writer",
    **{f"{path}.ProducerMessage": "sarama-message" for path in _SARAMA},
}
"""Types whose literals name a topic."""
DECORATORS: Final[dict[str, Naming]] = {
    "celery.shared_task": Naming(NEVER, ("name",)),
    "@nestjs/microservices.MessagePattern": Naming(0),
    "@nestjs/microservices.EventPattern": Naming(0),
    "@nestjs/bull.Processor": Naming(0, ("name",)),
    "@nestjs/bullmq.Processor": Naming(0, ("name",)),
}
"""Functions that decorate a handler."""
INJECTED: Final = frozenset({"@nestjs/bull.InjectQueue", "@nestjs/bullmq.InjectQueue"})
"""Functions that give a queue to send to."""
ANNOTATIONS: Final[dict[str, frozenset[str]]] = {
    "KafkaListener": frozenset({"topics"}),
    "RabbitListener": frozenset({"queues"}),
    "JmsListener": frozenset({"destination"}),
}
"""Annotations of handlers, with what names the topics."""
LISTED: Final = frozenset(
    {"asList", "of", "listOf", "setOf", "singletonList", "singleton", "arrayOf", "arrayListOf", "List"}
)
"""Functions that make a list of names."""
WRAPPED: Final = frozenset({"ProducerRecord", "topic", "Topic"})
"""What is made of a name, as its first argument."""
QUEUES: Final = frozenset({"QueueDeclare", "assertQueue", "queue_declare", "queueDeclare", "QueueDeclareAsync"})
"""Methods that give a queue of a name, which is then said by a member of what they give."""
QUEUE_NAMES: Final = frozenset({"Name", "queue", "QueueName"})
METHODS: Final = frozenset(
    name for one in BROKERS.values() for name in (*one.sends, *one.takes, *one.runs, *one.registers, *one.used)
)
