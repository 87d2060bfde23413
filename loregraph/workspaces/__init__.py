"""Several repositories asked as one graph: a file that names them, and what is joined from their graphs."""
