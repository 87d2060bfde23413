"""Fuzzes every reader of what others wrote, for long: which inputs crash it, hang it, or make it write outside.

    python benchmarks/fuzz.py [--seconds 15] [--corpus FOLDER] [READER or AREA ...]

Each reader runs in a process of its own, `--seconds` long: guided by coverage where atheris is installed (it is no
dependency of loregraph: `pip install atheris` into an environment of your own), else by edits of the seeds alone. A
process that dies or stays at one input for 20 seconds counts as a crash, too. What was found lies in the folder of
`--corpus` as files that `--input FILE READER` reads again. The readers and their properties are those of
`tests/hostile/fuzz_readers.py`, which the suite runs briefly.
"""

# Implements REQ-SEC-010.

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from loregraph.errors import LoregraphError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "hostile"))
HANGS = 20
"""Seconds per input."""
MEMORY = 3_000
"""Megabytes per process."""


class Findings:
    """Crashes of one reader by their origin, each with the first input that caused it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, int] = {}
        self.runs = 0

    def add(self, error: BaseException, data: bytes) -> None:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f"{os.sep}loregraph{os.sep}" in f.filename]
        where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "the harness"
        name = f"{type(error).__name__} at {where}: {' '.join(str(error).split())[:60]}"
        key = name.partition(": ")[0]
        if key not in self.known:
            file = self.folder / f"crash-{len(self.known)}"
            file.write_bytes(data)
            (self.folder / f"crash-{len(self.known)}.txt").write_text(name, encoding="utf-8")
        self.known[key] = self.known.get(key, 0) + 1

    def write(self) -> None:
        told = json.dumps({"runs": self.runs, "known": self.known})
        (self.folder / "result.json").write_text(told, encoding="utf-8")


def child(name: str, seconds: float, folder: Path, chance: int) -> None:
    """Fuzzes one reader until its time is over."""
    warnings.simplefilter("ignore")
    try:
        import atheris
    except ImportError:
        atheris = None
    if atheris is not None:
        with atheris.instrument_imports(include=["loregraph"]):
            import fuzz_readers

            reader = fuzz_readers.READERS[name]
            with tempfile.TemporaryDirectory() as scratch:
                reader_seeds = list(reader.seeds())
                for seed in reader_seeds:  # lazily imported modules are instrumented, too
                    with contextlib.suppress(LoregraphError):
                        reader.read(seed, Path(scratch))
    else:
        import fuzz_readers

        reader = fuzz_readers.READERS[name]
        reader_seeds = list(reader.seeds())
    from fuzzing import KINDS, MAX_INPUT, applied, drawn, tried

    found = Findings(folder)
    scratch_folder = Path(tempfile.mkdtemp(dir=folder))
    told = time.monotonic()

    def once(data: bytes) -> None:
        nonlocal told
        found.runs += 1
        try:
            tried(reader, data, scratch_folder)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            found.add(error, data)
        if time.monotonic() > told + 1:
            told = time.monotonic()
            found.write()

    if atheris is None:
        generator = random.Random(f"{name} {chance}")
        until = time.monotonic() + seconds
        number = 0
        while time.monotonic() < until:
            seed = reader_seeds[number] if number < len(reader_seeds) else generator.choice(reader_seeds)
            edits = [] if number < len(reader_seeds) else drawn(generator)
            data = applied(seed, edits, reader_seeds)
            (folder / "last").write_bytes(data)
            once(data)
            number += 1
        found.write()
        return

    def mutated(data: bytes, size: int, seed: int) -> bytes:
        """Half of the mutations know the elements of formats, half are libFuzzer's own."""
        generator = random.Random(seed)
        if seed % 2:
            return applied(data, drawn(generator, 4), reader_seeds)[:size]
        return bytes(atheris.Mutate(data, size))

    seeds = folder / "seeds"
    seeds.mkdir(exist_ok=True)
    for number, seed in enumerate(reader_seeds):
        (seeds / f"seed-{number}").write_bytes(seed[:MAX_INPUT])
    assert KINDS
    options = [
        f"-max_total_time={int(seconds)}",
        f"-max_len={MAX_INPUT}",
        f"-timeout={HANGS}",
        f"-rss_limit_mb={MEMORY}",
        f"-seed={chance}",
        f"-artifact_prefix={folder}/native-",
        "-print_final_stats=1",
        "-detect_leaks=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder / "corpus"), str(seeds)], once, custom_mutator=mutated)
    (folder / "corpus").mkdir(exist_ok=True)
    atheris.Fuzz()


def run(name: str, seconds: float, corpus: Path, chance: int) -> tuple[int, dict[str, int]]:
    """Numbers of executions, and crashes by their origin."""
    folder = corpus / "".join(letter if letter.isalnum() else "-" for letter in name)
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, __file__, "--child", name, "--seconds", str(seconds), "--corpus", str(folder)]
    env = {
        **os.environ,
        "LOREGRAPH_HOME": str(folder / "home"),
        "XDG_CONFIG_HOME": str(folder / "home"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    (folder / "result.json").unlink(missing_ok=True)
    with (folder / "log").open("wb") as log:
        try:
            done = subprocess.run(
                [*command, "--random", str(chance)],
                stdout=log,
                stderr=log,
                env=env,
                timeout=seconds * 3 + 120,
                check=False,
            )
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = -1
    try:
        result = json.loads((folder / "result.json").read_bytes())
    except (OSError, ValueError):
        result = {"runs": 0, "known": {}}
    tail = (folder / "log").read_text(encoding="utf-8", errors="replace")
    for line in tail.splitlines():
        if line.startswith("stat::number_of_executed_units:"):
            result["runs"] = max(result["runs"], int(line.rpartition(":")[2]))
    if code != 0:
        result["known"][f"the process ended with {code}: {tail[-200:]!r}"] = 1
    return result["runs"], result["known"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="READER")
    parser.add_argument("--seconds", type=float, default=15.0, help="for each reader")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--random", type=int, default=1)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--input", type=Path, help="read one file again with the reader that is named")
    options = parser.parse_args()
    if options.child:
        child(options.child, options.seconds, options.corpus, options.random)
        return
    import fuzz_readers
    from fuzzing import tried

    if options.input:
        with tempfile.TemporaryDirectory() as scratch:
            tried(fuzz_readers.READERS[options.names[0]], options.input.read_bytes(), Path(scratch))
        return
    corpus = options.corpus or Path(tempfile.mkdtemp(prefix="loregraph-fuzz-"))
    chosen = [r for r in fuzz_readers.READERS.values() if not options.names or {r.name, r.area} & set(options.names)]
    total = crashes = 0
    begun = time.monotonic()
    for reader in chosen:
        count, known = run(reader.name, options.seconds, corpus, options.random)
        total += count
        crashes += len(known)
        print(f"{reader.area:10} {reader.name:30} {count:9,} executions, {len(known)} kinds of crash", flush=True)
        for what, often in known.items():
            print(f"    {often:6} × {what}", flush=True)
    minutes = (time.monotonic() - begun) / 60
    print(f"{len(chosen)} readers, {total:,} executions in {minutes:.0f} minutes, {crashes} kinds of crash: {corpus}")


if __name__ == "__main__":
    main()
