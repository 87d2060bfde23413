"""Requirements as pages show them: the matrix, documents and sections, one requirement, two revisions.

Functions of reports of `analysis.tracing`; what they return is bounded, and says how much it leaves out.
"""
