"""What the server may load before it has answered: a host waits for that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAVY = {"kuzu", "ladybug", "fastembed", "onnxruntime", "tokenizers", "tree_sitter", "networkx", "numpy"}
SCRIPT = """
import sys
from pathlib import Path
from loregraph.cli import main, serve
from loregraph.mcp_server.server import Service
from loregraph.mcp_server.workspace import Workspace
service = Service(Workspace(Path(sys.argv[1])), warm=True)
service.server.create_initialization_options()
print(*sorted({name.split(".")[0] for name in sys.modules} | {n for n in sys.modules if n.startswith("loregraph.")}))
"""


# Verifies REQ-MCP-010.
def test_nothing_heavy_is_loaded_before_initialize_is_answered(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(root)], check=True, capture_output=True, text=True)
    loaded = set(done.stdout.split())
    assert "mcp" in loaded
    assert HEAVY & loaded == set()
    assert not [name for name in loaded if name.startswith("loregraph.mcp_server.tools_")]
