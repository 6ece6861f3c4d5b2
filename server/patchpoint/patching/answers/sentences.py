"""A sentence next to code asks for one more change, or tells what the code does: its file shows which."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Unplaced
from patchpoint.outcome import Outcome, Reason


def sentence_held(
    one: Unplaced,
    edit: Edit,
    others: Sequence[Edit],
    text: str,
    planned: Callable[[str, Sequence[Edit]], tuple[Sequence[Outcome], str]],
) -> tuple[list[Edit], list[Unplaced]]:
    """Return the `edit` of a sentence that is held against its file among some, or else the sentence.

    `others` are what else the answer changes in the `text` of that file, and `planned` says what comes of
    edits of a text. Where they make it, or the text has the old or the new, the sentence only tells what they
    do: it is no edit, and nothing is left of it. Otherwise it asks for what is not made.
    """
    before, result = planned(text, others)
    (alone,), _ = planned(result, [edit])
    after, _ = planned(text, [*others, edit])
    is_made = all(each.matched or each.proposal is not None for each in (alone, after[-1]))
    if is_made and all(a.status is b.status for a, b in zip(before, after, strict=False)):
        return [edit], []
    is_there = any(words and words in text for words in (edit.search, edit.replace.strip()))
    is_known = (bool(others) and is_there) or after[-1].reason is Reason.ALREADY_APPLIED
    is_needed = alone.reason is Reason.SEVERAL
    return [], [] if is_known else [replace(one, edit=None, is_change=True, is_needed=is_needed)]
