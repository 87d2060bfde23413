"""Settings: merges the configuration files of project and user, the environment and the caller's options.

Sources, later ones take precedence: built-in defaults, `config.toml` in the user's configuration folder, the project's
`loregraph.toml` or `[tool.loregraph]` of its pyproject.toml, environment variables `LOREGRAPH_*`, options. An unknown
key is refused with the nearest known one.

A project's own file comes with the repository, from an untrusted author. It applies to everything within the
repository; settings that reach further (`reach.py`) are ignored until the user has trusted them (`trust.py`).
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

import msgspec

from loregraph import embedder_kinds
from loregraph.errors import ConfigError, UsageError
from loregraph.reach import USERS_ALONE, Reaching, reaching, without

STORE_FOLDER: Final = ".loregraph"
PROJECT_FILE: Final = "loregraph.toml"
ENVIRONMENT_PREFIX: Final = "LOREGRAPH_"
NOT_SETTINGS: Final = frozenset(
    {
        "LOREGRAPH_BOLT_PASSWORD",
        "LOREGRAPH_BOLT_USER",
        "LOREGRAPH_HOME",
        "LOREGRAPH_CACHE_DIR",
        "LOREGRAPH_ENGINE",
        "LOREGRAPH_TOKEN",
        "LOREGRAPH_ROOT",
        "LOREGRAPH_DEBUG",
        "LOREGRAPH_RECORDING",
        "LOREGRAPH_TRUST",
    }
)
"""Environment variables with our prefix that other modules read; they are no keys of `Settings`."""


LEAST_SIMILARITY: Final = 0.3
"""Minimum threshold for copies: any two functions have more than that in common."""


_DEFAULT_PATTERN: Final = r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-\d+"


class RequirementSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where requirements are defined. `pattern` is a regular expression of an id; `id_from` is "pattern" or "file"."""

    sources: tuple[str, ...] = ()
    id_from: str = "pattern"
    pattern: str = _DEFAULT_PATTERN
    roles: dict[str, Literal["requirement", "design", "test"]] = {}
    """A pattern of documents, or `id:` and a prefix of ids → the role of their items; the last match decides."""
    results: tuple[str, ...] = ()
    """Patterns of the JUnit XML files with test results, relative to the root."""


class RunSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `loregraph runs import` reads where no file is named: patterns of files, relative to the root."""

    sources: tuple[str, ...] = ()


class QuerySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits of a user's Cypher: milliseconds and rows."""

    timeout_ms: int = 10_000
    limit: int = 1_000


class ServeSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`watch`: whether `loregraph serve` keeps the graph up to date; `events`: whether the file system reports changes,
    else files are compared before an answer. An answer waits up to `wait_ms` for changed files to be indexed."""

    watch: bool = True
    events: bool = True
    wait_ms: int = 300


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The shared server that MCP's graph_query asks: its address ("" for none) and its database. Never a repository's
    to say: user and password are sent there."""

    url: str = ""
    database: str = ""


class WrapSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which entities `loregraph wrap` stores for all projects: by type, or by a pattern of their name."""

    org_types: tuple[str, ...] = ()
    org_names: tuple[str, ...] = ()


class ContractSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Forbidden dependencies. Parts of the code are paths, patterns of paths, qualified names or `external:package`.

    `kind` "layers": `layers` from the highest to the lowest, each a part or several separated by ` | `, which may not
    reach each other either; nothing reaches upwards. "forbidden": nothing in `sources` reaches `targets`.
    "independent": none of `sources` reaches another. `ignore` are imports `"importer -> imported"` that do not count.
    With `direct` only imports between the parts themselves count, not chains through other code; with `calls` calls
    count as imports do.
    """

    name: str
    kind: Literal["layers", "forbidden", "independent"]
    layers: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    direct: bool = False
    calls: bool = False
    types: bool = True
    """Whether imports that only a type checker sees count."""


class CheckSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`loregraph check`: rules to enable and disable, severities by rule, patterns of excluded paths."""

    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    severity: dict[str, Literal["error", "warning", "note"]] = {}
    contracts: tuple[ContractSettings, ...] = ()


class DuplicateSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What counts as a copy (see `loregraph duplicates --help`), and patterns, as in .gitignore, of excluded files.

    The patterns come after those of generated and vendored code; a leading `!` includes files again.
    """

    threshold: float = 0.585
    min_tokens: int = 20
    exclude: tuple[str, ...] = ()


class ViewSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`loregraph view`: which editor its links open. Editors are named, not addressed: an address could start any
    program."""

    editor: Literal[
        "vscode",
        "vscode-insiders",
        "vscodium",
        "cursor",
        "windsurf",
        "zed",
        "idea",
        "pycharm",
        "webstorm",
        "phpstorm",
        "goland",
        "clion",
        "rider",
        "rubymine",
        "sublime",
        "none",
    ] = "vscode"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings of a project. `include` and `exclude` are patterns as in .gitignore; `include` empty means all."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """Languages to index; empty means every supported one. Names as in `indexer.languages.registry`."""
    jobs: int = 0
    """Worker processes; 0 means one per usable core."""
    max_file_bytes: int = 1_500_000
    generated: bool = False
    """Whether generated, minified and vendored files are treated as any other: see docs/cli.md."""
    stubs: tuple[str, ...] = ()
    """Folders of stubs and typed packages, absolute or relative to the root, with the declarations of libraries."""
    embedder: str = "static"
    """A kind of `embedder_kinds.KINDS`, with a colon and a name where the kind takes one."""
    cache: bool = True
    """Whether graphs of other worktrees and clones are reused, and this one's kept for them: see docs/cache.md."""
    cache_max_bytes: int = 1 << 30
    """Bytes that the user's cache may take for all projects."""
    store: str = ""
    """Folder of the store, absolute or relative to the root; "" means `.loregraph` at the root."""
    project_id: str = ""
    """Name of the project in memories; "" means derived from the origin remote or the folder."""
    memory_dir: str = ""
    """Folder of the project's journal within the repository; "" means the user's data folder."""
    memory_backend: str = "journal"
    """The backend of memories: "journal", or "hippocampai" (see docs/memory.md)."""
    requirements: RequirementSettings = RequirementSettings()
    runs: RunSettings = RunSettings()
    query: QuerySettings = QuerySettings()
    check: CheckSettings = CheckSettings()
    duplicates: DuplicateSettings = DuplicateSettings()
    wrap: WrapSettings = WrapSettings()
    serve: ServeSettings = ServeSettings()
    server: ServerSettings = ServerSettings()
    view: ViewSettings = ViewSettings()


class ProjectSettings(Settings, frozen=True, kw_only=True):
    """The resulting settings, and which of them come from the repository.

    `ignored` are those of the repository that reach beyond it and were not trusted; `origin` is the file with them.
    `from_repository` are the keys whose value is the repository's, not the user's.
    """

    ignored: tuple[Reaching, ...] = ()
    origin: str = ""
    from_repository: frozenset[str] = frozenset()
    trusted: frozenset[str] = frozenset()
    """Keys of the repository that reach beyond it and that the user has trusted."""

    def may_leave(self, key: str) -> bool:
        """Whether the value of `key` may lead out of the repository: it comes from the user, or the user has trusted
        it."""
        return key not in self.from_repository or key in self.trusted

    @property
    def remarks(self) -> tuple[str, ...]:
        """A line for each ignored setting."""
        return tuple(
            f"{self.origin}: {one.key} = {one.value} is ignored: {one.why}"
            + ("" if one.key in USERS_ALONE else "; `loregraph trust` allows it")
            for one in self.ignored
        )


SECTIONS: Final[dict[str, type[msgspec.Struct]]] = {
    "requirements": RequirementSettings,
    "runs": RunSettings,
    "query": QuerySettings,
    "check": CheckSettings,
    "duplicates": DuplicateSettings,
    "wrap": WrapSettings,
    "serve": ServeSettings,
    "server": ServerSettings,
    "view": ViewSettings,
}
"""Key → the struct of a key that is a table of its own."""

