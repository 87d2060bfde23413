"""Names of methods that a language or its standard library decides, so that nobody needs to use or explain them."""

from __future__ import annotations

from typing import Final

CALLED_BY_LANGUAGE: Final = {
    # `write!`
    "rust": frozenset({"write_fmt", "write_str"}),
    # `foreach`, deconstruction, `await`, `using`, collection initialisers, `fixed`: found by their names alone.
    "csharp": frozenset(
        "GetEnumerator GetAsyncEnumerator MoveNext MoveNextAsync Deconstruct GetAwaiter GetResult Dispose DisposeAsync"
        " Add Slice GetPinnableReference".split()
    ),
    # Serialization looks for them, private as they are.
    "java": frozenset("readObject writeObject readResolve writeReplace readObjectNoData".split()),
    "ruby": frozenset(
        "method_missing respond_to_missing? inherited included extended prepended method_added const_missing"
        " initialize_copy initialize_dup initialize_clone to_s to_str to_ary to_hash to_proc inspect each call coerce"
        " marshal_dump marshal_load".split()
    ),
    "kotlin": frozenset("readObject writeObject readResolve writeReplace".split()),
    "scala": frozenset("unapply unapplySeq apply update readResolve readObject writeObject".split()),
    # Property wrappers, result builders, `@dynamicMemberLookup`.
    "swift": frozenset(
        "callAsFunction dynamicallyCall makeIterator next buildBlock buildOptional buildEither buildArray"
        " buildExpression buildFinalResult buildLimitedAvailability buildPartialBlock appendInterpolation".split()
    ),
    # What `for` over a range and coroutines call.
    "cpp": frozenset(
        "begin end get_return_object initial_suspend final_suspend unhandled_exception return_void return_value"
        " yield_value await_ready await_suspend await_resume await_transform".split()
    ),
    "dart": frozenset({"call", "noSuchMethod", "toJson"}),
}
"""Methods that a language's own syntax or library calls by their names, without an interface that says so."""

FILE_METHODS: Final = frozenset(
    "close detach fileno flush getvalue isatty peek read read1 readable readall readinto readinto1 readline readlines"
    " seek seekable tell truncate writable write writelines".split()
)
CONTAINER_METHODS: Final = frozenset(
    "add append clear copy count discard extend fromkeys get index insert items keys pop popitem remove reverse"
    " setdefault sort update values".split()
)
"""What files and containers of Python answer to."""

INTERFACE_METHODS: Final = frozenset(
    "Error Unwrap Is As String GoString Format Read Write Close Seek Len Less Swap ServeHTTP RoundTrip MarshalJSON"
    " UnmarshalJSON MarshalText UnmarshalText MarshalYAML UnmarshalYAML MarshalBinary UnmarshalBinary Scan"
    " Value".split()
)
"""Methods that interfaces of Go's standard library ask for."""
