"""How well memories are found: questions in other words than the memories, and questions about long conversations.

    python benchmarks/memory_recall.py [FOLDER OF LOCOMO CONVERSATIONS]

Prints, for words alone and for the similarity that recall uses, the mean reciprocal rank of the first right memory and
the share of right ones among the first ten. The weights in `loregraph/memory/recall.py` were chosen on every other
conversation of LoCoMo (Maharana et al., ACL 2024); the other conversations and the paraphrases beside this file, which
were not looked at for that, are what counts. A conversation is a JSON file with `session_<n>` and `qa`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Case = tuple[dict[str, str], list[tuple[str, list[str]]]]
"""Texts by key, and questions with the keys that answer them."""

ADVERSARIAL = 5
"""The category of LoCoMo's questions that nothing answers."""


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


def ranks(case: Case, embedder: str) -> Iterable[tuple[list[int], int]]:
    """For each question: the ranks (from 0) of its answers by similarity, and how many answers there are."""
    import loregraph

    texts, questions = case
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LOREGRAPH_HOME"] = f"{folder}/home"
        (root := Path(folder) / "project").mkdir()
        with loregraph.open(root, embedder=embedder) as project:
            added = project.memory.add_many(({"content": text} for text in texts.values()), allow_secret=True)
            assert added.created == len(texts), added.errors
            key_of = dict(zip(added.memory_ids, texts, strict=True))
            for question, answers in questions:
                wanted = [key for key in answers if key in texts]
                if wanted:
                    results = project.memory.search(question, limit=1000).results
                    order: Sequence[Any] = sorted(results, key=lambda hit: -hit.similarity)
                    place = {key_of[hit.memory.id]: rank for rank, hit in enumerate(order)}
                    yield [place[key] for key in wanted if key in place], len(wanted)


def report(name: str, cases: Sequence[Case]) -> None:
    for mode, embedder in (("words alone", "none"), ("as recalled", "static")):
        reciprocal = found = 0.0
        count = 0
        for case in cases:
            for places, wanted in ranks(case, embedder):
                count += 1
                reciprocal += 1 / (1 + min(places)) if places else 0
                found += sum(place < 10 for place in places) / wanted
        print(
            f"{name:<24} {mode:<12} {count:>5} questions  MRR {reciprocal / count:.3f}  recall@10 {found / count:.3f}"
        )


def main() -> None:
    report("paraphrases", [paraphrases()])
    if len(sys.argv) > 1:
        files = sorted(Path(sys.argv[1]).glob("*.json"))
        report("LoCoMo, tuned on", [conversation(path) for path in files[::2]])
        report("LoCoMo, held out", [conversation(path) for path in files[1::2]])


if __name__ == "__main__":
    main()
