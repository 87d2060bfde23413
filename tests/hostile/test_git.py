"""Repositories whose settings, attributes and links would have git run commands or read elsewhere."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from loregraph import git, git_settings
from loregraph.config import Settings
from loregraph.git import ChangedFile, GitRefusal, ask_git, changed_lines, run_git
from loregraph.indexer.discover.files import discover

PACKAGE = Path(git.__file__).parent

RUNS_OR_OPENS = re.compile(
    r"command|program|path|file|dir|helper|hook|external|editor|pager|proxy|clean|smudge|process|textconv|driver|cmd"
    r"|tool|exec|vcs|url|browser|askpass|template|fsmonitor|include|worktree|promisor|partialclone|pack$|alias|shell"
    r"|trace2\..*target|showsignature|orderfile|funcname|diffilter|recurse|allow|external|word",
    re.IGNORECASE,
)
WORDS_AND_NUMBERS = {
    "core.bigFileThreshold",
    "core.fileMode",
    "core.filesRefLockTimeout",
    "core.fsmonitorHookVersion",
    "core.fsyncObjectFiles",
    "core.hideDotFiles",
    "core.packedRefsTimeout",
    "diff.<driver>.binary",
    "diff.<driver>.cachetextconv",
    "diff.<driver>.wordRegex",
    "diff.dirstat",
    "diff.wordRegex",
}
"""Settings that sound like the others and are numbers, switches, or patterns that a diff by lines does not use."""

UNLISTED = (
    "core.fsmonitor",
    "diff.<driver>.funcname",
    "extensions.partialClone",
    "filter.<driver>.clean",
    "filter.<driver>.process",
    "filter.<driver>.smudge",
    "gpg.openpgp.program",
    "gpg.ssh.program",
    "gpg.x509.program",
    "remote.<name>.promisor",
    "remote.<name>.uploadpack",
)
"""What not every git lists among its settings."""


def documented() -> list[str]:
    listed = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True).stdout
    names = [word for word in listed.split() if "." in word and "'" not in word]
    assert len(names) > 500
    return sorted({*names, *UNLISTED})


def named(setting: str) -> str:
    """`filter.<driver>.clean` of a driver called `canary`."""
    return re.sub(r"<[^>]*>|(?<=\.)\*", "canary", setting)


# Verifies REQ-SEC-006.
def test_every_documented_setting_that_runs_or_opens_something_is_classified() -> None:
    def is_classified(setting: str) -> bool:
        return (
            setting in git_settings.PINNED
            or setting in git_settings.HELD_OTHERWISE
            or git_settings.overridden(named(setting)) is not None
            or setting.startswith(git_settings.NOT_READ)
            or setting in WORDS_AND_NUMBERS
        )

    unclassified = [one for one in documented() if RUNS_OR_OPENS.search(one) and not is_classified(one)]
    assert unclassified == []


def test_no_setting_of_a_section_that_is_read_is_waved_through() -> None:
    read = ("core.", "diff.", "extensions.", "filter.", "include", "alias.", "protocol.", "pager.", "url.", "safe.")
    waved = [one for one in git_settings.NOT_READ if one.startswith(read) and one not in ("diff.tool", "diff.guitool")]
    assert waved == []


def test_only_known_subcommands_are_run(tmp_path: Path) -> None:
    for words in ([], ["status"], ["-c", "alias.x=!touch x", "x"], ["fetch"], ["show"]):
        with pytest.raises(ValueError, match="not among"):
            ask_git(tmp_path, words)


def test_git_is_asked_in_one_place_and_fetched_from_in_another() -> None:
    allowed = {"loregraph/git.py": {"git"}, "loregraph/git_remote.py": {"git"}}
    found: dict[str, set[str]] = {}
    asking = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE.parent).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.List | ast.Tuple) and node.elts:
                first = node.elts[0]
                if isinstance(first, ast.Constant) and first.value in ("git", "git.exe", "/usr/bin/git"):
                    if len(node.elts) > 1 and isinstance(node.elts[1], ast.Lambda):
                        continue  # the name of a check
                    found.setdefault(name, set()).add(str(first.value))
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.system", "os.popen"):
                found.setdefault(name, set()).add(ast.unparse(node))
            if isinstance(node, ast.Constant) and node.value in (
                "--textconv", "--ext-diff", "--filters", "--show-signature", "--exec", "--upload-pack",
            ):  # fmt: skip
                asking.append((name, node.value))
    assert found == allowed
    assert asking == []


# a repository that sets everything


@dataclass(frozen=True)
class Canaries:
    """A repository in which every setting that can names a script that leaves a mark."""

    root: Path
    marks: Path
    environment: dict[str, str]

    def sung(self) -> set[str]:
        return {one.name for one in self.marks.iterdir()}

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "loregraph", *words],
            cwd=self.root,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def plain_git(root: Path, *words: str, given: str = "", check: bool = True) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, input=given, check=check)
    return done.stdout.strip()


MODULE = '''"""A shop."""


def total(prices):
    """The sum.

    Implements REQ-SHOP-001.
    """
    result = 0
    for price in prices:
        result = result + price
    return result


def checkout(prices):
    return total(prices)
'''

SWITCHES = {
    "core.repositoryFormatVersion": "1",
    "diff.submodule": "log",
    "extensions.partialClone": "canary",
    "extensions.worktreeConfig": "true",
    "fetch.recurseSubmodules": "true",
    "filter.canary.required": "true",
    "interactive.singleKey": "false",
    "log.showSignature": "true",
    "maintenance.auto": "true",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.canary.promisor": "true",
    "remote.canary.url": "ext::{canary}",
    "submodule.recurse": "true",
    "transfer.credentialsInUrl": "allow",
    "url.ext::.insteadOf": "https://",
}
"""Settings that let others run, and what they have to be for that."""

NO_COMMANDS = re.compile(
    r"core\.(worktree|excludesFile|attributesFile|hooksPath|askPass)|include|safe\.|mailmap|diff\.(orderFile|ignore)|fsck"
    r"|protocol|receive\.fsck|extensions|url\.|log\.(mailmap|excl)|.*(?:funcname|wordregex)$|fetch\.|submodule\.|trace2\.",
    re.IGNORECASE,
)
"""Settings that hold a folder, a file, patterns or a word, which would keep git from starting at all."""


@pytest.fixture
def canaries(tmp_path: Path, git_identity: None) -> Canaries:
    root, marks, scripts = tmp_path / "clone", tmp_path / "marks", tmp_path / "scripts"
    for folder in (root / "docs", marks, scripts, root / "tests"):
        folder.mkdir(parents=True)
    plain_git(root, "init", "-q")
    (root / "shop.py").write_text(MODULE, encoding="utf-8")
    (root / "tests/test_shop.py").write_text(
        "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n", encoding="utf-8"
    )
    (root / "docs/requirements.md").write_text("# Shop\n\n- **REQ-SHOP-001** Prices are added.\n", encoding="utf-8")
    attributes = "* filter=canary diff=canary merge=canary\n"
    (root / ".gitattributes").write_text(attributes, encoding="utf-8")
    plain_git(root, "add", "-A")
    tree = plain_git(root, "write-tree")
    person = "A <a@example.com> 1700000000 +0000"
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n"
    head = ""
    for message in ("First\n\nImplements: REQ-SHOP-001\n", "Second\n"):
        parent = f"parent {head}\n" if head else ""
        text = f"tree {tree}\n{parent}author {person}\ncommitter {person}\n{signature}\n{message}"
        head = plain_git(root, "hash-object", "-t", "commit", "-w", "--stdin", given=text)
    plain_git(root, "update-ref", "HEAD", head)

    def script(name: str) -> str:
        path = scripts / name.replace("/", "_")
        path.write_text(f"#!/bin/sh\n: > '{marks / path.name}'\ncat\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    config: dict[str, str] = {}
    for setting in documented():
        name = named(setting)
        if not RUNS_OR_OPENS.search(setting) or NO_COMMANDS.match(setting) or setting in WORDS_AND_NUMBERS:
            continue
        config[name] = script(name)
    for name, value in SWITCHES.items():
        config[name] = value.format(canary=script(name))
    config["alias.diff"] = config["alias.log"] = "!" + script("alias.log")
    for name, value in sorted(config.items()):
        # A value that git does not take for this setting (a switch, a number) would only end every command.
        accepted = subprocess.run(
            ["git", "-c", f"{name}={value}", "-c", "core.fsmonitor=", "log", "-0"],
            cwd=root,
            capture_output=True,
            check=False,
        )
        if accepted.returncode == 0:
            plain_git(root, "config", "--file", ".git/config", name, value)
    for one in marks.iterdir():
        one.unlink()
    (root / ".git/config.worktree").write_text(f'[core]\n\tfsmonitor = "{script("config.worktree")}"\n')
    (root / ".git/info").mkdir(exist_ok=True)
    (root / ".git/info/attributes").write_text(attributes, encoding="utf-8")
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"):
        Path(script(f"hook.{hook}")).rename(hooks / hook)
    for path in root.rglob("*.py"):
        os.utime(path, (1, 1))  # not as the index knows it: git has to look into it, through its filter
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith("LOREGRAPH_")},
        "LOREGRAPH_HOME": str(tmp_path / "home"),
        "XDG_CONFIG_HOME": str(tmp_path / "xdg"),
        "PYTHONPATH": str(PACKAGE.parent),
        "LOREGRAPH_EMBEDDER": "none",
    }
    for variable in ("GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PAGER", "GIT_EDITOR"):
        environment[variable] = script(f"variable.{variable}")
    environment["GIT_TRACE"] = environment["GIT_TRACE2"] = str(marks / "trace")
    return Canaries(root, marks, environment)


def test_the_canaries_would_sing(canaries: Canaries) -> None:
    for words in (["status"], ["log", "-1"], ["diff", "HEAD"], ["--no-pager", "log", "-p", "-1"], ["-p", "log", "-1"]):
        subprocess.run(["git", *words], cwd=canaries.root, capture_output=True, timeout=60, check=False)
    sung = canaries.sung()
    assert "config.worktree" in sung or "core.fsmonitor" in sung
    assert {"filter.canary.clean", "filter.canary.process"} & sung
    assert {"gpg.program", "gpg.openpgp.program"} & sung


# Verifies REQ-SEC-006.
def test_no_command_of_loregraph_runs_what_a_repository_names(canaries: Canaries) -> None:
    commands = [
        ["index", "--jobs", "1"],
        ["status"],
        ["status", "--json"],
        ["diff", "HEAD"],
        ["diff", "HEAD~1", "--format", "markdown"],
        ["diff", "HEAD~1...", "--json"],
        ["check", "--since", "HEAD~1"],
        ["duplicates", "--since", "HEAD~1"],
        ["trace"],
        ["search", "total"],
        ["memory", "add", "Prices are floats", "--kind", "design"],
        ["memory", "list"],
        ["doctor"],
        ["index", "--full", "--jobs", "1", "--json"],
    ]
    answers = {}
    for words in commands:
        done = canaries.run(*words)
        assert canaries.sung() == set(), words
        assert "Traceback" not in done.stderr
        answers[" ".join(words)] = done
    assert [words for words, done in answers.items() if done.returncode not in (0, 1)] == []
    # git did answer: it was not merely unable to.
    report = json.loads(answers["index --full --jobs 1 --json"].stdout)
    assert report["problems"] == []
    assert report["relationships"]["IMPLEMENTS_REQ"] >= 1
    assert "a repository" in answers["doctor"].stdout
    assert "no function or class differs" in answers["diff HEAD"].stderr
    assert changed_lines(canaries.root, "HEAD") == {}


def test_the_server_runs_nothing_either(canaries: Canaries) -> None:
    lines = [
        {
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]  # fmt: skip
    assert canaries.run("index", "--jobs", "1").returncode == 0
    done = canaries.run("serve", given="".join(json.dumps(line) + "\n" for line in lines))
    assert '"id":1' in done.stdout.replace(" ", "")
    assert canaries.sung() == set()


def test_watching_runs_nothing_either(canaries: Canaries) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "loregraph", "watch", "--json", "--jobs", "1"],
        cwd=canaries.root,
        env=canaries.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["files"]["indexed"] >= 2
    finally:
        process.kill()
        process.communicate()
    assert canaries.sung() == set()


# what git would read elsewhere


@pytest.fixture
def elsewhere(tmp_path: Path, git_identity: None) -> Path:
    """Somebody's repository with something to keep."""
    root = tmp_path / "private"
    root.mkdir()
    plain_git(root, "init", "-q")
    (root / "secret.py").write_text("def secret_recipe():\n    return 1\n", encoding="utf-8")
    plain_git(root, "add", "-A")
    plain_git(root, "commit", "-q", "-m", "Keep")
    return root


