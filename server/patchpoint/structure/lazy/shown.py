"""Shown code made ready to be merged: its lines in the file's units, its marks, its definitions, its end."""

from __future__ import annotations

from collections.abc import Container, Sequence

from patchpoint.dataclass import replace
from patchpoint.structure.lazy.alignment import is_closing, likeness
from patchpoint.structure.lazy.definition import (
    Assumption,
    CodeText,
    Definition,
    TwoTexts,
    Unmerged,
    UnmergedError,
    indentation_of,
)
from patchpoint.structure.lazy.marks import ellipses_of_python, is_left_out, is_mark, marks_among
from patchpoint.structure.lazy.outline.by_grammar import MAX_CHARACTERS, outline
from patchpoint.structure.lazy.outline.by_lines import outline_by_headers
from patchpoint.structure.lazy.outline.headers import header_name
from patchpoint.structure.lazy.syntax import DECORATOR
from patchpoint.structure.lazy.units import in_units_of
from patchpoint.structure.problem import UnjudgedError, require_judgeable
from patchpoint.text.line_diff import matching_blocks
from patchpoint.text.regex import WORD, regex

_LEAVES = regex(r"(?:return|raise|throw)\b")
"""A statement at which a function is left."""
_CLOSED = (")", "]", "}", '"', "'")
"""What a line that is cut off seldom ends with."""
_ENDS = ("*/", "-->")
_STUB = regex(r"(?P<head>\s*(?:async\s+)?(?:def|class)\b.*:)\s*(?:\.{3}|…)\s*(?P<comment>#.*)?\Z")
_BRACES = regex(r"(?P<head>.*[\w)\]>]\s*\{)\s*(?P<body>/\*.*\*/|\.{3}|…)\s*(?P<end>\}[;,)]*)\s*\Z")
_TRAILING = regex(r"(?P<code>.*\S)\s+(?P<comment>(?:#|//|/\*|--)\s.*|(?:#|//|/\*)\S.*)\Z")
_KEY = regex(r"(?:[\w$]+|'[^']+'|\"[^\"]+\")\s*:(?!:)")
_INITIALIZER = regex(r"init\s*\{\s*\Z")
_LONGEST = 400
"""No longer line is searched for a body or a comment at its end."""
_SIMILAR = 0.6
"""Two lines so similar may be one, changed."""
_MOST = 2
"""So many lines fewer than the file has may be at the end of a definition whose last line is new."""


def prepared(shown: Sequence[str], file: CodeText, assumed: Container[Assumption] = ()) -> CodeText:
    """Return the shown lines, indented as the file is, with their marks.

    Raises `UnmergedError` where it is not certain what is a mark.
    """
    syntax, known = file.syntax, file.known
    lines = in_units_of(file, _with_bodies_apart(shown, known), same_steps=not syntax.by_heads)
    marks = marks_among(lines, known)
    if syntax.family == "markdown":
        # a heading or an item of a list may have the words of a mark
        marks = frozenset(row for row in marks if lines[row].strip().startswith(("<!--", ".", "…", "[", "(")))
    text = CodeText(lines, syntax, marks)
    like_marks = _like_marks(text, known)
    if like_marks and Assumption.MARKS not in assumed:
        raise UnmergedError(Unmerged.MARK_LIKE, text.words(min(like_marks)))
    text = replace(text, marks=marks | like_marks)
    if syntax.family == "python":
        marks, is_open = ellipses_of_python(lines, text.marks, known)
        if is_open:
            raise UnmergedError(Unmerged.ELLIPSIS)
        text = replace(text, marks=marks)
    return _without_repeats(text, file)


def outline_of_shown(
    text: CodeText, objects: frozenset[str] = frozenset(), names: Container[str] = ()
) -> Definition:
    """Return the definitions of shown code, which need not parse as it is; `objects` is as in `outline`.

    What has a head with one of the file's `names` is no statement.
    """
    syntax, marks = text.syntax, text.marks
    try:
        require_judgeable("\n".join(text.lines), MAX_CHARACTERS)
    except UnjudgedError:
        raise UnmergedError(Unmerged.LANGUAGE) from None
    flat = _with_comments_for_marks(text)
    is_statement = not any(header_name(line, syntax)[0] in names for line in flat.lines)
    read: Definition | None = None
    for home in _homes(flat):
        found = outline(flat.lines, syntax, marks, home=home, objects=objects)
        if found is not None and not _ends_early(flat, found):
            if found.children or is_statement:
                return found
            read = read or found
    if read is None and syntax.family == "python" and marks:
        flat = replace(flat, lines=["#" if row in marks else line for row, line in enumerate(flat.lines)])
        found = outline(flat.lines, syntax, marks)
        read = found if found is not None and not _ends_early(flat, found) else None
    if read is None and syntax.family == "html":
        # an end tag without its beginning: which element it closes is seen by the lines around it
        return Definition.of_text(text.lines)
    return read or outline_by_headers(text)


