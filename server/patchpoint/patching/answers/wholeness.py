"""An answer is whole: no change is made that lacks a part of the answer, or what binds a name it uses."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set
from functools import cached_property

from patchpoint.dataclass import replace
from patchpoint.edit import FENCED, Edit, Format, Unplaced
from patchpoint.locate.source import plain
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.patching.plan import Item, Plan, PlannedChange
from patchpoint.patching.proposal import held, without_proposal
from patchpoint.patching.reasons import refusal
from patchpoint.structure.languages import MAX_CHARACTERS, PYTHON, languages_of
from patchpoint.structure.python import free_names
from patchpoint.text.lines import plain_lines
from patchpoint.text.regex import IDENTIFIER, regex

_OF_ANSWERS = (*FENCED, Format.SEARCH_REPLACE, Format.UNIFIED_DIFF)
"""Formats of answers. What a tool's call or patch lacks may be in the next one."""
_PART = "Another part of the change has no place. {}"
_OF_LIBRARIES = (".go", ".java", ".js", ".jsx", ".rs", ".ts", ".tsx")
"""Suffixes of files in which names are looked for that have to be imported."""
_NO_PATH = regex(r"[^\w./@-]")
"""What no path alone has."""


def whole(
    plan: Plan,
    items: Sequence[Item],
    unplaced: Sequence[Unplaced],
    atomic: Atomic = Atomic.ALL,
    chosen: Container[int] = (),
) -> Plan | list[Item]:
    """Return the plan of an answer, without the changes that would be half of what it asks for.

    Code of it has no place that is called a change, or binds a name that an edit brings into use. Where edits
    are applied each by itself, that is noted, as it is of those that a person put at their places (`chosen`),
    or accepted as proposed. An edit that brings a name into use that nothing binds is only proposed: then the
    items are returned, with that in doubt, to be planned again; so they are where an edit uses a name that
    code binds which is only offered, and then it waits for that. Where a sentence asks for a change of
    another file, of which no edit was made, all of them are only proposed.
    """
    offered = _offered_and_used(plan, items) if atomic is not Atomic.EDIT else ()
    if offered:
        return [
            replace(item, is_aside=False) if index in offered and isinstance(item, Edit) else item
            for index, item in enumerate(items)
        ]
    missing, unbound, noted = _Answer(plan, items, unplaced).missing()
    left = _left_in_words(plan, items, unplaced)
    missing = {**left, **missing}
    is_held = {
        index: atomic is not Atomic.EDIT
        and index not in chosen
        and (index in left or index not in plan.accepted)
        for index in missing | unbound
    }
    doubts = {index: why for index, why in unbound.items() if is_held[index] and index not in missing}
    if not doubts and not missing and atomic is not Atomic.EDIT:
        why = _not_made(plan, unplaced)
        made = {index for change in plan.changes for index in change.edits} if why else set[int]()
        doubts = {index: why for index in made - set(plan.accepted) if _may_wait(items[index])}
    if doubts:
        return [
            replace(item, doubt=doubts[index]) if index in doubts and isinstance(item, Edit) else item
            for index, item in enumerate(items)
        ]
    # what is left is said of the first edit, and the others wait for it
    first = next((index for index in sorted(left) if is_held[index]), -1)
    refused = {
        index: replace(refusal(Reason.INCOMPLETE, plan.outcomes[index].path, why=why), index=index)
        for index, why in missing.items()
        if is_held[index] and (index not in left or index == first)
    }
    noted |= unbound | missing
    paths = {one.path for one in refused.values()}
    outcomes = []
    for outcome in plan.outcomes:
        index = outcome.index
        if index in refused:
            outcome = refused[index]
        elif index in left and is_held[index] and refused:
            outcome = held(without_proposal(outcome), min(refused) + 1)
        elif outcome.status is Status.MATCHED and (outcome.path in paths if atomic is Atomic.FILE else paths):
            outcome = held(outcome, min(refused) + 1)
        elif index in noted:
            outcome = replace(outcome, notes=(*outcome.notes, noted[index]))
        outcomes.append(outcome)
    matched = {one.index for one in outcomes if one.status is Status.MATCHED}
    changes = [change for change in plan.changes if matched.issuperset(change.edits)]
    return replace(plan, outcomes=tuple(outcomes), changes=tuple(changes))


