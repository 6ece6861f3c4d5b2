"""What to say to a model so that its edits can be applied: a text for each format worth asking for.

The texts describe the parts of a format and show no complete edit, so that nothing in them is read as one
where they are part of a chat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchpoint.edit import Format, Unplaced
from patchpoint.formats.path_forms import paths_unquoted
from patchpoint.text.regex import regex

_BEGIN = "When you want to change files of this project, write the changes into your answer in the following \
way. A program will find each of them in your answer and apply it.\n\n"

_END = """
Paths are relative to the root of the project. Everything else in your answer is for me to read. If a \
change cannot be applied, I will send you the reason; then send only what I ask for, in the same way.
"""

_QUOTING = """\
- Copy the lines to be replaced from the file exactly: every character, all indentation, comments \
included. Never shorten them and never leave lines out with `...`.
- Quote as little as possible, but enough lines to be found only once in the file: usually the lines \
that change and two around them.
"""

_TEXTS = {
    Format.SEARCH_REPLACE: f"""\
For each change, write the path of the file alone on a line, and below it a fenced code block with these \
five parts:

1. a line `<<<<<<< SEARCH`
2. the lines to be replaced, as they are in the file now
3. a line `=======`
4. the lines to put in their place
5. a line `>>>>>>> REPLACE`

{_QUOTING}\
- Make a block of its own for each place. Several blocks may be for the same file; each one has the path \
above it.
- To create a file, leave part 2 empty. To delete lines, leave part 4 empty.
- To delete a file, write a fenced code block of three lines instead: `*** Begin Patch`, then \
`*** Delete File: ` and the path, then `*** End Patch`.
""",
    Format.ENVELOPE: f"""\
Write all changes as one patch in one fenced code block. Its first line is `*** Begin Patch`, its last \
line is `*** End Patch`. Between them, each file has a section that begins with one of these lines:

- `*** Update File: ` and the path
- `*** Add File: ` and the path; every line of the new file follows, each with a `+` in front
- `*** Delete File: ` and the path; nothing follows

A section that updates a file has one part for each place. A part begins with `@@`, followed by the line \
that opens the class or function around the place. Then come the lines: with a space in front where they \
stay, with `-` where they go, with `+` where they are new. There are no line numbers.

{_QUOTING}\
- Show two unchanged lines before and after each change.
""",
    Format.UNIFIED_DIFF: f"""\
Write all changes as one unified diff in one fenced code block with the language `diff`, as `git diff` \
prints it: the two lines that begin with `---` and `+++` for each file, a line that begins with `@@` for \
each place, then the lines with a space, a `-` or a `+` in front. Line numbers may be wrong; the lines \
themselves may not.

{_QUOTING}\
- Show three unchanged lines before and after each change, with the space in front, empty lines too.
- A new file is compared with `/dev/null`.
""",
    Format.TOOL_CALL: f"""\
Write all changes as one JSON array in one fenced code block with the language `json`. Each change is an \
object with these keys:

- "path": the path of the file
- "old_string": the lines to be replaced, as they are in the file now; empty to create the file
- "new_string": the text to put in their place

{_QUOTING}\
- Line breaks within a string are written as \\n, quotation marks as \\", backslashes as \\\\.
""",
    Format.WHOLE_FILE: """\
Give each file that changes as a whole: a line that says "The complete file" and names the path in \
backticks, and below it a fenced code block with the whole new content.

- Write every line of the file, also those that do not change. Never leave lines out with `...` or a \
comment.
- Keep all else as it is: comments, blank lines, indentation.
""",
    Format.LAZY: """\
For each file that changes, write the path alone on a line, and below it a fenced code block with only \
those functions, methods and classes that change or are new, each of them complete.

- In place of everything that stays as it is, write one comment line `... existing code ...` in the \
language of the file, and show in which class a method is.
- Never use that comment in place of code that changes, and never leave lines of a function out without it.
- A new file is given as a whole, below a line that says "The complete file" and names the path in \
backticks.
""",
}

_ENDS = regex(r"(?<=[.!?])\s+|(?<=[。！？])")

INSTRUCTIONS: Mapping[Format, str] = {name: f"{_BEGIN}{text}{_END}" for name, text in _TEXTS.items()}
"""The text for each format that it makes sense to ask a model for, the one to use by default first."""


def model_instructions(format_: Format = Format.SEARCH_REPLACE) -> str:
    """Return what to say to a model so that it answers in `format_`, one of `INSTRUCTIONS`."""
    return INSTRUCTIONS[format_]


def form_to_send(format_: Format = Format.SEARCH_REPLACE) -> str:
    """Return how a model is to write edits that it has to send again, and no more."""
    return f"{_TEXTS[format_]}\nPaths are relative to the root of the project.\n"


def no_edit_feedback(unplaced: Sequence[Unplaced] = (), text: str = "") -> str:
    """Return what to send back to a model in whose answer there is no edit, only the `unplaced` fences.

    `text` is the answer, of which it is said what it has instead.
    """
    blocks = "".join(f"{one.message}\n" for one in unplaced if one.objection is None)
    head = "There is no edit in your answer that a program could find.\n"
    seen = f"{named_in_words(text)}\n" if text and not blocks else ""
    return f"{head}{blocks}{seen}\nSend your changes again, in this form.\n\n{form_to_send()}"


def named_in_words(text: str) -> str:
    """Return what an answer without code has instead of edits, as a sentence."""
    if not text.strip():
        return "The text is empty."
    sentences = [each for line in text.splitlines() for each in _ENDS.split(line[:2_000])]
    named = sum("`" in each or bool(paths_unquoted(each)) for each in sentences[:2_000])
    if not named:
        return "It names no file and shows no code."
    who = "1 sentence names" if named == 1 else f"{named} sentences name"
    return f"{who} files or code, but nothing says word for word what to write."
