"""npm's packages, which more languages than those that run on Node import from."""

from __future__ import annotations

from collections.abc import Iterable

from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of


def package_folders(packaging: Iterable[str], reader: PackagingReader) -> dict[str, str]:
    """Name of a package of the project → the folder of its package.json."""
    found = {}
    for path in sorted(packaging):
        if path.rpartition("/")[2] == "package.json":
            name = reader.json(path).get("name")
            if isinstance(name, str) and name:
                found[name] = folder_of(path)
    return found


def split_specifier(specifier: str) -> tuple[str, str]:
    """(package, rest): `@scope/name/a/b` is (`@scope/name`, `a/b`)."""
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") and len(parts) > 1 else 1
    return "/".join(parts[:count]), "/".join(parts[count:])
