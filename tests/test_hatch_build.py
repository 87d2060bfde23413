"""The build hook: what it compiles, and that it goes on without. Nothing here is compiled."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
WARNING = "loregraph/indexer/a.py:46: warning: Treating generator comprehension as list\n"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """hatch_build.py, with as much of hatchling as it uses: hatchling itself is only there while a wheel is built."""
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.BuildHookInterface = object  # type: ignore[attr-defined]
    name = ""
    for part in interface.__name__.split(".")[:-1]:
        name = f"{name}.{part}".lstrip(".")
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "loregraph" / "indexer"
    package.mkdir(parents=True)
    for name in ("__init__", "engine", "model", "structs"):
        (package / f"{name}.py").write_text(f"name = {name!r}\n", encoding="utf-8")
    return tmp_path


class Application:
    """Hatchling's terminal."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def display_info(self, message: str) -> None:
        self.lines.append(message)

    display_warning = display_info


def started(hook: ModuleType, root: Path, include: str = "loregraph/indexer/*.py") -> Any:
    made = hook.CompilingHook()
    made.root, made.app = str(root), Application()
    made.config = {"include": [include], "exclude": ["loregraph/indexer/structs.py"]}
    return made


def built(hook: ModuleType, root: Path, version: str = "standard") -> tuple[dict[str, Any], list[str]]:
    """What a build of the project at `root` hands to hatchling, and what it says."""
    data: dict[str, Any] = {"force_include": {}, "pure_python": True, "infer_tag": False}
    made = started(hook, root)
    made.initialize(version, data)
    made.finalize(version, data, "x.whl")
    return data, made.app.lines


def ends(hook: ModuleType, monkeypatch: pytest.MonkeyPatch, code: int, output: str) -> list[Any]:
    """Has the compiler end like this; where it ends well it has made a library. Returns its calls, as they come."""
    calls: list[Any] = []

    def run(command: list[str], cwd: Path, **_: object) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        assert (cwd / "loregraph" / "indexer" / "engine.py").exists()
        if not code:
            (cwd / "library" / "loregraph").mkdir(parents=True)
            (cwd / "library" / "loregraph" / "engine.so").write_bytes(b"\x7fELF")
        return subprocess.CompletedProcess(command, code, output)

    monkeypatch.setattr(hook.subprocess, "run", run)
    return calls


# Verifies REQ-PKG-004.
@pytest.mark.parametrize("value", ["", "0"])
def test_nothing_is_compiled_or_needed_unless_it_is_asked_for(
    hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(hook.VARIABLE, value)
    calls = ends(hook, monkeypatch, 0, "")
    data, lines = built(hook, project)
    assert data == {"force_include": {}, "pure_python": True, "infer_tag": False}
    assert calls == []
    assert started(hook, project).dependencies() == []
    assert len(lines) == 1 and lines[0].startswith("plain Python")


def test_what_was_compiled_joins_the_wheel_beside_the_sources(
    hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(hook.VARIABLE, "1")
    calls = ends(hook, monkeypatch, 0, WARNING)
    data, lines = built(hook, project)
    assert list(data["force_include"].values()) == ["loregraph/engine.so"]
    assert (data["pure_python"], data["infer_tag"]) == (False, True)
    assert calls[0][2:] == ["loregraph/indexer/engine.py", "loregraph/indexer/model.py"]
    assert lines == ["compiled 2 modules"]
    assert [need for need in started(hook, project).dependencies() if need.startswith("mypy")] != []


@pytest.mark.parametrize(
    ("code", "output", "reason"),
    [
        (1, "building\nerror: command 'gcc' failed: No such file or directory\n", "command 'gcc' failed"),
        (1, "Traceback\nModuleNotFoundError: No module named 'mypyc'\n", "No module named 'mypyc'"),
        (-11, "", "exit code -11"),
        (0, f"{WARNING}loregraph/indexer/a.py:9: warning: Unsupported default attribute value\n", "a.py:9"),
    ],
)
def test_goes_on_without_when_compiling_fails_or_might_change_a_result(
    hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch, code: int, output: str, reason: str
) -> None:
    monkeypatch.setenv(hook.VARIABLE, "1")
    ends(hook, monkeypatch, code, output)
    data, lines = built(hook, project)
    assert data == {"force_include": {}, "pure_python": True, "infer_tag": False}
    assert len(lines) == 1 and lines[0].startswith("plain Python") and reason in lines[0]


def test_a_release_does_not_go_on_without(hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(hook.VARIABLE, "required")
    ends(hook, monkeypatch, 1, "error: command 'gcc' failed\n")
    with pytest.raises(hook.Failure, match="gcc"):
        built(hook, project)


def test_an_editable_install_runs_the_sources(hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(hook.VARIABLE, "required")
    calls = ends(hook, monkeypatch, 0, "")
    data, _ = built(hook, project, "editable")
    assert (calls, data["force_include"]) == ([], {})


def test_another_value_is_refused_with_those_there_are(hook: ModuleType) -> None:
    with pytest.raises(ValueError, match="LOREGRAPH_COMPILE=yes: use 0, 1 or required"):
        hook.mode({"LOREGRAPH_COMPILE": "yes"})


def test_globs_that_match_nothing_are_a_failure(hook: ModuleType, project: Path) -> None:
    modules = hook.chosen(project, ["loregraph/resolution/*.py"], [])
    with pytest.raises(hook.Failure, match=r"pyproject\.toml"):
        hook.compiled(project, project / "work", modules)


def test_what_pyproject_lists_is_there(hook: ModuleType) -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    configured = targets["wheel"]["hooks"]["custom"]
    for pattern in configured["include"]:
        assert hook.chosen(ROOT, [pattern], []) != []
    everything = hook.chosen(ROOT, configured["include"], [])
    assert [path for path in configured["exclude"] if path not in everything] == []
    assert "/hatch_build.py" in targets["sdist"]["include"]


def test_no_class_is_compiled_that_would_be_another_one(hook: ModuleType) -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    configured = targets["wheel"]["hooks"]["custom"]
    modules = hook.chosen(ROOT, configured["include"], configured["exclude"])
    assert [line for path in modules for line in hook.altered(path, (ROOT / path).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("head", "lost"),
    [
        ("class A(Struct):", True),
        ("class A(msgspec.Struct, frozen=True):", True),
        ("class A(Base, frozen=True):", True),
        ("class A(Base, metaclass=ABCMeta):", False),
        ("class A(Structure):", False),
    ],
)
def test_options_of_classes_are_known_to_be_lost(
    hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch, head: str, lost: bool
) -> None:
    (project / "loregraph" / "indexer" / "engine.py").write_text(f"{head}\n    x: list[int]\n", encoding="utf-8")
    monkeypatch.setenv(hook.VARIABLE, "1")
    ends(hook, monkeypatch, 0, "")
    data, lines = built(hook, project)
    assert data["pure_python"] is lost
    assert ("engine.py:1: mypyc loses" in lines[0]) is lost


def test_the_sources_are_left_as_they_were(hook: ModuleType, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shutil.copytree(project, project.parent / "before")
    monkeypatch.setenv(hook.VARIABLE, "1")
    ends(hook, monkeypatch, 0, "")
    built(hook, project)
    assert {p.relative_to(project) for p in project.rglob("*")} == {p.relative_to(before) for p in before.rglob("*")}
