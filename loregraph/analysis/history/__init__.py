"""What git's history says of the code: which functions were changed together, how often and by whom."""
