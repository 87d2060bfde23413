"""The measured code: Django's source distribution, downloaded once by pip into a cache folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import platformdirs

os.environ["LOREGRAPH_CACHE"] = "false"  # what is measured is not what an earlier run left for other worktrees
CACHE = platformdirs.user_cache_path("loregraph-benchmarks")
"""Outside the repository: git would list no files in an ignored folder."""


def django(version: str = "5.2.*") -> Path:
    """Folder of Django's sources, its tests and its JavaScript too."""
    downloads, sources = CACHE / "downloads", CACHE / "sources"
    if not list(sources.glob("django-*")):
        downloads.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        # Only Django itself as source: what pip needs to read its metadata may be wheels.
        exact = ["--no-deps", "--no-binary", "django", f"django=={version}"]
        subprocess.run([*pip, *exact, "--dest", str(downloads)], check=True)
        archive = max(downloads.glob("*.tar.gz"))
        with tarfile.open(archive) as tar:
            tar.extractall(sources, filter="data")
    return max(sources.glob("django-*"))
