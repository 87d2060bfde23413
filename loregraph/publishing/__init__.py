"""Publishing graphs: what one machine has computed for a commit, put where others read it.

docs/publishing.md says how it is used and what lies where. `publish`, `pull` and `retention` are what front ends call.
"""
