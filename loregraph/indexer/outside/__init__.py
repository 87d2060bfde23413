"""What libraries say of their functions: stubs, and the table of the standard library's that comes with the package."""
