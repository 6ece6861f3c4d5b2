"""Mistakes that models make when they quote code, each put into an edit whose right result is known."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import permutations

from patchpoint.structure.parse import TextBefore
from tests.locate.drifted_edits import DriftedEdit, depth_of, invented, reworded, text_of
from tests.weighing.sources import Source, sources

Mistake = Callable[[Source, random.Random], DriftedEdit | None]
"""Makes an edit of a source, where that lends itself to one."""

_MOST_MISSES = 200
_ARGUMENTS = re.compile(r"(\s*)(.*\w\()([^()]*,[^()]*)(\)[;,]?(?: \{|:)?)")
_NAMES = re.compile(r"((?:(?:import|from|use)\b.*[{(]|.*[{\[])\s*)((?:\w+, ){2,}\w+)(\s*[}\])].*)")
_NAME_LINE = re.compile(r"\s*\w+,")
_ROW = re.compile(r"\W*(?:[\w<>\[\]]+\s+)*[\w.'\"\[\]]+\s*(?:=>|[:=])\s*\S.*|\s*#define\s+\w+\s+\S.*")
_VALUE = re.compile(r"\d[\d_.]*|(?<=['\"])[\w/.-]+(?=['\"])")
_OPENS = re.compile(r".*(?:[{(:]|\bdo(?: \|[\w, ]+\|)?|\bdef \w.*)")


def mistaken_edits(kind: str, count: int, seed: int = 0) -> Iterator[tuple[Source, DriftedEdit]]:
    """Yield up to `count` edits with one kind of mistake, a key of `MISTAKES`, and what they are edits of.

    No search text is in its file as it is, and what is right to write parses as the file does.
    """
    chance = random.Random(f"{kind} {seed}")
    made = misses = 0
    while made < count and misses < _MOST_MISSES * count:
        for source in sources(chance):
            edit = MISTAKES[kind](source, chance)
            if edit is None or not _lends_itself(source, edit):
                misses += 1
            elif made < count:
                made += 1
                yield source, edit


def reworded_comment(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a comment in other words, and change, delete or follow the code next to it."""
    at = _comment(source, chance)
    if at is None:
        return None
    words = source.lines[at].split(" ")
    spots = [n for n, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if len(spots) < 2:
        return None
    for spot in chance.sample(spots, min(len(spots), chance.randint(1, 3))):
        words[spot] = chance.choice(("really", "simply", "always", "whatever", "first"))
    return _next_to_comment("reworded comment", source, at, [" ".join(words)], chance)


def comment_left_out(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote code without the comment in it, and change, delete or follow the code next to it."""
    at = _comment(source, chance)
    return _next_to_comment("comment left out", source, at, [], chance) if at is not None else None


def comment_invented(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a comment that is not there, and change the code below it."""
    lines = list(source.lines)
    block = _block(source, chance, 4, 8)
    sign = next((line.strip().split(" ")[0] for n, line in enumerate(lines) if source.is_comment(n)), None)
    if block is None or sign is None:
        return None
    start, end = block
    at = chance.randrange(start + 1, end)
    if not (source.is_code(at - 1) and source.is_code(at)):
        return None
    comment = (
        f"{lines[at][: depth_of(lines[at])]}{sign} What follows is needed{' */' if sign == '/*' else ''}"
    )
    new = reworded(lines[at], chance)
    quoted = [*lines[start:at], comment, *lines[at:end]]
    replace = [*lines[start:at], comment, new, *lines[at + 1 : end]]
    right = text_of([*lines[:at], new, *lines[at + 1 :]])
    return DriftedEdit("comment invented", text_of(lines), text_of(quoted), text_of(replace), (right,))


def _next_to_comment(
    kind: str, source: Source, at: int, quoted: list[str], chance: random.Random
) -> DriftedEdit | None:
    """Return an edit of code next to the comment at line `at`, which is quoted as those lines."""
    lines = list(source.lines)
    start, end = max(0, at - chance.randint(2, 5)), min(len(lines), at + 1 + chance.randint(2, 5))
    if not lines[start].strip() or not lines[end - 1].strip() or not source.is_code(at + 1):
        return None
    ahead, behind = lines[start:at], lines[at + 1 : end]
    if not ahead or not ahead[-1].strip():
        return None
    how = chance.choice(("above", "below", "both", "insert", "delete"))
    before, after = list(ahead), list(behind)
    if how in ("above", "both"):
        before[-1] = reworded(before[-1], chance)
    if how in ("below", "both"):
        after[0] = reworded(after[0], chance)
    if how == "delete":
        del after[0]
    if how == "insert":
        before.append(invented(before[-1], chance))
    kept = lines[at : at + 1]
    rights = [text_of([*lines[:start], *before, *kept, *after, *lines[end:]])]
    if how == "delete":
        rights.append(text_of([*lines[:start], *before, *after, *lines[end:]]))
    search, replace = [*ahead, *quoted, *behind], [*before, *quoted, *after]
    return DriftedEdit(kind, text_of(lines), text_of(search), text_of(replace), tuple(rights))


def doubled_line(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a line twice that is there once, or once that is there twice, and change another or drop one."""
    lines = list(source.lines)
    block = _block(source, chance, 4, 9)
    if block is None:
        return None
    start, end = block
    at, other = chance.sample(range(start, end), 2)
    if not (source.is_code(at) and source.is_code(other)) or _OPENS.fullmatch(lines[at]):
        return None
    drop = chance.random() < 0.4
    there_twice = chance.random() < 0.5
    new = reworded(lines[other], chance)

    def having(times: int, number: int, line: str) -> list[str]:
        return [line] * times if number == at else [line]

    def text(times: int, change: str | None = None) -> list[str]:
        return [
            each
            for number in range(start, end)
            for each in having(times, number, change if change and number == other else lines[number])
        ]

    head, tail = lines[:start], lines[end:]
    there = text(2 if there_twice else 1)
    whole = text_of([*head, *there, *tail])
    if drop and there_twice:
        # Something else is misquoted, so that the quote is not found as it is.
        quoted, replace = text(2, new), text(1, new)
        return DriftedEdit(
            "doubled line", whole, text_of(quoted), text_of(replace), (text_of([*head, *text(1), *tail]),)
        )
    if drop:
        return DriftedEdit("doubled line", whole, text_of(text(2)), text_of(text(1)))
    quoted, replace = (text(1), text(1, new)) if there_twice else (text(2), text(2, new))
    right = text_of([*head, *text(2 if there_twice else 1, new), *tail])
    return DriftedEdit("doubled line", whole, text_of(quoted), text_of(replace), (right,))


def wrapped_statement(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a statement over several lines that is on one, and change it, delete it or change a neighbour."""
    lines = list(source.lines)
    spots = [(n, found) for n, line in enumerate(lines) if (found := _ARGUMENTS.fullmatch(line))]
    if not spots:
        return None
    at, found = chance.choice(spots)
    indent, head, inner, tail = found.groups()
    arguments = [part.strip() for part in inner.split(",")]
    unit = "\t" if indent.startswith("\t") else "    "
    wrapped = [indent + head, *(f"{indent}{unit}{part}," for part in arguments), indent + tail]
    wrapped[-2] = wrapped[-2].removesuffix(",")
    start, end = max(0, at - chance.randint(2, 4)), min(len(lines), at + chance.randint(3, 5))
    ahead, behind = lines[start:at], lines[at + 1 : end]
    if len([line for line in ahead + behind if line.strip()]) < 3 or tail.endswith(("{", ":")):
        return None
    how = chance.choice(("argument", "neighbour", "delete"))
    new = list(wrapped)
    after = list(behind)
    rights: list[str] = []
    spot: int | None
    if how == "argument":
        spot = chance.randrange(len(arguments))
        if not re.search(r"[A-Za-z_]\w{3,}", arguments[spot]):
            return None
        other = reworded(arguments[spot], chance)
        new[1 + spot] = new[1 + spot].replace(arguments[spot], other)
        line = indent + head + ", ".join([*arguments[:spot], other, *arguments[spot + 1 :]]) + tail
        rights = [
            text_of([*lines[:at], line, *lines[at + 1 :]]),
            text_of([*lines[:at], *new, *lines[at + 1 :]]),
        ]
    elif how == "delete":
        new = []
        rights = [text_of(lines[:at] + lines[at + 1 :])]
    else:
        spot = next((n for n, line in enumerate(behind) if line.strip()), None)
        if spot is None:
            return None
        after[spot] = reworded(behind[spot], chance)
        rights = [text_of([*lines[: at + 1], *after, *lines[end:]])]
    search, replace = [*ahead, *wrapped, *behind], [*ahead, *new, *after]
    return DriftedEdit("wrapped statement", text_of(lines), text_of(search), text_of(replace), tuple(rights))


def reordered_names(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote names in brackets in another order, and drop or add one."""
    lines = list(source.lines)
    spots = [(n, found) for n, line in enumerate(lines) if (found := _NAMES.fullmatch(line))]
    runs = _runs_of_names(lines)
    if runs and (not spots or chance.random() < 0.5):
        return _reordered_lines(lines, *chance.choice(runs), chance)
    if not spots:
        return None
    at, found = chance.choice(spots)
    names = found[2].split(", ")

    def line_of(some: list[str]) -> str:
        return found[1] + ", ".join(some) + found[3]

    quoted = _shuffled(names, chance)
    start, end = max(0, at - chance.randint(1, 3)), min(len(lines), at + chance.randint(2, 4))
    ahead, behind = lines[start:at], lines[at + 1 : end]
    wanted, rights = _dropped_or_added(quoted, names, chance)
    return DriftedEdit(
        "reordered names",
        text_of(lines),
        text_of([*ahead, line_of(quoted), *behind]),
        text_of([*ahead, line_of(wanted), *behind]),
        tuple(text_of([*lines[:at], line_of(right), *lines[at + 1 :]]) for right in rights),
    )


def _reordered_lines(lines: list[str], start: int, end: int, chance: random.Random) -> DriftedEdit:
    names = lines[start:end]
    quoted = _shuffled(names, chance)
    wanted, rights = _dropped_or_added(quoted, names, chance)
    ahead, behind = lines[max(0, start - 2) : start], lines[end : end + 2]
    return DriftedEdit(
        "reordered names",
        text_of(lines),
        text_of([*ahead, *quoted, *behind]),
        text_of([*ahead, *wanted, *behind]),
        tuple(text_of([*lines[:start], *right, *lines[end:]]) for right in rights),
    )


def _dropped_or_added(
    quoted: list[str], names: list[str], chance: random.Random
) -> tuple[list[str], list[list[str]]]:
    """Return the quoted names with one dropped or added, and what may become of those in the file."""
    if chance.random() < 0.5 and len(names) > 2:
        gone = chance.choice(names)
        return [name for name in quoted if name != gone], [[name for name in names if name != gone]]
    at = chance.randint(0, len(quoted))
    like = names[0]
    new = re.sub(r"\w+", "brand_new_name", like, count=1)
    return (
        [*quoted[:at], new, *quoted[at:]],
        [[*names[:place], new, *names[place:]] for place in range(len(names) + 1)],
    )


def _shuffled(names: list[str], chance: random.Random) -> list[str]:
    others = [list(order) for order in permutations(names[:5]) if list(order) != names[:5]]
    return chance.choice(others) + names[5:]


def _runs_of_names(lines: list[str]) -> list[tuple[int, int]]:
    runs = []
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and _NAME_LINE.fullmatch(lines[end]):
            end += 1
        if end - start >= 3:
            runs.append((start, end))
        start = end + 1
    return runs


def sibling_gone(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a row that is gone from among its siblings, and change its value: nothing may be written."""
    rows = _rows(source, chance)
    if rows is None:
        return None
    lines, at = list(source.lines), chance.choice(rows)
    value = _VALUE.search(lines[at], lines[at].index(lines[at].strip()[0]) + 4)
    if value is None:
        return None
    new = (
        lines[at][: value.start()] + ("17" if value[0][0].isdigit() else "another") + lines[at][value.end() :]
    )
    around = chance.randint(0, 2)
    ahead, behind = lines[max(0, at - around) : at], lines[at + 1 : at + 1 + chance.randint(0, 2)]
    text = text_of(lines[:at] + lines[at + 1 :])
    return DriftedEdit(
        "sibling gone", text, text_of([*ahead, lines[at], *behind]), text_of([*ahead, new, *behind])
    )


def sibling_misquoted(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote a row and its siblings, one of the others in other words, and change the row's value."""
    rows = _rows(source, chance)
    if rows is None or len(rows) < 3:
        return None
    lines, at = list(source.lines), chance.choice(rows)
    others = [row for row in rows if row != at]
    wrong = chance.choice(others)
    value = _VALUE.search(lines[at], lines[at].index(lines[at].strip()[0]) + 4)
    if value is None:
        return None
    new = (
        lines[at][: value.start()] + ("17" if value[0][0].isdigit() else "another") + lines[at][value.end() :]
    )
    start, end = max(0, rows[0] - 2), min(len(lines), rows[-1] + 3)
    quoted = list(lines)
    quoted[wrong] = reworded(lines[wrong], chance)
    replace = [*quoted[start:at], new, *quoted[at + 1 : end]]
    right = text_of([*lines[:at], new, *lines[at + 1 :]])
    return DriftedEdit(
        "sibling misquoted", text_of(lines), text_of(quoted[start:end]), text_of(replace), (right,)
    )


def quote_marks(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Put marks around the quoted lines, or before each of them, that are not the file's; change a line."""
    lines = list(source.lines)
    block = _block(source, chance, 4, 8)
    if block is None:
        return None
    start, end = block
    at = chance.randrange(start, end)
    if not source.is_code(at):
        return None
    new = reworded(lines[at], chance)
    quoted = lines[start:end]
    replace = [*lines[start:at], new, *lines[at + 1 : end]]
    mark = chance.choice(("'''", '"""', "|", "|-", "~"))
    if len(mark) == 3:
        search, other = [mark, *quoted, mark], [mark, *replace, mark]
    else:
        search, other = ([f"{mark} {line}" for line in some] for some in (quoted, replace))
    right = text_of([*lines[:at], new, *lines[at + 1 :]])
    return DriftedEdit("quote marks", text_of(lines), text_of(search), text_of(other), (right,))


def definition_deleted(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Delete a definition of which a comment or one line is quoted in other words."""
    lines = list(source.lines)
    found = _bodies(source)
    if not found:
        return None
    start, end = chance.choice(found)
    spots = [n for n in range(start + 1, end - 1) if lines[n].strip()]
    comments = [n for n in spots if source.is_comment(n)]
    if not spots:
        return None
    wrong = chance.choice(comments or spots)
    quoted = list(lines)
    quoted[wrong] = reworded(lines[wrong], chance)
    ahead = lines[max(0, start - 3) : start]
    first, last = start, end
    while first and not lines[first - 1].strip():
        first -= 1
    while last < len(lines) and not lines[last].strip():
        last += 1
    # How many of the blank lines around it stay is a matter of taste.
    rights = [
        text_of(lines[:above] + lines[below:])
        for above in range(first, start + 1)
        for below in range(end, last + 1)
    ]
    search = [*ahead, *quoted[start:end]]
    return DriftedEdit("definition deleted", text_of(lines), text_of(search), text_of(ahead), tuple(rights))


def closing_depth(source: Source, chance: random.Random) -> DriftedEdit | None:
    """Quote the closing line of a block at another depth, and change a line of the block."""
    lines = list(source.lines)
    found = [
        (start, end)
        for start, end in _bodies(source)
        if re.fullmatch(r"\s+[})\]]+[;,]?|\s+end", lines[end - 1])
    ]
    if not found:
        return None
    start, end = chance.choice(found)
    spots = [n for n in range(start + 1, end - 1) if source.is_code(n)]
    if not spots:
        return None
    at = chance.choice(spots)
    new = reworded(lines[at], chance)
    closing = lines[end - 1].strip() if chance.random() < 0.5 else "    " + lines[end - 1]
    search = [*lines[start : end - 1], closing]
    replace = [*lines[start:at], new, *lines[at + 1 : end - 1], closing]
    right = text_of([*lines[:at], new, *lines[at + 1 :]])
    return DriftedEdit("closing depth", text_of(lines), text_of(search), text_of(replace), (right,))


MISTAKES: Mapping[str, Mistake] = {
    "reworded comment": reworded_comment,
    "comment left out": comment_left_out,
    "comment invented": comment_invented,
    "doubled line": doubled_line,
    "wrapped statement": wrapped_statement,
    "reordered names": reordered_names,
    "sibling gone": sibling_gone,
    "sibling misquoted": sibling_misquoted,
    "quote marks": quote_marks,
    "definition deleted": definition_deleted,
    "closing depth": closing_depth,
}


def _lends_itself(source: Source, edit: DriftedEdit) -> bool:
    if edit.search == edit.replace or edit.search in edit.text:
        return False
    before = TextBefore(source.path, edit.text)
    return not any(before.problem_of(right) for right in edit.right[:1])


def _comment(source: Source, chance: random.Random) -> int | None:
    found = [n for n in range(2, len(source.lines) - 3) if source.is_comment(n) and source.is_code(n + 1)]
    return chance.choice(found) if found else None


def _block(source: Source, chance: random.Random, least: int, most: int) -> tuple[int, int] | None:
    """Return the half-open range of some lines, of which the first and the last are code."""
    size = chance.randint(least, most)
    start = chance.randrange(len(source.lines) - size)
    return (start, start + size) if source.is_code(start) and source.is_code(start + size - 1) else None


def _rows(source: Source, chance: random.Random) -> list[int] | None:
    """Return the lines of a run of three or more that are alike: constants, keys, members."""
    runs: list[list[int]] = [[]]
    for number, line in enumerate(source.lines):
        last = runs[-1]
        if not (_ROW.fullmatch(line) and _VALUE.search(line) and not line.rstrip().endswith(("{", "("))):
            runs.append([])
        elif last and depth_of(source.lines[last[-1]]) != depth_of(line):
            runs.append([number])
        else:
            last.append(number)
    runs = [run for run in runs if len(run) >= 3]
    return chance.choice(runs) if runs else None


def _bodies(source: Source) -> list[tuple[int, int]]:
    """Return the half-open ranges of blocks of 4 to 25 lines, from the line that opens them to their end."""
    lines = source.lines
    found = []
    for start, line in enumerate(lines):
        if (
            not _OPENS.fullmatch(line)
            or not re.search(r"\w\s*\(|\bdef\b|\bclass\b", line)
            or source.is_comment(start)
        ):
            continue
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or depth_of(lines[end]) > depth_of(line)):
            end += 1
        if end < len(lines) and re.fullmatch(r"[})\]]+[;,]?|end", lines[end].strip()):
            end += 1
        while end > start and not lines[end - 1].strip():
            end -= 1
        if 4 <= end - start <= 25:
            found.append((start, end))
    return found
