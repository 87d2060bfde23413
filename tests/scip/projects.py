"""Two small projects and the indexes that compilers' indexers made of them.

`python.scip` is scip-python's (0.6.6) and `typescript.scip` scip-typescript's (0.4.0), each run in a folder `/project`
that held the files below, so that no path of a machine is in them:

    scip-python index . --project-name shop --project-version 1 --output python.scip
    scip-typescript index --output typescript.scip

A change of the files needs them made again.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..shop import written

__all__ = ["FOLDER", "PYTHON", "TYPESCRIPT", "written"]

FOLDER: Final = Path(__file__).parent

PYTHON: Final = {
    "shop/__init__.py": "",
    "shop/styles.py": '''
"""Styles."""

from typing import NamedTuple, overload


class Style:
    @property
    def width(self) -> int:
        return 1

    @width.setter
    def width(self, width: int) -> None:
        self.draw("", width)

    def draw(self, text: str, draw: int = 0) -> str:
        return text * draw


class Bold(Style):
    def draw(self, text: str, draw: int = 0) -> str:
        return "*" + super().draw(text, draw)


class Segment(NamedTuple):
    text: str
    style: Style


@overload
def styled(text: str) -> Segment: ...
@overload
def styled(text: bytes) -> Segment: ...
def styled(text):
    return Segment(str(text), Style())
''',
    "shop/show.py": """
from shop.styles import Bold, Segment, Style
from shop.styles import styled as make


def show(buffer: list[Segment]) -> str:
    out = ""
    for text, style in buffer:
        out += "naïve 🚀"; out += style.draw(text)
    return out


def bold(style: Style) -> str:
    return style.draw("")


def main() -> None:
    print(show([make("a"), make(b"b")]))
    bold(Bold())


def later() -> None:
    main()
""",
}

TYPESCRIPT: Final = {
    "package.json": '{"name": "@acme/shop", "version": "1.2.0"}',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "target": "es2020", "lib": ["es2020"], "types": []}}',
    "src/result.ts": """
export type Ok<T> = { value: T };
export const Ok = <T>(value: T): Ok<T> => ({ value });

export interface Observer<T> {
  next(value: T): void;
  error: (error: unknown) => void;
}
""",
    "src/index.ts": """
import { Ok, Observer } from "./result";

export class Cart {
  constructor(private readonly prices: number[]) {}
  total(): Ok<number> {
    const rocket = "🚀"; const sum = this.sum();
    return Ok(sum);
  }
  private sum(): number {
    return this.prices.reduce((a, b) => a + b, 0);
  }
}

export function watch(observer: Observer<number>): Observer<number> {
  return {
    next(next) {
      observer.next(next);
    },
    error(error) {
      observer.error(error);
    },
  };
}

export const checkout = (prices: number[]) => new Cart(prices).total();
""",
}
