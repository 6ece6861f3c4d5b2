"""JSON that shows some members is merged by their names, and nothing else of the file changes."""

from __future__ import annotations

import json
from textwrap import dedent

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from patchpoint import Status, apply_edits
from patchpoint.structure.json.merge import merged_json
from patchpoint.structure.lazy.definition import Assumption, Unmerged, UnmergedError

PACKAGE = dedent(
    """\
    {
      "name": "shop",
      "version": "1.0.0",
      "scripts": {
        "build": "tsc",
        "lint": "eslint src"
      },
      "files": ["dist"],
      "dependencies": {
        "left-pad": "^1.0.0"
      }
    }
    """
)


def merged(shown: str, file: str = PACKAGE) -> str:
    return "\n".join(merged_json(file.split("\n"), dedent(shown).split("\n")))


def test_a_member_that_is_new_goes_below_the_one_shown_before_it() -> None:
    shown = """\
        {
          // ...
          "scripts": {
            // ...
            "build": "tsc",
            "format": "prettier --write src",
            // ...
          },
          // ...
        }
    """
    assert merged(shown) == PACKAGE.replace('"tsc",\n', '"tsc",\n    "format": "prettier --write src",\n')


def test_behind_the_last_member_a_comma_is_added() -> None:
    shown = '{\n  ...\n  "scripts": {\n    ...\n    "lint": "eslint .",\n    "test": "jest"\n  }\n}\n'
    expected = PACKAGE.replace('"eslint src"\n', '"eslint .",\n    "test": "jest"\n')
    assert merged(shown) == expected
    json.loads(expected)


def test_before_the_first_member_it_goes_to_the_top() -> None:
    shown = '{\n  "private": true,\n  "name": "shop"\n  // ... rest unchanged\n}\n'
    assert merged(shown) == PACKAGE.replace("{\n", '{\n  "private": true,\n', 1)


def test_members_without_the_braces_around_them_are_of_the_file() -> None:
    shown = '"scripts": {\n  "build": "vite build",\n  // ...\n}\n// ...\n'
    assert merged(shown) == PACKAGE.replace('"tsc"', '"vite build"')


def test_a_list_is_shown_whole_and_a_new_object_has_the_units_of_the_file() -> None:
    shown = """\
        {
            // ...
            "files": ["dist", "src"],
            "engines": {
                "node": {
                    "min": 18
                }
            },
            // ...
        }
    """
    new = '["dist", "src"],\n  "engines": {\n    "node": {\n      "min": 18\n    }\n  },\n'
    assert merged(shown) == PACKAGE.replace('["dist"],\n', new)


def test_an_empty_object_and_one_on_a_line_get_members() -> None:
    file = '{\n  "a": {},\n  "b": {"x": 1}\n}\n'
    shown = '{"a": {"n": 1}, "b": {"x": 1, "y": 2}}'
    assert json.loads(merged(shown, file)) == {"a": {"n": 1}, "b": {"x": 1, "y": 2}}
    assert '"b": {"x": 1, "y": 2}\n' in merged(shown, file)


def test_comments_of_the_file_stay() -> None:
    file = '{\n  // how it is built\n  "target": "es5", // old\n  "strict": true,\n}\n'
    shown = '{\n  // ...\n  "target": "es2022",\n  "module": "esnext",\n  // ...\n}\n'
    expected = file.replace("es5", "es2022").replace("// old\n", '// old\n  "module": "esnext",\n')
    assert merged(shown, file) == expected


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        ('{\n  "scripts": {\n    "build": "vite"\n  }\n  // ...\n}', Unmerged.LOST),
        ('{\n  "other": 1\n  // ...\n}', Unmerged.NO_HOME),
        ('{\n  "files": [\n    // ...\n    "src"\n  ]\n  // ...\n}', Unmerged.UNCLEAR),
        ('{\n  "name": 1,\n  "new": {\n    // ...\n  }\n  // ...\n}', Unmerged.LEFT_OUT_OF_NEW),
        ('{\n  "name": "a",\n  "name": "b"\n  // ...\n}', Unmerged.SEVERAL),
        ('{\n  "scripts": "none"\n  // ...\n}', Unmerged.DELETES),
        ('{\n  "files": []\n  // ...\n}', Unmerged.DELETES),
        ("[1, 2]", Unmerged.LANGUAGE),
        ("no JSON", Unmerged.LANGUAGE),
    ],
)
def test_what_is_not_certain_is_not_merged(shown: str, reason: Unmerged) -> None:
    with pytest.raises(UnmergedError) as caught:
        merged(shown)
    assert caught.value.reason is reason


