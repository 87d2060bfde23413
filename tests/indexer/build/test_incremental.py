"""Indexing in steps gives the same graph, node for node and edge for edge, as indexing from nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loregraph.config import load_settings
from loregraph.graph import engine_build
from loregraph.graph.columns import GraphColumns
from loregraph.graph.columns_writer import COLUMNS_FILE
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.engine_build import build as build_engine
from loregraph.graph.generation import StoreFolder
from loregraph.graph.lexical import LEXICAL_FILE
from loregraph.graph.model import Edge, Node
from loregraph.graph.state import BLOBS, State
from loregraph.graph.store import GRAPH_FILE, ReadConnection, ensure_graph
from loregraph.graph.vector_index import VECTORS_FILE
from loregraph.indexer.build import state_update
from loregraph.indexer.build import whole as build
from loregraph.indexer.pipeline import IndexReport, index
from loregraph.stamps import RACY_NS

BASE = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "from shop.cart import Cart\nfrom .money import *\n",
    "src/shop/cart.py": (
        "from shop.money import price\nfrom shop import base\n\n\nclass Cart(base.Basket):\n"
        "    def total(self):\n        return price(self.items())\n"
    ),
    "src/shop/base.py": "class Basket:\n    def items(self):\n        return []\n",
    "src/shop/money.py": "def price(x):\n    return helper(x)\n\n\ndef helper(x):\n    return x\n",
    "web/package.json": '{"name": "web", "main": "index.js"}',
    "web/index.js": "import { total } from './total.js';\nexport function show() { return total(1); }\n",
    "web/total.js": "export function total(x) { return x; }\n",
    "api/go.mod": "module acme.com/api\n\ngo 1.22\n",
    "api/main.go": (
        'package main\n\nimport "acme.com/api/price"\n\ntype cart struct{}\n\n'
        "func (c cart) Total() int { return price.Of(c) }\n\nfunc main() { cart{}.Total() }\n"
    ),
    "api/price/price.go": (
        "package price\n\ntype Totaler interface {\n\tTotal() int\n}\n\nfunc Of(t Totaler) int { return t.Total() }\n"
    ),
    "java/src/main/java/com/acme/Cart.java": (
        "package com.acme;\n\nclass Cart extends Basket {\n    int total() { return items() + price.of(1); }\n"
        "    private Price price = new Price();\n}\n"
    ),
    "java/src/main/java/com/acme/Basket.java": (
        "package com.acme;\n\nclass Basket {\n    // how many\n    int items() { return 0; }\n}\n"
    ),
    "java/src/main/java/com/acme/Price.java": (
        "package com.acme;\n\nclass Price {\n    int of(int x) { return x; }\n}\n"
    ),
    "rust/Cargo.toml": '[package]\nname = "till"\nversion = "1.0.0"\n',
    "rust/src/lib.rs": "mod coin;\n\npub struct Till;\n\npub fn run() { coin::Count::count(&Till); }\n",
    "rust/src/coin.rs": (
        "pub trait Count {\n    fn count(&self) {}\n}\n\nimpl Count for crate::Till {\n    fn count(&self) {}\n}\n"
    ),
    "tests/test_cart.py": (
        "from shop import Cart\n\n\ndef test_total():\n    assert Cart().total() == []\n\n\n"
        "def test_req_shop_002_is_kept():\n    pass\n"
    ),
    "docs/requirements.md": (
        "# Requirements\n\n- **REQ-SHOP-001** A cart shall know its total.\n- **REQ-SHOP-002** A price shall be kept.\n"
        "\n| Requirement | Code |\n|---|---|\n| REQ-SHOP-002 | src/shop/money.py::price |\n"
    ),
    "docs/notes.md": "# Notes\n\nWords.\n",
    "src/shop/app.py": (
        "from flask import Flask\nfrom shop.routes import bp\nfrom shop.settings import PREFIX\n\n"
        "app = Flask(__name__)\napp.register_blueprint(bp, url_prefix=PREFIX)\n"
    ),
    "src/shop/settings.py": 'PREFIX = "/api"\n',
    "src/shop/routes.py": (
        "from flask import Blueprint\nfrom shop import views\n\nbp = Blueprint('carts', __name__)\n"
        "bp.add_url_rule('/carts', view_func=views.listed)\n\n\n@bp.route('/carts/<id>')\ndef one(id):\n    return id\n"
    ),
    "src/shop/views.py": "def listed():\n    return []\n",
    "src/shop/client.py": "import requests\n\n\ndef carts():\n    return requests.get('http://localhost/api/carts')\n",
    "protos/till.proto": (
        "package shop;\n\nservice Till {\n  rpc Pay(Coin) returns (Coin) {}\n  rpc Shut(Coin) returns (Coin) {}\n}\n\n"
        "message Coin {}\n"
    ),
    "src/shop/till.py": (
        "import till_pb2_grpc\n\n\nclass TillServer(till_pb2_grpc.TillServicer):\n"
        "    def Pay(self, request, context):\n        return request\n"
    ),
    "src/shop/payer.py": (
        "import grpc\nimport till_pb2_grpc\n\nstub = till_pb2_grpc.TillStub(grpc.insecure_channel('till:1'))\n\n\n"
        "def pay():\n    return stub.Pay(1)\n"
    ),
    "src/shop/messages.py": (
        "from kafka import KafkaConsumer, KafkaProducer\n\nproducer = KafkaProducer()\n\n\n"
        "def follow():\n    return KafkaConsumer('sold')\n"
    ),
    "docs/openapi.yaml": "openapi: 3.0.0\npaths:\n  /api/carts:\n    get: {}\n  /api/tills:\n    get: {}\n",
    "docs/adr/0001-prices.md": "# 1. Prices are numbers\n\n## Status\n\nAccepted\n\nFor REQ-SHOP-002.\n",
    "src/shop/marked.py": (
        "# see ADR 1\n\n\nclass Till:\n    # Implements: REQ-SHOP-001\n    def open(self):\n"
        '        """Opens it (REQ-SHOP-002)."""\n\n    def close(self):\n        return 1  # REQ-SHOP-099\n'
    ),
}

PIECES = (
    "def helper(x):\n    return x + 1\n",
    "def price(x):\n    return x\n",
    "class Basket:\n    def items(self):\n        return self.more()\n\n    def more(self):\n        return [1]\n",
    "from shop.money import price as cost\n\n\ndef run():\n    return cost(2)\n",
    "from shop.cart import Cart\n\n\nclass Big(Cart):\n    def items(self):\n        return super().items()\n",
    "import shop\n\nshop.Cart().total()\n",
    "def broken(:\n",
    "",
    "class Cart:\n    pass\n\n\nclass Cart:\n    def total(self):\n        return (lambda y: y)(1)\n",
    "def use(f=None):\n    return f()\n\n\nuse(use)\n",
    # Functions and instances that travel through other files.
    "from shop.money import price\nfrom shop import hooks\n\nhooks.register(price)\n",
    "from shop.base import Basket\nfrom shop import hooks\n\nhooks.register(Basket().items)\n",
    "HOOKS = []\n\n\ndef register(f):\n    HOOKS.append(f)\n    return f\n\n\ndef fire():\n"
    "    for f in HOOKS:\n        f()\n",
    "from shop import hooks\nfrom shop.cart import Cart\n\n\n@hooks.register\ndef hook(cart: Cart = Cart()):\n"
    "    return cart.total()\n",
    "from shop.base import Basket\n\n\ndef make():\n    return Basket()\n\n\nmake().items()\n",
    "from shop.cart import Cart\n\n\ndef make():\n    return Cart()\n\n\nmake().total()\n",
    "from shop.extra import *\nfrom .deep.inner import *\n\nmake().items()\n",
    "class Basket:\n    pass\n",
    "class Cart:\n    def __init__(self, f):\n        self.f = f\n\n    def total(self):\n"
    "        return self.f(self)\n",
)
ROUTES = (
    'PREFIX = "/v2"\n',
    "def listed():\n    return [1]\n\n\ndef other():\n    return 2\n",
    "class Views:\n    pass\n",
    "from flask import Blueprint\nfrom shop import views\n\nbp = Blueprint('carts', __name__, url_prefix='/own')\n"
    "bp.add_url_rule('/carts', view_func=views.other)\n",
    "from shop.routes import bp\n\n\n@bp.post('/carts')\ndef made():\n    return 1\n",
    "import requests\n\nBASE = 'http://localhost'\n\n\ndef carts():\n"
    "    requests.post(f'{BASE}/api/carts')\n    return requests.get(f'{BASE}/api/carts/1')\n",
    "from flask import Flask\nfrom shop.routes import bp\n\napp = Flask(__name__)\napp.register_blueprint(bp)\n",
    "package shop;\nservice Till {\n  rpc Shut(Coin) returns (Coin) {}\n}\n",
    "import till_pb2_grpc\n\n\nclass Other:\n    def Shut(self, request, context): ...\n\n\n"
    "till_pb2_grpc.add_TillServicer_to_server(Other(), None)\n",
    "import till_pb2_grpc\n\n\ndef pay(channel):\n    return till_pb2_grpc.TillStub(channel).Shut(1)\n",
    "from shop.messages import producer\n\n\ndef sell():\n    producer.send('sold')\n    producer.send('lost')\n",
    "from kafka import KafkaConsumer, KafkaProducer\n\nproducer = {}\nKafkaConsumer('lost')\n",
    "# moved\nopenapi: 3.0.0\npaths:\n\n  /api/carts:\n    get: {}\n  /api/tills:\n    get: {}\n",
    "openapi: 3.0.0\nservers: [{url: /v2}]\npaths:\n  /own/carts: {get: {}, post: {}}\n",
)
PROSE = (
    "# a comment\n",
    "\n\n\n",
    "#: unlike code\n\n# more\n",
    '"""Words."""\n',
    "# Implements: REQ-SHOP-001, REQ-SHOP-002\n",
    "    # REQ-SHOP-002\n",
    '"""Follows ADR 1 and REQ-SHOP-077."""\n',
)
PATHS = (
    "src/shop/__init__.py",
    "src/shop/cart.py",
    "src/shop/base.py",
    "src/shop/money.py",
    "src/shop/extra.py",
    "src/shop/hooks.py",
    "src/shop/deep/__init__.py",
    "src/shop/deep/inner.py",
    "src/shop/marked.py",
    "src/shop/app.py",
    "src/shop/settings.py",
    "src/shop/routes.py",
    "src/shop/views.py",
    "src/shop/client.py",
    "protos/till.proto",
    "src/shop/till.py",
    "src/shop/payer.py",
    "src/shop/messages.py",
    "docs/openapi.yaml",
    "tests/test_cart.py",
    "tests/test_more.py",
)

Edit = Callable[[Path], None]


def write(path: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    return edit


def append(path: str, text: str) -> Edit:
    def edit(root: Path) -> None:
        target = root / path
        if target.exists():
            target.write_text(target.read_text() + "\n" + text)

    return edit


def insert(path: str, line: int, text: str) -> Edit:
    def edit(root: Path) -> None:
        target = root / path
        if target.exists():
            lines = target.read_text().splitlines(keepends=True)
            target.write_text("".join([*lines[:line], text, *lines[line:]]))

    return edit


def remove(path: str) -> Edit:
    def edit(root: Path) -> None:
        (root / path).unlink(missing_ok=True)

    return edit


def move(path: str, other: str) -> Edit:
    def edit(root: Path) -> None:
        source, target = root / path, root / other
        if source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)

    return edit


def touch(path: str) -> Edit:
    def edit(root: Path) -> None:
        if (root / path).exists():
            os.utime(root / path, (1, 1))

    return edit


paths = st.sampled_from(PATHS)
pieces = st.sampled_from((*PIECES, *ROUTES))
PROSE_PATHS = (*PATHS, *(path for path in BASE if path.endswith((".js", ".go", ".java", ".rs"))))
COMMENTS = ("// a comment\n", "/* one\n   of more lines */\n", "\n\n")
comments = st.one_of(
    st.builds(insert, st.sampled_from(PATHS), st.integers(0, 6), st.sampled_from(PROSE)),
    st.builds(insert, st.sampled_from(PROSE_PATHS[len(PATHS) :]), st.integers(0, 5), st.sampled_from(COMMENTS)),
)
REQUIREMENTS = "docs/requirements.md"
DOCUMENTS = (
    insert(REQUIREMENTS, 2, "Some words.\n\n"),
    insert(REQUIREMENTS, 3, "- **REQ-SHOP-003** A cart shall be emptied. `status: planned`\n"),
    write(
        REQUIREMENTS, "# Requirements\n\n- **REQ-SHOP-002** A price is a number.\n- REQ-SHOP-077: It shall be fast.\n"
    ),
    remove(REQUIREMENTS),
    move(REQUIREMENTS, "docs/more/requirements.md"),
    write("docs/srs.md", "# Requirements\n\n## REQ-SHOP-001 Totals\n\nA cart knows its total.\n"),
    move("docs/adr/0001-prices.md", "docs/adr/0002-prices.md"),
    insert("docs/adr/0001-prices.md", 4, "Satisfies: REQ-SHOP-001\n\n"),
    remove("docs/adr/0001-prices.md"),
    write("README.md", "# Shop\n\nSells things.\n"),
)
OTHERS = (
    *DOCUMENTS,
    write("api/main.go", "package main\n\ntype cart struct{}\n\nfunc (c cart) Sum() int { return 1 }\n"),
    write("api/price/price.go", "package price\n\nfunc Of(t Totaler) int { return t.Total() }\n"),
    write("api/price/kinds.go", "package price\n\ntype Totaler interface {\n\tTotal() int\n}\n"),
    write("java/src/main/java/com/acme/Cart.java", "package com.acme;\n\nclass Cart { int total() { return 1; } }\n"),
    write(
        "java/src/main/java/com/acme/Price.java",
        "package com.acme;\n\nclass Price extends Basket {\n    int of(int x) { return items(); }\n}\n",
    ),
    write("rust/src/lib.rs", "mod coin;\n\n\npub struct Till;\n\npub fn run() { Till.count(); }\n"),
    remove("java/src/main/java/com/acme/Basket.java"),
)
edits = st.one_of(
    comments,
    st.sampled_from(OTHERS),
    st.builds(write, paths, pieces),
    st.builds(append, paths, pieces),
    st.builds(remove, paths),
    st.builds(move, paths, paths),
    st.builds(touch, paths),
    st.just(write("pyproject.toml", '[project]\nname = "other"\nversion = "1"\n')),
    st.just(write("web/total.js", "export const total = (x) => inner(x);\nfunction inner(x) { return x; }\n")),
    st.just(remove("web/package.json")),
)
steps = st.lists(st.lists(edits, min_size=1, max_size=3), min_size=1, max_size=4)


AGAIN = """
import sys
from pathlib import Path
from loregraph.config import load_settings
from loregraph.indexer.pipeline import index, preload
root, store = map(Path, sys.argv[1:])
settings = load_settings(root, store=str(store))
preload(index(root, settings).languages)
from loregraph.indexer.extract.file import _query
loaded, queries = set(sys.modules), _query.cache_info().currsize
with (root / "late.py").open("a") as file:
    file.write("def late(early=0):\\n    return late(early)\\n")
