"""Python: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, HASH, PYTHON_PREFIX, SINGLE, TRIPLE_DOUBLE, TRIPLE_SINGLE, Tokens

TESTS: Final = Tests(files=("test_*", "*_test", "*_tests", "tests", "conftest"), prefixes=("test",))
FILE_METHODS: Final = frozenset(
    "close detach fileno flush getvalue isatty peek read read1 readable readall readinto readinto1 readline readlines"
    " seek seekable tell truncate writable write writelines".split()
)
CONTAINER_METHODS: Final = frozenset(
    "add append clear copy count discard extend fromkeys get index insert items keys pop popitem remove reverse"
    " setdefault sort update values".split()
)
LANGUAGES: Final = (
    Language(
        "python",
        "python",
        (".py", ".pyi", ".pyw"),
        scip="Python",
        filenames=("SConstruct", "SConscript"),
        shebangs=("python", "python2", "python3", "pypy", "pypy3"),
        layout="python",
        tests=TESTS,
        runners="python",
        lexer="python",
        tokens=Tokens(
            "False None True and as assert async await break class continue def del elif else except finally for from "
            "global if import in is lambda nonlocal not or pass raise return self try while with yield",
            comments=(HASH,),
            strings=tuple(PYTHON_PREFIX + text for text in (TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE)),
            docstrings=True,
            body=":",
        ),
        loads_files_in_turn=True,
        builtin_package="builtins",
        documentation=Documentation(
            conventions=("sphinx", "google", "numpy_docs"),
            marks=(),
            docstrings=True,
            stands_in=True,
            private_module=r"(?:^|/)_(?!_)[^/]*+(?:/|$)",
            package_file="__init__.py",
            protocols=(FILE_METHODS, CONTAINER_METHODS),
        ),
        conditions=Conditions(imports_under=True),
        signatures=Signatures(
            names_arguments=True,
            counts_arguments=True,
            unchecked=True,
            decorators_replace=True,
            rest_documented=True,
            receiver_first=True,
        ),
        unused=Unused(permitted=r"#\s*+noqa\s*+:.*\bV\d++", duck_typed=True),
        packaging=(
            Packaging("pyproject.toml", "python-project", 2, yields=True, manager="pypi"),
            Packaging("setup.py", "python-project", 3, yields=True, manager="pypi"),
        ),
        packaging_settings=("setup.cfg", "requirements*.txt"),
        confidences={"callback": 0.8},
    ),
)
