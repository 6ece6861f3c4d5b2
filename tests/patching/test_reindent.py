"""The depth of new lines follows from the quotation alone, in the order in which it was quoted."""

from __future__ import annotations

from patchpoint.patching.merging.reindent import Depths

TWO, FOUR, EIGHT = " " * 2, " " * 4, " " * 8


def test_one_depth_quoted_for_two_of_the_file_steps_from_the_later_one() -> None:
    # A set of these pairs has another order in each process, since strings are hashed with a random seed.
    stepping = Depths(((0, FOUR, "\t"), (1, FOUR, TWO), (2, EIGHT, FOUR)), (), ())
    assert stepping.of_new_line(" " * 12, 2) == " " * 6
    broken = Depths(((0, FOUR, TWO), (1, FOUR, "\t"), (2, EIGHT, FOUR)), (), ())
    assert broken.of_new_line(" " * 12, 2) == EIGHT
