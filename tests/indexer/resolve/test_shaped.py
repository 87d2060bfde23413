"""What passes through functions that are declared outside the project, and what those call."""

from __future__ import annotations

import pytest

from .conftest import Resolve

THINGS = """
    import asyncio, collections, concurrent.futures, contextlib, contextvars, dataclasses, functools, inspect, itertools
    import json, os, pathlib, queue, random, re, signal, subprocess, tempfile, threading, weakref
    class Item:
        def use(self): pass
        def close(self): pass
    class Other:
        def use(self): pass
    def made(x=None): return Item()
    async def later(): return Item()
    def seen(x=None, y=None): pass
    class Own(pathlib.Path):
        def use(self): pass
"""

USES = {
    "an argument comes back": "dataclasses.replace(Item(), x=1).use()",
    "an element of one": "random.choice([Item()]).use()",
    "elements of several": "for x in itertools.chain.from_iterable([[Item()]]): x.use()",
    "a tuple": "[a.use() for a, b in itertools.combinations([Item()], 2)]",
    "what a function gives": "contextlib.ExitStack().callback(seen)\n        asyncio.run(later()).use()",
    "what is awaited": "[x.use() for x in asyncio.run(asyncio.gather(later()))]",
    "the class that inherits it": 'Own("a").resolve().use()',
    "a class's own method": "Own.cwd().use()",
}


@pytest.mark.parametrize("code", USES.values(), ids=USES.keys())
# Verifies REQ-RES-003, REQ-RES-017.
def test_a_value_keeps_its_class(project: Resolve, code: str) -> None:
    found = project({"m.py": f"{THINGS}\n    def main():\n        {code}\n"})
    used = {t.partition("::")[2] for s, t in found.calls() if s == "m.py::main" and t.endswith(".use")}
    assert used in ({"Item.use"}, {"Own.use"})
    assert (used == {"Own.use"}) is ("Own" in code)


KEPT = {
    "a future": "concurrent.futures.ThreadPoolExecutor().submit(made).result().use()",
    "futures as they come": (
        "futures = [concurrent.futures.ThreadPoolExecutor().submit(made)]\n"
        "        for f in concurrent.futures.as_completed(futures): f.result().use()"
    ),
    "a queue": "q = queue.Queue()\n        q.put(Item())\n        q.get().use()",
    "a deque": "d = collections.deque()\n        d.append(Item())\n        d.popleft().use()",
    "a deque that is made of a list": "[x.use() for x in collections.deque([Item()])]",
    "a list of what comes out of one": "for x in list(itertools.chain([Item()])): x.use()",
    "an element of one": "collections.deque([Item()])[0].use()",
    "a weak mapping": "d = weakref.WeakValueDictionary()\n        d['a'] = Item()\n        d['a'].use()",
    "a reference": "weakref.ref(Item())().use()",
    "a context variable": "v = contextvars.ContextVar('v')\n        v.set(Item())\n        v.get().use()",
    "what is closed": "with contextlib.closing(Item()) as x: x.use()",
    "what is entered as it is": "with contextlib.nullcontext(Item()) as x: x.use()",
    "pairs": "[b.use() for a, b in itertools.product([1], [Item()])]",
}


@pytest.mark.parametrize("code", KEPT.values(), ids=KEPT.keys())
# Verifies REQ-RES-003.
def test_what_an_object_of_a_library_keeps(project: Resolve, code: str) -> None:
    found = project({"m.py": f"{THINGS}\n    def main():\n        {code}\n"})
    assert {t for s, t in found.calls() if s == "m.py::main" and t.endswith(".use")} == {"m.py::Item.use"}


# Verifies REQ-RES-003.
def test_objects_of_a_library_are_told_apart(project: Resolve) -> None:
    text = """
    def one():
        q = queue.Queue()
        q.put(Item())
        q.get().use()
        q.task_done()
    def other():
        q = queue.LifoQueue()
        q.put(Other())
        q.get().use()
    def third(f=None):
        f = concurrent.futures.ThreadPoolExecutor().submit(made)
        f.add_done_callback(seen)
    """
    found = project({"m.py": THINGS + text})
    assert {(s[6:], t[6:]) for s, t in found.calls() if t.endswith(".use")} == {
        ("one", "Item.use"),
        ("other", "Other.use"),
    }
    assert ("m.py::third", "m.py::seen") in found.calls()
    outside = {t for s, t in found.pairs("CALLS") if s == "m.py::one"}
    assert {"external:queue.Queue.put", "external:queue.Queue.task_done"} <= outside