def require_end(texts: TwoTexts, pairs: Sequence[tuple[Definition, Definition]]) -> None:
    """Raise `UnmergedError` where the last shown line shows that others were to follow.

    A page closes the fence of an answer that has become too long, and what is copied from a fence has no end
    of its own: nothing proves that code is all there.

    `pairs` are the definitions of the file with those that take their places.
    """
    file, shown = texts.file, texts.shown
    last = shown.above(len(shown.lines))
    if last in shown.marks:
        return
    words = shown.words(last)
    is_above = words.startswith(file.syntax.comments) and not words.endswith(_ENDS)
    is_cut = is_above and words != file.words(file.above(len(file.lines)))
    of_pair = (pair for pair in reversed(pairs) if pair[1].start <= last < pair[1].end)
    own, given = next(of_pair, (file.root, None))
    lines = file.lines[own.start : own.end]
    if given is not None:
        is_cut = is_cut or _lacks_end(_solid(lines), _solid(shown.lines[given.start : given.end]), own)
    if is_cut or _is_beginning(words, lines):
        raise UnmergedError(Unmerged.CUT_OFF, words, () if given is None else (own,))


def stops_early(file: Sequence[str], text: Sequence[str]) -> bool:
    """Return whether a text that seems to be all of a file stops before its end."""
    own, given = _solid(file), _solid(text)
    if not own or not given or own[-1].strip() == given[-1].strip():
        return False
    return _is_beginning(given[-1].strip(), own) or _stops_within(*_tails(own, given))


def _with_comments_for_marks(text: CodeText) -> CodeText:
    """Return shown code with comments for its marks, moved to the left as far as all of it goes."""
    syntax, lines = text.syntax, list(text.lines)
    sign = "..." if syntax.family == "python" else syntax.comments[0] + " "
    sign = {"/*": "/* */", "<!--": "<!-- -->"}.get(syntax.comments[0], sign)
    below = ""
    for number in range(len(lines) - 1, -1, -1):
        own = indentation_of(lines[number])
        if number in text.marks:
            # A mark that is less deep than what follows it is within the same block.
            lines[number] = max(own, below, key=len) + sign
        elif lines[number].strip():
            below = own
    depth = min(map(text.depth, text.code(0, len(lines))), default=0)
    return replace(text, lines=[line[depth:] if not line[:depth].strip() else line for line in lines])


def _homes(text: CodeText) -> Sequence[tuple[str, str]]:
    """Return the lines that may be around shown code, the likeliest first; often there are none."""
    syntax, alone = text.syntax, ("", "")
    if _begins_with_member(text):
        return (*syntax.homes[::-1], alone)  # which parses alone, too: as a label, or as a call
    # without its opening tag, PHP is text that parses, whatever it says
    is_text = syntax.grammar == "php:php" and "<?" not in "\n".join(text.lines)
    return syntax.homes if is_text else (alone, *syntax.homes)


def _ends_early(text: CodeText, level: Definition) -> bool:
    """Return whether a definition is followed by a line that is deeper than its head."""
    for each in level.walk():
        rows = (row for row in range(each.end, len(text.lines)) if text.words(row) and row not in text.marks)
        row = next(rows, None) if not each.is_text else None
        if row is not None and text.depth(row) > text.depth(each.start):
            return True
    return False


def _begins_with_member(text: CodeText) -> bool:
    """Return whether code begins with a member of an object or class that reads as a statement, too."""
    pattern = _KEY if text.syntax.family == "javascript" else _INITIALIZER
    solid = map(text.words, text.code(0, len(text.lines)))
    first = next((words for words in solid if not words.startswith(text.syntax.comments)), "")
    return pattern.match(first) is not None


def _with_bodies_apart(shown: Sequence[str], known: Container[str]) -> list[str]:
    """Return the shown lines with marks on lines of their own, where one is the body of a definition.

    A comment behind a line of the file that only says that it stays is left out.
    """
    lines: list[str] = []
    for line in shown:
        words = line.strip()
        if words in known or not words or len(line) > _LONGEST:
            lines.append(line)
            continue
        depth = indentation_of(line)
        stub, braces = _STUB.match(line), _BRACES.match(line)
        if stub and stub["head"].strip() in known:
            lines += [stub["head"], f"{depth}    ..."]
            continue
        if braces and is_mark(braces["body"]):
            mark = braces["body"] if braces["body"].startswith("/*") else "// ..."
            lines += [braces["head"].rstrip(), f"{depth}    {mark}", f"{depth}{braces['end']}"]
            continue
        trailing = _TRAILING.match(line)
        if trailing and trailing["code"].strip() in known and is_mark(trailing["comment"]):
            line = trailing["code"]
        lines.append(line)
    return lines


