"""Which definition of the file each shown one is, by name within one level; what is aligned between two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from patchpoint.dataclass import replace
from patchpoint.structure.lazy.alignment import Kind, Token, is_balanced
from patchpoint.structure.lazy.definition import CodeText, Definition, TwoTexts, Unmerged, UnmergedError
from patchpoint.structure.lazy.doubt.covered import is_sibling
from patchpoint.structure.lazy.layout import Shift
from patchpoint.text.lines import Span

Pair = tuple[Definition, Definition]
"""A definition of the file, and the shown one of the same name."""

_WIDE = 0.25
"""A body that overlaps by so much more than another's is meant."""
_COPY = 0.8
"""Something new of a name that is elsewhere in the file, with so many of its lines, is that one."""

_LEAST_OF_METHOD = 0.2
"""The part of a bare method's lines that what it replaces has to share."""


def level_of(texts: TwoTexts, at: Definition | None = None) -> Definition | None:
    """Return where the shown definitions are: in the file itself, or within the class that has most of them.

    `None` when none of them is in the file. Of several levels that have them, the
    one with `at` is meant. Raises `UnmergedError` when two levels have them, and neither
    heads nor bodies tell which.
    """
    shown = texts.shown.root
    wanted = {child.name for child in shown.children}
    around = (each for each in texts.file.root.walk() if each.children)
    levels = [(len(wanted & {child.name for child in each.children}), each) for each in around]
    most = max((count for count, _ in levels), default=0)
    if not most:
        return None
    best = [each for count, each in levels if count == most]
    with_it = [each for each in best if any(child is at for child in each.children)]
    if with_it:
        return with_it[0]
    # a constructor has the name of its class
    kinds = {(child.name, child.is_container) for child in shown.children}
    alike = [each for each in best if any((one.name, one.is_container) in kinds for one in each.children)]
    best = alike if len(alike) == 1 else best
    level = best[0] if len(best) == 1 else _resembling(best, shown, texts)
    if not level.is_text:
        _require_members(level, texts)
    return level


def shows_only_new(shown: CodeText) -> bool:
    """Return whether nothing but definitions is shown; it is for where none of them is in the file."""
    members = shown.root.children
    return bool(members) and not any(shown.outside(members, 0, len(shown.lines)))


def pairs_of(
    texts: TwoTexts, level: Definition, shown: Definition, at: Definition | None = None
) -> list[Pair]:
    """Return the members of both levels that are the same, in the order of the shown text.

    Of namesakes in the file, `at` is meant.

    Raises `UnmergedError` where nothing tells namesakes apart, and for another order.
    """
    own: dict[str, list[Definition]] = defaultdict(list)
    given: dict[str, list[Definition]] = defaultdict(list)
    for child in level.children:
        own[child.name].append(child)
    for child in shown.children:
        given[child.name].append(child)
    found: list[Pair] = []
    for name, some in given.items():
        if name in own:
            is_chosen = len(some) == 1 and any(each is at for each in own[name])
            found += [(at, some[0])] if at and is_chosen else _paired(own[name], some, texts)
    found = [pair for pair in found if not _is_next_to_mark(texts, shown, *pair)]
    found.sort(key=lambda pair: pair[1].start)
    for (before, _), (after, _) in pairwise(found):
        if after.start <= before.start:
            raise UnmergedError(Unmerged.OTHER_ORDER, after.name, (before, after))
    return found


def with_common(texts: TwoTexts, own: Definition, given: Definition) -> Pair:
    """Return two functions with what both define once, at one depth; all else in them is lines."""
    file, shown = texts.file, texts.shown
    deeper = file.depth(own.start) - shown.depth(given.start)
    mine = {child.name: child for child in own.children}
    counts = [Counter(child.name for child in each.children) for each in (own, given)]
    common = {
        child.name
        for child in given.children
        if counts[0][child.name] == counts[1][child.name] == 1
        and shown.depth(child.start) + deeper == file.depth(mine[child.name].start)
        and is_balanced(shown.lines[child.start : child.end])
    }
    common -= {
        child.name
        for child in given.children
        if child.name in common and _is_next_to_mark(texts, given, mine[child.name], child)
    }
    one, other = (
        replace(each, children=tuple(child for child in each.children if child.name in common))
        for each in (own, given)
    )
    return one, other