_BACKENDS: Final = ("journal", "hippocampai")
_TRUTHS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}
"""How a switch is written in the environment."""
_ID_FROM: Final = ("pattern", "file")
_PROJECT_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")


# Implements REQ-CLI-013, REQ-SEC-002.
def load_settings(root: Path, **options: Any) -> ProjectSettings:
    """The settings of the project at `root`.

    `options` are keys of `Settings`; those of a section are joined by an underscore (`query_limit=5`). An option that
    is None counts as not given. Raises ConfigError for an invalid file, variable or option.
    """
    merged: dict[str, Any] = {}
    user = user_config_path()
    if user.is_file():
        _merge(merged, _checked(_read_toml(user), str(user)))
    table, origin = repository_settings(root)
    asked = reaching(root, table)
    if asked:
        _verified(table)  # invalid values are errors even where they are ignored
    ignored = untrusted(root, asked)
    allowed = without(table, (one.key for one in ignored))
    _merge(merged, allowed)
    named = set(_keys(allowed))
    for above in (_from_environment(os.environ), _from_options(options)):
        _merge(merged, above)
        named.difference_update(_keys(above))
    verified = _verified(merged)
    values = {field: getattr(verified, field) for field in Settings.__struct_fields__}
    return ProjectSettings(
        **values,
        ignored=ignored,
        origin=origin,
        from_repository=frozenset(named),
        trusted=frozenset(one.key for one in asked) - {one.key for one in ignored},
    )


def repository_settings(root: Path) -> tuple[dict[str, Any], str]:
    """The repository's own file with known keys and valid values, and the name of the file.

    Raises ConfigError for an invalid one.
    """
    project = _project_table(root)
    if project is None:
        return {}, ""
    table, origin = project
    return _checked(table, origin), origin


def untrusted(root: Path, asked: tuple[Reaching, ...]) -> tuple[Reaching, ...]:
    """The settings among these that reach further and were not trusted."""
    if not asked:
        return ()
    from loregraph import trust  # most repositories request nothing

    never = tuple(one for one in asked if one.key in USERS_ALONE)
    if trust.trusts_everything():
        return never
    known = trust.trusted_settings(root)
    return tuple(one for one in asked if known.get(one.key) != one.value or one in never)


def user_config_path() -> Path:
    """`config.toml` in the platform's configuration folder (`~/.config/loregraph/` on Linux)."""
    import platformdirs

    return platformdirs.user_config_path("loregraph", appauthor=False) / "config.toml"


# Implements REQ-IDX-002, REQ-CLI-006.
def find_root(start: Path) -> Path:
    """The project around `start`: the nearest folder that has a store or is a git root, else `start` itself.

    A store above the nearest git root belongs to another checkout: that of the repository around a worktree or a
    submodule. `GIT_DIR` is ignored: while a hook runs, it is about that hook's repository. Raises UsageError where
    `start` does not exist or is not a folder.
    """
    try:
        folder = start.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        # RuntimeError: a loop of links, before Python 3.13. ValueError: a NUL in the path.
        raise UsageError(f"{start} does not exist", "name an existing folder") from error
    if not folder.is_dir():
        raise UsageError(f"{start} is a file, not a folder", f"name the folder it is in: {folder.parent}")
    for candidate in (folder, *folder.parents):
        # `.git` is a file in worktrees and submodules, a folder elsewhere.
        if (candidate / STORE_FOLDER).is_dir() or (candidate / ".git").exists():
            return candidate
    return folder


# Implements REQ-STO-001.
def store_path(root: Path, settings: Settings) -> Path:
    """Absolute path of the project's store; it need not exist."""
    if not settings.store:
        return root.resolve() / STORE_FOLDER
    path = Path(os.path.normpath(root.resolve() / Path(settings.store).expanduser()))
    if isinstance(settings, ProjectSettings) and "store" not in settings.from_repository:
        return path.resolve()  # chosen by the user, who may have moved it by a link
    return path


