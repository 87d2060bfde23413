"""Many repositories: each is fetched, indexed and published by a process of its own.

`listing` and `naming` say which ones, `job` does one of them, `pool` runs jobs on this machine and `ray_cluster` on
several.
"""
