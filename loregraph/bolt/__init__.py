"""A shared graph on a server that speaks Bolt and Cypher: loading generations into it, and asking it."""
