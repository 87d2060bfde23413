"""What a form may do to memories, by the rules of `loregraph memory`: the person at this machine acts, as no agent."""

from __future__ import annotations

from typing import Final

from loregraph.errors import ChangedMeanwhileError, LoregraphError, NotFoundError, UnsupportedError, UsageError
from loregraph.memory.api import ProjectMemory
from loregraph.memory.record import Memory
from loregraph.pages.memory_form import FIELDS, MemoryForm, arguments, changes, filled, form_of, new_form, rebased
from loregraph.pages.page import Answer, Moved
from loregraph.viewer.asked import Asked
from loregraph.viewer.memories import list_page, one_page

LAST_VERSION: Final = 10**9


def add_memory(asked: Asked) -> Answer:
    """Stores a new memory; the form again, with what is wrong, where that fails: nothing that was written is lost."""
    form = _filled(asked, new_form())
    try:
        added = asked.project.memory.add(**arguments(form), allow_secret=form.allow_secret)
    except LoregraphError as error:
        return list_page(asked, form, error=error)
    return Moved(asked.links.memory(added.memory_id))


# Implements REQ-WEB-008.
def edit_memory(asked: Asked) -> Answer:
    """Stores what was changed in the form. Where the memory was changed meanwhile nothing is stored: the page shows
    both and the form again, made from the present version. Where it is gone the form becomes that of a new one."""
    memory = asked.project.memory
    memory_id = memory.full_id(asked.value("id"))
    version = asked.number("version", 0, LAST_VERSION)
    try:
        made_from = _version(memory, memory_id, version)
    except NotFoundError as error:
        return list_page(asked, _filled(asked, new_form()), error=error)
    before = form_of(made_from)
    form = _filled(asked, before)
    try:
        changed = changes(form, before)
        if changed:
            memory.update(memory_id, if_version=version, allow_secret=form.allow_secret, **changed)
    except ChangedMeanwhileError as error:
        present = form_of(memory.get(memory_id, touch=False))
        return one_page(asked, memory_id, form=rebased(form, before, present), error=error, meanwhile=made_from)
    except LoregraphError as error:
        return one_page(asked, memory_id, form=form, error=error)
    return Moved(asked.links.memory(memory_id))


def _version(memory: ProjectMemory, memory_id: str, version: int) -> Memory:
    """A version of the memory; the present one where there is no such version. Raises NotFoundError."""
    try:
        history = memory.history(memory_id)
    except UnsupportedError:
        return memory.get(memory_id, touch=False)
    return next((one for one in history if one.version == version), history[-1])


def _filled(asked: Asked, form: MemoryForm) -> MemoryForm:
    sent = {name: asked.values[name][0] for name in FIELDS if asked.values.get(name)}
    return filled(form, sent, allow_secret=bool(asked.value("allow_secret")))


def confirm_memory(asked: Asked) -> Answer:
    """The memory still holds for the code as it is."""
    memory = asked.project.memory
    memory_id = memory.full_id(asked.value("id"))
    memory.confirm(memory_id)
    return Moved(asked.links.memory(memory_id))


def archive_memory(asked: Asked) -> Answer:
    """To the archive, or with `state` active back from it."""
    memory = asked.project.memory
    memory_id = memory.full_id(asked.value("id"))
    state = asked.value("state", "archived")
    if state not in ("active", "archived"):
        raise UsageError(f"state: {state[:40]!r} is neither active nor archived", "use the buttons of the page")
    memory.update(memory_id, state=state)
    return Moved(asked.links.memory(memory_id))


def delete_memory(asked: Asked) -> Answer:
    """Hides the memory. Its page stays, with what brings it back."""
    memory = asked.project.memory
    memory_id = memory.full_id(asked.value("id"))
    memory.delete(memory_id)
    try:
        memory.history(memory_id)
    except UnsupportedError:
        return Moved(asked.links.memories())
    return Moved(asked.links.memory(memory_id))


# Implements REQ-WEB-008.
def restore_memory(asked: Asked) -> Answer:
    """Makes the memory what it was at a version, deleted or not."""
    memory = asked.project.memory
    memory_id = memory.full_id(asked.value("id"))
    memory.restore(memory_id, asked.number("version", 0, LAST_VERSION))
    return Moved(asked.links.memory(memory_id))
