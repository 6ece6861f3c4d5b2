"""Whether a sentence that has a verb of a change asks for one, or only speaks of it."""

from __future__ import annotations

from itertools import pairwise, takewhile

from patchpoint.formats.in_words.unquoted import is_code
from patchpoint.formats.sentences.sentence import Reading, WordTable, likely_readings, reading, trimmed

QUESTIONS = ("?", "？")


def may_ask(text: str, *, is_report: bool) -> bool:
    """Return whether nothing in a sentence says that it asks for no change; a report tells what was done."""
    reports = "" if is_report else "done"
    is_question = trimmed(text).endswith(QUESTIONS) or only_tells(text)
    return not is_question and not is_held(text, f"never offers sample {reports}")


def only_tells(text: str) -> bool:
    """Return whether a sentence says, before what is done, how that is, or that it is for later."""
    words = reading(text).words
    asking = (
        word for word in words if word.is_unspaced or word.kinds & {"change", "replace", "remove", "assign"}
    )
    first = next(asking, None)
    before = text if first is None or first.is_unspaced else text[: first.start]
    return reading(before, WordTable.DOUBTS).has("tells")


def is_held(text: str, kinds: str) -> bool:
    """Return whether a sentence has words of some kinds in its language, but for what it says it is for.

    Nor does what it says of the thing behind a comma hold it back: *remove `x`, it has no effect*.
    """
    words = reading(text).words
    ends = (
        stop.start
        for at, (stop, behind) in enumerate(pairwise(words))
        if "stop" in stop.kinds
        and reading(behind.text.split()[0]).has("it")
        and Reading(words[:at]).has("code path")
    )
    text = text[: next(ends, len(text))]
    wanted = kinds.split()
    for sentence in likely_readings(text):
        begin = [word.text for word in sentence.words[:1]] == ["so"]
        asked = list(takewhile(lambda word: "purpose" not in word.kinds, sentence.words[begin:]))
        codes = [word.start for at, word in enumerate(asked) if is_code(asked, at)]
        # what a value is in place of is behind it
        second = codes[1] if len(codes) > 1 else len(text)
        if any(
            word.kinds & {*wanted}
            and not ("would" in word.kinds or ("instead" in word.kinds and word.start > second))
            for word in asked
        ):
            return True
    return False
