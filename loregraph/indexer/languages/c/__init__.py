"""C. C++ builds on it."""
