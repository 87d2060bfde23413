"""What a collection keeps, and that publishers beside it lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.publishing.catalogue import REMOVED, Catalogue
from loregraph.publishing.places import place_of
from loregraph.publishing.retention import collect
from tests.publishing.conftest import Shop, files_in


def archives(place: Path) -> list[str]:
    return sorted(path.name for path in place.glob("repository/_archives/*"))


# Verifies REQ-PUB-010.
def test_the_newest_commits_stay_and_archives_that_nobody_names_go(shop: Shop, place: Path) -> None:
    commits = [shop.project.publish(str(place)).commit]
    first = archives(place)
    for price in (1, 2):  # in one second
        shop.commit(price)
        commits.append(shop.project.publish(str(place)).commit)
    assert len(archives(place)) == 3
    (place / "repository/_archives/notes.txt").write_text("not ours")
    done = shop.project.collect(str(place), newest=2)
    assert (done.commits, done.archives, done.kept) == ((commits[0],), 1, 2)
    assert done.bytes > 1000
    assert first[0] not in archives(place)
    assert "notes.txt" in archives(place)
    done = shop.project.collect(str(place), newest=1)
    assert done.commits == (commits[1],)
    assert shop.clone("other").project.pull(str(place)).commit == commits[2]
    shop.project.collect(str(place), newest=1)
    assert not [name for name in files_in(place) if REMOVED in name], "marks of archives that are gone go, too"


def test_an_archive_of_two_commits_stays_with_one(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    shop.repository.commit("Nothing")
    shop.project.publish(str(place))
    assert len(archives(place)) == 1
    assert shop.project.collect(str(place), newest=1).archives == 0
    assert shop.clone("other").project.pull(str(place))


def test_commits_of_branches_and_tags_stay(shop: Shop, place: Path) -> None:
    tagged = shop.project.publish(str(place)).commit
    shop.repository.git("tag", "v1")
    for price in (1, 2):
        shop.commit(price)
        shop.project.publish(str(place))
    done = shop.project.collect(str(place), refs=True)
    assert (len(done.commits), done.kept) == (1, 2)
    assert shop.project.published(str(place), rev=tagged)


def test_nothing_goes_without_a_word_of_what_stays(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place))
    with pytest.raises(UsageError, match="nothing would be kept"):
        shop.project.collect(str(place))
    assert len(archives(place)) == 1


def test_another_repository_at_the_place_is_left_alone(shop: Shop, place: Path) -> None:
    shop.project.publish(str(place), name="a")
    shop.project.publish(str(place), name="a/b")
    before = files_in(place / "a" / "b")
    shop.commit(1)
    shop.project.publish(str(place), name="a")
    shop.project.collect(str(place), newest=1, name="a")
    assert files_in(place / "a" / "b") == before


@pytest.mark.parametrize("moment", ["marked", "listed", "removed"])
def test_a_commit_that_is_published_during_a_collection_can_be_pulled(
    shop: Shop, place: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The publisher finds the archive that is about to go: the same content, under another commit."""
    shop.project.publish(str(place))
    for manifest in place.glob("repository/_commits/*"):
        manifest.unlink()
    shop.repository.commit("The same files")
    catalogue = Catalogue(place_of(str(place)), "repository")
    done: list[str] = []

    def publish() -> None:
        if not done:
            done.append(moment)
            shop.project.publish(str(place))

    def around(name: str, *, before: bool) -> None:
        plain = getattr(Catalogue, name)

        def call(self: Catalogue, *words: object) -> object:
            if before:
                publish()
            result = plain(self, *words)
            publish()
            return result

        monkeypatch.setattr(Catalogue, name, call)

    if moment == "removed":
        kind = type(catalogue.place)
        plain = kind.remove

        def remove(self: object, name: str) -> None:
            plain(self, name)  # type: ignore[arg-type]
            publish()

        monkeypatch.setattr(kind, "remove", remove)
    else:
        around({"marked": "mark_removed", "listed": "archives"}[moment], before=False)
    collect(shop.root, str(place), newest=1)
    assert done == [moment]
    assert shop.clone("other").project.pull(str(place)).is_new
