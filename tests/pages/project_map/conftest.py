"""The map of a small shop."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.scene import MapModel
from tests.pages.project_map.graphs import SHOP, SHOP_EDGES, columns_of


@pytest.fixture
def shop(tmp_path: Path) -> GraphColumns:
    return columns_of(tmp_path, SHOP, SHOP_EDGES)


@pytest.fixture
def model(shop: GraphColumns) -> MapModel:
    boxes = boxes_of(shop)
    return MapModel(shop, boxes, dependencies_of(shop, boxes))