CALLED_BACK = {
    "by place": "re.compile('a').sub(seen, 'b')",
    "by name": "json.dumps({}, default=seen)",
    "with the arguments behind it": "threading.Timer(1, seen)",
    "one of several types": "signal.signal(signal.SIGINT, seen)",
    "by a method": "concurrent.futures.ThreadPoolExecutor().submit(seen, 1)",
}


@pytest.mark.parametrize("code", CALLED_BACK.values(), ids=CALLED_BACK.keys())
# Verifies REQ-RES-003.
def test_a_function_is_called_by_what_it_is_given_to(project: Resolve, code: str) -> None:
    found = project({"m.py": f"{THINGS}\n    def main():\n        {code}\n"})
    hows = {e.how for e in found.edges if e.rel == "CALLS" and e.target == "m.py::seen"}
    assert hows == {"callback"}


# Verifies REQ-RES-003.
def test_what_is_handed_on_arrives(project: Resolve) -> None:
    text = """
    def takes(item): item.use()
    def main(): concurrent.futures.ThreadPoolExecutor().submit(takes, Item())
    """
    assert ("m.py::takes", "m.py::Item.use") in project({"m.py": THINGS + text}).calls()


@pytest.mark.parametrize(
    "code",
    [
        "inspect.signature(seen)",
        "property(seen)",
        "functools.wraps(seen)",
        "functools.partial(seen)",
        "print(seen)",
        "repr(seen)",
    ],
)
# Verifies REQ-RES-003.
def test_a_function_that_is_only_looked_at_is_not_called(project: Resolve, code: str) -> None:
    found = project({"m.py": f"{THINGS}\n    def main():\n        {code}\n"})
    assert not [s for s, t in found.calls() if t == "m.py::seen"]


OUTSIDE = {
    "re.match('a', 'b').group()": "re.Match.group",
    "pathlib.Path('a').parent.resolve()": "pathlib.Path.resolve",
    "open('a').read()": "io.TextIOWrapper.read",
    "open('a', 'rb').read()": "io.BufferedReader.read",
    "open('a', mode='wb').write(b'')": "io.BufferedWriter.write",
    "subprocess.run(['a']).check_returncode()": "subprocess.CompletedProcess.check_returncode",
    "[x.stat() for x in os.scandir('a')]": "os.DirEntry.stat",
    "[x.start() for x in re.finditer('a', 'b')]": "re.Match.start",
}


@pytest.mark.parametrize(("code", "symbol"), OUTSIDE.items(), ids=OUTSIDE.keys())
# Verifies REQ-RES-003.
def test_the_class_of_what_a_library_gives(project: Resolve, code: str, symbol: str) -> None:
    found = project({"m.py": f"{THINGS}\n    def main():\n        {code}\n"})
    assert ("m.py::main", f"external:{symbol}") in found.pairs("CALLS")


# Verifies REQ-RES-003.
def test_entering_gives_what_is_declared(project: Resolve) -> None:
    text = """
    def main():
        with tempfile.TemporaryDirectory() as folder: folder.upper()
        with open("a") as file: file.read()
    """
    called = {t for s, t in project({"m.py": THINGS + text}).pairs("CALLS") if s == "m.py::main"}
    assert "external:io.TextIOWrapper.read" in called
    assert "external:tempfile.TemporaryDirectory.upper" not in called


# Verifies REQ-RES-003.
def test_what_only_looks_like_the_standard_library_has_no_shape(project: Resolve) -> None:
    text = """
    import { choice } from "random";
    class Item { use() {} }
    export function main() { choice([new Item()]).use(); }
    """
    assert ("m.js::main", "m.js::Item.use") not in project({"m.js": text}).calls()
    own = {"random.py": "def choice(x): return None", "m.py": "import random\ndef main(): random.choice([1]).use()"}
    assert ("m.py::main", "random.py::choice") in project(own).calls()
