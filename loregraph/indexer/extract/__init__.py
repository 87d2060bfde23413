"""Extraction: files to facts."""
