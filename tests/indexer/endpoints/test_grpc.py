"""Remote procedure calls: what .proto files declare, methods of many languages answer and clients request."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from joining import FIXTURES, joined, rows

from loregraph.indexer.endpoints import collect as collecting
from loregraph.indexer.endpoints import join as joining_all
from loregraph.indexer.endpoints.rpc_names import client_maker, client_type, described, extended, registered

PROTO = "package a;\nservice Cart { rpc Add(E) returns (E) {} }\nmessage E {}\n"
HANDLED = [
    ("Cart/AddItem", "cart/server.py::CartServer.AddItem", "implements"),
    ("Cart/AddItem", "web/Ask.java::Ask.Spare.addItem", "implements"),
    ("Cart/GetCart", "cart/server.py::CartServer.GetCart", "implements"),
    ("Cart/GetCart", "web/Spare.cs::SpareCart.GetCart", "implements"),
    ("Catalogue/GetProduct", "catalogue/products.go::catalogue.GetProduct", "implements"),
    ("Catalogue/ListProducts", "catalogue/products.go::catalogue.ListProducts", "implements"),
    ("Payment/Charge", "payment/server.js::charge", "route"),
    ("Payment/Charge", "till/src/main.rs::Till.charge", "implements"),
    ("Payment/Refund", "payment/refund.js::refund", "route"),
]
REQUESTED = [
    ("Cart/AddItem", "cart/server.py::main", "stub"),
    ("Cart/AddItem", "till/src/main.rs::Till.charge", "stub"),
    ("Cart/GetCart", "catalogue/products.go::catalogue.GetProduct", "stub"),
    ("Cart/GetCart", "payment/server.js::charge", "stub"),
    ("Catalogue/GetProduct", "cart/server.py::CartServer.AddItem", "stub"),
    ("Catalogue/ListProducts", "web/Ask.java::Ask.ask", "stub"),
    ("Payment/Charge", "catalogue/products.go::catalogue.GetProduct", "stub"),
    ("Payment/Charge", "web/Shop.cs::Checkout.Pay", "stub"),
]


def short(found: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Rows with `Cart/AddItem` for ` acme.shop.v1.CartService/AddItem`."""
    return [(name.strip().removeprefix("acme.shop.v1.").replace("Service", ""), *rest) for name, *rest in found]


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


# Verifies REQ-NET-007.
def test_services_are_joined_across_languages() -> None:
    found = joined(FIXTURES / "grpc-shop")
    assert short(rows(found, "HANDLES")) == HANDLED
    assert short(rows(found, "REQUESTS")) == REQUESTED
    node = next(one for one in found.nodes if one.path.endswith("CartService/GetCart"))
    assert (node.id, node.name, node.method, node.protocol) == (
        "endpoint:grpc::acme.shop.v1.CartService/GetCart",
        "acme.shop.v1.CartService/GetCart",
        "",
        "grpc",
    )
    assert any(one.path == "acme.shop.v1.NobodyService/Wait" for one in found.nodes), "declared, answered by nothing"


# Verifies REQ-NET-007.
def test_a_client_counts_only_where_a_service_is_declared(tmp_path: Path) -> None:
    files = {
        "a.proto": PROTO,
        "ask.py": "import grpc, a_pb2_grpc\n\n\ndef ask(c):\n    a_pb2_grpc.CartStub(c).Add(1)\n"
        "    a_pb2_grpc.BasketStub(c).Add(1)\n    a_pb2_grpc.CartStub(c).Remove(1)\n",
        "own.py": "import grpc\n\n\nclass CartClient:\n    def add(self): ...\n\n\n"
        "def ask():\n    CartClient().add()\n",
    }
    found = joined(write(tmp_path, files))
    assert rows(found, "REQUESTS") == [(" a.Cart/Add", "ask.py::ask", "unanswered")]


# Verifies REQ-NET-007.
def test_generated_methods_that_refuse_answer_nothing(tmp_path: Path) -> None:
    files = {
        "a.proto": "package a;\nservice Cart { rpc Add(E) returns (E) {} rpc Get(E) returns (E) {} }\nmessage E {}\n",
        "a_pb2_grpc.py": "class CartServicer(object):\n    def Add(self, request, context):\n        raise Error()\n"
        "    def Get(self, request, context):\n        raise NotImplementedError()\n",
        "cart.py": "import a_pb2_grpc\n\n\nclass CartServer(a_pb2_grpc.CartServicer):\n"
        "    def Add(self, request, context): ...\n",
    }
    assert rows(joined(write(tmp_path, files)), "HANDLES") == [(" a.Cart/Add", "cart.py::CartServer.Add", "implements")]


