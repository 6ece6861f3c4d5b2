"""What sentences next to code ask for: the edit of the one file that has what they name, or what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Operation, Side, Unplaced
from patchpoint.outcome import Reason
from patchpoint.patching.plan import Plan

_MOST_FILES = 8
"""Where nothing names a file, so many at most have what is named."""
_Found = tuple[list[Edit], list[Unplaced]]


def is_of_any(one: Unplaced) -> bool:
    """Return whether it is a sentence next to code that no file is named for, here or above it."""
    return one.is_sentence and not one.paths


class Requests:
    """The sentences of an answer, held against its files."""

    def __init__(
        self,
        files: Mapping[str, str],
        called: Callable[[Iterable[str]], list[str]],
        plan: Callable[[str, Sequence[Edit], str], Plan],
    ) -> None:
        self._files, self._called, self._plan = files, called, plan

    def made(self, one: Unplaced, edits: Sequence[Edit]) -> _Found:
        """Return the edit of a sentence next to code, or else the sentence where that is to be shown.

        Where the other edits of its file make it, or the text has the old or the new, the sentence only tells
        what they do: it is no edit, and nothing is left of it. Else it asks for what is not made. A file that
        it does not name itself is the one of those above it, of the other `edits`, or of all, that has what
        it names.
        """
        paths = self._called(one.paths)
        left: list[Unplaced] = [replace(one, edit=None, is_change=one.is_change or one.edit is not None)]
        if one.edit is not None and one.edit.operation is Operation.CREATE:
            return ([], left) if paths else ([replace(one.edit, path=one.paths[0])], [])
        if one.edit is None:
            return [], left
        others = [*one.others, *edits]
        made_in = (each.path for each in others if one.is_of_any and _may_go_into(one.edit, each.path))
        near = self._called([*one.nearby, *made_in])
        of_any = [path for path, text in self._files.items() if one.is_of_any and _has_names(text, one.edit)]
        failed: _Found = [], left if one.paths else [replace(one, edit=None)]
        for group in (paths, near, of_any if len(of_any) <= _MOST_FILES else []):
            found = [self._asked(one, replace(one.edit, path=path), others) for path in group]
            made = [each for each in found if each[0]]
            if len(made) == 1:
                return made[0]
            if not made and any(not each[1] for each in found):
                return [], []
            if len(found) == 1 and group is paths:
                failed = found[0]
        return failed

    def _asked(self, one: Unplaced, edit: Edit, every: Sequence[Edit]) -> _Found:
        """Return what `made` returns of the change that a sentence asks for in one file."""
        path, text = edit.path, self._files[edit.path]
        others = [replace(each, path=path) for each in every if self._called([each.path]) == [path]]
        before, with_it = self._plan(path, others, text), self._plan(path, [*others, edit], text)
        result = next((each.after or "" for each in before.changes), text)
        (alone,), after = self._plan(path, [edit], result).outcomes, with_it.outcomes
        is_made = all(each.matched or each.proposal is not None for each in (alone, after[-1]))
        if is_made and all(a.status is b.status for a, b in zip(before.outcomes, after, strict=False)):
            return [edit], []
        is_there = any(words and words in text for words in (edit.search, edit.replace.strip()))
        is_removal = edit.target is not None and edit.target.side is Side.DELETED
        is_left = edit.search in result and (is_removal or edit.replace.strip() not in result)
        if (others and is_there and not is_left) or after[-1].reason is Reason.ALREADY_APPLIED:
            return [], []
        return [], [replace(one, edit=None, is_change=True, is_needed=alone.reason is Reason.SEVERAL)]


def _may_go_into(edit: Edit, path: str) -> bool:
    """Return whether a file may have what an edit names; that is nothing of a line that is no import."""
    if edit.target is not None:
        return True
    from patchpoint.structure.imports import are_imports

    return are_imports(edit.replace.splitlines(), path)


def _has_names(text: str, edit: Edit) -> bool:
    """Return whether a file has what an edit that is asked for replaces, and what it names."""
    names = (edit.search, edit.target.name if edit.target is not None else "")
    return any(names) and all(name in text for name in names)
