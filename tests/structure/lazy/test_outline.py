"""The definitions of a text are read from the tree of its grammar."""

from __future__ import annotations

import pytest

from patchpoint.structure.lazy.definition import UnmergedError
from patchpoint.structure.lazy.merge import merge_shown
from patchpoint.structure.lazy.outline.by_grammar import outline
from patchpoint.structure.lazy.syntax import syntaxes_of


def test_a_name_is_that_of_the_definition_itself_in_a_text_of_several_chunks() -> None:
    # The parser is given the text in chunks of 64 KiB.
    lines = [f"def function_{number}(é, value):\n    return '{'x' * 80}'" for number in range(2000)]
    found = outline("\n".join(lines).split("\n"), syntaxes_of("a.py")[0])
    assert found is not None
    assert [each.name for each in found.children] == [f"function_{number}" for number in range(2000)]


def test_what_is_not_in_a_function_is_found_without_reading_the_functions() -> None:
    text = "class A:\n    def b():\n        def c():\n            pass\n        return c\ndef d():\n    pass"
    syntax = syntaxes_of("a.py")[0]
    whole, lasting = (outline(text.split("\n"), syntax, lasting_only=only) for only in (False, True))
    assert whole is not None
    assert lasting is not None
    assert list(whole.names()) == ["A", "A\0b", "A\0b\0c", "d"]
    assert (
        [each.name for each in lasting.members()]
        == ["A", "b", "d"]
        == [each.name for each in whole.members()]
    )
    assert list(lasting.names()) == ["A", "A\0b", "d"]


@pytest.mark.parametrize("depth", [150, 1_000, 5_000])
@pytest.mark.parametrize("element", ["<div>{0}</div>", '<div id="d">{0}</div>', '<div id="d">\n{0}\n</div>'])
def test_elements_at_any_depth_are_merged_or_refused(element: str, depth: int) -> None:
    before, after = element.split("{0}")
    file = [*(before * depth).split("\n"), "x", *(after * depth).split("\n")]
    with pytest.raises(UnmergedError):
        merge_shown(file, ["<div>", "<!-- ... existing code ... -->", "<p>y</p>", "</div>"], "m.html")
