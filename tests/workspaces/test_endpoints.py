"""Which handler of another repository a request reaches."""

from __future__ import annotations

import pytest

from loregraph.workspaces.endpoints import address, best, reaches


# Verifies REQ-WSP-010.
@pytest.mark.parametrize(
    ("wanted", "own", "met"),
    [
        ("http:GET:/users/{}", "http:GET:/users/{}", True),
        ("http:GET:/users/7", "http:GET:/users/{}", True),
        ("http:GET:/users/{}", "http:ANY:/users/{}", True),
        ("http:ANY:/users", "http:POST:/users", True),
        ("http:GET:/files/a/b", "http:GET:/files/{*}", True),
        ("http:GET:/users/{}", "http:POST:/users/{}", False),
        ("http:GET:/users/{}", "http:GET:/users/me", False),
        ("http:GET:/users", "http:GET:/users/{}", False),
        ("http:GET:/users", "http:GET:/{*}", False),
        ("grpc::/shop.Cart/Add", "grpc::/shop.Cart/Add", True),
        ("grpc::/shop.Cart/Add", "http::/shop.Cart/Add", False),
        ("topic::orders", "topic::orders", True),
    ],
)
def test_protocol_method_and_path_decide(wanted: str, own: str, met: bool) -> None:
    assert reaches(address(f"endpoint:{wanted}"), address(f"endpoint:{own}")) is met


def test_a_path_of_parameters_alone_says_nothing() -> None:
    assert not address("endpoint:http:GET:/{}/{}").is_literal
    assert not address("endpoint:http:GET:/").is_literal
    assert address("endpoint:http:GET:/v1/{}").is_literal


def test_the_handler_with_the_fewest_parameters_answers() -> None:
    rows = [
        (address(f"endpoint:http:{own}"), number)
        for number, own in enumerate(("GET:/users/{}", "GET:/users/me", "ANY:/users/me", "GET:/{*}"))
    ]
    assert best(address("endpoint:http:GET:/users/me"), rows) == [1]
    assert best(address("endpoint:http:PUT:/users/me"), rows) == [2]
    assert best(address("endpoint:http:GET:/users/7"), rows) == [0]
    assert best(address("endpoint:http:GET:/elsewhere"), rows) == []
