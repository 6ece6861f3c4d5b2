"""Words within a line are changed where a person chose the line, and nowhere else."""

from __future__ import annotations

import pytest

from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import UnplacedError
from patchpoint.patching.named.words import with_words

LINES = ["retries = old", "timeout = new_old", "again = other"]


def test_the_line_that_was_chosen_is_changed() -> None:
    assert with_words([*LINES, "old"], "old", "new", None, (3, 4)).lines[3] == "new"


def test_a_chosen_line_without_the_words_is_not_made_up_for_by_another_one() -> None:
    with pytest.raises(UnplacedError) as refused:
        with_words(LINES, "old", "new", None, (2, 3))
    assert refused.value.reason is Reason.SEVERAL


def test_the_number_of_a_line_chooses_among_several_and_is_no_evidence() -> None:
    assert with_words([*LINES, "old"], "old", "new", 4, None).lines[3] == "new"
    assert with_words(LINES, "old", "new", 3, None).lines[0] == "retries = new"
