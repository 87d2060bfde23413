"""What a proposed fix touches and forgets."""
