"""Rust's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import (
    CALL_ANY,
    Calls,
    Construction,
    Library,
    Members,
    Modules,
    Policy,
    Scopes,
    Types,
    grouped,
    words,
)

_PRELUDE = (
    "AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err ExactSizeIterator Extend Fn FnMut "
    "FnOnce From FromIterator Hash Into IntoIterator Iterator None Ok Option Ord PartialEq PartialOrd Result Send "
    "Sized Some String Sync ToOwned ToString TryFrom TryInto Unpin Vec bool char drop f32 f64 i128 i16 i32 i64 i8 "
    "isize slice str u128 u16 u32 u64 u8 usize assert assert_eq assert_ne cfg column compile_error concat dbg "
    "debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format format_args include "
    "include_bytes include_str line matches module_path option_env panic print println stringify thread_local "
    "todo unimplemented unreachable vec write writeln"
).split()

POLICY: Final = Policy(
    language="rust",
    modules=Modules(style="path"),
    scopes=Scopes(default_externals=dict.fromkeys(_PRELUDE, "std")),
    members=Members(literal_members=True),
    construction=Construction(instantiation=CALL_ANY),
    calls=Calls(
        dispatch_self=True,
        passing_methods=words(
            "unwrap expect unwrap_or unwrap_or_default unwrap_or_else clone cloned as_ref as_mut as_deref borrow "
            "borrow_mut lock read write to_owned into ok ok_or ok_or_else map_err take iter into_inner deref"
        ),
        handed=grouped(result="map and_then map_or map_or_else is_some_and then", receiver="filter inspect"),
    ),
    types=Types(
        static_types=True,
        type_parameters_followed=True,
        type_wrappers=words(
            "Option Box Rc Arc Result RefCell Cell Mutex RwLock MutexGuard Ref RefMut Cow Pin Weak impl dyn LazyLock "
            "OnceCell OnceLock"
        ),
        type_containers=words("Vec VecDeque HashMap HashSet BTreeMap BTreeSet [] Iterator IntoIterator"),
        self_types=frozenset({"Self"}),
    ),
    library=Library(
        container_methods=grouped(
            append="push",
            insert="insert",
            element="get get_mut first last pop next",
            same="iter iter_mut into_iter clone collect",
            filter="filter",
            each="for_each",
            map="map",
            find="find",
            values="values",
        )
    ),
)
POLICIES: Final = {"rust": POLICY}
