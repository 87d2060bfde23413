"""What small applications answer and request: every route with its handler, every request with what answers it, and
nothing of look-alikes (dictionaries, caches, addresses of others)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from joining import FIXTURES, joined, rows

Rows = list[tuple[str, str, str]]
EXPECTED: dict[str, tuple[Rows, Rows]] = {
    "angular": (
        [],
        [
            ("GET /api/users/", "users.ts::Users.list", "unanswered"),
        ],
    ),
    "aspnet": (
        [
            ("DELETE /items/{id}", "Users.cs::Items.MapItems.<lambda1>", "route"),
            ("GET /api/Users/{id:int}", "Users.cs::UsersController.Get", "annotation"),
            ("GET /items/{id}", "Users.cs::Items.GetItem", "route"),
            ("POST /api/Users", "Users.cs::UsersController.Post", "annotation"),
        ],
        [
            ("GET /api/Users/{id:int}", "Users.cs::UserService.Find", "base-url"),
            ("POST /api/Users", "Users.cs::UserService.Add", "base-url"),
        ],
    ),
    "axum": (
        [
            ("GET /health", "src/main.rs::health", "route"),
            ("GET /users/:id", "src/users.rs::show", "route"),
            ("PUT /users/:id", "src/users.rs::change", "route"),
        ],
        [
            ("GET /users/:id", "src/main.rs::ask", "base-url"),
        ],
    ),
    "django": (
        [
            ("ANY /", "web/views.py::home", "route"),
            ("ANY /old/(?P<x>\\d+)/", "web/views.py::old", "route"),
            ("DELETE /api/items/{pk}", "web/api/views.py::ItemSet", "convention"),
            ("GET /a/<int:pk>/", "web/views.py::Detail.get", "class-view"),
            ("GET /api/items", "web/api/views.py::ItemSet.list", "convention"),
            ("GET /api/items/{pk}", "web/api/views.py::ItemSet", "convention"),
            ("GET /deep/stats", "web/api/views.py::stats", "route"),
            ("PATCH /api/items/{pk}", "web/api/views.py::ItemSet", "convention"),
            ("POST /a/<int:pk>/", "web/views.py::Detail.post", "class-view"),
            ("POST /api/items", "web/api/views.py::ItemSet", "convention"),
            ("POST /api/items/{pk}/archive", "web/api/views.py::ItemSet.archive", "convention"),
            ("POST /deep/stats", "web/api/views.py::stats", "route"),
            ("PUT /api/items/{pk}", "web/api/views.py::ItemSet", "convention"),
        ],
        [],
    ),
    "express": (
        [
            ("DELETE /api/users/:id", "controller.js::remove", "route"),
            ("GET /api/users/", "controller.js::list", "route"),
            ("GET /health", "routes/health.js::module.exports.<arrow1>", "route"),
            ("GET /login", "app.js::showLogin", "route"),
            ("POST /login", "app.js::<arrow1>", "route"),
        ],
        [
            ("DELETE /api/users/:id", "client.ts::removeUser", "path"),
            ("GET /api/users/", "client.ts::listUsers", "base-url"),
            ("POST /login", "client.ts::removeUser", "path"),
        ],
    ),
    "fastapi": (
        [
            ("GET /api/v1/items/", "app/items.py::read_items", "route"),
            ("POST /hooks/{name:path}", "app/main.py::hook", "route"),
            ("PUT /api/v1/items/{id}", "app/items.py::update_item", "route"),
        ],
        [
            ("DELETE /nowhere/{}", "app/client.py::changed", "unanswered"),
            ("GET /api/v1/items/", "app/client.py::listed", "path"),
            ("PUT /api/v1/items/{id}", "app/client.py::changed", "base-url"),
        ],
    ),
    "flask": (
        [
            ("DELETE /api/users/<int:id>", "shop/users.py::UserView.delete", "class-view"),
            ("GET /api/orders/<id>", "shop/orders.py::one", "route"),
            ("GET /api/users/", "shop/users.py::listed", "route"),
            ("GET /api/users/<int:id>", "shop/users.py::UserView.get", "class-view"),
            ("GET /health", "shop/app.py::create_app.health", "route"),
            ("POST /api/orders", "shop/orders.py::create", "route"),
        ],
        [
            ("DELETE /api/users/<int:id>", "shop/tests.py::test_two", "test-client"),
            ("GET /api/orders/<id>", "shop/users.py::UserView.get", "path"),
            ("GET /health", "shop/tests.py::test_it", "test-client"),
            ("POST /api/orders", "shop/users.py::listed", "path"),
        ],
    ),
    "gin": (
        [
            ("DELETE /v1/users/:id", "users/handlers.go::set.remove", "route"),
            ("GET /v1/users/:id", "users/handlers.go::show", "route"),
            ("POST /items/{id}", "main.go::saveItem", "route"),
        ],
        [
            ("DELETE /v1/users/:id", "main.go::saveItem", "base-url"),
            ("GET /v1/users/:id", "main.go::saveItem", "base-url"),
        ],
    ),
    "nest": (
        [
            ("DELETE /api/cats/:id", "cats.ts::CatsController.remove", "annotation"),
            ("GET /api/cats", "cats.ts::CatsController.all", "annotation"),
        ],
        [],
    ),
    "openapi": (
        [
            ("GET /api/v1/users/{id}", "app/main.py::get_user", "route"),
            ("GET /items", "app/main.py::items", "route"),
        ],
        [
            ("DELETE /api/v1/users/{userId}", "app/main.py::remove", "base-url"),
        ],
    ),
    "spring": (
        [
            ("GET /owners/{id}", "OwnerController.java::OwnerController.find", "annotation"),
            ("POST /owners/find", "OwnerController.java::OwnerController.search", "annotation"),
            ("POST /owners/search", "OwnerController.java::OwnerController.search", "annotation"),
            ("PUT /owners", "OwnerController.java::OwnerController.change", "annotation"),
        ],
        [
            ("GET /owners/{id}", "OwnerClient.java::OwnerCalls.one", "path"),
            ("GET /owners/{id}", "OwnerClient.java::OwnerClient.find", "base-url"),
            ("PUT /owners", "OwnerClient.java::OwnerCalls.change", "path"),
        ],
    ),
    "topics": (
        [
            (" logs", "shop/consume.py::mails", "consumes"),
            (" mails", "shop/consume.py::on_mail", "callback"),
            (" orders", "broker/main.go::read", "consumes"),
            (" orders", "java/Stock.java::Stock.on", "annotation"),
            (" orders", "shop/consume.py::follow", "consumes"),
            (" orders", "web/kafka.ts::onMessage", "callback"),
            (" paid", "java/Stock.java::Stock.on", "annotation"),
            (" pings", "broker/main.go::handle", "callback"),
            (" shop.clean", "shop/consume.py::clean", "annotation"),
            (" stock", "shop/consume.py::follow", "consumes"),
            (" thumbnails", "web/kafka.ts::<arrow1>", "callback"),
            (" user.created", "web/users.ts::Users.created", "annotation"),
            (' {"cmd":"user"}', "web/users.ts::Users.user", "annotation"),
        ],
        [
            (" logs", "shop/produce.py::mail", "topic"),
            (" mails", "broker/main.go::mail", "topic"),
            (" mails", "java/Stock.java::Stock.on", "topic"),
            (" mails", "shop/produce.py::mail", "topic"),
            (" orders", "broker/main.go::write", "topic"),
            (" orders", "shop/produce.py::order", "topic"),
            (" orders", "web/send.ts::send", "topic"),
            (" pings", "broker/main.go::listen", "topic"),
            (" shop.clean", "shop/later.py::tomorrow", "topic"),
            (" shop.clean", "shop/schedule.py::tonight", "topic"),
            (" shop.paid", "shop/produce.py::paid", "unanswered"),
            (" stock", "java/Stock.java::Stock.on", "topic"),
            (" stock", "shop/produce.py::paid", "topic"),
            (" thumbnails", "web/kafka.ts::onMessage", "topic"),
            (" user.created", "web/users.ts::Users.make", "topic"),
            (' {"cmd":"user"}', "web/users.ts::Users.make", "topic"),
        ],
    ),
}


# Verifies REQ-NET-001, REQ-NET-003, REQ-NET-008.
@pytest.mark.parametrize("framework", sorted(EXPECTED))
def test_an_application(framework: str) -> None:
    found = joined(FIXTURES / framework)
    assert rows(found, "HANDLES") == EXPECTED[framework][0]
    assert rows(found, "REQUESTS") == EXPECTED[framework][1]
    assert found.problems == ()


def test_every_fixture_is_looked_at() -> None:
    assert {folder.name for folder in FIXTURES.iterdir()} == {*EXPECTED, "grpc-shop"}  # test_grpc.py has that
