"""What boxes are coloured by, and the figures behind it."""

from __future__ import annotations

from pathlib import Path

from loregraph.git_history import Churn
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.colours import Colouring, by_churn, by_complexity, by_copies, by_count, by_language
from loregraph.pages.project_map.scene import MapModel
from tests.pages.project_map.graphs import columns_of, file, function


def of(model: MapModel, found: Colouring) -> dict[str, tuple[str, str]]:
    return {
        model.boxes.paths[box]: (found.classes.get(box, ""), figure) for box, figure in sorted(found.figures.items())
    }


def test_a_box_has_the_language_of_most_of_its_code(tmp_path: Path) -> None:
    nodes = [
        file("a/x.py", lines=10),
        file("a/y.go", "go", 30),
        file("a/data.json", "json", 9000),
        file("b/z.py", lines=50),
        file("c/only.json", "json", 4),
    ]
    nodes += [function("a/x.py", "f"), function("a/y.go", "g", language="go"), function("b/z.py", "h")]  # type: ignore[list-item]
    columns = columns_of(tmp_path, nodes)
    boxes = boxes_of(columns)
    found = by_language(columns, boxes)
    said = {boxes.paths[box]: language for box, language in found.figures.items()}
    assert (said["a"], said["b"], said["c"], said[""]) == ("go", "python", "json", "python")
    assert found.legend == (("kind-0", "python"), ("kind-1", "go"), ("kind-other", "others"))


def test_complexity_is_the_sum_of_a_file_and_the_mean_of_a_folder(model: MapModel) -> None:
    found = of(model, by_complexity(model.columns, model.boxes))
    assert found["shop/cart.py"][1] == "complexity 9"
    assert found["shop"][1] == "complexity 13"
    assert found["web"][0] > found["shop"][0]  # 12 in one file, 13 in three
    assert "README.md" not in found


def test_churn_counts_a_commit_once_for_a_folder(model: MapModel) -> None:
    churn = Churn({"shop/cart.py": 4, "shop/pay/card.py": 1, "gone.py": 9}, {"": 9, "shop": 4, "shop/pay": 1}, 12, True)
    found = by_churn(churn, model.boxes)
    said = of(model, found)
    assert said["shop"][1] == "4 commits"
    assert said["shop/pay"][1] == "1 commit"
    assert said["web"] == ("", "0 commits")
    assert "the last 12 commits" in found.remark


def test_without_history_it_says_why(model: MapModel) -> None:
    assert "no git repository" in by_churn(Churn(refusal="this is no git repository"), model.boxes).remark
    assert by_churn(Churn(commits=1), model.boxes).classes == {}


def test_counts_by_file(model: MapModel) -> None:
    found = by_count(model.boxes, {"shop/cart.py": 1, "web/pages.py": 8}, "finding", "findings", measure="findings")
    said = of(model, found)
    assert said["shop"][1] == "1 finding"
    assert said["web/pages.py"][1] == "8 findings"
    assert said["web"][0] > said["shop"][0]
    assert {name for name, _ in found.legend} == {name for name, _ in said.values()}


def test_the_share_of_functions_that_are_copies(model: MapModel) -> None:
    found = by_copies(model.columns, model.boxes, ["shop/cart.py::total", "shop/cart.py::total", "gone.py::f"])
    said = of(model, found)
    assert said["shop/cart.py"] == ("heat-4", "1 of 2 copied")
    assert said["web"] == ("", "0 of 1 copied")


def test_nothing_to_count(model: MapModel) -> None:
    assert by_count(model.boxes, {}, "finding", "findings", measure="findings").classes == {}
