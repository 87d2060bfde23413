"""What the wrapper adds to calls of a memory server's tools: namespaces, attribution, and reports of damaged lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from loregraph.bridges.naming import NAMES_IN, READERS, Naming, Path, places, renamed
from loregraph.bridges.team_file import Stored, TeamFile
from loregraph.bridges.team_meta import TeamMeta
from loregraph.errors import UnsafePathError
from loregraph.terminal import tell

CREATE: Final = "create_entities"
ADD: Final = "add_observations"

MAX_TOOLS: Final = 1_000
"""Maximum tools remembered per server. Any other is assumed to write, and its arguments pass unchanged."""

Arguments = dict[str, Any]


class _Tool(NamedTuple):
    """What is known of a tool: the places of entity names, and whether it declares itself read-only."""

    places: tuple[Path, ...]
    reads: bool | None


class TeamMemory:
    """The rules of one wrapped server. Thread-safe; writers hold the lock of `file`.

    `author` is the writer as `Name <e-mail>`, `name` is shown in attributions; `client` is the host's name.
    """

    def __init__(
        self,
        file: TeamFile,
        naming: Naming,
        *,
        author: str,
        name: str,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.file, self.naming = file, naming
        self.meta = TeamMeta(file.path)
        self.author = author
        self.name = " ".join(name.replace("]", ")").split())
        self.client = ""
        self._clock = clock
        self._tools: dict[str, _Tool] = {}

    # the server's tools

    def learn(self, tools: Any) -> None:
        """Registers the tools of an answer to tools/list."""
        for tool in tools if isinstance(tools, list) else ():
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and (name in self._tools or len(self._tools) < MAX_TOOLS):
                annotations = tool.get("annotations")
                said = annotations.get("readOnlyHint") if isinstance(annotations, dict) else None
                self._tools[name] = _Tool(
                    places(name, tool.get("inputSchema")), said if isinstance(said, bool) else None
                )

    def knows(self, tool: str) -> bool:
        """Whether the tool is known; otherwise the server's tools have to be listed first."""
        return tool in NAMES_IN or tool in self._tools

    def forget(self) -> None:
        self._tools.clear()

    def writes(self, tool: str) -> bool:
        """Whether a tool may change the file: every one that does not declare itself read-only."""
        said = self._tools[tool].reads if tool in self._tools else None
        return not said if said is not None else tool not in READERS

    # on the way in

    def translated(self, tool: str, arguments: Arguments) -> Arguments:
        """The arguments for the server: the same object where nothing is changed."""
        where = self._tools[tool].places if tool in self._tools else places(tool, None)
        if not where:
            return arguments
        stored = _Late(self.file)

        def new(name: str, entity: Mapping[str, Any]) -> str:
            kind = entity.get("entityType")
            return self.naming.new(name, kind if isinstance(kind, str) else "")

        def known(name: str, _: Mapping[str, Any]) -> str:
            return self.naming.known(name, stored)

        found: Any = arguments
        for path in where:
            found = renamed(found, path, new if tool == CREATE else known)
        if tool == CREATE:
            found = self._attributed(found, "entities", "observations", lambda entity, items: True)
        elif tool == ADD:

            def adds(row: Mapping[str, Any], items: list[Any]) -> bool:
                have = stored.observations(row.get("entityName"))
                return any(isinstance(item, str) and item not in have for item in items)

            found = self._attributed(found, "observations", "contents", adds)
        return arguments if found == arguments else found

    def _attributed(
        self, arguments: Any, rows: str, texts: str, wanted: Callable[[Mapping[str, Any], list[Any]], bool]
    ) -> Any:
        """`arguments` with the attribution after each row's texts. Other shapes are left for the server to refuse."""
        if not isinstance(arguments.get(rows), list):
            return arguments
        stamp = f"[Created by {self.name} at {self._now()}]"
        return {
            **arguments,
            rows: [
                {**row, texts: [*row[texts], stamp]}
                if isinstance(row, dict) and isinstance(row.get(texts), list) and wanted(row, row[texts])
                else row
                for row in arguments[rows]
            ],
        }

    def _now(self) -> str:
        # To the millisecond: the server drops observations that an entity already has, and so a second attribution.
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    # on the way out

    def note(self, tool: str, arguments: Arguments, result: Mapping[str, Any]) -> None:
        """Records the author in the side file, after the server has written. Never fails: errors are only logged."""
        from filelock import Timeout

        if result.get("isError"):
            return
        answer = result.get("structuredContent")
        body = answer if isinstance(answer, dict) else {}
        created: list[str] = []
        changed: list[str] = []
        deleted: list[str] = []
        if tool == CREATE:
            created = list(_texts(body.get("entities", arguments.get("entities")), "name"))
        elif tool == ADD:
            rows = body.get("results", arguments.get("observations"))
            changed = list(_texts(rows, "entityName", unless_empty="addedObservations"))
        elif tool == "delete_observations":
            changed = [name for name in _texts(arguments.get("deletions"), "entityName") if name in self.file.stored()]
        elif tool == "delete_entities":
            deleted = [name for name in arguments.get("entityNames") or () if isinstance(name, str)]
        by = {"author": self.author, "at": self._now(), "client": self.client}
        try:
            self.meta.record(created=created, changed=changed, deleted=deleted, by=by)
        except (OSError, Timeout, UnsafePathError) as error:
            warn(f"{self.meta.path} was not written: {error}")

    def fault(self) -> str:
        """Why the server cannot read its file, "" if it can."""
        found = self.file.fault()
        return str(found) if found is not None else ""


class _Late:
    """The stored file, read on first use: most calls need no look-up of names."""

    def __init__(self, file: TeamFile) -> None:
        self._file = file
        self._stored: Stored | None = None

    def _read(self) -> Stored:
        if self._stored is None:
            self._stored = self._file.stored()
        return self._stored

    def __contains__(self, name: object) -> bool:
        return name in self._read()

    def observations(self, name: Any) -> frozenset[str]:
        return self._read().observations(name) if isinstance(name, str) else frozenset()


def _texts(rows: Any, key: str, *, unless_empty: str = "") -> Iterator[str]:
    for row in rows if isinstance(rows, list) else ():
        if (
            isinstance(row, dict)
            and isinstance(row.get(key), str)
            and (not unless_empty or row.get(unless_empty, True))
        ):
            yield row[key]


def warn(text: str) -> None:
    """Writes a line to the host's log of this server."""
    tell(f"loregraph wrap: {text}")


def explained(result: dict[str, Any], fault: str) -> dict[str, Any]:
    """A tool's failed answer with the file's damage added."""
    content = result.get("content")
    note = {"type": "text", "text": f"loregraph wrap: the memory file is damaged. {fault}"}
    return {**result, "content": [*(content if isinstance(content, list) else ()), note]}


def encoded(value: Any) -> bytes:
    """JSON that any reader accepts, halves of surrogate pairs included."""
    return json.dumps(value, separators=(",", ":")).encode()
