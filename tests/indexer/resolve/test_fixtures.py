"""What a test framework passes to tests: fixtures by their names, and values that decorators list."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from .conftest import Project, Resolve

APP = "class App:\n    def run(self): pass\nclass Other:\n    def run(self): pass\ndef f(): pass\ndef g(): pass\n"


def _fixtures(found: Project) -> set[tuple[str, str]]:
    """(test or fixture, fixture) of references to fixtures."""
    return {(e.source, e.target) for e in found.edges if e.rel == "REFERENCES" and e.how == "fixture"}


def _short(pairs: set[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(source.rpartition("::")[2], target) for source, target in pairs}


# Verifies REQ-RES-018.
def test_a_test_and_a_fixture_refer_to_the_fixtures_that_they_name(project: Resolve) -> None:
    found = project(
        {
            "tests/conftest.py": """\
                import pytest

                @pytest.fixture
                def app(): return 1

                @pytest.fixture()
                def client(app): return 2

                @pytest.fixture
                def other(): return 3
            """,
            "tests/api/conftest.py": "from pytest import fixture as made\n@made\ndef client(client): return client\n",
            "tests/api/test_api.py": "def test_get(client, tmp_path, absent): pass\ndef helper(other): pass\n",
            "tests/test_app.py": "def test_run(app, client, other=None): pass\n",
        }
    )
    assert _fixtures(found) == {
        ("tests/conftest.py::client", "tests/conftest.py::app"),
        ("tests/api/conftest.py::client", "tests/conftest.py::client"),
        ("tests/api/test_api.py::test_get", "tests/api/conftest.py::client"),
        ("tests/test_app.py::test_run", "tests/conftest.py::app"),
        ("tests/test_app.py::test_run", "tests/conftest.py::client"),
    }


# Verifies REQ-RES-018.
def test_fixtures_of_classes_and_their_bases_come_first(project: Resolve) -> None:
    found = project(
        {
            "tests/base.py": "import pytest\nclass Base:\n    @pytest.fixture\n    def client(self): return 1\n",
            "tests/test_a.py": """\
                import pytest
                from .base import Base

                @pytest.fixture
                def client(): return 2

                class TestA(Base):
                    def test_a(self, client): pass

                class TestB:
                    @pytest.fixture
                    def client(self, client): return client

                    def test_b(self, client): pass

                def test_c(client): pass
            """,
        }
    )
    assert _short(_fixtures(found)) == {
        ("TestA.test_a", "tests/base.py::Base.client"),
        ("TestB.client", "tests/test_a.py::client"),
        ("TestB.test_b", "tests/test_a.py::TestB.client"),
        ("test_c", "tests/test_a.py::client"),
    }


# Verifies REQ-RES-018.
@pytest.mark.parametrize(
    ("shared", "others"),
    [
        ("from .made import app", {"tests/made.py": "import pytest\n@pytest.fixture\ndef app(): return 1\n"}),
        ("from .made import _app as app", {"tests/made.py": "import pytest\n@pytest.fixture\ndef _app(): return 1\n"}),
        ("from .made import *", {"tests/made.py": "import pytest\n@pytest.fixture\ndef app(): return 1\n"}),
        (
            "from .made import *",
            {
                "tests/made.py": "from .real import app\n",
                "tests/real.py": "import pytest\n@pytest.fixture\ndef app(): return 1\n",
            },
        ),
        (
            "pytest_plugins = ['tests.made']",
            {"tests/made.py": "import pytest\n@pytest.fixture(name='app')\ndef app_(): return 1\n"},
        ),
        ("import pytest_asyncio\n@pytest_asyncio.fixture\nasync def app(): return 1", {}),
        ("import pytest\nshared = pytest.fixture\n@shared\ndef app(): return 1", {}),
    ],
)
def test_fixtures_are_found_where_another_module_has_them(
    project: Resolve, shared: str, others: Mapping[str, str]
) -> None:
    found = project(
        {
            "tests/__init__.py": "",
            "tests/conftest.py": f"{shared}\n",
            "tests/test_app.py": "def test_run(app): pass\n",
            **others,
        }
    )
    assert len({target for source, target in _fixtures(found) if source == "tests/test_app.py::test_run"}) == 1


# Verifies REQ-RES-018.
def test_fixtures_that_decorators_or_requests_name_are_referred_to(project: Resolve) -> None:
    found = project(
        {
            "conftest.py": "import pytest\n"
            + "".join(f"@pytest.fixture\ndef {name}(): pass\n" for name in ("one", "two", "three", "four", "five")),
            "test_a.py": """\
                import pytest

                pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one")]

                @pytest.mark.usefixtures("two", "three")
                class TestA:
                    @pytest.mark.usefixtures("four")
                    def test_a(self): pass
                    def helper(self): pass

                def test_b(request): request.getfixturevalue("five")
            """,
        }
    )
    assert _short(_fixtures(found)) == {
        ("TestA.test_a", "conftest.py::one"), ("TestA.test_a", "conftest.py::two"),
        ("TestA.test_a", "conftest.py::three"), ("TestA.test_a", "conftest.py::four"),
        ("test_b", "conftest.py::one"), ("test_b", "conftest.py::five"),
    }  # fmt: skip


# Verifies REQ-RES-018.
def test_a_parameter_with_listed_values_takes_no_fixture(project: Resolve) -> None:
    found = project(
        {
            "test_a.py": """\
                import pytest

                @pytest.fixture
                def app(request): return 1

                @pytest.mark.parametrize("app", [1, 2])
                def test_direct(app): pass

                @pytest.mark.parametrize("app", [1, 2], indirect=True)
                def test_through(app): pass

                @pytest.mark.parametrize("app, n", [(1, 2)], indirect=["app"])
                def test_one_through(app, n): pass
            """
        }
    )
    assert _short(_fixtures(found)) == {
        ("test_through", "test_a.py::app"), ("test_one_through", "test_a.py::app"),
    }  # fmt: skip


# Verifies REQ-RES-019.
@pytest.mark.parametrize(
    ("test", "called"),
    [
        ("@pytest.mark.parametrize('x', [App, Other])\ndef test(x): x().run()", "App App.run Other Other.run"),
        ("@pytest.mark.parametrize('x', ALL)\ndef test(x): x()", "App Other"),
        ("@pytest.mark.parametrize('x', tests.MORE)\ndef test(x): x()", "f g"),
        ("@pytest.mark.parametrize('x', MORE + [App])\ndef test(x): x()", "f g App"),
        ("@pytest.mark.parametrize('x', [*MORE, App])\ndef test(x): x()", "f g App"),
        ("@pytest.mark.parametrize('x, y', [(f, 1), (1, g)])\ndef test(x, y): x()", "f"),
        ("@pytest.mark.parametrize(['x', 'y'], [(f, 1), (1, g)])\ndef test(x, y): y()", "g"),
        ("@pytest.mark.parametrize(('x', 'y'), PAIRS)\ndef test(x, y): y()", "g"),
        ("@pytest.mark.parametrize(('x',), [(f,)])\ndef test(x): x()", "f"),
        ("@pytest.mark.parametrize('x', [pytest.param(f, id='f'), g])\ndef test(x): x()", "f g"),
        ("@pytest.mark.parametrize('x,y', ROWS)\ndef test(x, y): y()", "g"),
        ("@pytest.mark.parametrize(argnames='x', argvalues=[f])\ndef test(x): x()", "f"),
        ("@pytest.mark.parametrize('x', [f])\n@pytest.mark.parametrize('y', [g])\ndef test(x, y): x(y())", "f g"),
        ("@pytest.mark.parametrize('x', [f])\nclass TestA:\n    def test(self, x): x()", "f"),
        ("each = pytest.mark.parametrize('x', [f])\n@each\ndef test(x): x()", "f"),
        ("pytestmark = pytest.mark.parametrize('x', [f])\ndef test(x): x()", "f"),
        ("@pytest.fixture(params=[App, pytest.param(Other)])\ndef x(request): return request.param()\n"
         "def test(x): x.run()", "App Other App.run Other.run"),
        ("@pytest.mark.parametrize('x', [f])\ndef helper(x): x()", ""),
        ("@other.parametrize('x', [f])\ndef test(x): x()", ""),
        ("@pytest.mark.parametrize('y', [f])\ndef test(x): x()", ""),
    ],
)  # fmt: skip
def test_listed_values_reach_the_parameters_of_tests(project: Resolve, test: str, called: str) -> None:
    head = """\
        import pytest
        import other
        import tests
        from app import App, Other, f, g
        from tests import MORE
        ALL = [App]
        ALL.append(Other)
        PAIRS = [(f, g)]
        ROWS = [pytest.param(f, g)]
    """
    found = project(
        {
            "app.py": APP,
            "tests/__init__.py": "from app import f, g\nMORE = [f, g]\n",
            "tests/test_a.py": f"{dedent(head)}{test}\n",
        }
    )
    reached = {target for source, target in found.calls() if source.startswith("tests/test_a.py::")}
    assert reached == {f"app.py::{name}" for name in called.split()}


# Verifies REQ-RES-019.
def test_of_a_long_table_only_so_many_rows_are_read(project: Resolve) -> None:
    rows = ", ".join(["1"] * 1000)
    found = project(
        {
            "app.py": APP,
            "test_a.py": "import pytest\nfrom app import f, g\n"
            f"@pytest.mark.parametrize('x', [f, {rows}, g])\ndef test(x): x()\n",
        }
    )
    assert found.calls() == {("test_a.py::test", "app.py::f")}
