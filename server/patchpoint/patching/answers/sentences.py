"""A sentence next to code asks for one more change, or tells what the code does: its file shows which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Unplaced
from patchpoint.outcome import Outcome, Reason


def sentence_held(
    one: Unplaced,
    edit: Edit,
    others: Sequence[Edit],
    files: Mapping[str, str],
    planned: Callable[[str, Sequence[Edit]], Sequence[Outcome]],
) -> tuple[list[Edit], list[Unplaced]]:
    """Return the `edit` of a sentence that is held against its file among some, or else the sentence.

    `others` are what else the answer changes there, and `planned` says what comes of edits of a path. Where
    others change that file, and it has the old or the new, the sentence only tells what they do: it is no
    edit, and nothing is left of it. Otherwise it asks for what is not made.
    """
    before, after = (planned(edit.path, edits) for edits in (others, [*others, edit]))
    is_made = after[-1].matched or after[-1].proposal is not None
    if is_made and all(a.status is b.status for a, b in zip(before, after, strict=False)):
        return [edit], []
    is_there = any(words and words in files[edit.path] for words in (edit.search, edit.replace.strip()))
    is_known = (bool(others) and is_there) or after[-1].reason is Reason.ALREADY_APPLIED
    return [], [] if is_known else [replace(one, edit=None, is_change=True)]
