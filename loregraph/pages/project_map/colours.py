"""What boxes of the map are coloured by. A colour never stands alone: the box says the figure behind it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.git_history import Churn
from loregraph.graph.columns import GraphColumns
from loregraph.pages.project_map.boxes import CLASS, FUNCTION, Boxes, Floats, Ints, held

LANGUAGES: Final = 7
"""Languages with a colour of their own; others share one."""


@dataclass(frozen=True)
class Colouring:
    """`classes`: box → class of the style sheet, for boxes with a colour; `figures`: box → what its colour stands for,
    in words. `legend`: (class, words) from little to much, of `measure`. `remark` is what else has to be known, "" for
    nothing."""

    classes: Mapping[int, str] = field(default_factory=dict)
    figures: Mapping[int, str] = field(default_factory=dict)
    legend: tuple[tuple[str, str], ...] = ()
    remark: str = ""
    measure: str = ""


def by_language(columns: GraphColumns, boxes: Boxes) -> Colouring:
    """The language of most lines of code in each box; documents and data count where there is no code."""
    files = columns.nodes("File")
    codes = np.asarray(columns.languages.codes)[files]
    lines = np.asarray(columns.column("File", "lines")[0], np.float64)
    has_code = np.zeros(len(columns.languages.values), np.bool_)
    has_code[np.unique(np.asarray(columns.languages.codes)[columns.symbols()])] = True
    weight = np.where(has_code[codes], lines, lines / 1e6)
    totals = np.bincount(codes, weight, len(columns.languages.values))
    ranked = [code for code in np.argsort(-totals, kind="stable").tolist() if totals[code] and has_code[code]]
    named = ranked[:LANGUAGES]
    best = np.zeros(len(boxes.paths))
    language = np.full(len(boxes.paths), -1)
    for code in np.unique(codes).tolist():
        own = np.bincount(boxes.of_node[files], np.where(codes == code, weight, 0.0), len(boxes.paths))
        total = held(own, boxes.ends)
        language = np.where(total > best, code, language)
        best = np.maximum(total, best)
    place = {code: f"kind-{number}" for number, code in enumerate(named)}
    classes, figures = {}, {}
    for box, code in enumerate(language.tolist()):
        if code >= 0:
            classes[box] = place.get(code, "kind-other")
            figures[box] = columns.languages.values[code]
    legend = [(place[code], columns.languages.values[code]) for code in named]
    if "kind-other" in classes.values():
        legend.append(("kind-other", "others"))
    return Colouring(classes, figures, tuple(legend), measure="most lines of code")


def by_complexity(columns: GraphColumns, boxes: Boxes) -> Colouring:
    """The cyclomatic complexities (McCabe, 1976) of a file's functions in all: it grows with size and with branches.
    Folders by their files with code on average."""
    functions = columns.nodes("Function")
    own = np.bincount(
        boxes.of_node[functions], np.asarray(columns.column("Function", "complexity")[0]), len(boxes.paths)
    )
    with_code = np.bincount(boxes.of_node[functions], minlength=len(boxes.paths)) > 0
    return _graded(boxes, own, with_code, lambda total: f"complexity {total:,.0f}", "complexity of a file")


def by_churn(churn: Churn, boxes: Boxes) -> Colouring:
    """The commits that changed a file; folders by their files on average, their figure counts a commit once."""
    if churn.refusal:
        return Colouring(remark=f"No history: {churn.refusal}.")
    own = np.zeros(len(boxes.paths))
    for path, count in churn.files.items():
        box = boxes.by_path.get(path)
        if box is not None:
            own[box] = count
    if not own.any():
        return Colouring(remark="The history has no commit that changed a file: it is new, or the clone is shallow.")

    def said(box: int) -> str:
        path = boxes.paths[box]
        count = churn.files.get(path, churn.folders.get(path, 0))
        return f"{count:,} commit{'' if count == 1 else 's'}"

    graded = _graded(boxes, own, own > 0, lambda total: "", "commits of a file")
    figures = {box: said(box) for box in range(len(boxes.paths))}
    limited = f"the last {churn.commits:,} commits" if churn.limited else f"all {churn.commits:,} commits"
    return Colouring(graded.classes, figures, graded.legend, f"Counted over {limited}, without merges.", graded.measure)


def by_count(
    boxes: Boxes, per_path: Mapping[str, int], one: str, many: str, *, measure: str, remark: str = ""
) -> Colouring:
    """Something counted in files, by path; folders by their files that have it on average."""
    own = np.zeros(len(boxes.paths))
    for path, count in per_path.items():
        box = boxes.by_path.get(path)
        if box is not None:
            own[box] = count
    return _graded(boxes, own, own > 0, lambda total: f"{total:,.0f} {one if total == 1 else many}", measure, remark)


def by_copies(columns: GraphColumns, boxes: Boxes, copied: Iterable[str], remark: str = "") -> Colouring:
    """The share of functions that are copies of others; `copied` are their ids."""
    functions = columns.nodes("Function")
    nodes = [node for one in sorted(set(copied)) if (node := columns.find_id(one)) is not None]
    nodes = [node for node in nodes if columns.labels[node] in (FUNCTION, CLASS)]
    count = len(boxes.paths)
    of = held(np.bincount(boxes.of_node[functions], minlength=count), boxes.ends)
    copies = held(np.bincount(boxes.of_node[np.array(nodes, np.int64)], minlength=count), boxes.ends)
    share = np.divide(copies, of, out=np.zeros(count), where=of > 0)
    classes, figures = {}, {}
    limits = [0.02, 0.05, 0.1, 0.25]
    for box in np.flatnonzero(of > 0).tolist():
        part = float(share[box])
        if copies[box]:
            classes[box] = f"heat-{int(np.searchsorted(limits, part, 'right'))}"
        figures[box] = f"{copies[box]:,.0f} of {of[box]:,.0f} copied"
    words = ("under 2 %", "2 % and more", "5 % and more", "10 % and more", "25 % and more")
    return Colouring(
        classes,
        figures,
        tuple((f"heat-{n}", text) for n, text in enumerate(words)),
        remark,
        "share of the functions that are copies",
    )


def _graded(
    boxes: Boxes,
    own: Floats | Ints,
    counted: npt.NDArray[np.bool_],
    said: Callable[[float], str],
    measure: str,
    remark: str = "",
) -> Colouring:
    """Five steps between the quantiles of the files' values; a folder has the step of its files' mean."""
    values = own[counted]
    if not len(values):
        return Colouring(remark=remark)
    limits = sorted({math.ceil(np.quantile(values, q)) for q in (0.5, 0.75, 0.9, 0.97)})
    totals, files = held(own, boxes.ends), held(counted.astype(np.int64), boxes.ends)
    means = np.divide(totals, files, out=np.zeros(len(totals)), where=files > 0)
    steps = np.searchsorted(np.array(limits), means, "right")
    inside = np.flatnonzero(files > 0).tolist()
    classes = {box: f"heat-{int(steps[box])}" for box in inside}
    figures = {box: said(float(totals[box])) for box in inside}
    words = [f"below {limits[0]:,}", *(f"{limit:,} and more" for limit in limits)]
    used = set(classes.values())
    shown = tuple((one, text) for n, text in enumerate(words) if (one := f"heat-{n}") in used)
    return Colouring(classes, figures, shown, remark, measure)
