"""How much a body has in it, in languages that end a statement in their own ways."""

from __future__ import annotations

import numpy as np
import pytest

from loregraph.analysis.duplicates.shapes import Shape, shape_of
from loregraph.analysis.duplicates.tokens import Source, tokenize
from loregraph.analysis.duplicates.units import Units


def shaped(code: str, language: str) -> Shape:
    tokens = tokenize([Source(code, language)])
    no, nowhere = np.zeros(1, np.bool_), np.full(1, -1, np.int64)
    units = Units(np.arange(1), tokens.starts[:-1], tokens.starts[1:], nowhere, no, no, no, tokens, ())
    return shape_of(units, language, 0, 0, len(tokens.words))


# Verifies REQ-DUP-001.
@pytest.mark.parametrize(
    ("language", "code", "statements"),
    [
        (
            "python",
            "def get(\n    url: str,\n    *,\n    params: D[a, b] = {},\n) -> R:\n    return f(\n  url\n )\n",
            1,
        ),
        ("python", '@x(lambda: 1)\ndef f(a):\n    """Says."""\n    b = a + \\\n  1\n    if b:\n        b()\n', 3),
        ("go", 'func (r *R) Get(p string, c *C) I {\n\treturn r.handle("GET",\n\t\tp, c)\n}\n', 1),
        ("go", 'router.GET("/x", func(c *Context) {\n\tc.JSON(1,\n\t\tH{"path": 1})\n\tstop()\n})\n', 2),
        ("rust", "fn x(&self) -> A<B>\nwhere\n    A: B,\n{\n    self.inner\n        .chunk()\n        .await\n}\n", 1),
        ("rust", "fn x(&self) -> A<B>\nwhere\n    A: B;\n", 0),
        ("javascript", "const f = ({a, b}) => {\n  const c = a + b\n  return c.map((x) => x)\n}\n", 2),
        ("typescript", "const f: F = (\n  a,\n  b,\n) => table[a];\n", 1),
        ("ruby", "def x(a)\n  foo a\n  list.each do |y|\n    y.z\n  end\nend\n", 3),
        ("lua", "it('is', function()\n  a()\n  b()\nend)\n", 2),
        ("c", "int f(int a)\n{\n  a = 1; b = 2;\n  for (int i = 0; i < 3; i++)\n  { x(); }\n  return a;\n}\n", 4),
        ("java", "int f() {\n  return list.stream()\n      .map(x -> x)\n      .sum();\n}\n", 1),
    ],
)
def test_statements_of_a_body_are_counted(language: str, code: str, statements: int) -> None:
    assert shaped(code, language).statements == statements


# Verifies REQ-DUP-005.
def test_what_decides_nothing_is_told() -> None:
    assert shaped("def f(a):\n    g(a)\n    h(a, if_=1)\n", "python") == Shape(2, 12, 2, False)
    assert shaped("def f(a):\n    if a:\n        g(a)\n", "python").decides
