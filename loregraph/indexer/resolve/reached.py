"""Which files an edit affects statically: those whose code may now find something else than before.

Follows the changes found by `differences`: to files that mention a changed name, to other names for the same things in
those, and to files that hold a changed function or type. The necessary data of each file is in its trace: the words
that it mentions (`Trace.words`), and the names of everything that crossed to or from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve.differences import difference, mentioned, passed_on, seen
from loregraph.indexer.resolve.index import build_index
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.recording import crossing, words_of
from loregraph.indexer.resolve.records import Difference, Seen, Words
from loregraph.indexer.resolve.words import DEFINED, STORED, digest

Found = dict[str, set[str]]
"""Path → qualified names of functions and types there."""


class Reach:
    """The files known so far to be affected by an edit.

    `blob` returns the trace of a file, `words` its words where there is a quicker way to them, `facts` those of an
    unedited one. `limit` is the number of files, edited ones included, beyond which the search stops.
    """

    def __init__(
        self,
        changed: Mapping[str, FileFacts],
        before: Mapping[str, FileFacts],
        facts: Callable[[str], FileFacts],
        blob: Callable[[str], bytes],
        paths: Iterable[str],
        limit: float,
        words: Callable[[str], Words] | None = None,
    ) -> None:
        self.changed = changed
        self.before = before
        self.facts = facts
        self.blob = blob
        self.words = words or (lambda path: words_of(blob(path)))
        self.paths = list(paths)
        self.limit = limit
        self.files = set(changed)
        """Those that are reached, the edited ones with them."""
        self.names: set[str] = set()
        """Those that have another meaning now."""
        self.bound: set[str] = set()
        """Those of what has changed itself, and others that stand for it."""
        self.objects: Found = {}
        self._words: dict[str, Words] = {}
        self._seen: dict[str, tuple[Seen, ...]] = {}

    def found(self) -> set[str] | None:
        """The affected files; None where they are uncertain or more than the limit."""
        names: set[str] = set()
        objects: Found = {}
        for path, new in self.changed.items():
            told = difference(self.before[path], new)
            # Where types were added, removed or moved, any holder of a supertype could run their methods.
            if told.everything or told.types:
                return None
            names |= told.names - {name for name in told.stored | told.members if self._is_kept(name, told)}
            if told.objects:
                objects.setdefault(path, set()).update(told.objects)
        bound: set[str] = set()
        while names or bound or objects:
            for path, own in objects.items():
                self.objects.setdefault(path, set()).update(own)
                bound |= Difference(objects=frozenset(own)).bound - self.bound
            self.names |= names
            self.bound |= bound
            if not self._mentioning(names | bound) or not self._holding(objects):
                return None
            following = self._passed_on()
            if following is None:
                return None
            names, bound, objects = following
        return self.files

    def _is_kept(self, name: str, told: Difference) -> bool:
        """Whether other files also write or define an added or removed name, so that it was and stays known."""
        kinds = [kind for kind, names in ((STORED, told.stored), (DEFINED, told.members)) if name in names]
        return all(self._is_known(digest(kind, name)) for kind in kinds)

    def _is_known(self, wanted: bytes) -> bool:
        return any(wanted in self._of(path).known for path in self.paths if path not in self.changed)

    def _of(self, path: str) -> Words:
        found = self._words.get(path)
        if found is None:
            found = self._words[path] = self.words(path)
        return found

    def _mentioning(self, names: set[str]) -> bool:
        """Adds the files that mention one of `names`. Returns whether the number is within the limit."""
        if names:
            for path in self.paths:
                if path not in self.files and mentioned(self._of(path).mentions, names):
                    self.files.add(path)
                    if len(self.files) > self.limit:
                        return False
        return True

    def _holding(self, objects: Found) -> bool:
        """Adds the files that received one of `objects`, or something of it."""
        if objects:
            for path in self.paths:
                blob = self.blob(path)
                if any(name.encode() in blob for own in objects.values() for name in own):
                    self.files |= crossing(blob, path, objects) & set(self.paths)
                    if len(self.files) > self.limit:
                        return False
        return True

    def _passed_on(self) -> tuple[set[str], set[str], Found] | None:
        """Other names for affected things, and the objects defined by them. None where supertypes may have changed."""
        names: set[str] = set()
        bound: set[str] = set()
        objects: Found = {}
        for path in self.files:
            for one in self._sights(path):
                moved = passed_on(one, self.names)
                if moved.types:
                    return None
                names |= moved.names - self.names
                passed = passed_on(one, self.names | self.bound)
                bound |= passed.names - self.names - self.bound - names
                own = passed.objects - self.objects.get(path, set())
                if own:
                    objects.setdefault(path, set()).update(own)
        return names, bound, objects

    def _sights(self, path: str) -> tuple[Seen, ...]:
        found = self._seen.get(path)
        if found is None:
            held = [self.before[path], self.changed[path]] if path in self.changed else [self.facts(path)]
            found = self._seen[path] = tuple(seen(build_index(one, policy_of(one.language))) for one in held)
        return found
