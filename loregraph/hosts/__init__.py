"""Programs that start MCP servers, and how loregraph is put into their configuration.

`table` has a row for each host; `installing` plans and writes; `parts` are what is put into a file, by the modules of
its format (`jsonc`, `toml_table`, `yaml_block`, `marked`), which edit text by position (`edits`) so that all else stays
byte for byte; `receipts` remembers what was written.
"""
