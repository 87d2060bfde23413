"""PHPDoc: `@param type $name text`, where the type may hold spaces in brackets and around `|` and `&`.

PSR-5 (draft) and the types of PHPStan and Psalm: https://docs.phpdoc.org/guide/references/phpdoc/tags/param.html,
https://phpstan.org/writing-php-code/phpdoc-types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.analysis.rules.doc_conventions.convention import Convention, Example, has_tag, past_brackets, tags

_TAGS: Final = frozenset({"param", "phpstan-param", "psalm-param"})
_NAME: Final = re.compile(r"\s*+&?\s*+(?:\.\.\.)?\s*+&?(\$\w++)")
_SPACE: Final = re.compile(r"\s*+")
_ATOM: Final = re.compile(r"[^\s()\[\]{}<>$\"'|&]++")
_JOINS: Final = re.compile(r"\s*+[|&:]")


def parameters(text: str) -> Iterator[str]:
    for tag, rest in tags(text):
        if tag in _TAGS and (name := _name(rest)):
            yield name


def _name(rest: str) -> str:
    """The variable that the tag is about: right after the type, or instead of it."""
    at = 0
    while True:
        if match := _NAME.match(rest, at):
            return match[1]
        at = _past_type(rest, at)
        if at < 0:
            return ""
        # `int | string`, `callable(int): bool`: the type goes on. `int &$x`: it does not.
        while True:
            if rest[at - 1] not in "|&:":
                joins = _JOINS.match(rest, at)
                if joins is None or _NAME.match(rest, at):
                    break
                at = joins.end()
            at = _past_type(rest, at)
            if at < 0:
                return ""
        match = _NAME.match(rest, at)
        return match[1] if match else ""


def _past_type(rest: str, start: int) -> int:
    """The end of one part of a type: words, quoted literals and brackets without a space between them; -1 for none."""
    at = begin = match.end() if (match := _SPACE.match(rest, start)) else start
    while at < len(rest):
        sign = rest[at]
        if sign in "([{<":
            at = past_brackets(rest, at)
            if at < 0:
                return -1
        elif sign in "\"'":
            closing = rest.find(sign, at + 1)
            if closing < 0:
                return -1
            at = closing + 1
        elif match := _ATOM.match(rest, at):
            at = match.end()
        else:
            break
    return at if at > begin else -1


CONVENTION = Convention(
    name="PHPDoc",
    openings=frozenset({"/**"}),
    shows=has_tag(*_TAGS),
    parameters=parameters,
    good=(
        Example("@param int $x it", ("$x",)),
        Example("@param  \\Illuminate\\Http\\Request|null  $request\n@param  string  $key", ("$request", "$key")),
        Example("@param array<string, Foo|null> $name the $other one", ("$name",)),
        Example("@param Foo &$x\n@param int ...$rest\n@param Foo &...$all", ("$x", "$rest", "$all")),
        Example("@param callable(int $a, string $b): bool $test", ("$test",)),
        Example("@param (\\Closure(TValue, TKey): bool)|TValue|string  $key", ("$key",)),
        Example("@param int | string $x", ("$x",)),
        Example("@param Countable&Traversable $x", ("$x",)),
        Example("@param array{\n    name: string,\n    size?: int\n} $options more", ("$options",)),
        Example("@param 'asc'|'desc' $order\n@param class-string<T> $class", ("$order", "$class")),
        Example("@param $x without a type", ("$x",)),
        Example("@phpstan-param non-empty-array<int> $x\n@psalm-param list<T> $y", ("$x", "$y")),
        Example("@param int[] $x\n@param ?self $y\n@param static $z", ("$x", "$y", "$z")),
    ),
    bad=(
        Example("@param int the $x of it"),
        Example("@param array"),
        Example("@param array<string, int $x"),
        Example("@return int $x\n@var string $y\n@property int $z\n@method void f(int $x)"),
        Example("```php\n@param int $x\n```\n@return int"),
    ),
)