assert index(root, settings).files.indexed == 1
print(queries, *sorted(name for name in set(sys.modules) - loaded if name.startswith("loregraph")))
"""
"""Indexes a project again, then again after an edit, in a process that loaded in between what an edit needs."""


def run(root: Path, store: Path, *, embed: bool = False) -> IndexReport:
    return index(root, load_settings(root, store=str(store)), jobs=1, embed=embed)


def graph_in(store: Path) -> tuple[list[Node], list[Edge]]:
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns(lease.path)
        return list(columns.all_nodes()), list(columns.all_edges())


def in_steps(root: Path, store: Path, changes: list[list[Edit]]) -> Iterator[IndexReport]:
    """Indexes, then does each of `changes` and indexes again; the report of each run after a change."""
    run(root, store)
    for change in changes:
        for edit in change:
            edit(root)
        yield run(root, store)


def project_in(folder: Path) -> Path:
    root = folder / "project"
    for path, text in BASE.items():
        write(path, text)(root)
    return root


# Verifies REQ-IDX-013, REQ-NET-005.
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps)
def test_steps_give_the_graph_that_indexing_from_nothing_gives(changes: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch:
        folder = Path(scratch)
        root = project_in(folder)
        for _ in in_steps(root, folder / "steps", changes):
            pass
        run(root, folder / "fresh")
        assert graph_in(folder / "steps") == graph_in(folder / "fresh")


def test_the_base_project_has_the_edges_that_the_edits_play_with(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    _, edges = graph_in(tmp_path / "store")
    calls = {(e.source, e.target) for e in edges if e.rel == "CALLS"}
    assert ("src/shop/cart.py::Cart.total", "src/shop/money.py::price") in calls
    assert ("src/shop/cart.py::Cart.total", "src/shop/base.py::Basket.items") in calls
    assert ("tests/test_cart.py::test_total", "src/shop/cart.py::Cart.total") in calls
    assert ("web/index.js::show", "web/total.js::total") in calls
    joined = {
        (e.rel, e.source, e.target, e.how) for e in edges if e.rel in ("IMPLEMENTS_REQ", "SATISFIES", "FOLLOWS_DESIGN")
    }
    assert joined == {
        ("FOLLOWS_DESIGN", "component:src/shop", "docs/adr/0001-prices.md#prices-are-numbers", "marker"),
        ("IMPLEMENTS_REQ", "src/shop/marked.py::Till.open", "REQ-SHOP-001", "marker"),
        ("IMPLEMENTS_REQ", "src/shop/marked.py::Till.open", "REQ-SHOP-002", "mention"),
        ("IMPLEMENTS_REQ", "src/shop/money.py::price", "REQ-SHOP-002", "declared"),
        ("IMPLEMENTS_REQ", "tests/test_cart.py::test_req_shop_002_is_kept", "REQ-SHOP-002", "marker"),
        ("SATISFIES", "docs/adr/0001-prices.md#prices-are-numbers", "REQ-SHOP-002", "mention"),
    }


# Verifies REQ-IDX-011.
def test_nothing_changed_reads_no_file_and_keeps_the_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path)
    for path in root.rglob("*"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    time.sleep(2 * RACY_NS / 1e9)  # else the time of change, which nobody can set, is too young to be believed
    first = run(root, tmp_path / "store", embed=True)

    def extract_nothing(*_: object, **__: object) -> None:
        raise AssertionError("a file was read")

    monkeypatch.setattr(state_update, "extract_all", extract_nothing)
    again = run(root, tmp_path / "store", embed=True)
    assert (again.files.indexed, again.files.unchanged) == (0, first.files.indexed)
    assert again.generation == first.generation
    assert again.relationships == first.relationships
    assert msgspec.structs.replace(again.files, indexed=0, unchanged=0) == msgspec.structs.replace(
        first.files, indexed=0, unchanged=0
    )


def kept_in(store: Path) -> dict[str, dict[str, bytes]]:
    state = State.open_read_only(store / "state.sqlite")
    assert state is not None
    with closing(state):
        return {kind: dict(state.blobs(kind)) for kind in BLOBS}


def vectors_in(store: Path) -> bytes:
    with StoreFolder(store).lease() as lease:
        return (lease.path / VECTORS_FILE).read_bytes()


# Verifies REQ-IDX-011.
def test_how_many_files_are_written_together_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path)
    requirements = next(path for path, text in BASE.items() if "REQ-SHOP-001" in text and path.endswith(".md"))
    monkeypatch.setattr(state_update, "BATCH_FILES", 1)
    run(root, tmp_path / "store")
    write(requirements, "Nothing is required.\n")(root)
    append("src/shop/money.py", "def more(x):\n    return price(x)\n")(root)
    run(root, tmp_path / "store")
    assert requirements not in kept_in(tmp_path / "store")["requirements"]
    write(requirements, BASE[requirements])(root)
    write("src/shop/money.py", BASE["src/shop/money.py"])(root)
    run(root, tmp_path / "store")
    monkeypatch.undo()
    run(root, tmp_path / "fresh")
    fresh = kept_in(tmp_path / "fresh")
    assert requirements in fresh["requirements"]
    assert kept_in(tmp_path / "store") == fresh


# Verifies REQ-IDX-013.
def test_texts_to_embed_are_made_once_vectors_are_wanted(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    kept = kept_in(tmp_path / "store")
    assert kept["facts"] and not kept["texts"] and not kept["text_hashes"]
    append("src/shop/money.py", "def more(x):\n    return price(x)\n")(root)
    run(root, tmp_path / "store")
    report = run(root, tmp_path / "store", embed=True)
    assert report.files.indexed == len(kept["facts"])
    run(root, tmp_path / "fresh", embed=True)
    assert kept_in(tmp_path / "store") == kept_in(tmp_path / "fresh")
    assert graph_in(tmp_path / "store") == graph_in(tmp_path / "fresh")
    assert vectors_in(tmp_path / "store") == vectors_in(tmp_path / "fresh")


# Verifies REQ-IDX-013.
def test_texts_to_embed_are_kept_where_no_vectors_are_wanted(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store", embed=True)
    assert run(root, tmp_path / "store").files.indexed == 0
    append("src/shop/money.py", "def more(x):\n    return price(x)\n")(root)
    assert run(root, tmp_path / "store").files.indexed == 1
    kept = kept_in(tmp_path / "store")
    assert set(kept["facts"]) - set(kept["texts"]) == {"src/shop/money.py"}, "what was said of the old content"
    assert run(root, tmp_path / "store", embed=True).files.indexed == 1
    run(root, tmp_path / "fresh", embed=True)
    assert vectors_in(tmp_path / "store") == vectors_in(tmp_path / "fresh")


# Verifies REQ-IDX-012.
def test_only_the_changed_file_is_extracted_again(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    first = run(root, tmp_path / "store")
    append("src/shop/money.py", "def more(x):\n    return price(x)\n")(root)
    report = run(root, tmp_path / "store")
    assert report.files.indexed == 1
    assert report.files.unchanged == first.files.indexed - 1


def test_a_change_without_a_new_size_or_time_stamp_is_seen(tmp_path: Path) -> None:
    """Two saves within one tick of the clock: git's racy entries."""
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    target = root / "src/shop/money.py"
    before = target.stat()
    target.write_text(target.read_text().replace("def helper", "def helpor"))
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    run(root, tmp_path / "store")
    nodes, _ = graph_in(tmp_path / "store")
    assert "src/shop/money.py::helpor" in {node.id for node in nodes}


