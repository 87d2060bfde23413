"""How long callers, callees and impact of a function take in a warm process, on Django.

python benchmarks/callers_latency.py
"""

# Implements REQ-STO-009.

from __future__ import annotations

import sys

from reads import indexed_django, print_times, time_each


def main() -> int:
    with indexed_django() as project:
        called = project.query(
            "MATCH (f:Function)<-[c:CALLS]-() RETURN f.id AS id, count(c) AS n ORDER BY n DESC, id LIMIT 1000"
        )
        symbols = [row["id"] for row in called][::5]
        kept = [
            print_times("callers", time_each(project.callers, symbols), 0.5),
            print_times("callees", time_each(project.callees, symbols), 0.5),
            print_times("impact, 3 deep", time_each(lambda s: project.impact(s, depth=3), symbols), 20.0),
        ]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
