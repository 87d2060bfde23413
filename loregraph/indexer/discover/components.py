"""Components: folders that are packages or built on their own, their names, and their contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from msgspec.structs import replace

from loregraph.graph.model import Component
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.packaging.layout import Layout
from loregraph.indexer.languages.packaging.reader import ancestors, folder_of

ROOT_ID: Final = "component:."
MOST_ENTRIES: Final = 1_000
"""Maximum names of one component that other projects import."""


# Implements REQ-GRA-005.
def find_components(
    paths: Iterable[str], packaging: Iterable[str], layouts: Mapping[str, Layout]
) -> tuple[Component, ...]:
    """Every component of a project, sorted by id. `paths` are the files that the graph holds, `layouts` those of all
    languages by the folders that declare them."""
    files = tuple(paths)
    main = _main_languages(files)
    found = _packages(layouts)
    found.update(_building(packaging, layouts, main, found))
    root = found.pop("", None)
    name = root.name if root is not None and root.name else "."
    components = [
        Component(
            id=ROOT_ID,
            name=name,
            qualified_name=name,
            kind=root.kind if root is not None else "project",
            path=".",
            language=root.language if root is not None else main.get("", ""),
        )
    ]
    held = set(main)
    components += [component for folder, component in found.items() if folder in held]
    return tuple(sorted(_with_packaging(components, layouts), key=lambda component: component.id))


def component_folders(components: Iterable[Component]) -> Mapping[str, str]:
    """Component's folder ("" for the root) → its id."""
    return {("" if component.path == "." else component.path): component.id for component in components}


# Implements REQ-WSP-004.
def _with_packaging(components: Iterable[Component], layouts: Mapping[str, Layout]) -> Iterator[Component]:
    """The components with what their packaging files say. A folder that is none says it of the one around it."""
    own = {("" if component.path == "." else component.path): component for component in components}
    requires: dict[str, set[str]] = {}
    for family, layout in layouts.items():
        for folder, names in layout.requirements.items():
            around = next(one for one in ancestors(folder) if one in own)
            requires.setdefault(around, set()).update(f"{family}:{name}" for name in names)
    for folder, component in own.items():
        named = {family: layout.published(folder) for family, layout in layouts.items()}
        entries = {
            f"{name}={path or '.'}"
            for family, layout in layouts.items()
            if named[family]
            for name, path in islice(layout.entries(folder), MOST_ENTRIES)
        }
        yield replace(
            component,
            provides=tuple(sorted(f"{family}:{name}" for family, name in named.items() if name)),
            requires=tuple(sorted(requires.get(folder, ()))),
            entries=tuple(sorted(entries)),
        )


def _packages(layouts: Mapping[str, Layout]) -> dict[str, Component]:
    """Folders that are packages because of their files: Python, Go, Java, Terraform."""
    found = {}
    for language, layout in sorted(layouts.items(), key=lambda pair: pair[1].precedence):
        for folder, name, kind in layout.packages():
            last = name.rpartition(".")[2] if layout.named_by_package else folder.rpartition("/")[2]
            found[folder] = _component(folder, last, name, kind, language)
    return found


def _building(
    packaging: Iterable[str], layouts: Mapping[str, Layout], main: Mapping[str, str], packages: Mapping[str, Component]
) -> dict[str, Component]:
    """Folders that are built on their own, by their packaging files."""
    names = {path: folder_of(path) for path in packaging}
    found: dict[str, Component] = {}
    # The first matching file names the folder; files that only hold settings (a package.json without a name) were
    # removed.
    for file, language in registry.PACKAGING:
        ending, kind = file.name, file.kind
        for path, folder in names.items():
            if folder in found or not path.endswith(ending) or not _is_named(path, ending):
                continue
            layout = layouts.get(registry.BY_NAME[language].layout)
            name = layout.project_name(ending, folder) if layout is not None else ""
            if name is None:
                continue
            spoken = main.get(folder, "") if file.any_language else language
            if file.yields and folder in packages:
                # A package whose folder also has build files is named as it is imported.
                continue
            found[folder] = _component(
                folder, name or folder.rpartition("/")[2], name or folder, kind, spoken or language
            )
    return found


def _is_named(path: str, ending: str) -> bool:
    return ending.startswith(".") or path == ending or path.endswith(f"/{ending}")


def _component(folder: str, name: str, qualified_name: str, kind: str, language: str) -> Component:
    return Component(
        id=f"component:{folder}", name=name, qualified_name=qualified_name, kind=kind, path=folder, language=language
    )


def _main_languages(files: Iterable[str]) -> dict[str, str]:
    """Folder → the language of most source files in and below it, "" where there are only documents."""
    counts: dict[str, Counter[str]] = {}
    for path in files:
        language = registry.by_path(path) or ""
        for folder in ancestors(folder_of(path)):
            counts.setdefault(folder, Counter())[language] += 1
    main = {}
    for folder, counter in counts.items():
        sources = [(number, name) for name, number in counter.items() if name in registry.SOURCES]
        main[folder] = min(sources, key=lambda row: (-row[0], row[1]))[1] if sources else ""
    return main
