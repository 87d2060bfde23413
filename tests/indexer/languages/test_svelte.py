"""Svelte's components: fixtures that assert themselves, and what their markup means for the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "svelte").glob("*.svelte"))


def test_there_are_fixtures() -> None:
    assert [path.name for path in FILES] == ["OrderList.svelte"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "svelte", ("<!--", "//"), " -->") == []


# Verifies REQ-IDX-006.
@pytest.mark.parametrize(
    "markup",
    [
        "{save()}",
        "{#if a}{:else if save()}{/if}",
        "{#each save() as x, i (x.id)}{x}{/each}",
        "{#each [1] as x (save(x))}{/each}",
        "{#key save()}{/key}",
        "{#await save()}{:then x}{x}{/await}",
        "{#await save() then x}{x}{/await}",
        "{@html save()}",
        "{@const x = save()}",
        "{let x = save()}",
        "<b class='a {save(\"'\")} b' />",
        "<b class={save()} />",
        "<b style:color={save()} {...save()} />",
        "<b on:click={save()} />",
        "<b use:save={1} />",
        "<b>{`${save()} }`}</b>",
        "{#if '{'}<b>{save()}",
        "{(broken}{save()}",
    ],
)
def test_markup_calls_what_the_script_defines(markup: str) -> None:
    text = f"<script>\nfunction save() {{}}\n</script>\n{markup}\n"
    assert calls_between({"src/Shop.svelte": text}) == {("Shop", "Shop.save")}


@pytest.mark.parametrize("markup", ["<b onclick={save}/>", "<b on:click={save}/>", "<b {save}/>", "<b bind:save/>"])
def test_a_function_that_markup_hands_over_is_referred_to(markup: str) -> None:
    text = f"{markup}\n<script>\nconst save = () => 1\n</script>"
    assert calls_between({"src/Shop.svelte": text}, "REFERENCES") == {("Shop", "Shop.save")}


@pytest.mark.parametrize("markup", ["<Card/>", "<Card>", "<svelte:component this={Card} />"])
def test_a_component_in_markup_is_called(markup: str) -> None:
    files = {
        "src/Card.svelte": "<p>card</p>",
        "src/Shop.svelte": f"<script lang='ts'>\nimport Card from './Card.svelte';\n</script>\n{markup}",
    }
    assert calls_between(files) == {("Shop", "Card")}


def test_what_a_module_script_exports_is_for_others() -> None:
    files = {
        "src/Shop.svelte": "<script module>\nexport function load() {}\n</script>\n<script>\nload()\n</script>",
        "src/use.ts": "import Shop, { load } from './Shop.svelte'\nexport function run() { load(); new Shop() }\n",
    }
    assert calls_between(files) == {("Shop", "load"), ("run", "load"), ("run", "Shop")}


@pytest.mark.parametrize("text", ["<b {", "{#if a", "<b title='{x'>", "<!-- x", "<b"])
def test_what_is_never_closed_is_a_problem_of_the_file(text: str) -> None:
    facts = extract("src/Shop.svelte", f"<script>\nfunction save() {{}}\n</script>\n{text}".encode(), "svelte")
    assert (facts.status, [problem.line for problem in facts.problems]) == ("partial", [4])
    assert "Shop.save" in [one.qualname for one in facts.definitions]


def test_a_snippet_is_a_function_of_the_component() -> None:
    text = (
        "{#snippet row(a)}{save(a)}{/snippet}{/snippet}{@render row(1)}{#snippet open(b)}<script>\nfunction save() {}"
    )
    assert calls_between({"src/Shop.svelte": f"{text}\n</script>"}) == {("Shop", "Shop.row"), ("Shop.row", "Shop.save")}


def test_runes_are_the_librarys() -> None:
    text = "<script>\nlet a = $state(0);\nlet b = $derived.by(() => save(a));\nfunction save() {}\n</script>"
    found = [one.function for one in extract("src/Shop.svelte", text.encode(), "svelte").calls]
    assert found == [("a", ("m", "svelte"), "$state"), ("a", ("m", "svelte"), "$derived.by"), ("n", "save")]
