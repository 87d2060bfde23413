"""The files of real tools in `fixtures/runs`, and what is needed to read them."""

from __future__ import annotations

from pathlib import Path

from loregraph.indexer.bodies import Body, bodies
from loregraph.runs import formats, placing
from loregraph.runs.mapping import FileBodies
from loregraph.runs.record import Covered, Fact, Source

RUNS = Path(__file__).parents[2] / "fixtures" / "runs"
LANGUAGES = {".py": "python", ".js": "javascript", ".java": "java", ".go": "go", ".c": "c"}


def sources(folder: str) -> dict[str, str]:
    """Path → text of the sources of a project of the fixtures."""
    root = RUNS / folder
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.suffix in LANGUAGES
    }


def bodies_of(path: str, text: str) -> tuple[Body, ...]:
    return bodies(path, text.encode(), LANGUAGES[Path(path).suffix])


def facts(file: str) -> list[Fact]:
    """The records of a file, its paths as they are written."""
    texts = sources(file.partition("/")[0])
    return list(formats.read(RUNS / file, text_of=lambda name: texts.get(name.removeprefix("/app/"))))


def ran(file: str) -> tuple[dict[str, set[str]], set[str]]:
    """(test → names of the functions that ran in it, names of all that were measured) of a file of the fixtures."""
    texts = sources(file.partition("/")[0])
    found = facts(file)
    source = found[0]
    assert isinstance(source, Source)
    covered = [one for one in found if isinstance(one, Covered)]
    files = placing.place((one.paths for one in covered), texts).files
    tests: dict[str, set[str]] = {}
    measured: set[str] = set()
    for one in covered:
        path = files.get(one.paths[0])
        if path is None:
            continue
        own = bodies_of(path, texts[path])
        result = FileBodies(own, texts[path], headers_run=source.headers_run).ran(one)
        assert result is not None
        tests.setdefault(one.test, set()).update(own[place].qualname for place in result.executed)
        measured |= {own[place].qualname for place in result.measured}
    return tests, measured
