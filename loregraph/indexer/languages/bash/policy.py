"""Bash's rules of naming and calling."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.policy import Calls, Modules, Policy, Scopes

_BUILTINS: Final = (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo "
    "enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf "
    "pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit "
    "umask unalias unset wait"
).split()
_PROGRAMS: Final = (
    "ar awk basename bash bc bzip2 cat chgrp chmod chown chroot cksum clear cmp column comm cp crontab csplit curl cut "
    "date dd df diff dirname docker du ed egrep env expand expr fgrep file find fmt fold fuser gawk getconf gettext "
    "git grep groups gunzip gzip head hostname id iconv install join ksh less ln locale logger logname ls lsof make "
    "man md5sum mkdir mkfifo mknod mktemp more mount mv nc nice nl nohup nproc od openssl parallel paste patch perl "
    "pgrep ping pkill pr ps python python3 readlink realpath rm rmdir rsync ruby scp sed seq sh sha1sum sha256sum "
    "shuf sleep sort split ssh stat strings stty su sudo sync systemctl tac tail tar tee timeout top touch tput tr "
    "tsort tty umount uname uniq unxz unzip uptime users uuidgen vi wc wget which who whoami xargs xz yes zcat zip zsh"
).split()

POLICY: Final = Policy(
    language="bash",
    modules=Modules(style="script", include_scope=True, includer_scope=True),
    scopes=Scopes(
        assigns_outward=frozenset(),
        hoisted=False,
        default_externals={**dict.fromkeys(_PROGRAMS, "posix"), **dict.fromkeys(_BUILTINS, "bash")},
    ),
    calls=Calls(callbacks={"bash.trap": (0,)}),
)
POLICIES: Final = {"bash": POLICY}
