"""What an installation weighs, by distribution.

    python benchmarks/weight.py [--extra NAME]

Makes an environment in a temporary folder, installs this checkout into it as a user would (compiled files of Python
included), and prints the size of each distribution with what asks for it, the largest first. Needs the package index.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MB = 1_000_000
INSIDE = """
import json, os, re
from importlib.metadata import distributions

def name(text):
    return re.match(r"[\\w.-]+", text)[0].lower().replace("_", "-")

found = {}
for one in distributions():
    # A file that two distributions list counts once, where it comes first.
    files = {os.path.realpath(path.locate()) for path in one.files or ()}
    found[name(one.metadata["Name"])] = {
        "version": one.version,
        "files": sorted(files),
        "needs": sorted({name(text) for text in one.requires or () if "extra ==" not in text}),
    }
print(json.dumps(found))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--extra", help="an extra of loregraph to install, too")
    extra = parser.parse_args().extra
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = next(path for name in ("bin/python", "Scripts/python.exe") if (path := Path(folder) / name).exists())
        wanted = f"{ROOT}[{extra}]" if extra else str(ROOT)
        subprocess.run([python, "-m", "pip", "install", "--quiet", wanted], check=True, stdout=sys.stderr)
        found = json.loads(subprocess.run([python, "-c", INSIDE], capture_output=True, text=True, check=True).stdout)
        counted: set[str] = set()
        sizes = {}
        for name, one in sorted(found.items()):
            new = {file for file in one["files"] if Path(file).is_file()} - counted
            counted |= new
            sizes[name] = sum(Path(file).stat().st_size for file in new)
        whole = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink())
    for name, size in sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0])):
        users = ", ".join(sorted(other for other, one in found.items() if name in one["needs"])) or "-"
        print(f"{size / MB:8.1f} MB  {name} {found[name]['version']:<12} for {users}")
    print(f"{whole / MB:8.1f} MB  the environment, {len(found)} distributions")


if __name__ == "__main__":
    main()
