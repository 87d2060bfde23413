"""Which function answers which address. To add a page, write its module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loregraph.pages.page import Answer
from loregraph.viewer import requirements
from loregraph.viewer.ask import ask_data, ask_page
from loregraph.viewer.asked import Asked
from loregraph.viewer.change import change_page, change_part
from loregraph.viewer.file import file_page
from loregraph.viewer.find import find_data, find_page
from loregraph.viewer.findings import duplicates_page, duplicates_part, findings_page, findings_part, pair_page
from loregraph.viewer.map import arrow_part, map_page, map_part
from loregraph.viewer.memories import memories_page, memory_page
from loregraph.viewer.memory_actions import (
    add_memory,
    archive_memory,
    confirm_memory,
    delete_memory,
    edit_memory,
    restore_memory,
)
from loregraph.viewer.overview import overview_page
from loregraph.viewer.symbol import copies_part, history_part, symbol_page

Answering = Callable[[Asked], Answer]

PAGES: Final[Mapping[str, Answering]] = {
    "/": overview_page,
    "/ask": ask_page,
    "/file": file_page,
    "/change": change_page,
    "/duplicates": duplicates_page,
    "/find": find_page,
    "/findings": findings_page,
    "/map": map_page,
    "/memories": memories_page,
    "/memory": memory_page,
    "/requirements": requirements.requirements_page,
    "/requirement": requirements.requirement_page,
    "/compare": requirements.compare_page,
    "/symbol": symbol_page,
    "/pair": pair_page,
}
PARTS: Final[Mapping[str, Answering]] = {
    "change": change_part,
    "duplicates": duplicates_part,
    "findings": findings_part,
    "map": map_part,
    "map-arrow": arrow_part,
    "suggestions": requirements.suggestions_part,
    "suspects": requirements.suspects_part,
    "copies": copies_part,
    "history": history_part,
}
"""Fragments of pages, below /part/."""
DATA: Final[Mapping[str, Answering]] = {
    "ask": ask_data,
    "find": find_data,
}
"""JSON for scripts, below /data/."""
ACTIONS: Final[Mapping[str, Answering]] = {
    "memory-add": add_memory,
    "memory-archive": archive_memory,
    "memory-confirm": confirm_memory,
    "memory-delete": delete_memory,
    "memory-edit": edit_memory,
    "memory-restore": restore_memory,
    "decide-link": requirements.decide,
}
"""What a form may do, below /do/: posted, with the key of our own forms."""
