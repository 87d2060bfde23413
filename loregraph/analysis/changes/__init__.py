"""The effects of a change: compares two versions of the code and finds who is affected."""
