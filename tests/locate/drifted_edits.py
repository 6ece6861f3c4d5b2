"""Edits drifted on purpose, made from any source text, each with the results that are right to write.

Every kind is one way in which a similar place becomes a wrong write. The same seed gives the same edits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

TWIN = 0.7
"""Least similarity of two blocks, line by line, that are twins of each other."""

MISSPELT = 0.8
"""Least similarity of two words of which one may be the other, misspelt."""

_DEFINITION = re.compile(
    r"(?:async )?(?:def|class|func|fn|function|export function|public|private|static)\b.*[:{]"
)
_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class DriftedEdit:
    """An edit of `text` whose search text is not in it; writing anything but one of `right` is wrong."""

    kind: str
    text: str
    search: str
    replace: str
    right: tuple[str, ...] = ()


Generator = Callable[[list[str], random.Random], DriftedEdit | None]
"""Makes an edit of the text with these lines, where they lend themselves to one."""


def drifted_edits(kind: str, texts: Iterable[str], count: int, seed: int = 0) -> Iterator[DriftedEdit]:
    """Yield up to `count` edits of one kind (a key of `KINDS`), from all `texts` in turn."""
    chance = random.Random(f"{kind} {seed}")
    corpus = [lines for text in texts if 20 <= len(lines := text.splitlines()) <= 1500]
    made = misses = 0
    while corpus and made < count and misses < 400 * count:
        edit = KINDS[kind](chance.choice(corpus), chance)
        if edit is None or edit.search == edit.replace or _solid(edit.search) in _solid(edit.text):
            misses += 1
            continue
        made += 1
        yield edit


def deleted_block(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Delete a block that has twins, then quote it with one of its lines changed or one more line."""
    return _deleted("deleted block", lines, chance, range(2, len(lines)))