# Verifies REQ-NET-007.
def test_services_of_one_name_are_told_apart_by_their_packages(tmp_path: Path) -> None:
    files = {
        "v1.proto": PROTO.replace("package a", "package shop.v1"),
        "v2.proto": PROTO.replace("package a", "package shop.v2"),
        "copy/v2.proto": PROTO.replace("package a", "package shop.v2"),
        "ask.py": "from gen.shop.v2 import cart_pb2_grpc\n\n\ndef ask(c):\n    cart_pb2_grpc.CartStub(c).Add(1)\n",
        "any.py": "import cart_pb2_grpc\n\n\ndef ask(c):\n    cart_pb2_grpc.CartStub(c).Add(1)\n",
    }
    found = joined(write(tmp_path, files))
    assert rows(found, "REQUESTS") == [(" shop.v2.Cart/Add", "ask.py::ask", "unanswered")]
    assert len(found.nodes) == 2


# Verifies REQ-NET-007.
def test_decorators_of_nest_name_the_service_or_leave_it_out(tmp_path: Path) -> None:
    files = {
        "a.proto": "package a;\nservice Cart { rpc Add(E) returns (E) {} rpc Get(E) returns (E) {} }\nmessage E {}\n",
        "cart.ts": "import { GrpcMethod } from '@nestjs/microservices';\nexport class Cart {\n"
        "  @GrpcMethod('Cart', 'Add')\n  plus(x) { return x; }\n  @GrpcMethod()\n  get(x) { return x; }\n}\n",
        "ask.ts": "import { ClientGrpc } from '@nestjs/microservices';\nexport class Ask {\n"
        "  constructor(private client: ClientGrpc) {}\n  init() { this.cart = this.client.getService<Cart>('Cart'); }\n"
        "  ask() { return this.cart.add({}); }\n}\n",
    }
    found = joined(write(tmp_path, files))
    assert rows(found, "HANDLES") == [
        (" a.Cart/Add", "cart.ts::Cart.plus", "annotation"),
        (" a.Cart/Get", "cart.ts::Cart.get", "annotation"),
    ]
    assert rows(found, "REQUESTS") == [(" a.Cart/Add", "ask.ts::Ask.ask", "stub")]


# Verifies REQ-NET-006, REQ-NET-007.
def test_more_methods_than_allowed_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "service S {" + "".join(f"rpc M{n}(E) returns (E) {{}}\n" for n in range(150)) + "}"
    write(tmp_path, {"a.proto": text})
    monkeypatch.setattr(collecting, "MAX_ENTRIES", 100)
    found = joined(tmp_path)
    assert (len(found.nodes), found.problems[0].message[:3]) == (100, "50 ")
    monkeypatch.setattr(joining_all, "MAX_ENDPOINTS", 5)
    found = joined(tmp_path)
    assert (len(found.nodes), found.problems[0].message[:4]) == (5, "145 ")


# Verifies REQ-NET-006.
def test_clients_that_are_given_one_another_end(tmp_path: Path) -> None:
    lines = ["import grpc", "a = b", "b = a", "def f():", "    return f()", "c = f()", "a.Add(1)", "c.Add(1)"]
    lines += [f"x{n} = x{n + 1}" for n in range(3_000)] + [
        "x0.Add(1)",
        "class A(A): ...",
        "class B(C): ...",
        "class C(B): ...",
    ]
    assert rows(joined(write(tmp_path, {"a.proto": PROTO, "a.py": "\n".join(lines)})), "REQUESTS") == []


# Verifies REQ-NET-006.
def test_members_that_are_given_one_another_many_times_end(tmp_path: Path) -> None:
    given = "".join(f"        self.x{n} = self.x{n + 1 + m % 3}\n" for n in range(60) for m in range(8))
    above = "".join(f"class A{n}({', '.join(f'A{n + 1 + m}' for m in range(2))}): ...\n" for n in reversed(range(60)))
    text = f"import grpc\n{above}class B(A0, CartServicer):\n    def f(self):\n{given}        self.x0.Add(1)\n"
    found = joined(write(tmp_path, {"a.proto": PROTO, "a.py": text}))
    assert (rows(found, "REQUESTS"), rows(found, "HANDLES")) == ([], [])


def test_names_of_generated_code() -> None:
    made = (("pb", "NewCartClient"), ("CartGrpc", "newStub"), ("CartClient", "connect"), ("Cart", "Stub", "new"))
    assert [client_maker(names) for names in (*made, ("CartStub",), ("Cart", "CartClient"))] == ["Cart"] * 6
    types = (("pb", "CartClient"), ("CartGrpc", "CartBlockingStub"), ("Cart", "Stub"), ("CartCoroutineStub",))
    assert [client_type(names) for names in types] == ["Cart"] * 4
    assert [registered(name) for name in ("RegisterCartServer", "add_CartServicer_to_server", "NewCartHandler")] == [
        "Cart"
    ] * 3
    bases = (("pb", "UnimplementedCartServer"), ("CartServicer",), ("CartGrpc", "CartImplBase"), ("Cart", "CartBase"))
    assert [extended(names, implements=False) for names in (*bases, ("shop", "Cart", "Service"))] == ["Cart"] * 5
    assert extended(("CartServer",), implements=False) == ""
    assert described(("shop", "Cart", "service")) == "Cart"
    assert [client_type(("Order",)), client_maker(("make",)), registered("Register")] == ["", "", ""]
