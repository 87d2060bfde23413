"""Links that open a line in an editor, by the schemes that editors register."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import quote

NO_EDITOR: Final = "none"
_COLON: Final = "{scheme}://file{path}:{line}"
_QUERY: Final = "{scheme}://open?file={path}&line={line}"
_FORMS: Final = {
    **dict.fromkeys(("vscode", "vscode-insiders", "vscodium", "cursor", "windsurf", "zed"), _COLON),
    **dict.fromkeys(("idea", "pycharm", "webstorm", "phpstorm", "goland", "clion", "rider", "rubymine"), _QUERY),
    "sublime": "subl://open?url=file://{path}&line={line}",
}
NAMES: Final = {
    "vscode": "VS Code",
    "vscode-insiders": "VS Code Insiders",
    "vscodium": "VSCodium",
    "cursor": "Cursor",
    "windsurf": "Windsurf",
    "zed": "Zed",
    "idea": "IntelliJ IDEA",
    "pycharm": "PyCharm",
    "webstorm": "WebStorm",
    "phpstorm": "PhpStorm",
    "goland": "GoLand",
    "clion": "CLion",
    "rider": "Rider",
    "rubymine": "RubyMine",
    "sublime": "Sublime Text",
}
"""Editor, as in the settings → its name. The list is closed: a scheme of a repository's choice could start anything."""


def editor_link(editor: str, file: Path, line: int) -> str:
    """The address that opens `file` (absolute) at `line` in `editor`; "" for "none"."""
    if editor == NO_EDITOR or editor not in _FORMS:
        return ""
    path = file.as_posix()
    path = path if path.startswith("/") else f"/{path}"  # a drive of Windows
    return _FORMS[editor].format(scheme=editor, path=quote(path), line=max(line, 1))