def fragment_home(texts: TwoTexts, least: int) -> Definition:
    """Return the innermost definition with all the shown lines that are unique in the file.

    Where definitions are shown that the file has not, that can only be the file itself. Raises
    `UnmergedError` where there is none, or fewer than `least` of such lines.
    """
    file, shown, given = texts.file, texts.shown, texts.shown.root
    counts = Counter(map(str.strip, file.lines))
    left = shown.outside(given.children, given.start, given.end)
    wanted = {words for words in left if counts[words] == 1}
    rows = [row for row, line in enumerate(file.lines) if line.strip() in wanted]
    if len(rows) < least:
        reason = Unmerged.NOT_THERE if given.children else Unmerged.NO_HOME
        raise UnmergedError(reason, given.children[0].name if given.children else "")
    home = file.root
    while not given.children:
        inner = next((each for each in home.children if each.start <= rows[0] and rows[-1] < each.end), None)
        if inner is None:
            break
        home = inner
    if given.children and any(child.lead <= row < child.end for child in home.children for row in rows):
        raise UnmergedError(Unmerged.NOT_THERE, given.children[0].name)
    return home


def has_marks_between(shown: CodeText) -> bool:
    """Return whether there are marks between the definitions that are shown."""
    within = {row for child in shown.root.children for row in range(child.start, child.end)}
    return not shown.marks <= within


def has_copy(texts: TwoTexts, among: Iterable[Definition], new: Definition) -> bool:
    """Return whether one of the file's definitions has the name of a shown one, and most of its lines."""
    return any(each.name == new.name and texts.overlap(each, new) >= _COPY for each in among)


def require_no_member(texts: TwoTexts, own: Definition, given: Definition) -> None:
    """Raise `UnmergedError` where a function in a shown one is a member elsewhere, by its head and its depth.

    It may be shown below that function, as it is in the file.
    """
    file, shown = texts.file, texts.shown
    deeper = file.depth(own.start) - shown.depth(given.start)
    known = {each.name for each in own.children}
    for new in (each for each in given.children if each.name not in known):
        head = (shown.words(new.start), shown.depth(new.start) + deeper)
        levels = (each for each in file.root.walk() if each.is_container or each.is_text)
        for member in (child for each in levels for child in each.children):
            if (file.words(member.start), file.depth(member.start)) == head:
                raise UnmergedError(Unmerged.DOUBLED, new.name)


def tokens_of_file(file: CodeText, blocks: Mapping[int, Definition], within: Span) -> list[Token]:
    """Return the tokens of the file's lines from `within[0]` up to `within[1]`.

    `blocks` are the definitions of their level, by the lines that they begin on.
    """
    lines = file.lines
    tokens = []
    row, end = within
    while row < end:
        block = blocks.get(row)
        if block is not None:
            rows = file.solid(block.lead, block.start)
            tokens += [Token(Kind.LEAD, lines[n].rstrip(), n, n + 1) for n in rows]
            tokens.append(Token(Kind.BLOCK, "", block.start, block.end))
            row = block.end
            continue
        if lines[row].strip():
            tokens.append(Token(Kind.LINE, lines[row].rstrip(), row, row + 1))
        row += 1
    return tokens


def tokens_of_shown(
    shown: CodeText, blocks: Mapping[int, Definition], within: Span, shift: Shift, known: Collection[str]
) -> list[Token]:
    """Return the tokens of shown lines; what has its head in the `known` lines is lines in the file."""
    tokens: list[Token] = []
    row, end = within
    while row < end:
        block = blocks.get(row)
        if block is not None and shown.words(block.start) not in known:
            tokens.append(Token(Kind.BLOCK, "", block.lead, block.end))
            row = block.end
            continue
        if row in shown.marks:
            if not tokens or tokens[-1].kind is not Kind.MARK:
                text = "" if shown.syntax.family else shift.apply(shown.lines[row], row).rstrip()
                tokens.append(Token(Kind.MARK, text, row, row + 1))
        elif shown.lines[row].strip():
            tokens.append(Token(Kind.LINE, shift.apply(shown.lines[row], row).rstrip(), row, row + 1))
        row += 1
    return tokens


