"""Runs when a process that a recorded test has started begins: see `loregraph.recording.session`.

Python imports the first `sitecustomize` that it finds, so this one imports the next.
"""

# ruff: noqa: PTH100, PTH120 - pathlib would cost every process that a test starts

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

_HERE = os.path.dirname(os.path.abspath(__file__))


def _next() -> None:
    spec = PathFinder.find_spec("sitecustomize", [one for one in sys.path if os.path.abspath(one or ".") != _HERE])
    if spec is not None and spec.loader is not None:
        module = sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(module)


_next()
if sys.version_info >= (3, 11) and os.environ.get("LOREGRAPH_RECORDING"):
    try:
        from loregraph.recording.session import begin_as_child
    except ImportError:
        pass  # another environment: what it runs is not seen
    else:
        begin_as_child()
