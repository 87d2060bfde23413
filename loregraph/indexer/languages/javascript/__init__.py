"""JavaScript, with JSX; the base of TypeScript."""
