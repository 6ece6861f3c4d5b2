"""Functions and rules that are shown without the page in which their script or style sheet is."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

VUE = """\
<template>
  <button @click="load">{{ title }}</button>
</template>

<script>
export default {
  data() {
    return { goods: [] };
  },
  methods: {
    load() {
      this.goods = fetchGoods();
    },
    clear() {
      this.goods = [];
    },
  },
};
</script>

<style scoped>
.shop {
  color: red;
}
.goods {
  margin: 0;
}
</style>
"""

SVELTE = """\
<script context="module" lang="ts">
  export function preload(page: Page) {
    return page.goods;
  }
</script>

<script lang="ts">
  let goods: Good[] = [];

  async function load(count: number) {
    goods = await fetchGoods(count);
  }
</script>

<button on:click={() => load(1)}>Load</button>
"""


def merged(shown: str, file: str = VUE, path: str = "Shop.vue") -> str:
    result = merge_shown(file.splitlines(), shown.splitlines(), path)
    return "".join(f"{line}\n" for line in result.lines)


def refused(shown: str, file: str = VUE, path: str = "Shop.vue") -> UnmergedError:
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), path)
    return caught.value


def test_a_method_alone_is_merged_into_the_script() -> None:
    shown = "load() {\n  this.goods = fetchGoods(10);\n}\n"
    assert merged(shown) == VUE.replace("fetchGoods()", "fetchGoods(10)")


def test_a_comment_that_names_the_page_is_not_merged() -> None:
    shown = "// src/Shop.vue\nload() {\n  this.goods = fetchGoods(10);\n}\n"
    assert merged(shown, path="src/Shop.vue") == VUE.replace("fetchGoods()", "fetchGoods(10)")


def test_a_rule_alone_is_merged_into_the_style_sheet() -> None:
    assert merged(".shop {\n  color: blue;\n}\n") == VUE.replace("red", "blue")


@pytest.mark.parametrize("old", ["fetchGoods(count)", "page.goods"])
def test_of_several_scripts_it_is_the_one_that_has_the_function(old: str) -> None:
    want = SVELTE.replace(old, f"{old} ?? []")
    start = want.index("  async" if "fetch" in old else "  export")
    shown = want[start : want.index("  }\n", start) + 4]
    assert merged(shown, SVELTE, "Shop.svelte") == want


def test_a_function_that_two_scripts_have_is_refused() -> None:
    file = SVELTE.replace("export function preload(page: Page)", "export function load(count: number)")
    shown = "function load(count: number) {\n  return page.goods;\n}\n"
    assert refused(shown, file, "Shop.svelte").reason is Unmerged.SEVERAL


def test_the_places_of_a_new_function_are_lines_of_the_page() -> None:
    error = refused("  save() {\n    store(this.goods);\n  },\n")
    assert {VUE.splitlines()[each.start].strip() for each in error.places} >= {"load() {", "clear() {"}


def test_a_new_function_goes_below_the_chosen_one() -> None:
    place = next(
        each for each in refused("save() {\n  store(this.goods);\n},\n").places if each.name == "load"
    )
    shown = ["save() {", "  store(this.goods);", "},"]
    lines = merge_shown(VUE.splitlines(), shown, "Shop.vue", (place.start, place.end)).lines
    at = VUE.splitlines().index("    clear() {")
    assert lines[at - 1 : at + 3] == ("    },", "    save() {", "      store(this.goods);", "    },")


def test_an_element_is_merged_as_before() -> None:
    shown = '<template>\n  <button @click="clear">{{ title }}</button>\n</template>\n'
    assert merged(shown) == VUE.replace('"load"', '"clear"')


def test_code_in_the_language_of_the_script_is_for_the_page() -> None:
    code = "clear() {\n  this.goods = [];\n  this.$emit('cleared');\n}\n"
    answer = f"In `src/Shop.vue`, update `clear`:\n\n```js\n{code}```\n"
    report = apply_edits({"src/Shop.vue": VUE}, answer)
    assert report.files["src/Shop.vue"] == VUE.replace(
        "this.goods = [];\n", "this.goods = [];\n      this.$emit('cleared');\n"
    )


def test_a_script_that_is_called_the_whole_page_does_not_replace_it() -> None:
    script = VUE[VUE.index("export default") : VUE.index("</script>")].replace("[]", "null")
    answer = f"Here is the complete file `src/Shop.vue`:\n\n```js\n{script}```\n"
    report = apply_edits({"src/Shop.vue": VUE}, answer)
    assert "<template>" in (report.files["src/Shop.vue"] or "")
