"""TypeScript and TSX: JavaScript with types."""
