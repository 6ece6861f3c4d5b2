"""Changes inside of lines that the model misquoted: the edit's words in the file's own wrapping and names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.dataclass import replace as changed
from patchpoint.locate.alignment import line_similarity
from patchpoint.locate.evidence.comparison import is_import
from patchpoint.locate.evidence.names import has_name
from patchpoint.locate.source import SourceText, indentation
from patchpoint.text.line_diff import line_opcodes
from patchpoint.text.regex import WORD, begins_word, regex

MOST_TOKENS = 2000
"""A run of lines with more words and signs is not merged word by word."""

_QUOTED = regex(r"'[^'\\\n]{1,80}'|\"[^\"\\\n]{1,80}\"|`[^`\\\n]{1,80}`")
_NUMBER = regex(r"(?<![\w.])\d[\w.]*")
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_TELLING = regex(r"\w|[!+*/%<>=&|^~?-]")
"""What a word or an operator begins with."""
_SPACED = regex(r"(\s*)(\w+|[^\w\s])(\s*,(?=\s*[)\]}]))?")


def in_the_files_wrapping(
    source: SourceText, quoted: list[str], found: list[str], new: list[str], brought: Collection[str]
) -> list[str] | None:
    """Return the new lines with the wrapping, spaces, quotes, trailing commas and words of the file's lines.

    `None` where the edit changes one of the words, signs or spaces in which quoted and file lines differ,
    where one of the words is among those that the edit `brought`, and where a word that file and new lines
    have would be lost: the new lines are then written as they are.
    A word that is nowhere in the file is the one that the file has in its place, in whatever was brought.
    """
    if not quoted or not found or not new or indentation(new[0]) != indentation(quoted[0]):
        return None
    base, ours, theirs = "\n".join(quoted), "\n".join(found), "\n".join(new)
    base_tokens, our_tokens, their_tokens = (_tokens(text) for text in (base, ours, theirs))
    if not base_tokens or max(map(len, (base_tokens, our_tokens, their_tokens))) > MOST_TOKENS:
        return None
    said, have, wanted = (
        [token.text for token in tokens] for tokens in (base_tokens, our_tokens, their_tokens)
    )
    same = _same_tokens(source, said, have, brought)
    if same is None:
        return None
    result: list[_Token] = []
    at = 0
    for equal, i1, i2, j1, j2 in line_opcodes(said, wanted):
        if equal:
            pairs = zip(base_tokens[i1:i2], their_tokens[j1:j2], strict=True)
            if any(
                one.tail != other.tail or (n and one.space != other.space)
                for n, (one, other) in enumerate(pairs)
            ):
                return None  # the edit changes the spacing
            continue
        before = same.get(i1 - 1, -1) if i1 else -1
        after = same.get(i2, -1) if i2 < len(said) else len(have)
        touched = [same.get(number, -1) for number in range(i1, i2)]
        if (i1 and before < 0) or after < 0 or touched != list(range(before + 1, after)):
            return None
        added = their_tokens[j1:j2]
        if any("\n" in token.space for token in added if token is not their_tokens[0]):
            return None
        if i2 < len(said) and ("\n" in their_tokens[j2].space) != ("\n" in base_tokens[i2].space):
            return None
        result += our_tokens[at : before + 1]
        at = after
        if i2 > i1 and added:
            added = [changed(added[0], space=our_tokens[before + 1].space), *added[1:]]
            added[-1] = changed(added[-1], tail=our_tokens[after - 1].tail)
        elif added and i2 < len(said):
            if result and result[-1].tail and added[0].text == "," and "\n" in our_tokens[after].space:
                added = _own_lines(added, result)
                added[-1] = changed(added[-1], tail=result[-1].tail)
                result[-1] = changed(result[-1], tail="")
            else:
                # What follows inserted words is as far from them as the model wrote it.
                added = [*added, changed(our_tokens[after], space=their_tokens[j2].space)]
                at = after + 1
        result += added
    result += our_tokens[at:]
    if (Counter(have) & Counter(wanted)) - Counter(token.text for token in result):
        return None  # words that stay are in another order here, and one of those would go
    return "".join(token.space + token.text + token.tail for token in result).split("\n")


def words_dropped(quoted: Sequence[str], found: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the words of the file's lines, quoted otherwise, at which the edit changes nothing.

    The new lines, written as they are, would drop them. Next to what the edit changes, those count that are
    more than were quoted there: where there are as many, the file's are what is changed, misquoted. They do
    not where the new lines are more like the file's than what was quoted, and have most of them.
    """
    texts = ["\n".join(lines) for lines in (quoted, found, new)]
    said, have, wanted = ([token.text for token in _tokens(text)] for text in texts)
    if max(map(len, (said, have, wanted))) > MOST_TOKENS:
        return []
    changes = [(i1, i2) for equal, i1, i2, _, _ in line_opcodes(said, wanted) if not equal]
    # What is imported is a set: a name that is there is not the one that comes.
    is_nearer = not any(map(is_import, found)) and _are_nearer([texts[2], *new], texts[1], texts[0])
    dropped: list[str] = []
    for equal, i1, i2, j1, j2 in line_opcodes(said, have):
        if equal:
            continue
        old, own = (list(filter(_TELLING.match, run)) for run in (said[i1:i2], have[j1:j2]))
        lost = Counter(have[j1:j2]) - Counter(wanted)
        is_known = is_nearer and 2 * lost.total() <= j2 - j1
        is_more = len(own) > len(old) and not is_known and not lost.keys().isdisjoint(own)
        is_more = is_more and not _goes_with_call(said, i1, changes)
        if is_more or not any(start <= i2 and i1 <= end for start, end in changes):
            dropped += own
    return dropped


