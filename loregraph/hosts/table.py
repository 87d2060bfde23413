"""The hosts that `loregraph install` knows, one row each: to add one, add a row here and its golden files.

A row says where the host looks for servers, for the project and for the user, and what an entry looks like there. Both
are taken from what its makers publish, named in `source`; a host is not listed where that was not seen. Every row has
`loregraph serve` started in the project's folder, or with `--root` where the host does not promise that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from loregraph.errors import UsageError, unknown_name
from loregraph.hosts.edits import NAME
from loregraph.hosts.parts import JsonEntry, Part, TomlTable, YamlEntry

Shape = Callable[[str, list[str]], Mapping[str, Any]]
"""(command, arguments) → a host's entry for them."""
Folder = Callable[[], Path]

WORKSPACE: Final = ("--root", "${workspaceFolder}")
"""Arguments for hosts that put the open folder's path there."""


@dataclass(frozen=True)
class Place:
    """A file of a host: `names` are the forms it may have, the first of which is made; below `folder`, or the project.

    `root` is what `loregraph` needs before `serve` to find the project: nothing, `WORKSPACE`, or "--root", after which
    the project's own path is written.
    """

    names: tuple[str, ...]
    folder: Folder | None = None
    root: tuple[str, ...] = ()


@dataclass(frozen=True)
class Host:
    """A program that starts MCP servers. A place that is None does not exist; `note` tells what is special."""

    name: str
    title: str
    source: str
    key: tuple[str, ...]
    """The path of the entries in its file."""
    project: Place | None
    user: Place | None
    shape: Shape
    user_shape: Shape | None = None
    newer: tuple[tuple[str, ...], Shape] | None = None
    """The path and shape of a later version, where a file already has that path."""
    form: type[JsonEntry] | type[TomlTable] | type[YamlEntry] = JsonEntry
    programs: tuple[str, ...] = ()
    """Commands whose presence shows that it is installed."""
    signs: tuple[Folder, ...] = ()
    """Folders of a user that show it."""
    instructions: Place | None = None
    user_instructions: Place | None = None
    skill: Place | None = None
    user_skill: Place | None = None
    hook: Place | None = None
    user_hook: Place | None = None
    note: str = ""

    def server(self, user: bool, command: str, args: list[str]) -> Part:
        """The entry that starts loregraph."""
        shape = self.user_shape if user and self.user_shape is not None else self.shape
        path = (*self.key, NAME)
        value = shape(command, args)
        if self.form is YamlEntry:
            return YamlEntry((path[0], path[1]), value)
        if self.form is TomlTable:
            return TomlTable(path, value)
        newer = None if self.newer is None else JsonEntry((*self.newer[0], NAME), self.newer[1](command, args))
        return JsonEntry(path, value, newer)


def home(*parts: str) -> Folder:
    return lambda: Path.home().joinpath(*parts)


def named_by(variable: str, *otherwise: str) -> Folder:
    """The folder that an environment variable names, else one below the home folder."""

    def folder() -> Path:
        given = os.environ.get(variable)
        return Path(given) if given and Path(given).is_absolute() else Path.home().joinpath(*otherwise)

    return folder


def config(name: str, *, mac: tuple[str, ...] = (), windows: str = "") -> Folder:
    """A host's folder for a user's configuration: that of the XDG specification, but where it has others."""

    def folder() -> Path:
        if sys.platform == "win32" and windows:
            return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / windows
        if sys.platform == "darwin" and mac:
            return Path.home().joinpath(*mac)
        return named_by("XDG_CONFIG_HOME", ".config")() / name

    return folder


def plain(command: str, args: list[str]) -> dict[str, Any]:
    return {"command": command, "args": args}


def typed(command: str, args: list[str]) -> dict[str, Any]:
    return {"type": "stdio", "command": command, "args": args}


def one_list(command: str, args: list[str]) -> dict[str, Any]:
    return {"type": "local", "command": [command, *args], "enabled": True}


def one_list_v2(command: str, args: list[str]) -> dict[str, Any]:
    return {"type": "local", "command": [command, *args]}


def with_tools(command: str, args: list[str]) -> dict[str, Any]:
    return {"type": "local", "command": command, "args": args, "tools": ["*"]}


def extension(command: str, args: list[str]) -> dict[str, Any]:
    about = "A graph of the repository, and memories of it"
    started = {"name": NAME, "description": about, "type": "stdio", "cmd": command, "args": args}
    return {**started, "enabled": True, "timeout": 300}