def test_deleted_and_renamed_files_leave_nothing_behind(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    move("src/shop/money.py", "src/shop/coin.py")(root)
    remove("src/shop/base.py")(root)
    report = run(root, tmp_path / "store")
    assert (report.files.indexed, report.files.removed) == (1, 2)
    nodes, edges = graph_in(tmp_path / "store")
    names = {node.id for node in nodes} | {e.source for e in edges} | {e.target for e in edges}
    assert not [name for name in names if "money.py" in name or "base.py" in name]


# Verifies REQ-SRC-007.
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(comments, min_size=1, max_size=2), min_size=1, max_size=3))
def test_edits_of_prose_give_the_very_bytes_that_indexing_from_nothing_gives(changes: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch:
        folder = Path(scratch)
        root = project_in(folder)
        for _ in in_steps(root, folder / "steps", changes):
            pass
        run(root, folder / "fresh")
        for name in (COLUMNS_FILE, CONSTANTS_FILE, LEXICAL_FILE):
            contents = []
            for store in ("steps", "fresh"):
                with StoreFolder(folder / store).lease() as lease:
                    contents.append((lease.path / name).read_bytes())
            assert contents[0] == contents[1]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.one_of(st.sampled_from(DOCUMENTS), comments), min_size=1, max_size=3), max_size=4))
