"""C++: C's facts and what C++ adds."""
