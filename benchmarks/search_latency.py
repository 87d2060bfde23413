"""How long a search takes in a warm process, on Django, in each mode.

python benchmarks/search_latency.py
"""

# Implements REQ-SRC-009.

from __future__ import annotations

import sys

from reads import indexed_django, print_times, time_each

QUERIES = (
    "render a template to a string",
    "validate an email address",
    "parse the accept language header",
    "redirect to the login page",
    "create tables for all models of an app",
    "escape html",
    "get_object_or_404",
    "QuerySet bulk_create",
    "cache key with version and prefix",
    "convert a datetime to the current time zone",
    "send mail through smtp",
    "split multipart form data",
    "sign a cookie value",
    "collect static files",
    "autodetect migrations",
    "aggregate over a related field",
    "middleware that handles exceptions",
    "load fixtures from json",
    "password hasher with pbkdf2",
    "translate a lazy string",
)


def main() -> int:
    with indexed_django() as project:
        kept = [
            print_times(mode, time_each(lambda q, m=mode: project.search(q, mode=m), QUERIES), 5.0)  # type: ignore[misc]
            for mode in ("lexical", "semantic", "hybrid")
        ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
