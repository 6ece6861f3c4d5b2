"""Why shown code is not merged into its file."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from patchpoint.structure.lazy.definition import Definition


class Unmerged(Enum):
    """Why it is not merged."""

    LANGUAGE = "there is no grammar for the file's language, or it is too long"
    NOTHING = "nothing but marks is shown"
    NOT_THERE = "the file has no such definition"
    NO_HOME = "no definition is shown, and its lines are nowhere together"
    SEVERAL = "the file has several of that name"
    SEVERAL_CLASSES = "members of several classes are shown without their classes"
    UNLIKE = "the definition of that name has nothing in common with it"
    OTHER_ORDER = "the file has them in another order"
    LOST = "a definition of the file is neither shown nor covered by a mark"
    UNCLEAR = "a mark could stand for other lines as well"
    DELETES = "more lines would be deleted than are shown"
    LEFT_OUT_OF_NEW = "lines are left out of something that the file does not have"
    ELLIPSIS = "a line of dots in a string may be a mark"
    DOUBLED = "the result would have something twice"
    BROKEN = "the result would not parse"
    TOO_LARGE = "there are too many lines to compare"


class UnmergedError(Exception):
    """Shown code cannot be merged without guessing."""

    def __init__(self, reason: Unmerged, name: str = "", places: Iterable[Definition] = ()) -> None:
        """`name` is of the definition that it is about, `places` where in the file that could be."""
        super().__init__(reason.value)
        self.reason = reason
        self.name = name
        self.places = tuple(places)
