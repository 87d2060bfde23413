"""What has to change, to be run and to be read with a change of a symbol, or with a diff."""
