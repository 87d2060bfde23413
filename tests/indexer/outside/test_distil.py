"""The table of the standard library is what the pinned stubs say."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec
import pytest
import typeshed_client

from loregraph.indexer.outside.distil import kept, source
from loregraph.indexer.outside.shapes import STANDARD_LIBRARY, standard_library
from loregraph.indexer.outside.stubs import Stubs

TYPESHED = Path(typeshed_client.__file__).parent / "typeshed"


@pytest.mark.parametrize("module", ["concurrent.futures._base", "re", "contextlib"])
# Verifies REQ-RES-003.
def test_the_table_is_made_of_the_pinned_stubs(module: str) -> None:
    lines = resources.files("loregraph.indexer.outside").joinpath(STANDARD_LIBRARY).read_text().splitlines()
    table = Stubs(lambda name: source(TYPESHED, name)).table(module)
    assert table is not None
    assert f"{module} {msgspec.json.encode(kept(module, table), order='sorted').decode()}" in lines


KNOWN = {
    "re.match": "re.Match",
    "os.environ.copy": ["M", ""],
    "pathlib.Path.parent.resolve": ["S"],
    "io.TextIOWrapper.__enter__": ["S"],
    "queue.LifoQueue.get": ["T", "_T"],
    "logging.getLogger": "logging.Logger",
    "concurrent.futures.ThreadPoolExecutor.submit": ["G", "concurrent.futures.Future", [["T", "_T"]]],
}


@pytest.mark.parametrize(("path", "given"), KNOWN.items(), ids=KNOWN.keys())
# Verifies REQ-RES-003.
def test_what_functions_of_the_standard_library_give(path: str, given: object) -> None:
    shape = standard_library().find(path)
    assert shape is not None
    assert shape.signatures[0][3] == given


# Verifies REQ-RES-003.
def test_what_is_not_of_the_standard_library_is_not_known() -> None:
    assert standard_library().find("requests.get") is None
    assert standard_library().find("re") is None
