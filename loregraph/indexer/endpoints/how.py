"""How endpoints' edges were found, and how sure each way is: shares measured by reading, see docs/endpoints.md."""

from __future__ import annotations

from typing import Final

CONFIDENCE: Final = {
    "route": 0.99,
    "registered": 0.50,
    "unmounted": 0.90,
    "class-view": 0.97,
    "convention": 0.95,
    "annotation": 0.99,
    "path": 0.97,
    "base-url": 0.95,
    "suffix": 0.85,
    "test-client": 0.97,
    "declared": 0.97,
    "unanswered": 0.90,
    "presumed": 0.80,
    "implements": 0.97,
    "stub": 0.97,
    "callback": 0.97,
    "consumes": 0.95,
    "topic": 0.97,
}
"""HANDLES: `route` (a route that code registers), `registered` (it is not known what the handler is: the code that
registers it is given), `unmounted` (as `route`, where the beginning of the path is not known), `class-view` (a class
whose methods are those of HTTP), `convention` (the framework names paths by methods), `annotation`. REQUESTS: `path`
(the whole path meets a handler's), `base-url` (so does what is behind an address that is not known), `suffix` (one of
them has more before it), `test-client`, `declared` (a client that annotations declare), `presumed` (a client of an
unknown type), `unanswered` (no handler in the project). Of gRPC: HANDLES `implements` (a type extends what is generated
for the service, or is registered for it), REQUESTS `stub` (a call of a generated client). Of topics: HANDLES `callback`
(a function that a subscription is given), `consumes` (the function that subscribes), REQUESTS `topic` (something in the
project takes it)."""
