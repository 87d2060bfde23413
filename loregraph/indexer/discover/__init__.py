"""Which files there are, and what folders and packaging files say of them."""
