"""Vue's components: fixtures that assert themselves, and what their templates mean for the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "vue").glob("*.vue"))


def test_there_are_fixtures() -> None:
    assert [path.name for path in FILES] == ["OrderList.vue", "order-table.vue"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "vue", ("<!--", "//"), " -->") == []


def facts_of(text: str, path: str = "src/Shop.vue") -> FileFacts:
    return extract(path, text.encode(), "vue")


CARD = "<script setup>\nfunction close() {}\n</script>\n<template><b @click='close()'/></template>"


# Verifies REQ-IDX-006, REQ-IDX-027.
@pytest.mark.parametrize(
    ("script", "template"),
    [
        ("import Card from './Card.vue'", "<Card/>"),
        ("import Card from './Card.vue'", "<card>"),
        ("import UserCard from './Card.vue'", "<user-card></user-card>"),
        ("import UserCard from './Card.vue'", "<UserCard v-for='x in xs' :key='x' />"),
        ("import * as ui from './ui'", "<ui.Card/>"),
        ("import { Card as Button } from './ui'", "<Button a='b'/>"),
        ("import Card from './Card.vue'", "<component :is='Card' />"),
    ],
)
def test_a_component_in_a_template_is_called(script: str, template: str) -> None:
    files = {
        "src/Card.vue": CARD,
        "src/ui.ts": "export { default as Card } from './Card.vue'\n",
        "src/Shop.vue": f"<template>{template}</template>\n<script setup lang='ts'>\n{script}\n</script>\n",
    }
    assert calls_between(files) == {("Shop", "Card"), ("Card", "Card.close")}


def test_an_element_is_no_component_of_its_name() -> None:
    files = {
        "src/Card.vue": CARD,
        "src/Shop.vue": "<script setup>import Header from './Card.vue'</script><template><header/></template>",
    }
    assert ("Shop", "Card") not in calls_between(files)


@pytest.mark.parametrize(
    "template",
    [
        "{{ save() }}",
        "<b :title='save()'/>",
        "<b @click='save()'/>",
        "<b @click='open = 1; save()'/>",
        "<b @click='if (open) { save() }'/>",
        "<b @click='save(); '/>",
        "<b v-on:click.once='save($event)'/>",
        "<b v-if='save() &amp;&amp; x'/>",
        "<b v-for='x in save()'/>",
        "<i><b><p v-text='save()'>",
        "<template #head><b>{{ save() }}</b></template>",
        "<b :title='(broken'/><b :class='[save()]'/>",
    ],
)
def test_a_template_calls_what_the_script_defines(template: str) -> None:
    text = f"<template>{template}</template><script setup>\nfunction save() {{}}\n</script>"
    assert calls_between({"src/Shop.vue": text}) == {("Shop", "Shop.save")}
    assert facts_of(text).status == "indexed"


@pytest.mark.parametrize("attribute", ["@click='save'", ":on-save='save'", "v-bind:on-save='save'"])
def test_a_function_that_a_template_hands_over_is_referred_to(attribute: str) -> None:
    text = f"<template><b {attribute}/></template><script setup>\nconst save = () => 1\n</script>"
    assert calls_between({"src/Shop.vue": text}, "REFERENCES") == {("Shop", "Shop.save")}


def test_options_are_members_of_the_component() -> None:
    text = """<template><b @click="save(1)">{{ total }}</b></template>
<script>
export default defineComponent({
  computed: { total() { return this.sum() } },
  created() { this.save(2) },
  methods: { save(n) { this.sum() }, sum() {} },
})
</script>"""
    assert calls_between({"src/Shop.vue": text}) == {
        ("Shop", "created"),
        ("Shop", "methods.save"),
        ("created", "methods.save"),
        ("methods.save", "methods.sum"),
        ("computed.total", "methods.sum"),
    }
    assert calls_between({"src/Shop.vue": text}, "REFERENCES") == {("Shop", "computed.total")}


def test_what_setup_returns_is_known_to_the_template() -> None:
    text = """<template><b @click="save"/></template>
