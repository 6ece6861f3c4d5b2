"""Code that names no file: the one file that has the definitions it shows, or the text that it replaces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Operation, Unplaced
from patchpoint.locate.effort import Effort
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.source import plain
from patchpoint.outcome import Atomic, Outcome, Reason, Status
from patchpoint.patching.answers.candidates import (
    Candidates,
    lines_of_code,
    may_be_alike,
    outermost_in,
    words_of,
)
from patchpoint.patching.answers.quotes import below_quotes, without_quotes, would_change
from patchpoint.patching.answers.requests import Requests, is_of_any
from patchpoint.patching.answers.unnamed import (
    ONLY_DEFINES,
    are_in_a_row,
    called_as,
    described,
    doubt_of,
    fits,
    guessed_next_to,
    is_asked,
    is_import,
    nearest,
    tell_a_file,
    unplaced_with,
    with_blank_lines,
)
from patchpoint.patching.left_out import is_quote
from patchpoint.patching.places.called import QUOTED
from patchpoint.patching.places.places_said import begins_with_and, says, says_a_side, says_a_use
from patchpoint.patching.plan import Plan, plan_edits
from patchpoint.progress import Progress
from patchpoint.structure.languages import may_hold
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import plain_lines

_OTHER_THAN_IS = (
    "it is described as existing code, but its file has other lines; say that it is the change, or leave it "
    "out"
)
_SEVERAL = 2
_REQUESTS = 4
"""Code that names no file is held against many: that may cost as much as so many requests."""
_MOST_NAMED = 4
_DOCUMENTS = ("", ".md", ".rst", ".txt")
_NAMED = "Only what is said above it names {}."
_NEARBY = "It names no file, and goes on with {}, which is named above it."
_MEANT = "It names no file, and of those with a place for it {} is named above it."
_HAS = "It names no file, and only {} has what the words above it name."
_HAS_TEXT = "It names no file, and only {} has the text that it replaces."
_BINDS = "It names no file, and only {} gives the same names a value."
_DEFINES = "It names no file, and only {} has the definition that it shows."
_ALIKE = "It names no file, and of those of its kind {} has lines of it."
_NEW = "Of the files that are named above it, {} is new."
_EACH = "What is said above it names {}, among others."
_ALL_ELSE = "It names no file, and all else of the answer is for {}."
_MOST_GUESSES = 24
"""For so many pieces of code that nothing speaks of, a file is looked for by their definitions."""


@dataclass(frozen=True, slots=True)
class Placing:
    """The code that has its file, with the path of that file, and what has none."""

    edits: tuple[Edit, ...]
    left: tuple[Unplaced, ...]


def place(
    unplaced: Sequence[Unplaced],
    files: Mapping[str, str],
    ladder: Ladder | None = None,
    progress: Progress | None = None,
    named: Collection[str] = (),
) -> Placing:
    """Return the edits of code that exactly one of the `files` has a place for, or one of those `named`.

    Where several files have one for a piece of code, or there is none for one that is needed, nothing is
    placed: half of a change would be made. The code that is left says why.
    """
    edits = list[Edit]()
    left: list[Unplaced] = []
    places = _Places(files, unplaced, ladder, progress)
    requests = Requests(files, places.called, places.plan)
    unplaced = below_quotes(unplaced, files, places.candidates)
    for one in sorted(unplaced, key=lambda one: (is_of_any(one), not one.nearby and is_import(one))):
        if one.is_use and not places.has_part_of(one):
            left.append(replace(one, edit=None))
            continue
        if one.is_sentence:
            found, more = requests.made(one, edits)
        elif one.is_between:
            found = places.between(one)
            more = [] if found else [one if places.has_part_of(one) else replace(one, edit=None)]
        elif one.quoted is not None or one.edit is None:
            found, more = places.as_quoted(one, named)
        else:
            found, more = places.meant(one, one.edit, nearest(one, edits), named)
        edits += found
        left += more
    paths = {*named, *(edit.path for edit in edits if not edit.is_aside)}
    left = [replace(one, is_needed=one.is_needed or places.may_belong(one, paths)) for one in left]
    path = places.subject(paths or {edit.path for edit in edits}, unplaced)
    if path and not any(map(places.is_there, edits)):
        also = [places.about(one, path, is_edited=bool(edits or named)) for one in left]
        edits += [edit for each in also for edit in each]
        left = [one for one, each in zip(left, also, strict=True) if not each]
    edits = guessed_next_to(edits, {*named, *(edit.path for edit in edits if not edit.is_aside)})
    left = without_quotes(left, edits, files, places.candidates, places.plan)
    if places.is_spent or any(one.is_needed for one in left):
        return Placing((), tuple(unplaced_with(left, unplaced)))
    edits = [with_blank_lines(edit, files.get(edit.path, "")) for edit in edits]
    return Placing(tuple(sorted(edits, key=lambda edit: edit.span)), tuple(left))


def files_for(
    one: Unplaced, files: Mapping[str, str], ladder: Ladder | None = None, progress: Progress | None = None
) -> list[str]:
    """Return the paths of the files that have a place for code, in order."""
    return _Places(files, [one], ladder, progress).paths_for(one)


class _Places:
    """What has a place for code among some files: each piece is held against each of them once."""

    def __init__(
        self,
        files: Mapping[str, str],
        pieces: Sequence[Unplaced],
        ladder: Ladder | None,
        progress: Progress | None,
    ) -> None:
        self._files, self._ladder, self._progress = files, ladder, progress
        self.candidates = Candidates(files, pieces)
        self.called = self.candidates.called
        self._effort = Effort(_REQUESTS * (ladder or Ladder()).request_budget)
        self._found: dict[tuple[Edit, str], tuple[bool, Reason | None]] = {}
        self._guesses = _MOST_GUESSES

    @property
    def is_spent(self) -> bool:
        """Whether there was too much to hold against too many files."""
        return self._effort.is_spent

    def paths_for(self, one: Unplaced) -> list[str]:
        """Return the paths of the files that have a place for code, in order."""
        edit = one.edit
        if edit is None:
            return []
        is_change = one.is_change or edit.operation is Operation.REPLACE
        named = [
            path
            for path in (self.called(one.paths) if one.paths else self.candidates.of(one))
            if not one.paths or any(path == each or path.endswith(f"/{each}") for each in one.paths)
        ]
        # Most code of an answer that names no file is no change, and is like none of them: that is soon seen.
        return sorted(
            path
            for path in named
            if may_be_alike(one, path)
            and (is_change or self.candidates.is_like(edit, path))
            and self._fit(edit, path)[0]
        )

    def between(self, one: Unplaced) -> list[Edit]:
        """Return code as what its answer likely means, if words speak of no use of it.

        If its file has lines of it, it has most, or none of the file is lost.
        """
        edit, is_part, known = one.edit or Edit(path=""), self.has_part_of(one), self.candidates
        is_sure = known.has_most_of(one, self.called(one.paths)) or not (is_part or says_a_use(edit.above))
        found = self._likely(one, edit, "") if is_sure or is_part else []
        return found if len(found) == 1 and (is_sure or self._loses_nothing(found[0])) else []

    def _loses_nothing(self, edit: Edit) -> bool:
        """Return whether what is proposed for an edit has each line of its file."""
        proposal = self._outcome(edit).proposal
        left = {line.strip() for line in plain_lines(plain(proposal.text or ""))} if proposal else set[str]()
        return self.candidates.lines_of(edit.path) <= left

    def as_quoted(self, one: Unplaced, named: Collection[str]) -> tuple[list[Edit], list[Unplaced]]:
        """Return code that is called what its file has as an edit, if it may be the change, and what is left.

        It may be next to edits of the files that are `named`; where the file has something else, and it is no
        edit, these wait for it.
        """
        path = next(iter(self.called([one.quoted.path] if one.quoted is not None else [])), None)
        if one.quoted is None or path is None:
            return [], [one]
        quoted, text = replace(one.quoted, path=path), self._files[path]
        others = (self._files[each] for each in self.candidates.of(one))
        if any(is_quote(each, quoted.replace) for each in others):
            return [], [one]
        if not would_change(text, quoted, lambda edit: self.plan(path, [edit], text)):
            return [], [one]
        if quoted.doubt and named:
            return [quoted], []
        message = f"{one.message.rpartition(': ')[0]}: {_OTHER_THAN_IS}"
        return [], [replace(one, message=message, is_needed=True)]

    def meant(
        self, one: Unplaced, edit: Edit, before: str, named: Collection[str]
    ) -> tuple[list[Edit], list[Unplaced]]:
        """Return code as the edit of its file, or else as what is left, with the files that it may be for.

        The piece of code `before` it is for that file; empty if there is none.
        """
        made = self._in_new(one, edit) if one.objection is None else None
        if made:
            return made, []
        fitting = [] if one.is_aside or edit.doubt or made is not None else self.paths_for(one)
        if is_import(one) and (one.nearby or before):
            # any file may have it already: it is for the one that the answer speaks of
            fitting = called_as(fitting, one.nearby or (before,))
        joined = self.called([one.joined] if one.joined else [])
        if len(joined) == 1 and self._fit(edit, joined[0]) == (True, None):
            fitting = joined
        for paths, why in ((named, ""), (one.nearby, _MEANT)):
            own = called_as(fitting, filter(None, paths)) if len(fitting) > 1 else []
            if len(own) == 1:
                fitting, edit = own, replace(edit, doubt=edit.doubt or why.format(own[0]))
        if len(fitting) == 1:
            doubt = doubt_of(edit, fitting[0]) or (_DEFINES.format(fitting[0]) if one.is_unsure else "")
            return [replace(edit, path=fitting[0], doubt=doubt)], []
        if each := self._in_each(one, edit):
            return each, []
        likely = self._likely(one, edit, before) if made is None else []
        if edit.lead and not one.is_aside:
            # next to an edit of the same file it is likely a part of the change
            edited = [replace(each, is_aside=edit.is_aside) for each in likely if each.path in named]
            likely = edited if len(edited) == 1 else likely
        if len(likely) == 1:
            return likely, []
        left = described(one, fitting or [each.path for each in likely])
        if left == one and one.objection is None:
            left = replace(one, message=self._why_nowhere(one, edit))
        # other code is half of a change then
        is_needed = one.is_needed or bool(fitting)
        is_needed = is_needed or self._is_lacking(one, edit) or self._is_changed_part(one, edit)
        return [], [replace(left, is_needed=is_needed)]

    def _why_nowhere(self, one: Unplaced, edit: Edit) -> str:
        """Return why code is no edit: what keeps it from being made in the one file that it is likely for."""
        named = self.called(one.paths or one.nearby)
        path = named[0] if len(named) == 1 else ""
        if not path or not (one.is_change or edit.lead):
            return one.message
        outcome = self._outcome(replace(edit, path=path, doubt=""))
        is_refused = outcome.status not in (Status.MATCHED, Status.PROPOSED)
        head, sign, _ = one.message.rpartition(": ")
        return f"{head}{sign}{outcome.message}" if is_refused and sign else one.message

    def _in_each(self, one: Unplaced, edit: Edit) -> list[Edit]:
        """Return code as the edit of each of several files, if words name them in a row."""
        paths = self.called(one.paths)
        if not 1 < len(one.paths) == len(paths) or not are_in_a_row(one.paths, edit.lead):
            return []
        made = [replace(edit, path=path, doubt=_EACH.format(path)) for path in paths]
        return made if all(self._outcome(each).proposal is not None for each in made) else []

    def _in_new(self, one: Unplaced, edit: Edit) -> list[Edit] | None:
        """Return code as the one file that is named for it and not there; `None` if there is no such file.

        Next to a file that is there, it has to have nothing of that.
        """
        from patchpoint.patching.whole.whole_or_part import may_be_new

        is_other = any(may_hold(path, one.language) for path in self.called(one.paths))
        new = [path for path in one.paths if "." in path and not self.called([path])]
        new = [path for path in new if not is_other or may_hold(path, one.language)]
        made = replace(edit, path=new[0], doubt=edit.doubt or _NEW.format(new[0])) if len(new) == 1 else edit
        if not made.path or not may_be_new(made):
            return None
        shown = lines_of_code(one)
        files = (self.candidates.lines_of(path) for path in self.called(one.paths))
        is_like = any(_SEVERAL * len(shown & known) > len(shown) for known in files)
        return [] if is_like and not says(edit.lead, "adds") else [made]

    def _likely(self, one: Unplaced, edit: Edit, before: str) -> list[Edit]:
        """Return code as the edit of each file that its answer likely means, for a person to look at."""
        if one.objection is not None:
            return []
        holders = self._defining(one)
        for why, paths in self._said(one, before):
            is_aside = edit.is_aside or why == ONLY_DEFINES
            edits = [
                replace(edit, path=path, doubt=why.format(path), is_aside=is_aside)
                for path in paths
                if not holders or path in holders or not syntaxes_of(path)
            ]
            found = [each for each in edits if self._outcome(each).proposal is not None]
            near = self.called(one.nearby) if len(found) > 1 else []
            own = [replace(each, doubt=_NEARBY.format(each.path)) for each in found if each.path in near]
            if found:
                return own if len(own) == 1 else found
        return []

    def has_part_of(self, one: Unplaced) -> bool:
        """Return whether the file of code that is called an example has some of its lines, and not all.

        If it says a side, its file may have none of them.
        """
        shown = lines_of_code(one)
        is_placed = one.edit is not None and says_a_side(one.edit.lead)
        for path in self.called(one.paths) if one.paths else self._alike(one) or self._defining(one):
            there = shown & self.candidates.lines_of(path)
            if there != shown and (there or (is_placed and not one.paths)):
                return True
        return False

    def _defining(self, one: Unplaced) -> list[str]:
        code = one.edit.replace if one.edit is not None else ""
        return self.candidates.defining(outermost_in(code, f"x.{one.suffix}"), one)

    def _alike(self, one: Unplaced) -> list[str]:
        return [] if is_import(one) else self.candidates.alike(one, is_asked=is_asked(one))

    def is_there(self, edit: Edit) -> bool:
        """Return whether the file of an edit has all of it: it only quotes that."""
        return edit.path in self._files and self._fit(edit, edit.path)[1] is Reason.ALREADY_APPLIED

    def subject(self, paths: Collection[str], pieces: Sequence[Unplaced]) -> str:
        """Return the one file that an answer is about: all its edits are of it, or no other is named."""
        if not paths:
            paths = self.called({path for one in pieces for path in (*one.paths, *one.nearby)})
        return next(iter(paths)) if len(paths) == 1 else ""

    def about(self, one: Unplaced, path: str, *, is_edited: bool) -> list[Edit]:
        """Return code that has no file as the edit of the one that its answer is about.

        It is asked for, or next to other edits, and has some lines of that file.
        """
        edit = one.edit
        is_code = edit is not None and not (edit.is_aside or one.is_sentence or one.is_between)
        is_of_other = bool(one.nearby and not called_as([path], one.nearby))
        if path not in self._files or not (edit and is_code) or one.paths or is_of_other:
            return []
        if not is_asked(one) and not (is_edited and self._is_part_of(one, path)):
            return []
        made = replace(edit, path=path, doubt=_ALL_ELSE.format(path))
        is_placed = not edit.doubt or says_a_side(edit.lead)
        is_of_kind = is_placed and (not one.language or may_hold(path, one.language))
        return [made] if is_of_kind and self._outcome(made).proposal is not None else []

    def _is_part_of(self, one: Unplaced, path: str) -> bool:
        """Return whether a file has some lines of code, and not all."""
        shown, known = lines_of_code(one), self.candidates.lines_of(path)
        return not (shown <= known or shown.isdisjoint(known))

    def _is_changed_part(self, one: Unplaced, edit: Edit) -> bool:
        """Return whether code has lines of the one file that it is likely for, and others."""
        if one.paths or edit.doubt or edit.is_aside or one.objection is not None:
            return False
        return any(lines_of_code(one) & self.candidates.lines_of(path) for path in self._alike(one))

    def _is_lacking(self, one: Unplaced, edit: Edit) -> bool:
        """Return whether code is for a named file and not there yet: other code is half of a change."""
        paths = next(self._said(one, ""))[1] if edit.doubt and one.paths else []
        if one.is_change and not (one.paths or one.is_aside):
            # a script without a suffix is a path to who has it
            paths = self.called([name for name in QUOTED.findall(edit.lead) if "/" in name])
        return any(self._fit(edit, path)[1] is not Reason.ALREADY_APPLIED for path in paths)

    def _said(self, one: Unplaced, before: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the files that an answer may mean, the likeliest first, and what speaks for them."""
        edit, files = one.edit or Edit(path=""), self.candidates
        names, parts = words_of(edit.lead)
        if one.paths:
            yield _NAMED, files.called(one.paths)
            return
        yield _NAMED, files.with_name(names)
        stems = files.with_stem(parts)
        yield _NAMED, [path for path in stems if PurePosixPath(path).suffix in _DOCUMENTS]
        yield _BINDS, files.binding(one)
        yield _HAS_TEXT, self.paths_for(one) if edit.search else []
        if not edit.doubt:
            yield from self._spoken_near(one, edit, before)
        yield _ALIKE, self._alike(one)

    def _spoken_near(self, one: Unplaced, edit: Edit, before: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the files that an answer may mean by what it says near code, and by what that defines."""
        files, parts = self.candidates, words_of(edit.lead)[1]
        goes_on = bool(edit.lead) and one.is_change and not one.is_aside
        goes_on = goes_on or begins_with_and(edit.lead) or edit.above.startswith(("```", "~~~"))
        goes_on = goes_on or is_import(one, before)
        yield _NEARBY, files.called(one.nearby or ([before] if goes_on else []))
        yield _NAMED, files.with_stem(parts)
        yield _HAS, files.having(one)
        defined = outermost_in(edit.replace, f"x.{one.suffix}")
        if any(name.casefold() in parts for name in defined):
            yield _DEFINES, files.defining(defined, one)
        elif self._guesses and tell_a_file(defined):
            from patchpoint.patching.shown.likely import shows_only_definitions

            holders = files.defining(defined, one)
            self._guesses -= bool(holders)
            if 0 < len(holders) <= _MOST_NAMED and shows_only_definitions(
                plain_lines(plain(edit.replace)), holders[0]
            ):
                yield ONLY_DEFINES, holders

    def may_belong(self, one: Unplaced, paths: Collection[str]) -> bool:
        """Return whether one of the files has the definitions that a piece of code shows, changed or not."""
        edit = one.edit
        if edit is None or edit.doubt or edit.operation is not Operation.MERGE:
            return False
        found = (self._fit(edit, path) for path in self.candidates.of(one) if path in paths)
        return any(fits and reason is not Reason.ALREADY_APPLIED for fits, reason in found)

    def _fit(self, edit: Edit, path: str) -> tuple[bool, Reason | None]:
        """Return whether a file has a place for an edit that names none, and why it is not made there."""
        if (edit, path) not in self._found:
            named = replace(edit, path=path, doubt="")
            outcome = self._outcome(named)
            self._found[edit, path] = fits(named, outcome), outcome.reason
        return self._found[edit, path]

    def _outcome(self, edit: Edit) -> Outcome:
        return self._outcomes(edit.path, [edit])[0]

    def _outcomes(self, path: str, edits: Sequence[Edit]) -> tuple[Outcome, ...]:
        return self.plan(path, edits, self._files[path]).outcomes

    def plan(self, path: str, edits: Sequence[Edit], text: str) -> Plan:
        """Return the plan of edits of a file with some text, each by itself."""
        return plan_edits(
            edits,
            {path: text},
            atomic=Atomic.EDIT,
            ladder=self._ladder,
            progress=self._progress,
            effort=self._effort,
        )
