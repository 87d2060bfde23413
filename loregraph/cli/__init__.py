"""The command line: options in, one call to the project, results out, an exit code."""