@pytest.fixture
def clone(tmp_path: Path, git_identity: None) -> Path:
    root = tmp_path / "clone"
    root.mkdir()
    plain_git(root, "init", "-q")
    (root / "own.py").write_text("def own():\n    return 1\n", encoding="utf-8")
    plain_git(root, "add", "-A")
    plain_git(root, "commit", "-q", "-m", "Own")
    return root


def listed(root: Path) -> list[str]:
    return [file.path for file in discover(root, Settings()).files]


def refused(root: Path) -> str:
    answer = ask_git(root, ["rev-parse", "HEAD"])
    assert isinstance(answer, GitRefusal)
    return answer.reason


@pytest.mark.parametrize("value", ["{private}", "/", "..", "../private"])
def test_another_folder_as_the_work_tree(clone: Path, elsewhere: Path, value: str) -> None:
    plain_git(clone, "config", "core.worktree", value.format(private=elsewhere))
    assert listed(clone) == ["own.py"]
    assert changed_lines(clone, "HEAD") == {}


def test_included_settings(clone: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    (tmp_path / "more").write_text(f'[core]\n\tfsmonitor = "touch {trap}"\n\tworktree = /\n', encoding="utf-8")
    plain_git(clone, "config", "include.path", str(tmp_path / "more"))
    plain_git(clone, "config", f"includeIf.gitdir:{clone}/.path", str(tmp_path / "more"))
    assert listed(clone) == ["own.py"]
    assert changed_lines(clone, "HEAD") == {}
    assert not trap.exists()


def move_git_folder(clone: Path) -> Path:
    kept = clone / "kept"
    (clone / ".git").rename(kept)
    return kept


def test_git_folder_that_leads_to_another_repository(clone: Path, elsewhere: Path) -> None:
    move_git_folder(clone)
    (clone / ".git").write_text(f"gitdir: {elsewhere / '.git'}\n", encoding="utf-8")
    assert "does not name this folder" in refused(clone)
    assert "secret.py" not in listed(clone)
    (clone / ".git").unlink()
    (clone / ".git").symlink_to(elsewhere / ".git")
    assert "does not name this folder" in refused(clone)
    assert "secret.py" not in listed(clone)


def test_objects_and_settings_of_another_repository(clone: Path, elsewhere: Path) -> None:
    (clone / ".git/commondir").write_text(str(elsewhere / ".git"), encoding="utf-8")
    assert "is not the repository that it lies in" in refused(clone)


def test_a_folder_that_pretends_to_belong_to_another_repository(clone: Path, elsewhere: Path) -> None:
    forged = clone / "forged"
    forged.mkdir()
    (forged / "HEAD").write_text("ref: refs/heads/master\n", encoding="utf-8")
    (forged / "commondir").write_text(str(elsewhere / ".git"), encoding="utf-8")
    inner = clone / "inner"
    inner.mkdir()
    (inner / ".git").write_text("gitdir: ../forged\n", encoding="utf-8")
    (forged / "gitdir").write_text(str(inner / ".git"), encoding="utf-8")
    assert "is not the repository that it lies in" in refused(inner)
    assert listed(inner) == []


@pytest.mark.parametrize("part", ["objects", "refs", "index", "HEAD", "config", "packed-refs"])
def test_a_part_that_leads_to_another_repository(clone: Path, elsewhere: Path, part: str) -> None:
    path = clone / ".git" / part
    if path.exists():
        path.rename(clone / f"kept-{part}")
    plain_git(elsewhere, "pack-refs", "--all")
    path.symlink_to(elsewhere / ".git" / part)
    assert "leads out of the repository" in refused(clone)


def test_where_a_folder_of_its_own_is_kept_elsewhere_git_is_asked(clone: Path, tmp_path: Path) -> None:
    head = plain_git(clone, "rev-parse", "HEAD").encode() + b"\n"
    plain_git(clone, "worktree", "add", "-q", str(tmp_path / "linked"))
    assert run_git(tmp_path / "linked", "rev-parse", "HEAD") == head
    plain_git(clone, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(clone), "sub")
    assert run_git(clone / "sub", "rev-parse", "HEAD") == head
    assert "sub/own.py" in listed(clone)
    plain_git(clone, "clone", "-q", "--separate-git-dir", str(tmp_path / "apart"), ".", str(tmp_path / "with"))
    assert "does not name this folder" in refused(tmp_path / "with")
    plain_git(tmp_path / "with", "config", "core.worktree", str(tmp_path / "with"))
    assert run_git(tmp_path / "with", "rev-parse", "HEAD") == head
    (tmp_path / "beside").symlink_to(clone)
    assert run_git(tmp_path / "beside", "rev-parse", "HEAD") == head


def test_a_folder_that_looks_like_a_bare_repository(clone: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    bare = clone / "bare"
    plain_git(clone, "init", "-q", "--bare", "bare")
    plain_git(bare, "config", "core.bare", "false")
    plain_git(bare, "config", "core.worktree", "..")
    plain_git(bare, "config", "core.fsmonitor", f"touch {trap}")
    assert "bare repository" in refused(bare)
    assert not trap.exists()


def test_nothing_is_fetched(clone: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    blob = plain_git(clone, "rev-parse", "HEAD:own.py")
    (clone / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(tmp_path),
        "remote.origin.uploadpack": f"touch {trap};",
        "protocol.allow": "always",
    }.items():
        plain_git(clone, "config", name, value)
    plain_git(clone, "cat-file", "blob", blob, check=False)
    assert trap.exists()  # this is how it would be
    trap.unlink()
    (clone / "own.py").write_text("changed\n", encoding="utf-8")
    assert git.files_at(clone, "HEAD", ["own.py"]) == {}
    answer = ask_git(clone, ["diff", "HEAD"])
    assert isinstance(answer, GitRefusal)
    assert not trap.exists()


# what stays right without filters


def restored(path: Path) -> None:
    """Makes git look into the file again."""
    os.utime(path, (1, 1))


@pytest.mark.parametrize(
    ("attributes", "on_disk"),
    [
        ("", "a\r\nb\r\n"),
        ("*.py text=auto\n", "a\r\nb\r\n"),
        ("*.py text eol=crlf\n", "a\r\nb\r\n"),
        ("*.py ident\n", "# $Id: 0123 $\n"),
        ("*.py export-subst\n", "# $Format:%H$\n"),
        ("*.py text working-tree-encoding=UTF-16LE\n", "x"),
        ("*.py -text\n", "a\r\nb\r\n"),
        ("*.py diff=python\n", "a\n"),
        ("*.py -diff\n", "a\n"),
    ],
)
def test_attributes_that_convert(clone: Path, attributes: str, on_disk: str) -> None:
    plain_git(clone, "config", "core.autocrlf", "true")
    (clone / ".gitattributes").write_text(attributes, encoding="utf-8")
    content = on_disk.encode("utf-16-le" if "UTF-16" in attributes else "utf-8")
    (clone / "own.py").write_bytes(content)
    plain_git(clone, "add", "-A")
    plain_git(clone, "commit", "-q", "-m", "x")
    restored(clone / "own.py")
    assert changed_lines(clone, "HEAD") == {}
    (clone / "own.py").write_bytes(content + content)
    assert changed_lines(clone, "HEAD")["own.py"].status == "M"


@pytest.mark.parametrize("content", [b"\0binary\xff" * 50, b"line\n" * 50])
def test_git_lfs_files_are_compared_with_their_pointers(clone: Path, content: bytes) -> None:
    import hashlib

    pointer = (
        "version https://git-lfs.github.com/spec/v1\n"
        f"oid sha256:{hashlib.sha256(content).hexdigest()}\nsize {len(content)}\n"
    )
    for name in ("whole.bin", "other.bin"):
        (clone / name).write_text(pointer, encoding="utf-8")
    plain_git(clone, "add", "-A")
    plain_git(clone, "commit", "-q", "-m", "x")
    (clone / ".gitattributes").write_text("*.bin filter=lfs diff=lfs merge=lfs -text\n", encoding="utf-8")
    plain_git(clone, "config", "filter.lfs.clean", "git-lfs clean -- %f")
    plain_git(clone, "config", "filter.lfs.process", "git-lfs filter-process")
    plain_git(clone, "config", "filter.lfs.required", "true")
    (clone / "whole.bin").write_bytes(content)
    (clone / "other.bin").write_bytes(content[:-1] + b"!")
    found = changed_lines(clone, "HEAD")
    assert sorted(found) == [".gitattributes", "other.bin"]
    assert found["other.bin"].status == "M"


def test_names_of_drivers_that_need_care(clone: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    for name in ("a=b", "x y", "ü", "a.b.c", "-c", "UP"):
        plain_git(clone, "config", f"filter.{name}.clean", f"touch {trap}; cat")
        plain_git(clone, "config", f"filter.{name}.required", "true")
        (clone / ".git/info/attributes").write_text(f"*.py filter={name}\n", encoding="utf-8")
        restored(clone / "own.py")
        assert changed_lines(clone, "HEAD") == {}
        assert not trap.exists()


def test_a_pattern_for_headings_that_never_ends(clone: Path) -> None:
    (clone / "own.py").write_text("a" * 200 + "\n" + "x\n" * 50 + "y\n", encoding="utf-8")
    plain_git(clone, "add", "-A")
    plain_git(clone, "commit", "-q", "-m", "x")
    plain_git(clone, "config", "diff.slow.xfuncname", r"^(((a*)*)*)*\1\2\3b$")
    (clone / ".gitattributes").write_text("*.py diff=slow\n", encoding="utf-8")
    (clone / "own.py").write_text("a" * 200 + "\n" + "x\n" * 50 + "z\n", encoding="utf-8")
    answer = ask_git(clone, ["diff", "--unified=0", "HEAD"], timeout=60)
    assert isinstance(answer, bytes)
    assert changed_lines(clone, "HEAD")["own.py"] == ChangedFile("M", "own.py", ((52, 52),), ((52, 52),))


# damage


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".git/config", b"[core\n"),
        (".git/config", b"[core]\n\trepositoryformatversion = 99\n"),
        (".git/config", b"\0" * 100_000),
        (".git/index", b"DIRC" + b"\xff" * 1000),
        (".git/index", b""),
        (".git/HEAD", b"ref: " + b"x" * 100_000),
        (".git/packed-refs", b"\xff" * 1000),
    ],
)
def test_damaged_repositories_are_refused_and_walked(clone: Path, path: str, content: bytes) -> None:
    (clone / path).write_bytes(content)
    assert "own.py" in listed(clone)


@pytest.fixture
def hook_environment(monkeypatch: pytest.MonkeyPatch, elsewhere: Path) -> Iterator[None]:
    for name, value in {
        "GIT_DIR": str(elsewhere / ".git"),
        "GIT_WORK_TREE": str(elsewhere),
        "GIT_INDEX_FILE": str(elsewhere / ".git/index"),
        "GIT_TRACE": str(elsewhere / "trace"),
        "GIT_TRACE2_EVENT": str(elsewhere / "trace2"),
    }.items():
        monkeypatch.setenv(name, value)
    yield


def test_variables_about_another_repository(clone: Path, elsewhere: Path, hook_environment: None) -> None:
    assert listed(clone) == ["own.py"]
    assert changed_lines(clone, "HEAD") == {}
    assert not (elsewhere / "trace").exists()
    assert not (elsewhere / "trace2").exists()


def test_settings_of_the_user_count(clone: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (clone / "scratch.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "ignored").write_text("scratch.py\n", encoding="utf-8")
    assert "scratch.py" in listed(clone)
    for number, (key, value) in enumerate({"core.excludesFile": str(tmp_path / "ignored")}.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", key)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
        monkeypatch.setenv("GIT_CONFIG_COUNT", str(number + 1))
    assert listed(clone) == ["own.py"]
