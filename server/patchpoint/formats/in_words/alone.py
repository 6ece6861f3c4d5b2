"""Whether a sentence that asks for a change is all that its answer says: other words may speak against it.

What is only said in words is certain where each word of the answer is known. Of any other it is not known
what it says of the change: that it was made, is not to be made, or is another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, TargetKind, Unplaced
from patchpoint.formats.in_words.sentences import rows_in_fences
from patchpoint.formats.sentences.sentence import Reading, WordTable, reading, readings, sentence_spans
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_MAYBE = "The answer says more than this: “{}”."
_CLOSED = (
    "fill all do this speaker thing file replace find change new becomes with whole save place remove assign "
    "removable is quantity gives label asks rename will"
)
"""What words are of that introduce a change, or say what it is about."""
_AGAINST = "never offers sample but maybe needless unneeded bad instead done there part or"
_ASKING = frozenset({"replace", "change", "assign", "becomes", "with", "do"})
"""What words may be of behind all code of a sentence: its verb is there in some languages."""
_KANA = regex(r"[\u3040-\u30ff]")
_STRANGE = regex(r"[^\w\s.,:;!()*'’\"“”„«»。，、：；（）「」–—/-]")
"""Signs that are no letters nor punctuation: crosses, boxes, comments, what is struck through."""
_ITEM = regex(r"\s*(?:[-*+]|\(?\d{1,3}[.)])\s+")
_CODE = regex(r"`[^`\n]*`")
_OUTSIDE = ("#", ">", "|")
_INDENTED = ("    ", "\t")
_QUESTIONS = ("?", "？")
_COLONS = (":", "：")
_STOPS = (".", "。")
_DOTS = "..."
_LONGEST = 90


def alone_or_doubted(
    source: AnswerText, items: Sequence[Item], unplaced: Sequence[Unplaced]
) -> tuple[list[Item], list[Unplaced]]:
    """Return what an answer asks for and what is none, changes in words in doubt where it says more.

    So are those that give one name two values.
    """
    edits = [item for item in items if isinstance(item, Edit)]
    edits += [one.edit for one in unplaced if one.edit is not None]
    said = [edit for edit in edits if _is_in_words(edit)]
    if all(edit.doubt for edit in said):
        return list(items), list(unplaced)
    words = _other_words(source, [edit.span for edit in said])

    def doubted(edit: Edit) -> Edit:
        if edit.doubt or not _is_in_words(edit):
            return edit
        others = (each for each in said if each.span != edit.span)
        is_other = any(one.search == edit.search and one.replace != edit.replace for one in others)
        is_open = _DOTS in edit.replace and _DOTS not in edit.search
        why = words or (f"`{edit.search}`, `{edit.replace}`" if is_other or is_open else "")
        return replace(edit, doubt=_MAYBE.format(why)) if why else edit

    return (
        [doubted(item) if isinstance(item, Edit) else item for item in items],
        [
            replace(one, edit=doubted(one.edit)) if one.edit is not None and _is_in_words(one.edit) else one
            for one in unplaced
        ],
    )


def _is_in_words(edit: Edit) -> bool:
    return edit.format is Format.PAIR and edit.target is not None and edit.target.kind is TargetKind.WORDS


def _other_words(source: AnswerText, spans: Collection[Span]) -> str:
    """Return the first sentence that says more than the changes at `spans` ask for; empty for none."""
    first_of_all = min(spans)[0]
    is_next_to_code = bool(source.once(rows_in_fences))
    for start, text in _every_sentence(source):
        end = start + len(text)
        is_own = any(start < last and first < end for first, last in spans)
        # next to code, most sentences are about that
        is_reason = not _is_against(text) if is_next_to_code else end <= first_of_all and _is_reason(text)
        is_of_else = is_reason or _is_closed(text) or _leads_to_fence(source, start, text)
        if not (_asks_alone(source, start, text) if is_own else is_of_else):
            words = " ".join(text.split())
            return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return ""


def _every_sentence(source: AnswerText) -> Iterator[tuple[int, str]]:
    """Yield the sentences outside of fences, each with where it begins; items and headings are their own."""
    inside = source.once(rows_in_fences)
    first: int | None = None
    for row in range(len(source.lines) + 1):
        words = source.bare(row) if row < len(source.lines) and row not in inside else ""
        begins = not words or words.startswith(_OUTSIDE) or _ITEM.match(source.lines[row]) is not None
        if first is not None and (begins or source.bare(row - 1).startswith(_OUTSIDE)):
            text = source.content(first, row)
            yield from (
                (source.starts[first] + begin, text[begin:end]) for begin, end in sentence_spans(text)
            )
            first = None
        if words and first is None:
            first = row


def _is_closed(text: str) -> bool:
    """Return whether a sentence only introduces a change, or says what it is about."""
    if text.rstrip("*_ \n").endswith(_QUESTIONS) or _STRANGE.search(_CODE.sub("", text).lstrip("#>|- ")):
        return False
    last = reading(text, WordTable.DOUBTS)
    if last.has("nothing") and last.has("else") and not last.has("code path name"):
        return True
    return any(
        (one.is_made_of(_CLOSED) or _begins_with_change(one)) and not one.has(_AGAINST)
        for one in readings(text)
    )


def _begins_with_change(sentence: Reading) -> bool:
    """Return whether a sentence that leads on begins with what is done, and names nothing else."""
    words = [word for word in sentence.words if "end" not in word.kinds and word.text not in "*_"]
    if not words or words[-1].text not in _COLONS or sentence.has("code name"):
        return False
    first = next((word.kinds for word in words if not word.kinds & {"fill", "number", "stop"}), frozenset())
    return bool(first & {"change", "do"})


def _leads_to_fence(source: AnswerText, start: int, text: str) -> bool:
    """Return whether a sentence is about the fence right below it."""
    rows = range(source.line_of(start + len(text.rstrip()) - 1) + 1, len(source.lines))
    below = next((row for row in rows if source.bare(row)), None)
    return text.rstrip("*_ \n").endswith(_COLONS) and below in source.once(rows_in_fences)


def _is_reason(text: str) -> bool:
    """Return whether a whole sentence above a change names nothing, and says *not* of nothing."""
    is_plain = text.rstrip("*_ \n").endswith(_STOPS) and not _STRANGE.search(text)
    return is_plain and not any(one.has(f"code path name {_AGAINST}") for one in readings(text))


def _is_against(text: str) -> bool:
    """Return whether a sentence has a word that may speak against something, or asks."""
    return text.rstrip("*_ \n").endswith(_QUESTIONS) or reading(text).has(_AGAINST)


def _asks_alone(source: AnswerText, start: int, text: str) -> bool:
    """Return whether a sentence that asks for a change has no sign or word next to that that says more."""
    row = source.line_of(start)
    above = next((source.lines[at] for at in range(row - 1, -1, -1) if source.bare(at)), "")
    is_code = source.lines[row].startswith(_INDENTED) and not _ITEM.match(above)
    if is_code or _STRANGE.search(_CODE.sub("", text)) or text.rstrip("*_ \n").endswith(_QUESTIONS):
        return False
    return _KANA.search(text) is not None or _ends_with_code(reading(text))


def _ends_with_code(sentence: Reading) -> bool:
    """Return whether a sentence says nothing behind its code, and nothing of what else is in its file."""
    words = sentence.words
    if any("old" in word.kinds and word.kinds.isdisjoint(_ASKING | {"fill"}) for word in words):
        return False
    codes = [at for at, word in enumerate(words) if word.kinds & {"code", "path", "name"}]
    if not codes:
        return False
    tail = [word for word in words[codes[-1] + 1 :] if not word.kinds & {"stop", "end"}]
    if not all(word.kinds & _ASKING for word in tail):
        return False
    before = words[codes[-2] + 1 : codes[-1]] if len(codes) > 1 and "path" in words[codes[-1]].kinds else ()
    return not any("thing" in word.kinds and "file" not in word.kinds for word in before)
