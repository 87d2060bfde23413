"""Which tests to run for a change, why, and in which order."""
