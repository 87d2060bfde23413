"""Functions of a module that run where something is imported from it."""

from __future__ import annotations

from .conftest import Resolve

HOOK = "def __getattr__(name): return len(name)\nknown = 1\n"


# Verifies REQ-RES-003.
def test_an_import_from_a_module_asks_it_for_its_path(project: Resolve) -> None:
    found = project(
        {
            "app/__init__.py": "",
            "app/old.py": HOOK,
            "app/plain.py": "known = 1\nclass C:\n    def __getattr__(self, name): pass\n",
            "app/use.py": "from .old import known\nfrom .plain import C\n",
            "app/whole.py": "import app.old\nfrom . import old\n",
            "app/later.py": "def load():\n    from app.old import gone\n",
            "app/typed.py": "import typing as t\nif t.TYPE_CHECKING:\n    from .old import known\n",
        }
    )
    assert found.calls() == {
        ("app/use.py", "app/old.py::__getattr__"),
        ("app/later.py::load", "app/old.py::__getattr__"),
    }
    assert found.how("app/use.py", "app/old.py::__getattr__") == "import"


def test_a_package_is_asked_for_what_it_does_not_have(project: Resolve) -> None:
    found = project(
        {
            "app/__init__.py": HOOK,
            "app/part.py": "",
            "has.py": "from app import known\nfrom app import part\n",
            "misses.py": "from app import gone\n",
        }
    )
    assert found.calls() == {("misses.py", "app/__init__.py::__getattr__")}
