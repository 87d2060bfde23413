"""Endpoints of applications, compared with what their files literally say, and with lists that were read.

    python benchmarks/endpoints.py /tmp/repos/mealie [--truth FILE] [--rows]

For each folder: how many HANDLES and REQUESTS edges were found, by `how`; and the share of literal declarations and
requests that have one. A declaration is a line that a framework's pattern matches (`@router.get("/x")`), which is
written down here a second time, without any look at what the receiver is: its share found is the recall of literal
routes, where the patterns are right for the project. `--truth` names a file of lines `HANDLES METHOD /path` and
`REQUESTS METHOD /path file`, whoever made it (Flask's `app.url_map`, Django's `show_urls`, FastAPI's document, or a
person): recall against it, and precision for the kinds of lines that it has. `--rows` prints all edges for reading.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import loregraph
from loregraph.graph.endpoint_paths import matches, normalised

VERBS = "get|post|put|delete|patch"
SKIPPED = re.compile(
    r"(?:^|/)(?:node_modules|dist|vendor|\.git|tests?|spec|__tests__|e2e)/|[._](?:test|spec)\.|/test_|_test\."
)
DECLARED = {
    r"\.py$": rf"@\w*(?:router|app|bp|blueprint|api)\w*\.({VERBS})\(\s*f?[\"']([^\"']*)",
    r"\.(?:js|ts)$": rf"\b(?:app|router|this\.router)\.({VERBS})\(\s*['\"`](/[^'\"`]*)['\"`]\s*,",
    r"\.go$": r"\.(GET|POST|PUT|DELETE|PATCH)\(\s*\"([^\"]*)\"\s*,",
    r"\.rs$": rf"#\[({VERBS})\(\"([^\"]*)",
    r"\.java$": r"@(Get|Post|Put|Delete|Patch)Mapping\((?:(?:value|path)\s*=\s*)?\{?\"([^\"]*)",
    r"\.cs$": r"(?:\[Http|\.Map)(Get|Post|Put|Delete|Patch)\(\s*\"([^\"]*)",
}
REQUESTED = {
    r"\.py$": rf"\b(?:requests|httpx|session|client)\.({VERBS})\(\s*f?[\"']([^\"']*/[^\"']*)",
    r"\.(?:js|ts|vue|svelte)$": (
        rf"(?:axios|\$axios|\$api|api|Api|\$http|http)\.\$?({VERBS})(?:<[^(]*>)?\(\s*['\"`]([^'\"`]*/[^'\"`]*)"
    ),
    r"\.cs$": r"[cC]lient\.(Get|Post|Put|Delete|Patch)\w*Async(?:<[^(]*>)?\(\s*\$?\"([^\"]*/[^\"]*)",
    r"\.go$": r"\bhttp\.(Get|Post)\(\s*\"([^\"]*/[^\"]*)",
}
Said = tuple[str, str, str, int]
"""Method, path, file (of an edge: the id of its source), line."""


def literal(root: Path, patterns: dict[str, str]) -> Iterator[Said]:
    """What the lines of the files below `root` say."""
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if SKIPPED.search(name) or not path.is_file():
            continue
        for ending, pattern in patterns.items():
            if re.search(ending, name):
                text = path.read_text(encoding="utf-8", errors="replace")
                for found in re.finditer(pattern, text, re.MULTILINE):
                    line = text.count("\n", 0, found.start()) + 1
                    yield found[1].upper(), found[2].split("?", 1)[0], name, line


def found(root: Path, store: Path) -> dict[str, list[tuple[Said, str]]]:
    """Relationship → ((method, path, file), how) of its edges."""
    with loregraph.open(root, store=store) as project:
        project.index(embed=False, full=True)
        edges: dict[str, list[tuple[Said, str]]] = {"HANDLES": [], "REQUESTS": []}
        for rel, rows in edges.items():
            statement = (
                f"MATCH (f)-[r:{rel}]->(e:Endpoint) "
                "RETURN e.method AS method, e.path AS path, f.id AS id, r.line AS line, r.how AS how "
                "ORDER BY method, path, id"
            )
            for method, path, identity, line, how in project.query(statement, limit=200_000).rows:
                rows.append(((str(method), str(path), str(identity), int(str(line))), str(how)))
        return edges


def has(said: Said, rows: list[tuple[Said, str]], *, in_file: bool) -> bool:
    """Whether an edge says the same: the method, and a path that ends alike, or the line; `in_file`: of that file."""
    method, path, file, line = said
    tail = normalised(re.sub(r"^(?:https?://[^/]*)", "", path.replace("${", "{")))
    for (own, whole, identity, at), _ in rows:
        is_there = identity.split("::")[0] == file
        if own not in (method, "ANY") or (in_file and not is_there):
            continue
        if is_there and (abs(at - line) <= 2 or tail == "/"):
            return True
        if tail != "/" and (normalised(whole).endswith(tail) or matches(tail, whole)):
            return True
    return False


def share(wanted: list[Said], rows: list[tuple[Said, str]], label: str, *, in_file: bool, missing: bool) -> None:
    lost = [said for said in wanted if not has(said, rows, in_file=in_file)]
    kept = len(wanted) - len(lost)
    print(f"  {label}: {kept} of {len(wanted)}" + (f" ({kept / len(wanted):.3f})" if wanted else ""))
    for said in lost if missing else ():
        print("    not found:", *said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--truth", type=Path, help="a list of what there is, for one folder")
    parser.add_argument("--rows", action="store_true", help="print all edges")
    parser.add_argument("--missing", action="store_true", help="print what was not found")
    options = parser.parse_args()
    for root in options.folders:
        with tempfile.TemporaryDirectory() as store:
            edges = found(root.resolve(), Path(store))
        print(root.name)
        for rel, rows in edges.items():
            print(f"  {rel} {len(rows)}:", dict(sorted(Counter(how for _, how in rows).items())))
            for said, how in rows if options.rows else ():
                print("   ", *said, how)
        share(list(literal(root, DECLARED)), edges["HANDLES"], "literal routes", in_file=False, missing=options.missing)
        share(list(literal(root, REQUESTED)), edges["REQUESTS"], "literal requests", in_file=True,
              missing=options.missing)  # fmt: skip
        if options.truth is not None:
            compare(options.truth, edges, missing=options.missing)
    return 0


def compare(truth: Path, edges: dict[str, list[tuple[Said, str]]], *, missing: bool) -> None:
    """Recall and precision against a list."""
    lines = [line.split() for line in truth.read_text(encoding="utf-8").splitlines() if line.strip()]
    for rel, rows in edges.items():
        wanted = [(line[1], line[2], line[3] if len(line) > 3 else "", 0) for line in lines if line[0] == rel]
        if not wanted:
            continue
        share(wanted, rows, f"{rel} of the list", in_file=any(said[2] for said in wanted), missing=missing)
        listed = {(method, normalised(path)) for method, path, _, _ in wanted}
        ours = {(method, normalised(path)) for (method, path, _, _), _ in rows}
        right = sum((m, p) in listed or ("ANY", p) in listed or m == "ANY" for m, p in ours)
        print(f"  {rel} precision: {right} of {len(ours)}")


if __name__ == "__main__":
    sys.exit(main())