<script>
export default { setup() { function save() {} return { save } } }
</script>"""
    assert calls_between({"src/Shop.vue": text}) == {("Shop", "default.setup")}
    assert ("Shop", "default.setup.save") in calls_between({"src/Shop.vue": text}, "REFERENCES")


def test_types_of_a_script_are_for_others() -> None:
    files = {
        "src/Shop.vue": "<script setup lang='ts'>\nexport interface Order { id: string }\n</script>",
        "src/use.ts": "import type { Order } from './Shop.vue'\nexport function take(order: Order) {}\n",
    }
    assert calls_between(files, "REFERENCES") == {("take", "Shop.Order")}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("src/user-card.vue", "UserCard"),
        ("src/user-card/index.vue", "UserCard"),
        ("pages/[id].vue", "Id"),
        ("pages/404.vue", "_404"),
        ("src/Card.story.vue", "Card"),
        ("src/---.vue", "Component"),
    ],
)
def test_a_component_is_named_after_its_file(path: str, name: str) -> None:
    found = facts_of("<template/>\n", path).definitions[0]
    assert (found.qualname, found.start_line, found.end_line) == (name, 1, 1)


def test_a_comment_of_the_markup_names_a_requirement() -> None:
    text = "<!-- Implements REQ-SHOP-001 */ -->\n<template>\n<!-- Implements REQ-SHOP-002 -->\n<b/></template>"
    facts = facts_of(text)
    assert [(one.id, one.line) for one in facts.markers] == [("REQ-SHOP-001", 1), ("REQ-SHOP-002", 3)]
    assert facts.markers[0].scope == 0


def test_a_template_in_another_language_is_left_out() -> None:
    text = "<template lang='pug'>\np(@click='save()')\n</template>\n<script setup>\nfunction save() {}\n</script>"
    assert calls_between({"src/Shop.vue": text}) == set()
    assert facts_of(text).status == "indexed"


@pytest.mark.parametrize("text", ["<template><b", "<template><b :a='x>", "<!-- never", "<template>{{ a"])
def test_what_is_never_closed_is_a_problem_of_the_file(text: str) -> None:
    facts = facts_of("<script setup>\nfunction save() {}\n</script>\n" + text)
    assert (facts.status, [problem.line for problem in facts.problems]) == ("partial", [4])
    assert "Shop.save" in [one.qualname for one in facts.definitions]


def test_numbers_of_functions_without_a_name_are_of_the_whole_component() -> None:
    text = "<template><b @click='() => a()'/></template><script setup>\nrun(() => b())\n</script>"
    names = [one.qualname for one in facts_of(text).definitions if one.kind == "lambda"]
    assert names == ["Shop.<arrow1>", "Shop.<arrow2>"]


def test_a_script_in_an_unknown_language_is_left_out() -> None:
    facts = facts_of("<script lang='gleam'>\npub fn wrong ( {\n</script>\n<template><b/></template>")
    assert ([one.qualname for one in facts.definitions if one.kind == "function"], facts.status) == (
        ["Shop"],
        "indexed",
    )


def test_what_the_compiler_provides_is_the_librarys() -> None:
    text = "<script setup>\nconst props = defineProps({})\nfunction defineEmits() {}\ndefineEmits()\n</script>"
    assert [one.function for one in facts_of(text).calls] == [("a", ("m", "vue"), "defineProps"), ("n", "defineEmits")]


def test_what_a_component_registers_is_known_by_that_name() -> None:
    files = {
        "src/Card.vue": CARD,
        "src/Shop.vue": (
            "<template><user-card/></template>\n<script>\nimport Card from './Card.vue'\n"
            "export default { components: { UserCard: Card } }\n</script>"
        ),
    }
    assert ("Shop", "Card") in calls_between(files)


def test_a_component_that_shows_itself_is_called_by_itself() -> None:
    text = "<template><shop v-if='more'/></template>\n<script>\nexport default { name: 'Shop' }\n</script>"
    assert calls_between({"src/Shop.vue": text}) == {("Shop", "Shop")}