def _project_table(root: Path) -> tuple[dict[str, Any], str] | None:
    """The project's own settings as written, and the name for messages."""
    own = root / PROJECT_FILE
    if own.is_file():
        return _read_toml(own), PROJECT_FILE
    shared = root / "pyproject.toml"
    if not shared.is_file():
        return None
    try:
        tool = _read_toml(shared).get("tool")
    except ConfigError:
        # Not our file: it may be a template or a broken fixture, without anything readable about loregraph.
        if b"tool.loregraph" in shared.read_bytes():
            raise
        return None
    if not isinstance(tool, dict) or "loregraph" not in tool:
        return None
    table = tool["loregraph"]
    origin = "[tool.loregraph] in pyproject.toml"
    if not isinstance(table, dict):
        raise ConfigError(f"{origin} is not a table")
    return table, origin


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", "make it readable or remove it") from error
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise ConfigError(f"{path} is not valid TOML: {error}", "correct the file") from error


def _checked(table: dict[str, Any], origin: str) -> dict[str, Any]:
    """`table` with known keys, `-` read as `_`, and every value of its type; errors name `origin`."""
    checked: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        section = SECTIONS.get(name)
        if section is not None and isinstance(value, dict):
            fields = {inner.replace("-", "_"): item for inner, item in value.items()}
            for inner in fields:
                _refuse_unknown(f"{name}.{inner}", [f"{name}.{field}" for field in section.__struct_fields__], origin)
            checked[name] = _without_dashes(fields, section, name, origin)
        else:
            _refuse_unknown(name, Settings.__struct_fields__, origin)
            checked[name] = value
    try:
        msgspec.convert(checked, Settings)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{origin}: {_readable(error)}", "correct the value") from error
    return checked


def _without_dashes(fields: dict[str, Any], section: type[msgspec.Struct], name: str, origin: str) -> dict[str, Any]:
    """`fields` of a section with the tables in its lists (`[[check.contracts]]`) checked as the section itself is."""
    checked = dict(fields)
    for field in msgspec.structs.fields(section):
        inner = get_args(field.type)[0] if get_origin(field.type) is tuple else None
        rows = fields.get(field.name)
        if not (isinstance(inner, type) and issubclass(inner, msgspec.Struct) and isinstance(rows, list | tuple)):
            continue
        known = [f"{name}.{field.name}.{key}" for key in inner.__struct_fields__]
        tables = []
        for row in rows:
            table = {key.replace("-", "_"): value for key, value in row.items()} if isinstance(row, dict) else row
            for key in table if isinstance(table, dict) else ():
                _refuse_unknown(f"{name}.{field.name}.{key}", known, origin)
            tables.append(table)
        checked[field.name] = tables
    return checked


def _readable(error: msgspec.ValidationError) -> str:
    """msgspec's "Expected `int`, got `str` - at `$.jobs`" with the key first."""
    text, _, path = str(error).partition(" - at `$.")
    return f"{path.rstrip('`')}: {text}" if path else text


def _refuse_unknown(key: str, known: Iterable[str], origin: str) -> None:
    known = tuple(known)
    if key in known:
        return
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
    raise ConfigError(f"{origin}: unknown key {key}", hint)


