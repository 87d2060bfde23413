"""Go's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Construction, Members, Modules, Policy, Scopes, Types

_BUILTINS = (
    "append cap clear close complex copy delete imag len make max min new panic print println real recover any "
    "bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string uint "
    "uint16 uint32 uint64 uint8 uintptr"
).split()

_INTERFACES: Final = {
    "builtin.any": {},
    "builtin.comparable": {},
    "builtin.error": {"Error": 0},
    "fmt.Stringer": {"String": 0},
    "io.Reader": {"Read": 1},
    "io.Writer": {"Write": 1},
    "io.Closer": {"Close": 0},
    "io.Seeker": {"Seek": 2},
    "io.ReaderAt": {"ReadAt": 2},
    "io.WriterAt": {"WriteAt": 2},
    "io.ReaderFrom": {"ReadFrom": 1},
    "io.WriterTo": {"WriteTo": 1},
    "io.StringWriter": {"WriteString": 1},
    "io.ByteReader": {"ReadByte": 0},
    "io.ByteWriter": {"WriteByte": 1},
    "io.ReadWriter": {"Read": 1, "Write": 1},
    "io.ReadCloser": {"Read": 1, "Close": 0},
    "io.WriteCloser": {"Write": 1, "Close": 0},
    "io.ReadWriteCloser": {"Read": 1, "Write": 1, "Close": 0},
    "io.ReadSeeker": {"Read": 1, "Seek": 2},
    "io.WriteSeeker": {"Write": 1, "Seek": 2},
    "io.ReadWriteSeeker": {"Read": 1, "Write": 1, "Seek": 2},
    "io.ReadSeekCloser": {"Read": 1, "Seek": 2, "Close": 0},
    "sort.Interface": {"Len": 0, "Less": 2, "Swap": 2},
    "sync.Locker": {"Lock": 0, "Unlock": 0},
    "context.Context": {"Deadline": 0, "Done": 0, "Err": 0, "Value": 1},
    "net/http.Handler": {"ServeHTTP": 2},
    "net/http.ResponseWriter": {"Header": 0, "Write": 1, "WriteHeader": 1},
    "net/http.Flusher": {"Flush": 0},
    "net/http.Hijacker": {"Hijack": 0},
    "net/http.Pusher": {"Push": 2},
    "net/http.CloseNotifier": {"CloseNotify": 0},
    "net/http.RoundTripper": {"RoundTrip": 1},
    "encoding.TextMarshaler": {"MarshalText": 0},
    "encoding.TextUnmarshaler": {"UnmarshalText": 1},
    "encoding/json.Marshaler": {"MarshalJSON": 0},
    "encoding/json.Unmarshaler": {"UnmarshalJSON": 1},
}
"""Interfaces of the standard library that others embed."""

_ALIASES: Final = {
    "uint8": "byte",
    "int32": "rune",
    "os.FileInfo": "io/fs.FileInfo",
    "os.FileMode": "io/fs.FileMode",
    "os.DirEntry": "io/fs.DirEntry",
    "os.PathError": "io/fs.PathError",
    "golang.org/x/net/context.Context": "context.Context",
}

POLICY: Final = Policy(
    language="go",
    replayed=True,
    modules=Modules(style="folder", files_apart="_test.go", package_scope=True),
    scopes=Scopes(default_externals=dict.fromkeys(_BUILTINS, "builtin")),
    members=Members(
        structural=True,
        outside_interfaces=_INTERFACES,
        outside_aliases=_ALIASES,
        embedding=True,
        literal_members=True,
        lexical_receiver=frozenset({"lambda", "function"}),
    ),
    construction=Construction(conversion=True),
    types=Types(static_types=True, type_parameters_followed=True, type_containers=frozenset({"[]", "map", "chan"})),
)
POLICIES: Final = {"go": POLICY}
