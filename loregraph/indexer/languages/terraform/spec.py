"""Terraform's row: how its syntax becomes facts.

What a block declares is called as the language calls it: `aws_vpc.this`, `data.aws_ami.linux`, `var.region`,
`module.vpc`, `local.tags`, `output.id`. A module's `source` is the folder that its outputs and variables stand in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, MODULE, NAME, Expr
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.hooks import calls
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_PREFIXES: Final = {"resource": "", "ephemeral": "ephemeral.", "variable": "var."}
"""Kind of a block → what its name begins with, where that is not the kind."""
_SETTINGS: Final = frozenset({"source", "version", "providers", "count", "for_each", "depends_on"})
"""Attributes of a module that are none of its variables."""
_NO_BLOCKS: Final = frozenset({"count", "each", "path", "self", "terraform"})
_TYPES: Final = frozenset({"list", "map", "object", "optional", "set", "tuple"})
_MAX_STEPS: Final = 4


def _words(x: Extraction, block: Node | None) -> list[str]:
    """The kind of a block and its labels."""
    held = block.named_children if block is not None else ()
    return [x.text(part).strip('"') for part in held if part.type in ("identifier", "string_lit")]


def _attribute(x: Extraction, block: Node, name: str) -> str:
    """The text of an attribute of a block that is a string without anything filled in; else ""."""
    body = next((part for part in block.named_children if part.type == "body"), None)
    for part in body.named_children if body is not None else ():
        if part.type == "attribute" and part.named_child_count > 1 and x.text(part.named_children[0]) == name:
            return _string(x, part)
    return ""


def _string(x: Extraction, attribute: Node) -> str:
    text = x.text(attribute.named_children[-1])
    return text[1:-1] if text[:1] == '"' == text[-1:] and "${" not in text else ""


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    if x.path.endswith((".lock.hcl", ".tfvars")):
        return None
    if node.type == "attribute":
        name = x.text(node.named_children[0]) if node.named_child_count else ""
        return Header(name=f"local.{name}", signature=x.folded(node)) if name else None
    kind, *labels = _words(x, node) or [""]
    if not labels:
        return None
    alias = _attribute(x, node, "alias") if kind == "provider" else ""
    name = _PREFIXES.get(kind, f"{kind}.") + ".".join([*labels, alias] if alias else labels)
    header = Header(name=name, flags=("exported",) if kind in ("variable", "output") else ())
    header.signature = " ".join([kind, *(f'"{label}"' for label in labels)])
    if kind == "run":
        header.kind, header.flags = "function", ("test",)
    return header


def _docstring(x: Extraction, node: Node) -> str:
    return comment_above(x, node) or (_attribute(x, node, "description") if node.type == "block" else "")


_call = calls((NAME, "$0!"))


def _is_call(x: Extraction, node: Node) -> bool:
    """Types are written like calls: `list(string)`."""
    name = node.named_child(0)
    return name is not None and x.text(name) not in _TYPES


def _of_module(name: str, member: str) -> Expr:
    """Something in the folder that a module names."""
    return (ATTRIBUTE, (ATTRIBUTE, (NAME, f"module.{name}"), "source"), member)


def _note_attribute(x: Extraction, node: Node, capture: str) -> None:
    """Where a module is, and which of its variables it is given; what a file of variables gives those beside it."""
    name = x.text(node.named_children[0]) if node.named_child_count > 1 else ""
    block = node.parent.parent if node.parent is not None else None
    if block is None or not name:
        return
    if block.type == "config_file":
        if x.path.endswith(".tfvars"):
            x.refer(node, (NAME, f"var.{name}"), "value")
        return
    kind, *labels = _words(x, block) or [""]
    if name == {"module": "source", "terraform": "source", "dependency": "config_path"}.get(kind):
        source = _string(x, node)
        if source:
            x.import_(node, source)
            x.assign(node, (NAME, "source"), (MODULE, source), "declare")
    elif kind == "module" and labels and name not in _SETTINGS and _is_at_top(block):
        x.refer(node, _of_module(labels[0], f"var.{name}"), "value")


def _is_at_top(block: Node) -> bool:
    around = block.parent.parent if block.parent is not None else None
    return around is not None and around.type == "config_file"


def _value(x: Extraction, node: Node, capture: str) -> None:
    """`var.region`, `data.aws_ami.linux.id`, `module.vpc.vpc_id`."""
    first, steps = x.text(node), _steps(x, node)
    if not steps or first in _NO_BLOCKS:
        return
    if _is_provider(x, node):
        x.refer(node, (NAME, f"provider.{first}.{steps[0]}"), "value")
    elif first == "data" or first == "ephemeral":
        if len(steps) > 1:
            x.refer(node, (NAME, f"{first}.{steps[0]}.{steps[1]}"), "value")
    else:
        x.refer(node, (NAME, f"{first}.{steps[0]}"), "value")
        if first == "module" and len(steps) > 1:
            x.refer(node, _of_module(steps[0], f"output.{steps[1]}"), "value")


def _steps(x: Extraction, node: Node) -> list[str]:
    """The names behind a variable, without subscripts."""
    found: list[str] = []
    at = node.next_named_sibling
    while at is not None and at.type in ("get_attr", "index", "splat") and len(found) < _MAX_STEPS:
        if at.type == "get_attr":
            found.append(x.text(at).lstrip(". \t\n"))
        elif at.type == "splat" and at.named_child_count:
            inside = [part for part in at.named_children[0].named_children if part.type == "get_attr"]
            found += [x.text(part).lstrip(". \t\n") for part in inside]
        at = at.next_named_sibling
    return found


def _is_provider(x: Extraction, node: Node) -> bool:
    """Whether a value stands in `provider = aws.west` or `providers = { aws = aws.west }`."""
    around = node.parent
    for _ in range(6):
        if around is None or around.type == "attribute":
            break
        around = around.parent
    return (
        around is not None
        and around.type == "attribute"
        and x.text(around.named_children[0]) in ("provider", "providers")
    )


SPECS = {
    "terraform": LanguageSpec(
        name="terraform",
        grammar="terraform",
        queries=("terraform/query.scm",),
        expressions={},
        is_call=_is_call,
        hooks={
            "call": lambda x, node, capture: _call(x, node, capture) if x.numbered(node) else None,
            "reference.attribute": _note_attribute,
            "reference.value": _value,
        },
        header=_header,
        docstring=_docstring,
    )
}