CLAUDE: Final = home(".claude")
CODEX: Final = named_by("CODEX_HOME", ".codex")
COPILOT: Final = named_by("COPILOT_HOME", ".copilot")
CODE: Final = config("Code/User", mac=("Library", "Application Support", "Code", "User"), windows="Code/User")
OPENCODE: Final = config("opencode")
ZED: Final = config("zed", mac=(".config", "zed"), windows="Zed")
AMP: Final = home(".config", "amp")
GOOSE: Final = config("goose", mac=(".config", "goose"), windows="Block/goose/config")
SKILL: Final = ".claude/skills/loregraph/SKILL.md"
AGENTS: Final = Place(("AGENTS.md",))
_ASKS: Final = "it asks each user before it starts a project's servers"

HOSTS: Final[tuple[Host, ...]] = (
    Host(
        "claude-code",
        "Claude Code",
        "https://code.claude.com/docs/en/mcp, /hooks, /skills",
        ("mcpServers",),
        Place((".mcp.json",)),
        Place((".claude.json",), named_by("CLAUDE_CONFIG_DIR")),
        plain,
        programs=("claude",),
        signs=(CLAUDE,),
        instructions=Place(("CLAUDE.md",)),
        user_instructions=Place(("CLAUDE.md",), named_by("CLAUDE_CONFIG_DIR", ".claude")),
        skill=Place((SKILL,)),
        user_skill=Place(("skills/loregraph/SKILL.md",), named_by("CLAUDE_CONFIG_DIR", ".claude")),
        hook=Place((".claude/settings.json",)),
        user_hook=Place(("settings.json",), named_by("CLAUDE_CONFIG_DIR", ".claude")),
        note=_ASKS,
    ),
    Host(
        "codex",
        "Codex",
        "https://developers.openai.com/codex/config-reference, /codex/mcp",
        ("mcp_servers",),
        Place((".codex/config.toml",)),
        Place(("config.toml",), CODEX),
        plain,
        form=TomlTable,
        programs=("codex",),
        signs=(CODEX,),
        instructions=AGENTS,
        user_instructions=Place(("AGENTS.md",), CODEX),
        note="it reads a project's file only if the project is trusted",
    ),
    Host(
        "cursor",
        "Cursor",
        "https://cursor.com/docs/mcp",
        ("mcpServers",),
        Place((".cursor/mcp.json",), root=WORKSPACE),
        Place(("mcp.json",), home(".cursor"), root=WORKSPACE),
        plain,
        programs=("cursor", "cursor-agent"),
        signs=(home(".cursor"),),
        instructions=AGENTS,
        note="to be turned on under Customize, MCPs",
    ),
    Host(
        "vscode",
        "Visual Studio Code",
        "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
        ("servers",),
        Place((".vscode/mcp.json",), root=WORKSPACE),
        # For the user's file the folder is where the server is started: that of the workspace (`cwd` in its schema).
        Place(("mcp.json",), CODE),
        typed,
        programs=("code",),
        signs=(CODE,),
        instructions=Place((".github/copilot-instructions.md",)),
        note="--user is for the default profile",
    ),
    Host(
        "gemini-cli",
        "Gemini CLI",
        "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
        ("mcpServers",),
        Place((".gemini/settings.json",)),
        Place(("settings.json",), home(".gemini")),
        plain,
        programs=("gemini",),
        signs=(home(".gemini"),),
        instructions=Place(("GEMINI.md",)),
        user_instructions=Place(("GEMINI.md",), home(".gemini")),
    ),
    Host(
        "opencode",
        "opencode",
        "https://opencode.ai/v1/docs/mcp-servers, https://opencode.ai/v2/docs/mcp-servers, "
        "https://opencode.ai/docs/migrate-v1",
        # The form of version 1, which version 2 reads too.
        ("mcp",),
        Place(("opencode.json", "opencode.jsonc")),
        Place(("opencode.json", "opencode.jsonc"), OPENCODE),
        one_list,
        newer=(("mcp", "servers"), one_list_v2),
        programs=("opencode", "opencode2"),
        signs=(OPENCODE,),
        instructions=AGENTS,
        user_instructions=Place(("AGENTS.md",), OPENCODE),
    ),
    Host(
        "zed",
        "Zed",
        "https://zed.dev/docs/ai/mcp, https://zed.dev/docs/worktree-trust",
        ("context_servers",),
        Place((".zed/settings.json",)),
        Place(("settings.json",), ZED),
        plain,
        programs=("zed", "zeditor"),
        signs=(ZED,),
        instructions=AGENTS,
        note="it starts a project's servers only if the worktree is trusted",
    ),
    Host(
        "windsurf",
        "Windsurf",
        "https://docs.windsurf.com/windsurf/cascade/mcp",
        ("mcpServers",),
        None,
        Place(("mcp_config.json",), home(".codeium", "windsurf"), root=("--root",)),
        plain,
        programs=("windsurf",),
        signs=(home(".codeium", "windsurf"),),
        instructions=AGENTS,
        note="it has one file for all projects, so the entry names this one",
    ),
    Host(
        "copilot-cli",
        "GitHub Copilot CLI",
        "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers, "
        "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
        ("mcpServers",),
        # The same file as Claude Code's, hence the same entry: what has no type is local to both.
        Place((".mcp.json",)),
        Place(("mcp-config.json",), COPILOT),
        plain,
        user_shape=with_tools,
        programs=("copilot",),
        signs=(COPILOT,),
        instructions=Place((".github/copilot-instructions.md",)),
        user_instructions=Place(("copilot-instructions.md",), COPILOT),
    ),
    Host(
        "kiro",
        "Kiro",
        "https://kiro.dev/docs/mcp/configuration",
        ("mcpServers",),
        Place((".kiro/settings/mcp.json",)),
        Place(("settings/mcp.json",), home(".kiro")),
        plain,
        programs=("kiro", "kiro-cli"),
        signs=(home(".kiro"),),
        instructions=AGENTS,
    ),
    Host(
        "roo",
        "Roo Code",
        "https://docs.roocode.com/features/mcp/using-mcp-in-roo",
        ("mcpServers",),
        Place((".roo/mcp.json",)),
        None,
        plain,
        instructions=AGENTS,
        note="it keeps a user's servers in the storage of the editor: its own settings add one there",
    ),
    Host(
        "qwen-code",
        "Qwen Code",
        "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp",
        ("mcpServers",),
        Place((".qwen/settings.json",)),
        Place(("settings.json",), home(".qwen")),
        plain,
        programs=("qwen",),
        signs=(home(".qwen"),),
        instructions=Place(("QWEN.md",)),
        user_instructions=Place(("QWEN.md",), home(".qwen")),
    ),
    Host(
        "amp",
        "Amp",
        "https://ampcode.com/manual, https://ampcode.com/cli-settings.schema.json",
        ("amp.mcpServers",),
        Place((".amp/settings.json", ".amp/settings.jsonc")),
        Place(("settings.json", "settings.jsonc"), AMP),
        plain,
        programs=("amp",),
        signs=(AMP,),
        instructions=AGENTS,
        user_instructions=Place(("AGENTS.md",), AMP),
        note="a project's server has to be approved: `amp mcp approve loregraph`",
    ),
    Host(
        "goose",
        "goose",
        "https://block.github.io/goose/docs/guides/config-files",
        ("extensions",),
        None,
        Place(("config.yaml",), GOOSE),
        extension,
        form=YamlEntry,
        programs=("goose",),
        signs=(GOOSE,),
        instructions=AGENTS,
        note="it has one file for all projects, and starts servers in the folder that it is started in",
    ),
)

_BY_NAME: Final = {host.name: host for host in HOSTS}


def host_named(name: str) -> Host:
    """Raises UsageError with the nearest name for an unknown one."""
    if name not in _BY_NAME:
        raise unknown_name("host", name, _BY_NAME)
    return _BY_NAME[name]


def place_of(host: Host, kind: str, user: bool) -> Place:
    """The host's place for a kind of part. Raises UsageError where it has none, saying which it has."""
    own = {"server": host.project, "instructions": host.instructions, "skill": host.skill, "hook": host.hook}
    users = {
        "server": host.user,
        "instructions": host.user_instructions,
        "skill": host.user_skill,
        "hook": host.user_hook,
    }
    found, other = (users, own) if user else (own, users)
    place = found[kind]
    if place is not None:
        return place
    scope = "a user" if user else "a project"
    if other[kind] is not None:
        instead = "leave out --user" if user else f"`loregraph install {host.name} --user`"
        raise UsageError(f"{host.title} has no file of a {kind} for {scope}", f"{instead}: {host.note or 'it has one'}")
    raise UsageError(f"{host.title} has no {kind} that loregraph can install", f"leave out --{kind}")