def test_edits_of_requirements_give_the_graph_that_indexing_from_nothing_gives(changes: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch:
        folder = Path(scratch)
        root = project_in(folder)
        for report in in_steps(root, folder / "steps", changes):
            fresh = run(root, folder / "fresh")
            assert report.requirements == fresh.requirements
            assert report.problems == fresh.problems
            assert graph_in(folder / "steps") == graph_in(folder / "fresh")
            shutil.rmtree(folder / "fresh")


def test_what_a_requirement_s_pattern_is_decides_what_is_read_again(tmp_path: Path) -> None:
    root = project_in(tmp_path)
    first = run(root, tmp_path / "store")
    assert first.requirements == 2
    write("loregraph.toml", '[requirements]\npattern = "REQ-SHOP-00[2-9]"\n')(root)
    assert run(root, tmp_path / "store").requirements == 1
    run(root, tmp_path / "fresh")
    assert graph_in(tmp_path / "store") == graph_in(tmp_path / "fresh")


@pytest.mark.parametrize(
    ("path", "line", "text"),
    [
        ("src/shop/marked.py", 0, "# a comment\n\n"),
        ("src/shop/marked.py", 6, "\n"),
        ("docs/notes.md", 1, "More words.\n"),
        ("src/shop/cart.py", 0, "# a comment\n\n"),
        ("src/shop/base.py", 2, '        """What is in it."""\n'),
        ("web/total.js", 0, "// a comment\n"),
        ("api/main.go", 3, "\n// a comment\n"),
        ("java/src/main/java/com/acme/Cart.java", 3, "    /* a comment */\n"),
    ],
)
def test_an_edit_of_prose_resolves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, line: int, text: str
) -> None:
    root = project_in(tmp_path)
    first = run(root, tmp_path / "store", embed=True)
    insert(path, line, text)(root)

    def build_nothing(*_: object) -> None:
        raise AssertionError("the project was resolved")

    with monkeypatch.context() as patched:
        patched.setattr(build, "resolve_files", build_nothing)
        report = run(root, tmp_path / "store", embed=True)
    assert report.generation == first.generation + 1
    assert (report.relationships, report.unresolved) == (first.relationships, first.unresolved)
    run(root, tmp_path / "fresh", embed=True)
    assert graph_in(tmp_path / "store") == graph_in(tmp_path / "fresh")
    with StoreFolder(tmp_path / "store").lease() as ours, StoreFolder(tmp_path / "fresh").lease() as theirs:
        assert (ours.path / VECTORS_FILE).read_bytes() == (theirs.path / VECTORS_FILE).read_bytes()


