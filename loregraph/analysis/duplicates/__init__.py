"""Copies in a project: exact, renamed and edited ones, in any language, whole functions and parts of them.

    lexical_rules → tokens → units → bags → join → pairing → clones ┐
                                                         fragments ├→ finding → results → reporting
                                                          semantic ┘

`read_units` reads what is compared, `CloneIndex` compares it, `find_duplicates` says what came out.
"""
