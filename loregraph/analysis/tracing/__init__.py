"""Traceability from requirements to code, tests and test results, and its matrix."""