def words_of(text: str) -> list[str]:
    """Return the words of a text, in order."""
    return WORD.findall(text)


def _goes_with_call(words: Sequence[str], at: int, changes: Sequence[tuple[int, int]]) -> bool:
    """Return whether what is at a place is in brackets that a change takes away, or with their function."""
    depth = 0
    for row in range(at - 1, -1, -1):
        depth += (words[row] in _CLOSING) - (words[row] in _OPENING)
        if depth < 0:
            return any(start <= place < end for start, end in changes for place in (row, row - 1))
    return False


def _are_nearer(lines: Sequence[str], found: str, quoted: str) -> bool:
    """Return whether one of some new lines is more like the file's than what was quoted of that."""
    nearness = line_similarity(found, quoted)
    return any(line_similarity(found, line) > nearness for line in lines)


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or sign, the white space before it, and a comma after it that precedes a closing bracket."""

    space: str
    text: str
    tail: str


def _tokens(text: str) -> list[_Token]:
    return [_Token(*match.groups("")) for match in _SPACED.finditer(text)]


def _own_lines(new: list[_Token], before: list[_Token]) -> list[_Token]:
    """Return new arguments, each on a line of its own where those before them are."""
    break_before = next((token.space for token in reversed(before) if "\n" in token.space), "")
    depth = 0
    lines: list[_Token] = []
    for number, token in enumerate(new):
        first = number > 0 and depth == 0 and new[number - 1].text == ","
        lines.append(changed(token, space=break_before) if first and break_before else token)
        depth += (token.text in "([{") - (token.text in ")]}")
    return lines


def _same_tokens(
    source: SourceText, said: list[str], have: list[str], brought: Collection[str]
) -> dict[int, int] | None:
    """Return which token of the search text is which of the file; `None` if that cannot be known.

    So it is where one has more words, and where new text uses a misquoted word that the file has elsewhere:
    it means that one.
    """
    words = [(n, text) for n, text in enumerate(said) if begins_word(text)]
    others = [(n, text) for n, text in enumerate(have) if begins_word(text)]
    if len(words) != len(others):
        return None
    renamed = list(said)
    there = {other for _, other in others}
    for (number, one), (_, other) in zip(words, others, strict=True):
        if one != other:
            if one in there and other not in said:
                return None  # it is at another place there
            if one in brought and (len(one) < 3 or has_name(source, one)):
                return None
            renamed[number] = other
    return {
        i1 + step: j1 + step
        for equal, i1, i2, j1, _ in line_opcodes(renamed, have)
        if equal
        for step in range(i2 - i1)
    }
