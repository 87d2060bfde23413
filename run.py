#!/usr/bin/env python3
"""From a clone to a running loregraph, with nothing but Python and the package index.

    python3 run.py index      index the repository you stand in and show what was found
    python3 run.py test       run the tests
    python3 run.py lint       ruff, mypy and import-linter
    python3 run.py coverage   run the tests and write what they reach to coverage.xml
    python3 run.py docs       build the documentation's site in `site`; a broken link fails
    python3 run.py integration  install what the tests of servers and clusters need: ArcadeDB, Ray, S3 (700 MB)
    python3 run.py ANYTHING   any loregraph command: `python3 run.py callers main`

The first run makes an environment of its own in `.venv` beside this file and installs loregraph into it; later runs
start at once and need no network. Only the standard library is used here, in syntax that older Pythons can read, so
that they can say what is missing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PINS = {"dev": "requirements-dev.txt", "integration": "requirements-integration.txt"}
NEEDED = (3, 11)
CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy",),
    ("lint-imports",),
)
# A file's tests stay together: they share what they have indexed. Named files run in one process, for debuggers.
IN_PARALLEL = ("-n", "auto", "--maxprocesses", "8", "--dist", "loadfile", "--no-loadscope-reorder")
MEASURED = ("--cov=loregraph", "--cov-report=xml", "--cov-report=term:skip-covered")


def program(name):
    """Path of a program of the environment."""
    folder, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
    return str(VENV / folder / (name + suffix))


def say(text):
    print(text, file=sys.stderr, flush=True)


def fail(message, hint):
    sys.exit(f"error: {message}\nhint: {hint}")


def newer_python():
    """A Python on PATH that is new enough, or None."""
    names = (f"python3.{minor}" for minor in (14, 13, 12, 11))
    return next(filter(None, map(shutil.which, names)), None)


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


# Implements REQ-PKG-001, REQ-PKG-005.
def install(extra=None):
    """Makes the environment where it is missing or out of date: to use loregraph, or with an extra of `PINS` to work on
    it, then with the versions and hashes that are written down. What has more than is asked for is left alone."""
    record = VENV / "installed"
    known = record.read_text().split() if record.exists() else []
    base = digest(sys.version, str(HERE))
    project = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    stages = {None: digest(project)}
    stages.update((name, digest(project, (HERE / pins).read_text(encoding="utf-8"))) for name, pins in PINS.items())
    names = list(stages)
    if known[:1] == [base] and any(stages[name] in known for name in names[names.index(extra) :]):
        return
    if known[:1] != [base]:
        say("making an environment in .venv ...")
        if subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)], stdout=sys.stderr):
            fail("this Python cannot make environments", "on Debian and Ubuntu: apt install python3-venv")
    say("installing loregraph into .venv ... (once; a minute or two)")
    pip = [program("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    itself = ["--editable", str(HERE)]
    pinned = ["--require-hashes", "-r", str(HERE / PINS[extra])] if extra else []
    steps = [pinned, ["--no-deps", "--no-build-isolation", *itself]] if extra else [itself]
    for step in steps:
        if subprocess.call([*pip, *step], stdout=sys.stderr):
            fail("the installation failed, see above", "the first run needs the package index")
    record.write_text(f"{base}\n{stages[extra]}\n")


# Implements REQ-PKG-002.
def lint():
    """Runs every check, also after one has failed. Returns an exit code that is not 0 if any was."""
    status = 0
    for command in CHECKS:
        say("$ " + " ".join(command))
        status = subprocess.call([program(command[0]), *command[1:]], cwd=str(HERE)) or status
    return status


# Implements REQ-PKG-001, REQ-PKG-005.
def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    if sys.version_info < NEEDED:
        other = newer_python()
        if other is None:
            fail(f"loregraph needs Python 3.{NEEDED[1]} or newer, this is {sys.version.split()[0]}", "install one")
        return subprocess.call([other, __file__, *arguments])
    command, *rest = arguments
    if command == "integration":
        install("integration")
        return 0
    install("dev" if command in ("test", "lint", "coverage", "docs") else None)
    if command == "lint":
        return lint()
    if command in ("test", "coverage"):
        words = [*(rest or IN_PARALLEL), *(MEASURED if command == "coverage" else ())]
        return subprocess.call([program("python"), "-m", "pytest", *words], cwd=str(HERE))
    if command == "docs":
        quiet = dict(os.environ, NO_MKDOCS_2_WARNING="1")
        return subprocess.call([program("mkdocs"), "build", "--strict", "--quiet", *rest], cwd=str(HERE), env=quiet)
    return subprocess.call([program("loregraph"), *arguments])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
