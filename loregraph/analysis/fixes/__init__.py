"""Reviews of proposed fixes: what they touch and what they forget."""