def _offered_and_used(plan: Plan, items: Sequence[Item]) -> Set[int]:
    """Return the indexes of edits that are only offered, and bind a name that one which is made uses."""
    asides = {
        index: item
        for index, item in enumerate(items)
        if isinstance(item, Edit) and item.is_aside and plan.outcomes[index].status is Status.PROPOSED
    }
    if not asides:
        return frozenset()
    from patchpoint.patching.answers.candidates import names_bound_in

    made = (items[index] for change in plan.changes for index in change.edits)
    used = {word for item in made if isinstance(item, Edit) for word in _words(item.replace or item.content)}
    return {
        index for index, item in asides.items() if not used.isdisjoint(names_bound_in(item, outermost=True))
    }


def _left_in_words(plan: Plan, items: Sequence[Item], unplaced: Sequence[Unplaced]) -> dict[int, str]:
    """Return what is asked for of which no edit was made, by the indexes of those that are made.

    A sentence asks for it, or code says a side of what it goes next to.
    """
    asked = next(
        (one.message if one.is_sentence else _PART.format(one.message) for one in unplaced if _is_asked(one)),
        "",
    )
    made = {index for change in plan.changes for index in change.edits} if asked else set[int]()
    shown = {one.index for one in plan.outcomes if one.status is Status.PROPOSED} if asked else set[int]()
    edits = ((index, items[index]) for index in made | shown)
    return {index: asked for index, one in edits if isinstance(one, Edit) and one.format in _OF_ANSWERS}


def _may_wait(item: Item) -> bool:
    return isinstance(item, Edit) and item.format in _OF_ANSWERS and not item.doubt


def _not_made(plan: Plan, unplaced: Sequence[Unplaced]) -> str:
    """Return why code is no edit for which the answer names a file, if no file that changes has its lines."""
    there = {
        line.strip()
        for change in plan.changes
        for text in (change.before, change.after)
        for line in plain_lines(plain(text or ""))
    }
    for one in unplaced:
        is_code = one.edit is not None and not one.edit.search and not (one.is_use or one.is_sentence)
        if one.edit is None or not is_code or not one.paths or one.objection is not None:
            continue
        lines = {line.strip() for line in plain_lines(plain(one.edit.replace))}
        if not lines <= there:
            return _PART.format(one.message)
    return ""


def _is_asked(one: Unplaced) -> bool:
    if one.is_sentence or one.edit is None:
        return one.is_sentence and one.is_change
    from patchpoint.patching.places.places_said import says_a_side

    is_open = one.objection is None and not (one.edit.is_aside or one.edit.doubt)
    return is_open and "`" in one.edit.lead and says_a_side(one.edit.lead)