def _keys(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a table, those of sections with a dot."""
    for key, value in table.items():
        if key in SECTIONS:
            yield from (f"{key}.{inner}" for inner in value)
        else:
            yield key


def _flat_keys() -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """(flat name, path, type) of every key: ("query_limit", ("query", "limit"), int)."""
    for field in msgspec.structs.fields(Settings):
        section = SECTIONS.get(field.name)
        if section is None:
            yield field.name, (field.name,), field.type
        else:
            for inner in msgspec.structs.fields(section):
                yield f"{field.name}_{inner.name}", (field.name, inner.name), inner.type


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    keys = {flat: (path, kind) for flat, path, kind in _flat_keys()}
    table: dict[str, Any] = {}
    for variable in sorted(environment):
        if not variable.startswith(ENVIRONMENT_PREFIX) or variable in NOT_SETTINGS:
            continue
        flat = variable.removeprefix(ENVIRONMENT_PREFIX).lower()
        if flat not in keys:
            known = [f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in keys]
            _refuse_unknown(variable, known, "the environment")
        path, kind = keys[flat]
        _put(table, path, _parsed(environment[variable], kind, variable))
    return _checked(table, "the environment")


def _parsed(text: str, kind: Any, variable: str) -> Any:
    if kind is int:
        try:
            return int(text)
        except ValueError:
            raise ConfigError(f"the environment: {variable}={text!r} is not a whole number") from None
    if kind is float:
        try:
            return float(text)
        except ValueError:
            raise ConfigError(f"the environment: {variable}={text!r} is not a number") from None
    if kind is bool:
        known = _TRUTHS.get(text.strip().lower())
        if known is None:
            raise ConfigError(f"the environment: {variable}={text!r} is neither true nor false", "use true or false")
        return known
    if get_origin(kind) is tuple and get_args(kind)[0] is str:
        return tuple(item.strip() for item in text.split(",") if item.strip())
    return text


def _from_options(options: Mapping[str, Any]) -> dict[str, Any]:
    keys = {flat: path for flat, path, _ in _flat_keys()}
    table: dict[str, Any] = {}
    for name, value in options.items():
        if value is None:
            continue
        if name not in keys:
            _refuse_unknown(name, keys, "options")
        _put(table, keys[name], tuple(value) if isinstance(value, list) else value)
    return _checked(table, "options")


def _put(table: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        table = table.setdefault(key, {})
    table[path[-1]] = value


def _merge(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            below[key] = {**below[key], **value}
        else:
            below[key] = value


def _check_pattern(pattern: str) -> None:
    from loregraph import patterns  # its own regular expressions take a millisecond to compile

    try:
        patterns.check(pattern)
    except patterns.PatternError as error:
        raise ConfigError(
            f"requirements.pattern is not a regular expression that can be used: {error}",
            "correct it; backslashes double in TOML",
        ) from error


def _verified(table: dict[str, Any]) -> Settings:
    """Checks settings beyond their types."""
    settings: Settings = msgspec.convert(table, Settings)
    if embedder_kinds.kind_of(settings.embedder) is None:
        raise ConfigError(f"unknown embedder {settings.embedder!r}", f"use {embedder_kinds.choices()}")
    for key, value, least in (
        ("jobs", settings.jobs, 0),
        ("max_file_bytes", settings.max_file_bytes, 1),
        ("cache_max_bytes", settings.cache_max_bytes, 0),
        ("query.timeout_ms", settings.query.timeout_ms, 1),
        ("query.limit", settings.query.limit, 1),
        ("duplicates.min_tokens", settings.duplicates.min_tokens, 4),
        ("serve.wait_ms", settings.serve.wait_ms, 0),
    ):
        if value < least:
            raise ConfigError(f"{key} = {value} is too small", f"use {least} or more")
    if not LEAST_SIMILARITY <= settings.duplicates.threshold <= 1:
        raise ConfigError(
            f"duplicates.threshold = {settings.duplicates.threshold} is no similarity that copies have",
            f"use a number from {LEAST_SIMILARITY} to 1",
        )
    if settings.memory_backend not in _BACKENDS:
        raise ConfigError(f"unknown memory_backend {settings.memory_backend!r}", f"use {' or '.join(_BACKENDS)}")
    if settings.requirements.id_from not in _ID_FROM:
        raise ConfigError(f"requirements.id_from = {settings.requirements.id_from!r}", 'use "pattern" or "file"')
    if settings.requirements.pattern != _DEFAULT_PATTERN:
        _check_pattern(settings.requirements.pattern)
    if settings.project_id and not _PROJECT_ID.fullmatch(settings.project_id):
        raise ConfigError(
            f"project_id = {settings.project_id!r} is refused",
            "start with a letter; lower case letters, digits, _ and -, at most 63",
        )
    return settings