def _paired(own: Sequence[Definition], given: Sequence[Definition], texts: TwoTexts) -> list[Pair]:
    """Return the pairs among namesakes: by equal heads, else by bodies that overlap by a wide margin."""
    if len(own) == len(given) == 1:
        return [(own[0], given[0])]
    heads = [Counter(each.header for each in some) for some in (own, given)]
    telling = {header for header, count in heads[1].items() if count == heads[0][header] == 1}
    found: list[Pair] = []
    left = list(own)
    for shown in sorted(given, key=lambda each: each.header not in telling):
        overlaps = {each: texts.overlap(each, shown) for each in left}
        ranked = sorted(left, key=lambda each: overlaps[each], reverse=True)
        best = next((each for each in left if each.header == shown.header in telling), None)
        is_clear = best is not None or (len(own) == len(given) and len(left) == 1)
        if ranked and not is_clear:
            second = overlaps[ranked[1]] if len(ranked) > 1 else 0.0
            is_clear = overlaps[ranked[0]] >= max(0.5, second + _WIDE)
        best = best or next(iter(ranked), None)
        if best is None or not is_clear:
            break
        left.remove(best)
        found.append((best, shown))
    in_order = list(zip(own, given, strict=False))
    if len(found) < len(given):
        if len(own) == len(given) and all(texts.overlap(*pair) >= 0.5 for pair in in_order):
            return in_order
        raise UnmergedError(Unmerged.SEVERAL, given[0].name, own)
    return found


def _resembling(levels: Sequence[Definition], shown: Definition, texts: TwoTexts) -> Definition:
    """Return the one of several levels with as many of the names that heads and bodies speak for."""

    def namesakes(level: Definition) -> Iterable[Pair]:
        for member in shown.children:
            same = [each for each in level.children if each.name == member.name]
            if same:
                best = max(same, key=lambda each: (each.header == member.header, texts.overlap(each, member)))
                yield best, member

    places = [list(namesakes(level)) for level in levels]
    heads = [sum(own.header == given.header for own, given in pairs) for pairs in places]
    bodies = [sum(texts.overlap(own, given) for own, given in pairs) / max(1, len(pairs)) for pairs in places]
    ranked = sorted(range(len(levels)), key=lambda n: bodies[n], reverse=True)
    first, second = ranked[0], ranked[1]
    if bodies[first] - bodies[second] >= _WIDE and heads[first] == max(heads):
        return levels[first]
    every = [own for pairs in places for own, _ in pairs]
    raise UnmergedError(Unmerged.SEVERAL, shown.children[0].name, every)


def _require_members(level: Definition, texts: TwoTexts) -> None:
    """Raise `UnmergedError` unless the bare members resemble those of the class that has their names."""
    others = [each for each in texts.file.root.walk() if each is not level]
    elsewhere = {child.name for each in others for child in each.children}
    own = {child.name for child in level.children}
    for member in texts.shown.root.children:
        if member.name not in own:
            if member.name in elsewhere:
                raise UnmergedError(Unmerged.SEVERAL_CLASSES, member.name, ())
            continue
        same = [each for each in level.children if each.name == member.name]
        if max(texts.overlap(each, member) for each in same) < _LEAST_OF_METHOD:
            raise UnmergedError(Unmerged.UNLIKE, member.name, same)


def _is_next_to_mark(texts: TwoTexts, around: Definition, own: Definition, given: Definition) -> bool:
    """Return whether a shown element is another than the file's, and a mark may stand for that one."""
    is_left_out = not texts.shown.marks.isdisjoint(range(around.start, around.end))
    return is_left_out and is_sibling(texts.file.lines[own.start], texts.shown.lines[given.start])