class _Answer:
    """What an answer changes, with the code of it that has no place."""

    def __init__(self, plan: Plan, items: Sequence[Item], unplaced: Sequence[Unplaced]) -> None:
        self._changes = plan.changes
        self._is_part_open = any(one.status is Status.PROPOSED for one in plan.outcomes)
        self._edits = {
            index: item
            for change in plan.changes
            for index in change.edits
            if isinstance(item := items[index], Edit) and item.format is not Format.REQUEST
        }
        self._pieces = [
            (one, one.edit)
            for one in unplaced
            if one.edit is not None and not one.edit.doubt and one.objection is None
        ]
        self._items = items

    @cached_property
    def _brought(self) -> set[str]:
        """The names that the edits bind."""
        from patchpoint.patching.answers.candidates import names_bound_in

        return {name for item in self._items if isinstance(item, Edit) for name in names_bound_in(item)}

    def missing(self) -> tuple[dict[int, str], dict[int, str], dict[int, str]]:
        """Return what is missing, by the index of an edit: code, names, and names that are only noted."""
        missing: dict[int, str] = {}
        unnamed: dict[int, str] = {}
        noted: dict[int, str] = {}
        for change in self._changes if self._edits else ():
            after, before = change.after or "", change.before or ""
            is_judged = PYTHON in languages_of(change.path) and len(after) <= MAX_CHARACTERS
            free = free_names(after) if is_judged else None
            had = free_names(before) if free else None
            new = _words(after) - _words(before) if free is None else free - (had or frozenset())
            without_place = self._without_place(change, new, is_free=free is not None)
            # A file that is new, or has such names already, may be given them by what runs it.
            unbound = new - self._brought if new and free and before and had == frozenset() else set()
            unbound -= without_place.keys() | _words(before)
            lost = self._lost(change)
            unknown = self._not_imported(change)
            for index in self._edits.keys() & set(change.edits):
                edit = self._edits[index]
                if lost:
                    unnamed[index] = f"{change.path} would still use `{lost}`, and nothing would bind it."
                used = _words(edit.replace or edit.content)
                if unknown in used and edit.format in _OF_ANSWERS:
                    why = f"It uses `{unknown}`, which neither {change.path} nor the answer imports."
                    unnamed.setdefault(index, why)
                for name in sorted(used & without_place.keys()):
                    why = f"It uses `{name}`, which is defined in code of the answer that has no place."
                    missing.setdefault(index, f"{why} {without_place[name].message}")
                for name in sorted(used & unbound):
                    why = f"It uses `{name}`, which neither {change.path} nor the answer defines"
                    (unnamed if edit.format in _OF_ANSWERS else noted).setdefault(index, f"{why}.")
        for one, edit in self._pieces if self._edits else ():
            from patchpoint.patching.answers.candidates import definitions_in, joined_file

            is_joined = joined_file(one, list(self._edits.values())) and definitions_in(
                edit.replace, f"x.{one.suffix}"
            )
            is_asked = one.is_needed or bool(is_joined)
            is_asked = is_asked or (one.is_change and not self._defines_what_is_nowhere(one, edit))
            if is_asked and not edit.is_aside and not self._is_shown(edit, one.suffix):
                nearest = min(self._edits, key=lambda at: abs(self._edits[at].span[0] - one.span[0]))
                missing.setdefault(nearest, _PART.format(one.message))
        return missing, unnamed, noted

    def _lost(self, change: PlannedChange) -> str:
        """Return a name that a change takes from what uses it, where a part of the answer waits for a yes."""
        if not self._is_part_open or change.before is None or change.after is None:
            return ""
        from patchpoint.structure.lazy.doubt.names_in_use import lost_name

        before, after = (plain_lines(plain(text)) for text in (change.before, change.after))
        return lost_name(before, after, change.path)

    def _not_imported(self, change: PlannedChange) -> str:
        """Return a name of a module that a change brings into use, and that nothing imports."""
        is_one = change.path.lower().endswith(_OF_LIBRARIES)
        if change.before is None or change.after is None or not is_one:
            return ""
        from patchpoint.structure.not_imported import not_imported

        before, after = (plain_lines(plain(text)) for text in (change.before, change.after))
        return not_imported(before, after, change.path)

    def _without_place(
        self, change: PlannedChange, new: Set[str], *, is_free: bool
    ) -> Mapping[str, Unplaced]:
        """Return those of the `new` names of a change that only code without a place binds.

        With `is_free` the new names are known to be bound nowhere in the file.
        """
        if not self._pieces:
            return {}
        from patchpoint.patching.answers.candidates import may_be_alike, names_bound_in
        from patchpoint.structure.lazy.doubt.names_in_use import is_only_used

        found = {}
        for one, edit in self._pieces:
            if may_be_alike(one, change.path):
                path = f"x.{one.suffix}" if one.suffix else change.path
                for name in new & names_bound_in(edit, path):
                    if is_free or is_only_used(name, change.after or ""):
                        found[name] = one
        return found

    def _defines_what_is_nowhere(self, one: Unplaced, edit: Edit) -> bool:
        """Return whether no file that changes has a name that code defines: it shows how that is used."""
        from patchpoint.patching.answers.candidates import definitions_in
        from patchpoint.patching.places.places_said import says

        names = definitions_in(edit.replace, f"x.{one.suffix}")
        words = {word for change in self._changes for word in _words(change.before) | _words(change.after)}
        return bool(names) and words.isdisjoint(names) and not says(edit.lead, "adds more")

    def _is_shown(self, edit: Edit, suffix: str) -> bool:
        """Return whether code is in a file that changes, is a path, or only calls what such a file has."""
        lines = {line.strip() for line in plain_lines(plain(edit.replace))} - {""}
        if len(lines) < 2 and not any(map(_NO_PATH.search, lines)):
            return True
        for change in self._changes:
            for text in (change.before, change.after):
                if lines.issubset({line.strip() for line in plain_lines(plain(text or ""))}):
                    return True
        from patchpoint.patching.answers.candidates import only_calls

        return only_calls(edit.replace, suffix, [(each.after or "", each.path) for each in self._changes])


def _words(text: str | None) -> set[str]:
    return set(IDENTIFIER.findall(text or ""))
