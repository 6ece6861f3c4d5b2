"""Files that a shell script writes by here-documents (`cat > FILE <<'EOF'`), read as whole files, never run.

The content is what is between the command and the word that ends it. Where the shell would change it first
(a word without quotes, and a `$`, a backquote or a backslash in the lines), it is refused. So is a script
that edits files by commands alone, such as `sed -i`; other commands are named as not run.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import Edit, Format, Malformed, Operation
from patchpoint.formats.diffs.cut_off import is_ended
from patchpoint.formats.diffs.shell import (
    FileCommand,
    commands_in,
    here_document_of,
    read_file_command,
    without_prompt,
    word_of,
)
from patchpoint.formats.diffs.shell_patch import in_folder
from patchpoint.formats.fences import Fence, fences
from patchpoint.formats.labels import paths_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.formats.spelling import words_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import without_ending
from patchpoint.text.regex import regex

_SHELLS = words_of("bash sh shell zsh console terminal shell-session shellsession")
_REPORT = regex(
    r"\b(?:I|we)(?:'ve|’ve| have)? (?:just |then |already )?(?:ran|run|executed|typed|entered)\b"
    r"|\b(?:terminal |shell )?(?:session|transcript|history)\b",
    re.IGNORECASE,
)
"""Said right above a fence, its commands were run before."""
_LEAVES = regex(
    r"(?:^|[;&|]\s*|\bsudo\s+)(?:pushd|ssh|chroot|vagrant|su|git\s+clone|(?:docker|podman|kubectl)\s[^;&|]*\b(?:exec|run)"
    r"|cd\s+[\"']?[/~$`])"
)
"""What a shell does elsewhere after it."""
_UNDOES = regex(r"git\s+(?:checkout|restore|stash|reset)\b|rm\s")
_HARMLESS = words_of("mkdir touch cd ls pwd set echo export")
_EXPANDED = frozenset("$`\\")
_MOST_SHOWN = 60
_REMARK = "Shell commands are not run"
_NOT_RUN = "shell commands are not run; the change was expected as an edit of the file"


@dataclass(slots=True)
class _Script:
    """What was read of one script."""

    items: list[Item] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Commands that write no file by a here-document."""
    folder: str = ""
    elsewhere: str = ""
    """A command behind which paths are of another folder, or of another machine."""


