"""Shell scripts that apply a patch or write files by here-documents (`cat > FILE <<'EOF'`), never run.

A patch is what it says; the content of a file is what is between the command and the word that ends it.
Where the shell would change it first (a word without quotes, and a `$`, a backquote or a backslash in the
lines), it is refused. Commands that edit a file in a way that is read, such as `sed -i`, are proposals; one
that changes a file in another way keeps the others from being made. Those that change none are named as not
run.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import partial

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.edit import Edit, Format, Malformed, Operation, TargetKind
from patchpoint.formats.diffs.envelope import read_envelope
from patchpoint.formats.diffs.shell_words import ShellCommand, commands_in, edits_of, word_in
from patchpoint.formats.diffs.unified_diff import is_ended
from patchpoint.formats.fences import Fence, outer_fences
from patchpoint.formats.labels import paths_above
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult, shortened, with_paths
from patchpoint.formats.spelling import words_of
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.lines import Span, without_ending
from patchpoint.text.regex import regex

_MAY_EDIT = regex(r"(?<![\w./])apply_?patch(?![\w.])|(?:\A|&&\s*)(?:cat\b[^|&]*>|tee\s)")
_PROMPT = regex(r"\A[ \t]*[$%][ \t]+")
"""The sign by which a terminal asks for a command."""
_DOCUMENT_OF = regex(r"""<<(-?)[ \t]*('[^']*'|"[^"]*"|\\?[\w-]+)""")
_GOES_ON = ("\\", "&&", "|")
_SHELLS = words_of("bash sh shell zsh console terminal shell-session shellsession")
_REPORT = regex(
    r"(?i)\b(?:I|we)(?:'ve|’ve| have)? (?:just |then |already )?(?:ran|run|executed|typed|entered)\b"
    r"|\b(?:session|transcript|history)\b"
)
"""Said right above a fence, its commands were run before."""
_LEAVES = regex(
    r"(?:^|[;&|]\s*|\bsudo\s+)(?:pushd|ssh|chroot|su|git\s+clone|(?:docker|podman|kubectl)\s|cd\s+[\"']?[/~$`])"
)
"""What a shell does elsewhere after it."""
_UNDOES = ("git checkout ", "git restore ", "git stash", "git reset ", "rm ")
_WRITES = regex(
    r"\bopen\(.*['\"][wa]b?\+?['\"]|\b(?:write_text|write_bytes|writeFile(?:Sync)?|File\.write)\("
)
"""What a program does that writes a file."""
_PROGRAM = regex(r"(?:python[\d.]*|node|ruby|perl|php)\b")
_JOINING = frozenset("<>|&;\n")
_HARMLESS = words_of("mkdir touch cd ls pwd set echo export")
_EXPANDED = frozenset("$`\\")
_MOST_SHOWN = 60
_REMARK = "Shell commands are not run"
_ARGUMENT = "a patch that is an argument of a command is not read; it was expected as its here-document"
_NOT_DONE = "changes a file in a way that is not read; send that change as an edit"
_NOT_RUN = "shell commands are not run; the change was expected as an edit of the file"


@dataclass(frozen=True, slots=True)
class EditingCommand:
    """A command that applies a patch, or writes its here-document to the file `path`."""

    path: str = ""
    appends: bool = False
    folder: str = ""
    """Where it runs, if it changes the folder."""


def read_command(script: str) -> EditingCommand | str | None:
    """Return what a command without the lines of its here-document edits; `None` where it edits nothing.

    A text is the reason why it is not read.
    """
    *before, last = commands_in(script) or [ShellCommand((), is_plain=False)]
    written = _written_by(last)
    if written is None or not all(_enters(each, also="mkdir") and each.joint == "&&" for each in before):
        shown = shortened(" ".join(script[:1000].split()))
        more = f"the command does more than edit a file ({shown}); only 'cd FOLDER &&' may come before it"
        return more if _MAY_EDIT.search(script) else None
    for words in (each.words for each in before if each.words[0] == "cd"):
        written = replace(written, folder=joined(written.folder, words[1]))
    return written


