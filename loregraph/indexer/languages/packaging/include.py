"""What `#include` and its like read, without a compiler's command line: relative to the file, then below folders that
are commonly searched, then the one file whose path ends so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging.layout import Files
from loregraph.indexer.languages.packaging.reader import ancestors, folder_of, join, shared_depth

_SEARCHED: Final = ("include", "src", "inc", "lib", "source")
C_STANDARD: Final = frozenset(
    {
        "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale",
        "math", "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbit", "stdbool", "stdckdint",
        "stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string", "tgmath", "threads", "time", "uchar",
        "wchar", "wctype",
    }
)  # fmt: skip
_POSIX: Final = frozenset(
    {
        "aio", "cpio", "dirent", "dlfcn", "fcntl", "fmtmsg", "fnmatch", "ftw", "glob", "grp", "iconv",
        "langinfo", "libgen", "mqueue", "ndbm", "netdb", "nl_types", "poll", "pthread", "pwd", "regex", "sched",
        "search", "semaphore", "spawn", "strings", "syslog", "tar", "termios", "trace", "ulimit", "unistd",
        "utime", "utmpx", "wordexp", "malloc", "memory", "alloca", "getopt",
    }
)  # fmt: skip
_POSIX_FOLDERS: Final = frozenset({"sys", "arpa", "net", "netinet"})


class Includes:
    """Which file of a project an include means, in any language."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._files = Files(paths)
        self._found: dict[tuple[str, str], str | None] = {}

    def file(self, importing_path: str, text: str) -> str | None:
        """The file that an include means; None for one outside the project, or an ambiguous one."""
        key = (folder_of(importing_path), text)
        if key not in self._found:
            self._found[key] = self._search(*key)
        return self._found[key]

    def _search(self, folder: str, text: str) -> str | None:
        is_angled = text.startswith("<")
        name = text.strip().strip('<>"').replace("\\", "/")
        if not name or name.startswith("/"):
            return None
        if not is_angled:
            found = join(folder, name)
            if found is not None and self._files.has(found):
                return found
        if is_angled and _is_standard(name):
            return None
        for around in ancestors(folder):
            for inner in (*_SEARCHED, ""):
                found = join(around, f"{inner}/{name}")
                if found is not None and self._files.has(found):
                    return found
        return self._by_suffix(folder, name)

    def _by_suffix(self, folder: str, name: str) -> str | None:
        """The only file whose path has this ending; of several, the one nearer than all others."""
        parts = [part for part in name.split("/") if part not in ("", ".", "..")]
        if not parts:
            return None
        found = self._files.ending("/".join(parts))
        if len(found) > 1:
            depths = [shared_depth(path, f"{folder}/") for path in found]
            nearest = max(depths)
            found = [path for path, depth in zip(found, depths, strict=True) if depth == nearest]
        return found[0] if len(found) == 1 else None


def external_package(text: str) -> str:
    """`std` for C++'s own headers, `libc` for C's and POSIX's, else the first folder or the header's name."""
    name = text.strip().strip('<>"').replace("\\", "/")
    first, slash, _ = name.partition("/")
    stem = first.removesuffix(".h")
    if slash:
        return "libc" if first in _POSIX_FOLDERS else "std" if first == "experimental" else first
    if first.endswith(".h") and (stem in C_STANDARD or stem in _POSIX):
        return "libc"
    if "." not in first:
        return "std"
    return stem.rpartition(".")[0] or stem


def _is_standard(name: str) -> bool:
    return external_package(name) in ("std", "libc")
