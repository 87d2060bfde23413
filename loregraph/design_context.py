"""Why code is as it is, for users: the graph combined with the code's habits, its memories and its source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from loregraph.analysis.component_lookup import locate
from loregraph.analysis.consistency import habits
from loregraph.analysis.context import Context, context, shortened
from loregraph.memory.about import about

if TYPE_CHECKING:
    from loregraph.analysis.rules.code import Code
    from loregraph.memory.api import ProjectMemory


def design_context(
    code: Code, memory: ProjectMemory, component: str, question: str, source_lines: Callable[[str], list[str]] | None
) -> Context:
    """The context of `component`, with memories that answer `question`, "" for none; with `source_lines`, which reads a
    file, the component's code too."""
    node = locate(code.columns, component)
    id = code.columns.id(node)
    found = context(code.columns, node)
    described = dict(found.component or {})
    if source_lines is not None and described.get("start_line") and described.get("end_line"):
        lines = source_lines(described["file_path"])[described["start_line"] - 1 : described["end_line"]]
        described["code"] = "\n".join(lines)
    return shortened(
        msgspec.structs.replace(
            found, component=described, patterns=habits(code, id), memories=about(memory, id, question)
        )
    )