def read_file_commands(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the files that the script around `sign` writes; `None` where it is the content of something else.

    In a fence the script is all of it, and in a text that is a script as well; elsewhere it is the command.
    """
    source = scan.source
    line = source.line_of(sign.start)
    first, end, is_whole = line, len(source.lines), scan.is_script
    if scan.is_script:
        first = scan.lower_bound
    else:
        fence = scan.once(_Scripts).fence_around(line)
        if fence is not None:
            if not _is_script(source, fence, scan.lower_bound):
                return None
            first, end, is_whole = max(fence.first + 1, scan.lower_bound), fence.last, True
    if is_whole and not scan.once(_Scripts).is_new(first, end):
        return None
    script = _read(source, line, first, end, is_whole=is_whole)
    if not script.items:
        return None
    return ReadResult(tuple(_with_remark(script)), max(item.span[1] for item in script.items))


def without_commands(items: list[Item]) -> list[Item]:
    """Return the items without commands that edit a file in place, if others are edits: the last says so."""
    kept = [item for item in items if not (isinstance(item, Malformed) and item.message.endswith(_NOT_RUN))]
    edits = [(index, item) for index, item in enumerate(kept) if isinstance(item, Edit)]
    if len(kept) == len(items) or not edits:
        return items
    last, edit = edits[-1]
    if not edit.remark:
        kept[last] = replace(
            edit, remark=f"{_REMARK}: {len(items) - len(kept)} of the answer's edit files in place."
        )
    return kept


class _Scripts:
    """The scripts of a text; each has many signs, and is read at the first of them."""

    def __init__(self, source: AnswerText) -> None:
        self._fences = [fence for _, fence in sorted(source.once(fences).items())]
        self._read: set[tuple[int, int]] = set()

    def is_new(self, first: int, end: int) -> bool:
        """Return whether the script of these lines has not been read before, and note that it is."""
        is_new = (first, end) not in self._read
        self._read.add((first, end))
        return is_new

    def fence_around(self, line: int) -> Fence | None:
        """Return the fence that a line is in: the last one that begins above it, if it ends below."""
        at = bisect_left(self._fences, line, key=lambda fence: fence.first)
        return self._fences[at - 1] if at and line < self._fences[at - 1].end else None


def _is_script(source: AnswerText, fence: Fence, lower_bound: int) -> bool:
    """Return whether a fence holds commands to run, and is not the content of a file."""
    if (fence.info and fence.info.casefold() not in _SHELLS) or source.bare(fence.first + 1).startswith("#!"):
        return False
    above = next(
        (text for n in range(fence.first - 1, fence.first - 4, -1) if n >= 0 and (text := source.bare(n))), ""
    )
    if _REPORT.search(above[:1000]):
        return False
    text = source.content(fence.first + 1, min(fence.last, len(source.lines)))
    return all(path in text for path in paths_above(source, fence.first, lower_bound))


def _read(source: AnswerText, line: int, first: int, end: int, *, is_whole: bool) -> _Script:
    """Read the commands of a script from line `first` up to `end`, or the one on `line` alone."""
    script = _Script()
    number = first if is_whole else line
    while number < end:
        command = without_prompt(without_ending(source.lines[number]))
        sign, word = here_document_of(command)
        if sign:
            number = _here_document(script, source, command, (sign, word), number, end)
        else:
            _other(script, source, command.strip(), number)
            number += 1
        if not is_whole:
            break
    return script


def _here_document(
    script: _Script, source: AnswerText, command: str, found: tuple[str, str], first: int, end: int
) -> int:
    """Read the here-document of the command on line `first`; return the line behind it."""
    sign, quoted = found
    word = word_of(quoted) or quoted
    parsed = read_file_command(command)
    if parsed is None and ">" not in command and "tee" not in command:
        script.others.append(command.strip())
        return first + 1
    number, prompt = _end_of(source, word, sign, first + 1, end), False
    is_typed = without_prompt(source.lines[first]) != source.lines[first]
    if is_typed and first + 1 < end and source.lines[first + 1].startswith(">"):
        # the sign of a terminal is before each line of a here-document
        at = _end_of(source, word, sign, first + 1, end, prompt=True)
        prompt = at < end and all(line.startswith(">") for line in source.lines[first + 1 : at])
        number = at if prompt else number
    if parsed is None:
        script.others.append(command.strip())
        return number + 1
    if number >= end or not _is_complete(source, number):
        message = f"the here-document is cut off; a line with only {word!r} was expected"
        script.items.append(_malformed(source, message, first, end, at=end - 1))
        return end
    if script.elsewhere:
        parsed = f"'{script.elsewhere}' comes before it, so its path is not of this folder"
    if isinstance(parsed, str):
        script.items.append(_malformed(source, parsed, first, number + 1))
        return number + 1
    lines = [_content(line, sign, prompt=prompt) for line in source.lines[first + 1 : number]]
    problem, at = _problem(lines, is_quoted=word != quoted)
    if problem:
        path = parsed.path
        script.items.append(_malformed(source, problem, first, number + 1, at=first + 1 + at, path=path))
        return number + 1
    edit = _edit(parsed, "".join(f"{line}\n" for line in lines))
    script.items += in_folder([replace(edit, span=source.span(first, number + 1))], script.folder)
    return number + 1


def _end_of(source: AnswerText, word: str, sign: str, first: int, end: int, *, prompt: bool = False) -> int:
    """Return the first line from `first` on that is `word` and nothing else, behind a prompt or not."""
    lines = range(first, end)
    return next((n for n in lines if _content(source.lines[n], sign, prompt=prompt) == word), end)


def _content(line: str, sign: str, *, prompt: bool) -> str:
    """Return a line of a here-document as the shell takes it."""
    content = without_ending(line)
    content = content[1:].removeprefix(" ") if prompt and content.startswith(">") else content
    return content.lstrip("\t") if sign.endswith("-") else content


def _is_complete(source: AnswerText, number: int) -> bool:
    """Return whether a line is all that it is meant to be: the last one may be half of another."""
    return number + 1 < len(source.lines) or not source.may_be_cut_off or is_ended(source)


def _problem(lines: Sequence[str], *, is_quoted: bool) -> tuple[str, int]:
    """Return what keeps lines from being the content of a file, and the number of the line."""
    for number, line in enumerate(lines):
        if not is_quoted and not _EXPANDED.isdisjoint(line):
            return "the shell would change this line; the word behind '<<' was expected in quotes", number
        if is_mark(line):
            return "parts of the file are left out here; the complete content was expected", number
    return "", 0


def _edit(command: FileCommand, content: str) -> Edit:
    edit = Edit(path=command.path, format=Format.WHOLE_FILE)
    if command.folder:
        edit = replace(edit, path=in_folder([edit], command.folder)[0].path)
    if command.appends:
        return replace(edit, operation=Operation.INSERT, replace=content, at_end=True)
    return replace(edit, operation=Operation.WRITE, content=content)


def _other(script: _Script, source: AnswerText, command: str, number: int) -> None:
    """Read a command without a here-document."""
    if not command or command.startswith("#"):
        return
    words = command.split()
    if words[0] in ("sed", "perl") and any(map(_edits_in_place, words[1:])):
        script.items.append(_malformed(source, _NOT_RUN, number, number + 1))
        return
    if _LEAVES.search(command) and not script.elsewhere:
        script.elsewhere = command[:_MOST_SHOWN]
    known = commands_in(command) or []
    is_plain = len(known) == 1 and not known[0].redirects
    if is_plain and known[0].words[0] == "cd" and len(words) == 2 and known[0].words[1] and not script.others:
        script.folder = in_folder([Edit(path=words[1])], script.folder)[0].path
    elif not is_plain or words[0] not in _HARMLESS:
        script.others.append(command)


def _edits_in_place(option: str) -> bool:
    return option.startswith(("-i", "--in-place")) or (
        option[:1] == "-" and option[1:].isalnum() and option[-1] == "i"
    )


def _with_remark(script: _Script) -> list[Item]:
    """Return the items, the last edit of which says that the other commands are not run."""
    items = list(script.items)
    undone = next((command for command in script.others if _UNDOES.match(command)), "")
    if undone:
        why = f"The script ends what it begins: {undone[:_MOST_SHOWN]!r}."
        items = [replace(item, doubt=why) if isinstance(item, Edit) else item for item in items]
    if script.others:
        shown = script.others[0]
        shown = shown if len(shown) <= _MOST_SHOWN else f"{shown[: _MOST_SHOWN - 3]}..."
        more = f" and {len(script.others) - 1} more" if len(script.others) > 1 else ""
        for number in range(len(items) - 1, -1, -1):
            item = items[number]
            if isinstance(item, Edit):
                items[number] = replace(item, remark=f"{_REMARK}: {shown!r}{more}.")
                break
    return items


def _malformed(
    source: AnswerText, message: str, first: int, end: int, at: int | None = None, path: str = ""
) -> Item:
    return source.malformed(message, first, end, at=at, path=path, origin=Format.WHOLE_FILE)