def test_an_answer_that_shows_a_part_of_a_file_of_data_is_applied_or_proposed() -> None:
    marked = '```json\n{\n  // ...\n  "version": "1.1.0",\n  // ...\n}\n```\n'
    report = apply_edits({"package.json": PACKAGE}, f"In **package.json**:\n\n{marked}")
    assert report.outcomes[0].status is Status.APPLIED
    assert report.files["package.json"] == PACKAGE.replace("1.0.0", "1.1.0", 1)
    bare = '```json\n"scripts": {\n  "build": "vite build"\n}\n```\n'
    report = apply_edits({"package.json": PACKAGE}, f"Change this in `package.json`:\n\n{bare}")
    assert report.files["package.json"] == PACKAGE
    (proposal,) = report.proposals
    assert proposal.text == PACKAGE.replace('"tsc"', '"vite build"')


KEYS = st.sampled_from("abcdef")
VALUES = st.recursive(
    st.integers(0, 9) | st.booleans() | st.text("xyz", max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


DATA = st.dictionaries(KEYS, VALUES, min_size=1)


@example({"a": 0, "b": [[]]}, {"a": 1, "b": [{}]}, None)
@given(DATA, DATA, st.sampled_from([None, 2, 4]))
def test_each_member_that_is_shown_has_the_value_shown_and_every_other_its_own(
    own: dict[str, object], shown: dict[str, object], indent: int | None
) -> None:
    assume(own.keys() & shown.keys())
    file = json.dumps(own, indent=indent).split("\n")

    def expected(old: object, new: object) -> object:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        kept = {key: value for key, value in old.items() if key not in new}
        return kept | {key: expected(old.get(key), value) for key, value in new.items()}

    assume(not _loses(own, shown))
    lines = merged_json(file, json.dumps(shown, indent=2).split("\n"), [Assumption.GAPS])
    assert json.loads("\n".join(lines)) == expected(own, shown)


def _loses(own: object, shown: object) -> bool:
    """Return whether a value has members or items that what is shown in its place has not."""
    if isinstance(own, dict) and isinstance(shown, dict):
        return any(_loses(own[key], shown[key]) for key in own.keys() & shown.keys())
    if own == shown:
        return False
    items = shown if isinstance(shown, list) else []
    return bool(own) if isinstance(own, dict) else isinstance(own, list) and len(own) > len(items)


@pytest.mark.parametrize("mark", ["...", "... existing code ...", "...其他配置", "... weitere Skripte"])
@pytest.mark.parametrize("is_above", [True, False])
def test_a_comment_that_begins_with_dots_is_a_mark_in_any_language_and_says_the_side(
    mark: str, is_above: bool
) -> None:
    lines = [f"    // {mark}", '    "test": "vitest"']
    shown = "\n".join(lines if is_above else [f"{lines[1]},", lines[0]])
    answer = f'**package.json**\n\n```json\n{{\n  "scripts": {{\n{shown}\n  }}\n}}\n```\n'
    after = apply_edits({"package.json": PACKAGE}, answer, accept="all").files["package.json"]
    new = '"test": "vitest"'
    if is_above:
        assert after == PACKAGE.replace('"eslint src"\n', f'"eslint src",\n    {new}\n')
    else:
        assert after == PACKAGE.replace('"scripts": {\n', f'"scripts": {{\n    {new},\n')


@pytest.mark.parametrize("remark", ["... l'ancien contenu est supprimé", "... nothing else", "...TODO"])
def test_dots_with_unknown_words_are_no_mark_without_a_yes(remark: str) -> None:
    answer = f'**package.json**\n\n```json\n{{\n  "name": "shop2",\n  // {remark}\n}}\n```\n'
    assert apply_edits({"package.json": PACKAGE}, answer).files == {"package.json": PACKAGE}
