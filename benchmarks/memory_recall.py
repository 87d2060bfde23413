"""How well memories are found: questions in other words than the memories, and questions about long conversations.

    python benchmarks/memory_recall.py [FOLDER OF LOCOMO CONVERSATIONS]

Prints, in the order that a user gets, the reciprocal rank of the first right memory (0 past the tenth), the share of
right ones among the first five and ten, and how many memories that are not right are among those ten: for words alone,
as recalled, and as recalled once each memory was used about thirty times before, by chance. The weights in
`loregraph/memory/recall.py` were chosen on every other conversation of LoCoMo (Maharana et al., ACL 2024); the other
conversations and the paraphrases beside this file, which were not looked at for that, are what counts. A conversation
is a JSON file with `session_<n>` and `qa`.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

Case = tuple[dict[str, str], list[tuple[str, list[str]]]]
"""Texts by key, and questions with the keys that answer them."""

USES = 30
"""How often a memory was recalled before, on average: a few very often, most seldom (an exponential distribution)."""

ADVERSARIAL = 5
"""The category of LoCoMo's questions without an answer."""


def paraphrases() -> Case:
    lines = (Path(__file__).parent / "memory_paraphrases.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    texts = {str(i): row["memory"] for i, row in enumerate(rows)}
    return texts, [(question, [str(i)]) for i, row in enumerate(rows) for question in row["questions"]]


def conversation(path: Path) -> Case:
    data = json.loads(path.read_text(encoding="utf-8"))
    data = {**data, **data.get("conversation", {})}
    texts: dict[str, str] = {}
    for key, turns in data.items():
        if key.startswith("session_") and isinstance(turns, list):
            for turn in turns:
                texts[turn["dia_id"]] = (
                    f"{turn['speaker']}: {turn.get('text', '')} {turn.get('blip_caption', '')}".strip()
                )
    asked = [(row["question"], row.get("evidence", [])) for row in data["qa"] if row.get("category") != ADVERSARIAL]
    return texts, asked


def ranks(case: Case, embedder: str, used: bool) -> Iterable[tuple[list[int], int, int]]:
    """For each question: the ranks (from 0) of its answers, how many answers there are, and how many were returned."""
    import loregraph

    texts, questions = case
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LOREGRAPH_HOME"] = f"{folder}/home"
        (root := Path(folder) / "project").mkdir()
        with loregraph.open(root, embedder=embedder) as project:
            added = project.memory.add_many(({"content": text} for text in texts.values()), allow_secret=True)
            assert added.created == len(texts), added.errors
            key_of = dict(zip(added.memory_ids, texts, strict=True))
            if used:
                simulate_use(Path(folder) / "home" / "memory", added.memory_ids)
            for question, answers in questions:
                wanted = [key for key in answers if key in texts]
                if wanted:
                    results = project.memory.search(question, limit=10).results
                    place = {key_of[hit.memory.id]: rank for rank, hit in enumerate(results)}
                    yield [place[key] for key in wanted if key in place], len(wanted), len(results)


def simulate_use(folder: Path, ids: Sequence[str]) -> None:
    """Writes the counters of the journal in `folder` as `memory/access.py` keeps them."""
    chance = random.Random(7)
    (journal,) = (path for path in folder.glob("*.jsonl") if path.name != "_user.jsonl")
    counts = {key: [round(chance.expovariate(1 / USES)), "2026-01-01T00:00:00.000000Z"] for key in ids}
    journal.with_name(journal.name + ".access").write_text(json.dumps(counts), encoding="utf-8")


def report(name: str, cases: Sequence[Case]) -> None:
    for mode, embedder, used in (
        ("words alone", "none", False),
        ("as recalled", "static", False),
        ("after use", "static", True),
    ):
        reciprocal = five = ten = 0.0
        count = other = 0
        for case in cases:
            for places, wanted, returned in ranks(case, embedder, used):
                count += 1
                reciprocal += 1 / (1 + min(places)) if places else 0
                five += sum(place < 5 for place in places) / wanted
                ten += sum(place < 10 for place in places) / wanted
                other += min(returned, 10) - sum(place < 10 for place in places)
        print(
            f"{name:<20} {mode:<12} {count:>5} questions  MRR {reciprocal / count:.3f}  recall@5 {five / count:.3f}  "
            f"recall@10 {ten / count:.3f}  others in ten {other / count:.1f}",
            flush=True,
        )


def main() -> None:
    report("paraphrases", [paraphrases()])
    if len(sys.argv) > 1:
        files = sorted(Path(sys.argv[1]).glob("*.json"))
        report("LoCoMo, tuned on", [conversation(path) for path in files[::2]])
        report("LoCoMo, held out", [conversation(path) for path in files[1::2]])


if __name__ == "__main__":
    main()