def _like_marks(text: CodeText, known: Container[str]) -> frozenset[int]:
    """Return the rows of comments that are new, say that code is left out, and describe none.

    That is one above a definition, at the end of a block, or apart from what follows it.
    """
    lines, marks, comments = text.lines, text.marks, text.syntax.comments
    found = set()
    for row, line in enumerate(lines):
        words = line.strip()
        if row in marks or not words.startswith(comments) or words in known or not is_left_out(line):
            continue
        below = lines[row + 1] if row + 1 < len(lines) else ""
        rows = range(row + 1, len(lines))
        code = next((n for n in rows if not text.words(n).startswith((*comments, "*"))), len(lines))
        is_apart = not below.strip() or row + 1 in marks or is_closing(below) or DECORATOR.match(below)
        is_last = len(indentation_of(below)) < text.depth(row)
        if is_apart or is_last or header_name("".join(lines[code : code + 1]), text.syntax)[0]:
            found.add(row)
    return frozenset(found)


def _without_repeats(text: CodeText, file: CodeText) -> CodeText:
    """Return the shown code without comments that are written twice in a row."""
    lines, marks = list(text.lines), text.marks
    words = [line.strip() for line in lines]
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and end not in marks and words[end].startswith(text.syntax.comments):
            end += 1
        half = (end - at) // 2
        is_twice = half and (end - at) % 2 == 0 and words[at : at + half] == words[at + half : end]
        if is_twice and any(map(str.isalnum, "".join(words[at:end]))):
            block, own = words[at:end], [line.strip() for line in file.lines]
            if not any(own[n : n + len(block)] == block for n, line in enumerate(own) if line == block[0]):
                del lines[at : at + half], words[at : at + half]
                marks = frozenset(n if n < at else n - half for n in marks)
                end -= half
        at = max(end, at + 1)
    return replace(text, lines=lines, marks=marks)


def _is_beginning(words: str, lines: Sequence[str]) -> bool:
    """Return whether a line is but the beginning of one of the lines."""
    known = {line.strip() for line in lines}
    is_fence = not words.strip("`~")
    is_known = words in known or is_closing(words)
    return not is_known and (is_fence or any(line.startswith(words) for line in known))


def _lacks_end(own: list[str], given: list[str], definition: Definition) -> bool:
    """Return whether a definition of the file goes on where the shown one stops."""
    if is_closing(own[-1]):
        depths = [len(indentation_of(each[-1])) - len(indentation_of(each[0])) for each in (own, given)]
        return len(own) > 1 and ((depths[0] == 0 < depths[1]) or not is_closing(given[-1]))
    if own[-1].strip() == given[-1].strip() or definition.is_container:
        return False
    stops = _stops_within(*_tails(own, given))
    if _leaves(given):
        # Only the last line itself may go on.
        return stops and not given[-1].endswith(_CLOSED)
    return stops or _leaves(own)


def _tails(own: list[str], given: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines of both behind the last that they have in common."""
    blocks = matching_blocks([line.strip() for line in own], [line.strip() for line in given])
    first, shown, count = blocks[-1] if blocks else (0, 0, 0)
    return own[first + count :], given[shown + count :]


def _stops_within(gone: list[str], new: list[str]) -> bool:
    """Return whether new lines at the end are in the place of only the first of those that are gone."""
    if not gone or not new:
        return bool(gone)
    if len(gone) <= len(new) or _words(gone) <= _words(new):
        return False
    *others, last = (likeness(line.strip(), new[-1].strip()) for line in gone)
    most = max(others)
    return last < max(most, _SIMILAR) and (most >= _SIMILAR or len(gone) - len(new) > _MOST)


def _words(lines: list[str]) -> set[str]:
    return {word for line in lines for word in WORD.findall(line)}


def _leaves(lines: list[str]) -> bool:
    """Return whether the last statement of a body leaves the function, so that nothing can follow."""
    depth = min((len(indentation_of(line)) for line in lines[1:]), default=0)
    last = [line for line in lines[1:] if len(indentation_of(line)) == depth and not is_closing(line)]
    if last and last[-1].strip().startswith(("with ", "async with ")):
        last = lines
    return bool(last) and _LEAVES.match(last[-1].strip()) is not None


def _solid(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]
