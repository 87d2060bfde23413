"""Files to facts."""