def test_a_run_killed_before_it_published_leaves_no_edge_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The facts of the killed run are in the state, its graph is not; prose is edited on top of them."""
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    append("rust/src/coin.rs", "pub fn twice(till: &crate::Till) { till.count(); }\n")(root)

    # Of a family that is resolved as a whole.
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(build, "resolve_files", killed)
        with pytest.raises(KeyboardInterrupt):
            run(root, tmp_path / "store")
    insert("rust/src/lib.rs", 0, "// a comment\n")(root)
    run(root, tmp_path / "store")
    run(root, tmp_path / "fresh")
    assert graph_in(tmp_path / "store") == graph_in(tmp_path / "fresh")


def test_after_the_first_index_the_engine_s_file_is_left_to_the_first_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_build, "build", build_engine)
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    with StoreFolder(tmp_path / "store").lease() as lease:
        assert (lease.path / GRAPH_FILE).exists()
    append("src/shop/money.py", "def more(x):\n    return price(x)\n")(root)
    run(root, tmp_path / "store")
    with StoreFolder(tmp_path / "store").lease() as lease:
        assert not (lease.path / GRAPH_FILE).exists()
        assert lease.current.engine
        with ReadConnection(ensure_graph(lease.path, tmp_path)) as connection:
            found = connection.execute("MATCH (f:Function {name: 'more'})-[:CALLS]->(g) RETURN g.name")
    assert found.rows == [["price"]]


def test_after_preloading_an_edit_loads_nothing_more(tmp_path: Path) -> None:
    root, store = tmp_path / "project", tmp_path / "store"
    root.mkdir()
    (root / "late.py").write_text("def early():\n    return 1\n", encoding="utf-8")
    run(root, store, embed=True)
    command = [sys.executable, "-c", AGAIN, str(root), str(store)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1"]
