"""Code that an answer only quotes: what a file has, or what comes of the other edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Unplaced
from patchpoint.patching.answers.candidates import Candidates, lines_of_code
from patchpoint.patching.left_out import is_quote
from patchpoint.patching.plan import Plan

_Planned = Callable[[str, Sequence[Edit], str], Plan]


def would_change(text: str, quoted: Edit, planned: Callable[[Edit], Plan]) -> bool:
    """Return whether code that is called what a file has now would change more of its text than comments.

    A quote may leave lines out: where it has fewer, it is one.
    """
    if is_quote(text, quoted.replace):
        return False
    plan = planned(replace(quoted, doubt=""))
    proposal = plan.outcomes[0].proposal
    texts = [each.after or "" for each in plan.changes] or ([proposal.text] if proposal else [])
    old, *new = (sum(map(bool, map(str.strip, each.split("\n")))) for each in (text, *texts))
    return not new or new[0] >= old


def below_quotes(
    pieces: Sequence[Unplaced], files: Mapping[str, str], candidates: Candidates
) -> list[Unplaced]:
    """Return pieces of code, those that name no file with the only one that has what is shown above."""
    found: list[Unplaced] = []
    path = ""
    for one in sorted(pieces, key=lambda one: one.span):
        if one.edit is None and len(lines_of_code(one)) > 1:
            own = [each for each in candidates.of(one) if is_quote(files[each], one.code)]
            path = own[0] if len(own) == 1 else ""
        is_next = path and not (one.is_sentence or one.paths or one.nearby)
        found.append(replace(one, nearby=(path,)) if is_next else one)
    return found


def without_quotes(
    left: Sequence[Unplaced],
    edits: Sequence[Edit],
    files: Mapping[str, str],
    candidates: Candidates,
    planned: _Planned,
) -> list[Unplaced]:
    """Return what is left of an answer, without the need of what its `edits` make: it only quotes that."""
    if not edits or not any(one.is_needed and one.edit is not None for one in left):
        return list(left)
    results = {
        path: _result([edit for edit in edits if edit.path == path], files.get(path, ""), planned)
        for path in {edit.path for edit in edits}
    }
    found = []
    for one in left:
        code = one.edit.replace if one.is_needed and one.edit is not None else ""
        own = (
            [results.get(path, "") for path in candidates.called(one.paths)]
            if one.paths
            else results.values()
        )
        is_made = code and any(is_quote(each, code) or code.strip() in each for each in own)
        found.append(replace(one, is_needed=False) if is_made else one)
    return found


def _result(edits: Sequence[Edit], text: str, planned: _Planned) -> str:
    """Return the texts that the edits of one file make of it, each as far as it is likely."""
    plan = planned(edits[0].path, [replace(edit, doubt="") for edit in edits], text)
    texts = [each.after or "" for each in plan.changes]
    return "\n".join((*texts, *(one.proposal.text for one in plan.outcomes if one.proposal is not None)))
