"""Requirements to code, tests and results, and the matrix of them."""
