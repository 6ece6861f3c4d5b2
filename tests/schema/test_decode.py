"""Requests are decoded strictly: a wrong key or value is named, never ignored."""

from __future__ import annotations

import pytest

from patchpoint.edit import TEXT_FORMATS
from patchpoint.formats import FORMAT_NAMES
from patchpoint.lsp import commands
from patchpoint.lsp.commands import COMMANDS, Command, find_command
from patchpoint.schema.decode import JSON, InvalidArgumentError, decode, encode
from patchpoint.schema.requests import ApplyEdits, DiscardEdit, ResolveEdit, RestoreCheckpoint


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "Give exactly one of `text`, `edits` and `document`."),
        ({"text": "x", "edits": []}, "Give exactly one of `text`, `edits` and `document`."),
        ({"txt": "x"}, "Unknown key `txt`. Did you mean `text`?"),
        ({"text": 1}, "`text` must be a string, not 1."),
        ({"text": "x", "dryRun": "yes"}, '`dryRun` must be true or false, not "yes".'),
        ({"text": "x", "atomic": "some"}, '`atomic` must be one of "all", "file", "edit", not "some".'),
        ({"text": "x", "format": "request"}, '`format` must be one of "auto", "searchReplace", '),
        ({"text": "x", "format": ["auto"]}, f'"{TEXT_FORMATS[-1]}", not a list.'),
        ({"text": "x", "minSimilarity": 2}, "`minSimilarity` must be between 0 and 1, not 2.0."),
        ({"text": "x", "minSimilarity": True}, "`minSimilarity` must be a number, not true."),
        ({"edits": {}}, "`edits` must be a list, not an object."),
        ({"edits": [{"path": "a", "search": "x", "replase": "y"}]}, "Unknown key `edits[0].replase`."),
        ({"edits": [{"path": "a", "search": "x"}]}, "`edits[0]`: `replace` is missing"),
        ({"edits": [{"search": "x", "replace": "y"}]}, "`edits[0]`: give either `uri` or `path`"),
        ({"edits": [{"path": "a", "operation": "delete", "content": "x"}]}, "`content` has no meaning"),
        (
            {"edits": [{"path": "a", "search": "", "replace": "", "line": 0}]},
            "`edits[0].line` must be at least 1",
        ),
        ({"document": {}}, "`document.uri` is missing; it is required."),
        (
            {"document": {"uri": "x", "range": {"start": {"line": 0}, "end": {"line": 0, "character": 0}}}},
            "`document.range.start.character` is missing",
        ),
    ],
)
def test_what_is_wrong_with_an_argument_is_named(given: JSON, complaint: str) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        decode(ApplyEdits, given)
    assert complaint in str(caught.value)


def test_arguments_that_are_left_out_or_null_have_their_defaults() -> None:
    assert decode(ApplyEdits, {"text": "x"}) == decode(
        ApplyEdits, {"text": "x", "atomic": None, "dryRun": None}
    )


def test_a_text_can_be_read_in_every_format() -> None:
    assert set(TEXT_FORMATS) == set(FORMAT_NAMES)
    assert all(decode(ApplyEdits, {"text": "", "format": name}).format == name for name in FORMAT_NAMES)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert decode(ResolveEdit, {"edit": "a", "candidate": 2.0}) == ResolveEdit(edit="a", candidate=2)


@pytest.mark.parametrize("given", [{}, {"edit": "a", "all": True}])
def test_discarding_names_one_edit_or_all(given: JSON) -> None:
    with pytest.raises(InvalidArgumentError, match="either `edit` or `all`"):
        decode(DiscardEdit, given)


@pytest.mark.parametrize(
    "given", [{}, {"session": "s"}, {"message": "m"}, {"checkpoint": "c", "session": "s", "message": "m"}]
)
def test_a_restore_names_exactly_one_checkpoint(given: JSON) -> None:
    with pytest.raises(InvalidArgumentError):
        decode(RestoreCheckpoint, given)


@pytest.mark.parametrize("given", [None, [], [{}], [None], [[]]])
def test_no_arguments_can_be_written_in_several_ways(given: JSON) -> None:
    command = find_command("patchpoint.listCheckpoints")
    assert command.decode_arguments(given) == command.decode_arguments([{}])


def test_two_arguments_are_one_too_many() -> None:
    with pytest.raises(InvalidArgumentError, match="takes one object, not 2"):
        find_command("patchpoint.listCheckpoints").decode_arguments([{}, {}])


def test_an_unknown_command_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidArgumentError, match=r"patchpoint\.applyEdits"):
        find_command("patchpoint.applyEdit")


def test_every_command_that_is_declared_is_in_the_table() -> None:
    assert [one for one in vars(commands).values() if isinstance(one, Command)] == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_a_handler(command: Command[object, object]) -> None:
    handler = command.handler()
    assert callable(handler)
    assert handler.__module__ == f"patchpoint.lsp.features.{command.feature}"


def test_keys_are_written_in_camel_case() -> None:
    assert encode(ResolveEdit(edit="a", candidate=1)) == {
        "edit": "a",
        "candidate": 1,
        "range": None,
        "whole": False,
        "dryRun": False,
        "previewed": False,
    }
    written = encode(ApplyEdits(text="x", min_similarity=0.5))
    assert isinstance(written, dict)
    assert written["minSimilarity"] == 0.5
    assert written["dryRun"] is False
