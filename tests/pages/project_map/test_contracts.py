"""Dependencies that break a contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.rules.code import Code
from loregraph.config import CheckSettings, ContractSettings
from loregraph.errors import ConfigError
from loregraph.pages.project_map.contracts import broken_contracts
from loregraph.pages.project_map.scene import MapModel, scene_of


def broken(model: MapModel, root: Path, *layers: str) -> MapModel:
    contract = ContractSettings(name="shop first", kind="layers", layers=layers)
    code = Code(model.columns, root, CheckSettings(contracts=(contract,)))
    return MapModel(model.columns, model.boxes, model.dependencies, broken_contracts(code, model.boxes))


# Verifies REQ-WEB-003.
def test_an_arrow_against_a_contract_says_which(model: MapModel, tmp_path: Path) -> None:
    scene = scene_of(broken(model, tmp_path, "shop", "web"), ["shop"])
    assert {(a.source, a.target): a.broken for a in scene.arrows if a.broken} == {
        ("web", "shop"): ("web is below shop (shop first)",)
    }


def test_a_kept_contract_marks_nothing(model: MapModel, tmp_path: Path) -> None:
    assert broken(model, tmp_path, "web", "shop").broken == {}


def test_a_contract_about_nothing_is_an_error(model: MapModel, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nothing in the graph"):
        broken(model, tmp_path, "shop", "nowhere")