def _written_by(command: ShellCommand) -> EditingCommand | None:
    """Return what a command with a here-document and nothing else writes."""
    words, outputs = command.words, command.outputs
    if (
        not command.is_plain
        or command.inputs not in (("<<",), ("<<-",))
        or command.joint not in ("", ";", "\n")
    ):
        return None
    if words in (("apply_patch",), ("applypatch",)) and not outputs:
        return EditingCommand()
    file, appends = "", False
    if words == ("cat",) and len(outputs) == 1 and outputs[0][0] in (">", ">>"):
        file, appends = outputs[0][1], outputs[0][0] == ">>"
    elif words[0] == "tee" and not outputs and (len(words) == 2 or words[1:-1] in (("-a",), ("--append",))):
        file, appends = words[-1], len(words) == 3
    return EditingCommand(file, appends) if file and file[0] not in "~-" else None


def _enters(command: ShellCommand, also: str = "") -> bool:
    """Return whether a command does nothing but enter a folder, or what is `also` harmless."""
    is_plain = command.is_plain and not (command.inputs or command.outputs)
    is_cd = command.words[0] == "cd" and len(command.words) == 2 and command.words[1][:1] != "~"
    return is_plain and (is_cd or command.words[0] == also)


def joined(folder: str, path: str) -> str:
    """Return a path as seen from outside of the `folder` in which it is meant."""
    is_absolute = path.startswith(("/", "\\")) or (path[1:2] == ":" and path[0].isalpha())
    folder = folder.rstrip("/")
    return path if is_absolute or folder in ("", ".") else f"{folder}/{path}"