def deleted_twin(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Delete one of two blocks that are twins, then quote it in the same way."""
    return _deleted("deleted twin", lines, chance, range(1, 2))


def _deleted(kind: str, lines: list[str], chance: random.Random, wanted: range) -> DriftedEdit | None:
    """Delete a block of which the number of twins is wanted, none of them overlapping the one before it.

    None of them may be what the block would be if it had been misquoted: nobody could tell that from it.
    """
    size = chance.randint(3, 9)
    if len(lines) < 3 * size:
        return None
    start = chance.randrange(len(lines) - size)
    block = lines[start : start + size]
    if not block[0].strip() or not block[-1].strip():
        return None
    stripped = [line.strip() for line in lines]
    twins, free = 0, 0
    others = lines[:start] + lines[start + size :]
    for at in range(len(lines) - size + 1):
        if at + size <= start or at >= start + size:
            if not _alike(stripped, start, at, size):
                continue
            if _is_the_same(stripped[start : start + size], stripped[at : at + size], others):
                return None
            if at >= free:
                twins, free = twins + 1, at + size
    if twins not in wanted:
        return None
    text = text_of(lines[:start] + lines[start + size :])
    return DriftedEdit(kind, text, text_of(block), text_of(_changed(block, chance)))


def reordered(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Quote two neighbouring definitions in the other order, and change a line that occurs once."""
    pair = chance.choice(list(pairwise(_definitions(lines))) or [None])
    if pair is None or pair[0][1] != pair[1][0] or pair[1][1] - pair[0][0] > 50:
        return None
    (start, middle), (_, end) = pair
    quoted = lines[middle:end] + lines[start:middle]
    return _one_line_edit("reordered", lines, quoted, chance)


def gap_at_change(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Leave out some lines right where a line is changed, deleted or inserted."""
    size, gap = chance.randint(5, 12), chance.randint(1, 6)
    if len(lines) < 2 * size:
        return None
    start = chance.randrange(len(lines) - size)
    at = start + chance.randint(2, max(2, size - gap - 2))
    end = start + size
    if at + gap + 1 >= end or not all(lines[n].strip() for n in (at - 1, at, at + gap - 1, at + gap)):
        return None
    ahead, behind = lines[start:at], lines[at + gap : end]
    whole = text_of(lines)
    search = text_of(ahead + behind)
    how = chance.choice(["change", "delete", "insert", "both"])
    if how == "insert":
        new = invented(ahead[-1], chance)
        rights = _inserted_by_depth(lines, at, gap, new)
        return DriftedEdit("gap at change", whole, search, text_of([*ahead, new, *behind]), rights)
    if how == "both":
        new = invented(ahead[-1], chance)
        return DriftedEdit("gap at change", whole, search, text_of([*ahead[:-1], new, *behind[1:]]))
    new_lines = [reworded(ahead[-1], chance)] if how == "change" else []
    right = text_of(lines[: at - 1] + new_lines + lines[at:])
    return DriftedEdit("gap at change", whole, search, text_of([*ahead[:-1], *new_lines, *behind]), (right,))


def _inserted_by_depth(lines: list[str], at: int, gap: int, new: str) -> tuple[str, ...]:
    """Return the one place in a gap at which a new line cuts no block; nothing if there are more."""
    places = []
    for place in range(at, at + gap + 1):
        above = next(line for line in reversed(lines[:place]) if line.strip())
        below = next(line for line in lines[place:] if line.strip())
        goes_on = re.match(r"[)\]}]|elif\b|else\b|except\b|finally\b", below.strip()) is not None
        splits = depth_of(below) > depth_of(new) or (goes_on and depth_of(below) >= depth_of(new))
        splits = splits or (is_comment(above) and is_comment(below))
        enters = depth_of(new) > depth_of(above) and not above.rstrip().endswith((":", "{", "(", "["))
        if not splits and not enters:
            places.append(text_of([*lines[:place], new, *lines[place:]]))
    solid = sum(bool(line.strip()) for line in lines[at : at + gap])
    blank = gap - solid
    return tuple(places) if len(places) <= 1 + blank else ()


def wrapped_call(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Quote a call that is wrapped over several lines as one line, and change or delete it."""
    starts = [n for n, line in enumerate(lines) if line.rstrip().endswith("(") and 2 < n < len(lines) - 8]
    if not starts:
        return None
    start = chance.choice(starts)
    depth = depth_of(lines[start])
    end = start + 1
    while end < min(len(lines), start + 8) and depth_of(lines[end]) > depth and lines[end].strip():
        end += 1
    if end >= len(lines) or not re.fullmatch(r"\s*\)[;,]?", lines[end]) or depth_of(lines[end]) != depth:
        return None
    end += 1
    inner = [line.strip() for line in lines[start + 1 : end - 1]]
    if not inner or any("#" in line or "//" in line for line in inner):
        return None
    joined = lines[start].rstrip() + " ".join(inner).removesuffix(",") + lines[end - 1].strip()
    ahead, behind = lines[max(0, start - 4) : start], lines[end : end + 4]
    if sum(bool(line.strip()) for line in ahead + behind) < 4 or len({joined, *ahead, *behind}) < 4:
        return None
    drifted = list(ahead)
    spots = [n for n, line in enumerate(ahead) if _WORD.search(line)]
    if not spots:
        return None
    spot = chance.choice(spots)
    drifted[spot] = reworded(ahead[spot], chance)
    new = [] if chance.random() < 0.3 else [reworded(joined, chance)]
    before, after = lines[:start], lines[end:]
    rights = [text_of(before + new + after)]
    if new:
        rights += _wrapped_as_before(lines, start, end, joined, new[0])
    return DriftedEdit(
        "wrapped call",
        text_of(lines),
        text_of([*drifted, joined, *behind]),
        text_of(drifted + new + behind),
        tuple(rights),
    )


def skeleton(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Quote the first lines of some definitions without their bodies, and add one after the last."""
    found = _definitions(lines)
    count = chance.randint(2, 4)
    if len(found) < count:
        return None
    at = chance.randrange(len(found) - count + 1)
    some = found[at : at + count]
    quoted = [lines[start] for start, _ in some]
    if any(end - start < 3 for start, end in some) or len(set(quoted)) < count:
        return None
    header = re.sub(r"\w+(?=\s*\()", "brand_new_thing", quoted[-1], count=1)
    if header == quoted[-1]:
        return None
    depth = depth_of(quoted[-1])
    new = ["", header, " " * (depth + 4) + "brand_new_call()"]
    if quoted[-1].rstrip().endswith("{"):
        new.append(" " * depth + "}")
    end = some[-1][1]
    while end and not lines[end - 1].strip():
        end -= 1
    rights = []
    for blanks in range(4):
        body = new[1:]
        rights.append(text_of(lines[:end] + [""] * blanks + body + lines[end:]))
        rights.append(text_of(lines[: some[-1][1]] + [""] * blanks + body + lines[some[-1][1] :]))
        rights.append(text_of(lines[: some[-1][1]] + body + [""] * blanks + lines[some[-1][1] :]))
    return DriftedEdit("skeleton", text_of(lines), text_of(quoted), text_of(quoted + new), tuple(rights))


def renamed(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Quote one word of a stretch as a word that is nowhere, and change a line that has it."""
    size = chance.randint(5, 10)
    if len(lines) < 2 * size:
        return None
    start = chance.randrange(len(lines) - size)
    block = lines[start : start + size]
    whole = "\n".join(lines)
    words = [word for word in set(_WORD.findall("\n".join(block))) if word.islower()]
    words = sorted(word for word in words if sum(word in line for line in block) >= 2)
    if not words or len(set(block)) < size - 1:
        return None
    word = chance.choice(words)
    other = chance.choice(["wobbly_thing", "zapped", "quuxes", "the_fnord"])
    if other in whole:
        return None
    pattern = re.compile(rf"\b{word}\b")
    spots = [n for n, line in enumerate(block) if pattern.search(line)]
    spot = chance.choice(spots) if spots else 0
    if len(spots) < 2 or not block[spot].strip():
        return None
    quoted = [pattern.sub(other, line) for line in block]
    changed = _extended(quoted[spot], chance)
    back = re.sub(rf"\b{other}\b", word, changed)
    right = text_of([*lines[: start + spot], back, *lines[start + spot + 1 :]])
    replace = [*quoted[:spot], changed, *quoted[spot + 1 :]]
    return DriftedEdit("renamed", text_of(lines), text_of(quoted), text_of(replace), (right,))


def half_applied(lines: list[str], chance: random.Random) -> DriftedEdit | None:
    """Quote a stretch as it was before some of the changes of the edit were made."""
    size = chance.randint(4, 14)
    if len(lines) < 2 * size:
        return None
    start = chance.randrange(len(lines) - size)
    block = lines[start : start + size]
    if not block[0].strip() or not block[-1].strip():
        return None
    there: list[str] = []
    new: list[str] = []
    for last, line, following in zip(["", *block], block, [*block[1:], ""], strict=False):
        change = chance.choice(["keep"] * 4 + ["change", "insert", "delete"]) if line.strip() else "keep"
        if change == "delete" and not (last.strip() and following.strip()):
            change = "keep"  # which of the blank lines around it stay is a matter of taste
        made = chance.random() < 0.5
        wanted = [line]
        if change == "change":
            wanted = [reworded(line, chance)]
        elif change == "insert":
            indent = line[: depth_of(line)]
            wanted = [line, *(f"{indent}new_call_{len(new) + n}(value)" for n in range(chance.randint(1, 3)))]
        elif change == "delete":
            wanted = []
        new += wanted
        there += wanted if made else [line]
        if change == "insert" and not made and len(wanted) > 2:
            there.append(wanted[1])
    before, after = lines[:start], lines[start + size :]
    if there in (block, new):
        return None
    right = text_of(before + new + after)
    return DriftedEdit(
        "half applied", text_of(before + there + after), text_of(block), text_of(new), (right,)
    )


KINDS: dict[str, Generator] = {
    "deleted block": deleted_block,
    "deleted twin": deleted_twin,
    "reordered": reordered,
    "gap at change": gap_at_change,
    "wrapped call": wrapped_call,
    "skeleton": skeleton,
    "renamed": renamed,
    "half applied": half_applied,
}


def reworded(line: str, chance: random.Random) -> str:
    """Return a line with one word changed, which is then nowhere else."""
    words = list(_WORD.finditer(line))
    if not words:
        return line + "  altered"
    word = chance.choice(words)
    return line[: word.start()] + "altered_" + word[0] + line[word.end() :]


def is_comment(line: str) -> bool:
    """Return whether a line is a comment, of most languages."""
    return line.strip().startswith(("#", "//", "*", "--"))


def invented(like: str, chance: random.Random) -> str:
    """Return a new line at the depth of another."""
    return like[: depth_of(like)] + f"brand_new_call_{chance.randint(10, 99)}(fresh_value)"


def depth_of(line: str) -> int:
    """Return by how many characters a line is indented."""
    return len(line) - len(line.lstrip())


def text_of(lines: list[str]) -> str:
    """Return lines as a text."""
    return "".join(f"{line}\n" for line in lines)


def _solid(text: str) -> str:
    """Return the lines that are not blank, without spaces: what stricter rungs find is not similar."""
    return "\n" + "".join(f"{''.join(line.split())}\n" for line in text.splitlines() if line.strip())


def _is_the_same(block: list[str], twin: list[str], others: list[str]) -> bool:
    """Return whether two blocks differ in white space and commas at most, or in a word, misspelt throughout.

    `others` are the lines that the text has without the block: a misspelt word is in none of them.
    """
    said, have = (
        [word for word in _WORD_OR_SIGN.findall("\n".join(lines)) if word not in ",;"]
        for lines in (block, twin)
    )
    if len(said) != len(have):
        return False
    slots = {(one, other) for one, other in zip(said, have, strict=True) if one != other}
    if len(slots) != 1:
        return not slots
    ((one, other),) = slots
    is_like = Levenshtein.normalized_similarity(one, other) >= MISSPELT
    return is_like and one not in _WORD_OR_SIGN.findall("\n".join(others))


def _alike(stripped: list[str], one: int, other: int, size: int) -> bool:
    total = 0.0
    for step in range(size):
        if step == 2 and total < 0.8:
            return False
        a, b = stripped[one + step], stripped[other + step]
        total += 1.0 if a == b else Levenshtein.normalized_similarity(a, b)
    return total / size >= TWIN


def _changed(block: list[str], chance: random.Random) -> list[str]:
    spots = [number for number, line in enumerate(block) if line.strip()]
    spot = chance.choice(spots)
    if chance.random() < 0.4:
        return [*block[: spot + 1], invented(block[spot], chance), *block[spot + 1 :]]
    return [*block[:spot], reworded(block[spot], chance), *block[spot + 1 :]]


def _one_line_edit(
    kind: str, lines: list[str], quoted: list[str], chance: random.Random
) -> DriftedEdit | None:
    spots = [n for n, line in enumerate(quoted) if _WORD.search(line) and lines.count(line) == 1]
    if not spots:
        return None
    spot = chance.choice(spots)
    at = lines.index(quoted[spot])
    if chance.random() < 0.7:
        new = [reworded(quoted[spot], chance)]
    else:
        new = [quoted[spot], invented(quoted[spot], chance)]
    right = text_of(lines[:at] + new + lines[at + 1 :])
    replace = quoted[:spot] + new + quoted[spot + 1 :]
    return DriftedEdit(kind, text_of(lines), text_of(quoted), text_of(replace), (right,))


def _definitions(lines: list[str]) -> list[tuple[int, int]]:
    """Return the half-open ranges of definitions that end where a line is as shallow as they are."""
    found = []
    for start, line in enumerate(lines):
        if not _DEFINITION.fullmatch(line.strip()):
            continue
        end = start + 1
        while end < len(lines) and (not lines[end].strip() or depth_of(lines[end]) > depth_of(line)):
            end += 1
        if end < len(lines) and lines[end].strip() in ("}", "};", "})"):
            end += 1
        elif end < len(lines) and lines[end].strip()[0] in ")]}":
            continue  # what was indented so far was its parameters or its type
        while end < len(lines) and not lines[end].strip():
            end += 1
        if end - start < 40:
            found.append((start, end))
    return [
        (start, end)
        for number, (start, end) in enumerate(found)
        if number + 1 == len(found) or found[number + 1][0] >= end
    ]


def _wrapped_as_before(lines: list[str], start: int, end: int, joined: str, new: str) -> list[str]:
    """Return the text with the words changed in place, the call staying wrapped."""
    old_words, new_words = re.findall(r"\w+|\W", joined), re.findall(r"\w+|\W", new)
    if len(old_words) != len(new_words):
        return []
    swapped = [(a, b) for a, b in zip(old_words, new_words, strict=True) if a != b]
    if len(swapped) != 1:
        return []
    old, word = swapped[0]
    wrapped = "\n".join(lines[start:end])
    return [
        text_of(lines[:start] + (wrapped[: m.start()] + word + wrapped[m.end() :]).split("\n") + lines[end:])
        for m in re.finditer(re.escape(old), wrapped)
    ]


def _extended(line: str, chance: random.Random) -> str:
    return line.rstrip() + f"  altered_{chance.randint(10, 99)}"
