"""Names that generators of gRPC give to what they make for a service.

A project seldom keeps generated code, so that names are what is known of it. Each function gives the name of the
service that a name would be generated for; whether there is such a service, files of declarations say. The conventions
are those of the guides on grpc.io, of grpc-node, ts-proto, tonic and connect.
"""

from __future__ import annotations

import re
from typing import Final

Names = tuple[str, ...]
"""A dotted name's parts."""
_CLIENT: Final = re.compile(
    r"(?P<service>[A-Za-z]\w{0,199}?)(?:BlockingV2|Blocking|Future|Coroutine|Async|Promise)?(?:Stub|Client)(?:Interface)?"
)
_NEW: Final = re.compile(r"New(?P<service>[A-Z]\w{0,199})Client")
_REGISTERED: Final = re.compile(
    r"Register(?P<a>[A-Z]\w{0,199})Server|New(?P<b>[A-Z]\w{0,199})Handler|add_(?P<c>\w{1,199})Servicer_to_server"
)
_EXTENDED: Final = re.compile(
    r"(?:Unimplemented|Unsafe)(?P<a>\w{1,199}?)(?:Server|Handler)|(?P<b>\w{1,199})Servicer"
    r"|(?P<c>\w{1,199}?)(?:Coroutine)?ImplBase|(?P<d>\w{1,199})Base"
)
_IMPLEMENTED: Final = re.compile(r"(?P<a>\w{1,199}?)(?:Server|Controller)")
_INNER: Final = frozenset({"Service", "AsyncService", "CallbackService", "ExperimentalCallbackService"})
_MAKERS: Final = frozenset({"newBlockingStub", "newBlockingV2Stub", "newStub", "newFutureStub", "NewStub"})
_CONSTRUCTORS: Final = frozenset(
    {"connect", "new", "with_interceptor", "with_origin", "create", "getDefaultInstance", "createClient"}
)


def client_type(names: Names) -> str:
    """Of a type's name: `pb.CartClient`, `CartGrpc.CartBlockingStub`, `Cart.CartClient`, `Cart::Stub`; else ""."""
    last = names[-1]
    if last in ("Stub", "StubInterface"):
        return _bare(names[-2]) if len(names) > 1 else ""
    found = _CLIENT.fullmatch(last)
    return found["service"] if found is not None else ""


def client_maker(names: Names) -> str:
    """Of the name of a function that makes a client: `pb.NewCartClient`, `CartGrpc.newStub`, `CartClient::connect`,
    `Cart::Stub.new`, `CartStub`; "" for others."""
    last = names[-1]
    if last in _MAKERS:
        return _bare(names[-2]) if len(names) > 1 else ""
    found = _NEW.fullmatch(last)
    if found is not None:
        return found["service"]
    if last in _CONSTRUCTORS:
        return client_type(names[:-1]) if len(names) > 1 else ""
    return client_type(names)


def registered(name: str) -> str:
    """Of the name of a function that registers an implementation; "" for others."""
    return _either(_REGISTERED.fullmatch(name))


def extended(names: Names, *, implements: bool) -> str:
    """Of a supertype's name, `implements` where it is an interface; "" for others."""
    last = names[-1]
    if last in _INNER:
        return _bare(names[-2]) if len(names) > 1 else ""
    return _either(_EXTENDED.fullmatch(last)) or (_either(_IMPLEMENTED.fullmatch(last)) if implements else "")


def described(names: Names) -> str:
    """Of the name of a service's description: `proto.shop.Cart.service`, `CartService` of grpc-js."""
    if len(names) > 1 and names[-1] in ("service", "definition"):
        return names[-2].removesuffix("Client") or names[-2]
    return names[-1].removesuffix("Definition")


def method_key(name: str) -> str:
    """One form for `GetCart`, `getCart` and `get_cart`."""
    return name.replace("_", "").lower()


def _bare(name: str) -> str:
    return name.removesuffix("Kt").removesuffix("Grpc")


def _either(found: re.Match[str] | None) -> str:
    return next((text for text in found.groups() if text), "") if found is not None else ""