def read_file_commands(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read what the script around `sign` writes; `None` where it is the content of something else."""
    return _script_around(scan, scan.source.line_of(sign.start))


def read_patch(scan: TextScan, sign: Sign) -> ReadResult:
    """Read the envelope at `sign`, with the command above it where it is the here-document of one.

    One that is the argument of a command is refused: the shell may change it first.
    """
    source, line = scan.source, scan.source.line_of(sign.start)
    above = source.lines[line - 1] if line > scan.lower_bound else ""
    is_command = "apply_patch" in above or "applypatch" in above
    document = _DOCUMENT_OF.search(above) if is_command else None
    reading = _script_around(scan, line - 1, is_command=True) if document else None
    reading = reading or read_envelope(source, line, word_in(document[2])[0] if document else "")
    if is_command and "*** begin patch" in above.casefold():
        end = source.line_of(reading.end) + 1
        return ReadResult((source.malformed(_ARGUMENT, line - 1, end, origin=Format.ENVELOPE),), reading.end)
    return reading


def without_commands(items: list[Item]) -> list[Item]:
    """Return the items without commands that edit a file in place, if others are edits: the last says so.

    Those that are read are edits, too, but of a file of which there are others: these are the change then.
    """
    shown = {item.path for item in items if isinstance(item, Edit) and not is_command(item)}
    kept = [
        item
        for item in items
        if not (isinstance(item, Malformed) and item.message.endswith(_NOT_RUN))
        and not (isinstance(item, Edit) and is_command(item) and item.path in shown)
    ]
    count = len(items) - len(kept)
    if not count or not any(isinstance(item, Edit) for item in kept):
        return items
    return _remarked(kept, f"{_REMARK}: {count} of the answer's edit files in place.")


def is_command(edit: Edit) -> bool:
    """Return whether an edit is what a command does to a file that it does not show."""
    return edit.target is not None and edit.target.kind is TargetKind.COMMAND


def _remarked(items: list[Item], remark: str) -> list[Item]:
    """Return the items, of which the last edit has a remark."""
    last = max((n for n, item in enumerate(items) if isinstance(item, Edit)), default=None)
    return [
        replace(item, remark=item.remark or remark) if n == last and isinstance(item, Edit) else item
        for n, item in enumerate(items)
    ]


def _script_around(scan: TextScan, line: int, *, is_command: bool = False) -> ReadResult | None:
    """Return the edits of the script with the command on `line`: a fence, a whole text, or the command alone.

    `None` where it has been read, or is the content of something else that is no `is_command`.
    """
    source = scan.source
    every = outer_fences(source)
    at = bisect_left(every, line, key=lambda fence: fence.first)
    fence = every[at - 1] if at and line < every[at - 1].end else None
    first, end, limit = line, line + 1, len(source.lines)
    if scan.is_script:
        first, end = scan.lower_bound, limit
    elif fence is not None and _is_script(scan, fence):
        first, end, limit = max(fence.first + 1, scan.lower_bound), fence.last, fence.last
    elif fence is not None and not is_command:
        return None
    else:
        while first > scan.lower_bound and source.bare(first - 1).endswith(_GOES_ON):
            first -= 1
    read = scan.once(_extents_read)
    if (first, end) in read:
        return None
    read.add((first, end))
    return _Script(source, first, end, limit).read()


def _extents_read(_: AnswerText) -> set[Span]:
    """Return where to remember the scripts of a text: each has many signs, and is read at the first."""
    return set()


def _is_script(scan: TextScan, fence: Fence) -> bool:
    """Return whether a fence holds commands to run, and is not the content of a file."""
    source = scan.source
    if (fence.info and fence.info.casefold() not in _SHELLS) or source.bare(fence.first + 1).startswith("#!"):
        return False
    numbers = range(fence.first - 1, max(fence.first - 4, -1), -1)
    above = next((text for number in numbers if (text := source.bare(number))), "")
    if _REPORT.search(above[:1000]):
        return False
    text = source.content(fence.first + 1, min(fence.last, len(source.lines)))
    return all(path in text for path in paths_above(source, fence.first, scan.lower_bound))


@dataclass(slots=True)
class _Script:
    """Commands that begin on the lines from `first` up to `end`; their here-documents are above `limit`."""

    source: AnswerText
    first: int
    end: int
    limit: int
    items: list[Item] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    """Commands that edit no file in a way that is read."""
    folder: str = ""
    elsewhere: str = ""
    """A command behind which paths are of another folder, or of another machine."""
    has_prompts: bool = False
    """Whether a terminal is shown, where what is no command is printed."""

    def read(self) -> ReadResult | None:
        """Return the edits of the commands, the last of which says what is not run; `None` without any."""
        self.has_prompts = any(map(_PROMPT.match, self.source.lines[self.first : self.end]))
        number = self.first
        while number < self.end:
            number = self._read_command(number)
        items = self.items
        around = (*self.source.lines[: max(self.first - 1, 0)], *self.source.lines[self.end + 1 :])
        is_alone = not any(line.strip() for line in around)
        if items and is_alone and all(isinstance(item, Edit) and is_command(item) for item in items):
            # no word asks for it
            items = [self.source.malformed(_NOT_RUN, self.first, self.end, origin=Format.WHOLE_FILE)]
        if not any(isinstance(item, Edit) for item in items):
            items = [
                replace(item, message=_NOT_RUN) if item.message.endswith(_NOT_DONE) else item
                for item in items
                if isinstance(item, Malformed)
            ]
        undone = next((command for command in self.others if command.startswith(_UNDOES)), "")
        if undone:
            why = f"The script ends what it begins: {undone[:_MOST_SHOWN]!r}."
            items = [replace(item, doubt=why) if isinstance(item, Edit) else item for item in items]
        if self.others:
            more = f" and {len(self.others) - 1} more" if len(self.others) > 1 else ""
            items = _remarked(items, f"{_REMARK}: {shortened(self.others[0])}{more}.")
        return ReadResult(tuple(items), max(item.span[1] for item in items)) if items else None

    def _read_command(self, first: int) -> int:
        """Read the command that begins on a line; return the line behind it and its here-document."""
        body = first + 1
        line = without_ending(self.source.lines[first])
        text = _PROMPT.sub("", line)
        is_printed = text == line and self.has_prompts
        while text.endswith(_GOES_ON) and body < self.limit:
            text = f"{text}\n{without_ending(self.source.lines[body])}"
            body += 1
        text = text.strip()
        document = _DOCUMENT_OF.search(text)
        if not document:
            if not is_printed:
                self._note(text, first, body)
            return body
        command = read_command(text)
        word, _ = word_in(document[2])
        if command is None:
            opens = ">" in text or "tee" in text
            is_read = opens or _PROGRAM.match(text)
            last, lines = self._document(body, word, document[1]) if is_read else (first, [])
            is_unread = any(edits_of(each, str, ()) is None for each in commands_in(text))
            if is_unread or (_PROGRAM.match(text) and any(map(_WRITES.search, lines))):
                self._refuse(f"{shortened(text)} {_NOT_DONE}", first, body)
            else:
                self.others.append(text)
            # a line of another program may look like a command with a here-document
            return last + 1 if opens else body
        if self.elsewhere and not isinstance(command, str):
            command = f"'{self.elsewhere}' comes before it, so its path is not of this folder"
        patch = self.source.solid(body, self.limit)
        if isinstance(command, EditingCommand) and not command.path and patch < self.limit:
            reading = read_envelope(self.source, patch, word)
            within = partial(joined, joined(self.folder, command.folder))
            self.items += [with_paths(item, within) for item in reading.items]
            behind = self.source.solid(self.source.line_of(reading.end) + 1, self.limit)
            return behind + (self.source.bare(behind) == word)
        last, lines = self._document(body, word, document[1])
        is_complete = last + 1 < len(self.source.lines) or not self.source.may_be_cut_off
        if isinstance(command, str):
            self._refuse(command, first, min(last + 1, self.limit))
        elif last >= self.limit or not (is_complete or is_ended(self.source)):
            message = f"the here-document is cut off; a line with only {word!r} was expected"
            self._refuse(message, first, self.limit, at=self.limit - 1)
        else:
            self._write(command, first, last, lines, is_quoted=word != document[2])
        return last + 1

    def _document(self, body: int, word: str, dash: str) -> tuple[int, list[str]]:
        """Return the line that ends a here-document, and the lines above it as the shell takes them."""
        lines = [without_ending(line) for line in self.source.lines[body : self.limit]]
        taken = [line.lstrip("\t") for line in lines] if dash else lines
        count = taken.index(word) if word in taken else len(taken)
        return body + count, taken[:count]

    def _write(
        self, command: EditingCommand, first: int, last: int, lines: list[str], *, is_quoted: bool
    ) -> None:
        """Add the edit of a file whose content is known, or what keeps it from being known."""
        path = joined(self.folder, joined(command.folder, command.path))
        for number, line in enumerate(lines, last - len(lines)):
            problem = ""
            if not is_quoted and not _EXPANDED.isdisjoint(line):
                problem = "the shell would change this line; the word behind '<<' was expected in quotes"
            elif is_mark(line):
                problem = "parts of the file are left out here; the complete content was expected"
            if problem:
                self._refuse(problem, first, last + 1, at=number, path=path)
                return
        content = "".join(f"{line}\n" for line in lines)
        edit = Edit(path=path, format=Format.WHOLE_FILE, span=self.source.span(first, last + 1))
        if command.appends:
            edit = replace(edit, operation=Operation.INSERT, replace=content, at_end=True)
        else:
            edit = replace(edit, operation=Operation.WRITE, content=content)
        self.items.append(edit)

    def _note(self, command: str, first: int, end: int) -> None:
        """Note what a command without a here-document means for the others."""
        if not command or command.startswith("#") or self._changes_files(command, first, end):
            return
        if _LEAVES.search(command):
            self.elsewhere = self.elsewhere or command[:_MOST_SHOWN]
        commands = commands_in(command)
        enters = len(commands) == 1 and _enters(commands[0])
        if enters and not self.others:
            self.folder = joined(self.folder, commands[0].words[1])
        elif enters or command.split()[0] not in _HARMLESS or not _JOINING.isdisjoint(command):
            self.others.append(command)

    def _changes_files(self, text: str, first: int, end: int) -> bool:
        """Add the edits of the commands on a line; return whether any of them changes a file."""
        made = {item.path for item in self.items}
        folder, found = self.folder, list[Edit]()
        for command in commands_in(text):
            if command.named[0] == "cd":
                folder = joined(folder, command.words[-1])
            edits = edits_of(command, partial(joined, folder), made)
            if edits and end >= len(self.source.lines) and self.source.may_be_cut_off:
                self._refuse("the command may be cut off; the end of its fence was expected", first, end)
                return True
            if edits is None or (
                edits and (self.elsewhere or not made.isdisjoint(each.path for each in edits))
            ):
                self._refuse(f"{shortened(text)} {_NOT_DONE}", first, end)
                return True
            found += edits
        start, behind = self.source.span(first, end)
        spans = [(start, behind), *[(behind, behind)] * len(found)]
        self.items += [replace(edit, span=span) for edit, span in zip(found, spans, strict=False)]
        return bool(found)

    def _refuse(self, message: str, first: int, end: int, at: int | None = None, path: str = "") -> None:
        one = self.source.malformed(message, first, end, at=at, path=path, origin=Format.WHOLE_FILE)
        self.items.append(one)
