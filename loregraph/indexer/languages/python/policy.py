"""Python's rules of naming and calling, and what its library does with functions it is given."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import (
    CALL_ANY,
    Calls,
    Construction,
    Fixtures,
    ImplicitCalls,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
    grouped,
    words,
)

_FUNCTIONS = (
    "abs aiter all anext any ascii bin breakpoint callable chr compile delattr dir divmod enumerate eval exec filter "
    "format getattr globals hasattr hash help hex id input isinstance issubclass iter len locals map max min next oct "
    "open ord pow print repr reversed round setattr sorted sum vars zip __import__ __build_class__"
).split()
_TYPES = (
    "bool bytearray bytes classmethod complex dict float frozenset int list memoryview object property range set slice "
    "staticmethod str super tuple type"
).split()
_EXCEPTIONS = (
    "ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError "
    "BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError "
    "ConnectionResetError DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup "
    "FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError "
    "ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt "
    "LookupError MemoryError "
    "ModuleNotFoundError NameError NotADirectoryError NotImplementedError OSError OverflowError "
    "PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning "
    "RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit "
    "TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError "
    "UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError"
).split()

BUILTINS: Final = dict.fromkeys((*_FUNCTIONS, *_TYPES, *_EXCEPTIONS), "builtins")

_ARITHMETIC: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
    "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
OPERATORS: Final[dict[str, tuple[str, ...]]] = {
    **{operator: (f"__{name}__",) for operator, name in _ARITHMETIC.items()},
    **{f"{operator}=": (f"__i{name}__", f"__{name}__") for operator, name in _ARITHMETIC.items()},
    "==": ("__eq__",), "!=": ("__ne__", "__eq__"),
    "<": ("__lt__",), "<=": ("__le__",), ">": ("__gt__",), ">=": ("__ge__",),
    "in": ("__contains__", "__iter__"), "not in": ("__contains__", "__iter__"),
    "[]": ("__getitem__",), "[]=": ("__setitem__",), "del []": ("__delitem__",),
}  # fmt: skip

_ITERATING: Final = "list tuple set frozenset sorted sum min max any all enumerate zip dict".split()
PROTOCOLS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys((f"builtins.{name}" for name in _ITERATING), ("__iter__",)),
    "builtins.iter": ("__iter__", "__getitem__"),
    "builtins.len": ("__len__",),
    "builtins.next": ("__next__",),
    "builtins.str": ("__str__", "__repr__"),
    "builtins.repr": ("__repr__",),
    "builtins.format": ("__format__",),
    "builtins.bool": ("__bool__", "__len__"),
    "builtins.int": ("__int__", "__index__"),
    "builtins.float": ("__float__",),
    "builtins.bytes": ("__bytes__",),
    "builtins.hash": ("__hash__",),
    "builtins.abs": ("__abs__",),
    "builtins.reversed": ("__reversed__",),
    "builtins.dir": ("__dir__",),
    "copy.copy": ("__copy__",),
    "copy.deepcopy": ("__deepcopy__",),
}

_KEPT: Final = {"builtins.property": ("fget", "fset", "fdel"), "functools.cached_property": ("func",)}

POLICY: Final = Policy(
    language="python",
    replayed=True,
    summarized=True,
    modules=Modules(style="dotted", private_prefix="_", module_hook="__getattr__"),
    scopes=Scopes(assigns_outward=frozenset(), class_scope_visible=False, hoisted=False, default_externals=BUILTINS),
    members=Members(explicit_receiver=True, class_member="__class__"),
    construction=Construction(
        constructors=("__init__",),
        allocators=("__new__",),
        instantiation=CALL_ANY,
        raise_instantiates=True,
        kept_by_bases=_KEPT,
        record_decorators=frozenset({"dataclass", "define", "frozen", "mutable", "attrs"}),
        record_bases=words("typing.NamedTuple pydantic.BaseModel pydantic.main.BaseModel msgspec.Struct"),
    ),
    calls=Calls(
        defaults_replaced=True,
        receivers_below=True,
        callbacks={
            "builtins.sorted": ("key",),
            "builtins.min": ("key",),
            "builtins.max": ("key",),
            "builtins.filter": (0,),
            "builtins.map": (0, 1),
            "functools.reduce": (0,),
            "itertools.starmap": (0,),
            "itertools.groupby": (1, "key"),
            "threading.Thread": ("target",),
            "multiprocessing.Process": ("target",),
            "asyncio.run": (),
            "atexit.register": (0,),
            "re.sub": (1, "repl"),
            "re.subn": (1, "repl"),
        },
    ),
    implicit=ImplicitCalls(
        call_methods=("__call__",),
        iterator_methods=("__iter__", "__next__"),
        context_methods=("__enter__", "__aenter__", "__exit__", "__aexit__"),
        item_methods={
            "get": "__getitem__",
            "set": "__setitem__",
            "descriptor": "__get__",
            "descriptor set": "__set__",
            "descriptor delete": "__delete__",
        },
        operators=OPERATORS,
        protocols=PROTOCOLS,
        subclass_hook="__init_subclass__",
    ),
    types=Types(
        literal_types={
            **{name: ("builtins", name) for name in ("str", "int", "float", "bool", "bytes")},
            "format": ("builtins", "str"),
            **{
                f"{name}()": ("builtins", name)
                for name in ("list", "dict", "set", "frozenset", "tuple", "object", "type")
            },
        },
        type_wrappers=words(
            "Optional Union Annotated Final ClassVar Required NotRequired ReadOnly Awaitable Coroutine "
            "ContextManager AbstractContextManager AsyncContextManager AbstractAsyncContextManager InitVar Mapped "
            "ReferenceType ref"
        ),
        type_containers=words(
            "List list Set set FrozenSet frozenset Tuple tuple Sequence MutableSequence Iterable Iterator Collection "
            "AbstractSet MutableSet Deque deque Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict "
            "Generator AsyncIterator AsyncIterable AsyncGenerator ContextVar"
        ),
        type_classes=frozenset({"Type", "type"}),
        self_types=frozenset({"Self"}),
    ),
    library=Library(
        models={
            "functools.wraps": "itself",
            "functools.wraps()": "first",
            "functools.update_wrapper": "first",
            "functools.lru_cache": "first",
            "functools.lru_cache()": "first",
            "functools.cache": "first",
            "functools.partial": "partial",
            "functools.partialmethod": "partial",
            "functools.singledispatch": "first",
            "contextlib.contextmanager": "first",
            "contextlib.asynccontextmanager": "first",
            "copy.copy": "first",
            "copy.deepcopy": "first",
            "typing.cast": "cast",
            "builtins.getattr": "getattr",
            "builtins.list": "sequence",
            "builtins.tuple": "sequence",
            "builtins.set": "sequence",
            "builtins.frozenset": "sequence",
            "builtins.sorted": "sequence",
            "builtins.reversed": "sequence",
            "builtins.iter": "iter",
            "builtins.next": "next",
            "builtins.map": "map",
            "builtins.filter": "filter",
            "builtins.enumerate": "enumerate",
            "builtins.zip": "zip",
            "builtins.dict": "mapping",
            "collections.defaultdict": "defaulting",
            "collections.OrderedDict": "mapping",
            "argparse.ArgumentParser": "namespace",
            "builtins.globals": "globals",
            "builtins.type": "type",
            "builtins.classmethod": "first",
            "builtins.staticmethod": "first",
            "importlib.import_module": "import",
            "builtins.property.__init__": "keep",
            "functools.cached_property.__init__": "keep",
            "click.Context.ensure_object": "instance",
            "click.Context.find_object": "instance",
            "builtins.__import__": "import",
        },
        container_methods=grouped(
            append="append appendleft add",
            insert="insert",
            extend="extend",
            update="update",
            setdefault="setdefault",
            item="get pop",
            element="popleft",
            values="values",
            pairs="items",
            same="copy",
            sort="sort",
        ),
        namespace_methods={
            "set_defaults": "update",
            "add_subparsers": "same",
            "add_parser": "same",
            "add_argument_group": "same",
            "add_mutually_exclusive_group": "same",
            "parse_args": "same",
            "parse_intermixed_args": "same",
            "parse_known_args": "wrapped",
        },
        declared_outside=True,
    ),
    fixtures=Fixtures(
        decorators=words("pytest.fixture pytest.yield_fixture pytest_asyncio.fixture"),
        files="conftest.py",
        plugins="pytest_plugins",
        uses="pytest.mark.usefixtures",
        parametrize="pytest.mark.parametrize",
        row="pytest.param",
        marks="pytestmark",
        request="request",
        params="params",
        param="param",
        asked="getfixturevalue",
    ),
)
POLICIES: Final = {"python": POLICY}
