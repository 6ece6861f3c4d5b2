"""What `docs/formats.md` says of each format, and the examples that it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from patchpoint.edit import Format


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The documentation of a format, or of one way to write it."""

    title: str
    description: str
    """Markdown."""
    examples: tuple[str, ...]
    """What the names of its examples in `tests/data/formats` begin with; the first is shown in full."""


SECTIONS: Mapping[Format, tuple[Section, ...]] = {
    Format.SEARCH_REPLACE: (
        Section(
            title="SEARCH/REPLACE blocks",
            examples=("search-replace", "git-conflict"),
            description="""\
What to look for and what to put there, between markers. The path is above the block,
inside its fence or on it, in a heading, in bold, behind `File:` or in the sentence before it; a block
that has none is for the file of the block before. Markers have three characters or more, are made of
`<`, `=`, `>` or of `-`, `=`, `+`, in any case, with the word glued to them or a `>` behind it;
`ORIGINAL` and `UPDATED` will do. An empty search text creates the file. `:start_line:` and `line=` are
hints that choose between equal finds, never evidence.

A line of the content that looks like a divider is recognised by its indentation or its length, or by
the reading whose search text is in the file; where these do not decide, the block is refused. A
backslash before such a line marks it as content.""",
        ),
    ),
    Format.ENVELOPE: (
        Section(
            title="Patch envelopes",
            examples=("envelope",),
            description="""\
The format of Codex's `apply_patch`: sections that add, update, move and delete files. Each
`@@` line names a scope (a line of the file above the change), outermost first; numbers there are hints.
A line without a sign is context. `*** End of File` marks the change as the end of the file. Lines without any
context are appended to the file; with a scope and nothing else they are refused, since they might go
anywhere below it. Prose or a fence may be around it, and the first line may be missing; a patch that
just stops is refused, since it may be cut off.""",
        ),
        Section(
            title="Patches in shell commands",
            examples=("shell",),
            description="""\
`apply_patch` (or `applypatch`) with the patch as its here-document,
alone or behind `cd FOLDER &&`, in a fence, alone, or as the words of `["bash", "-lc", …]`. The command
is read word by word and never run; one that does anything else is refused, with the reason, and the other
commands of its script are named as not run.""",
        ),
    ),
    Format.UNIFIED_DIFF: (
        Section(
            title="Unified and git diffs",
            examples=("unified-diff",),
            description="""\
Numbers are hints, counts are not believed, and both may be missing. A number that
chooses one of several places counts for nothing where the heading names what another of them is in. A diff
that is cut off is refused: its fence is open, its last line has no ending, the text ends before the last
hunk has the lines that its heading states or, where there are no numbers and no fence, with a removed
line. New, deleted and renamed
files and modes are understood; copies, symbolic links, submodules and binary files are refused. A fence
of `diff` with nothing but changed lines is for the file that is named above it or on it; where none
is, it is a sample. So it is with lines that begin with `-` and `+` in any other fence. The colours of a
terminal are no part of a diff. Where every changed line has two signs (`-- x`, `+- y`), the reading counts
whose lines are in the file; so it is in patch envelopes.""",
        ),
    ),
    Format.ANCHORS: (
        Section(
            title="Anchors",
            examples=("anchors",),
            description="""\
The lines before, the new text, the lines after: what is between the two in the file is
replaced and never quoted. As data: `{"path", "before", "modified", "after"}`, texts or lists of lines.""",
        ),
    ),
    Format.TOOL_CALL: (
        Section(
            title="Tool calls",
            examples=("tool-call", "tool-tags"),
            description="""\
The calls that models make to editing tools, as JSON (in a fence, one a line, in tags, or
alone) or as tags (`<invoke name="Edit">`, `<function=…>`, `<replace_in_file>`). Keys are compared
without case, underscores and hyphens. The path may be called `path`, `file_path`, `target_file` and so
on; search and replacement `old_string` and `new_string`, `old_str` and `new_str`, `search` and
`replace`, `before` and `after`. Edits may be listed below `edits` or `replacements`, also as a JSON
text. `insert` at a line, `create`, `write`, `delete` and `rename` are understood; a call that only views a
file is prose. JSON that is broken slightly is repaired, if the repair keeps every word. Only edits of tool
calls may name absolute paths.""",
        ),
        Section(
            title="Dialects of products",
            examples=("dialect-codex", "dialect"),
            description="""\
What products write into their transcripts, and send to plugins: the lines of a Codex session, Gemini's
`functionCall`, GLM's `<arg_key>`, the parts of opencode's messages (`state.input`, `patchText`), Roo Code's
diffs of several files (`<args><file><path>`), Zed's `<edits>`, Antigravity's `replace_file_content` and
`multi_replace_file_content`, Kimi's `StrReplaceFile`, the operations of OpenAI's `apply_patch_call`, and
the diffs of the Agent Client Protocol in versions 1 and 2. What a transcript says of the result of a call
is prose.

Some name their place instead of quoting it. Serena's tools name a definition (`Class/method`), which has to
be the only one. `NotebookEdit` and its relatives name a cell of a notebook by its id or number: outputs and
other cells keep every byte, and the notebook its layout. An edit of a notebook that quotes code is looked for
in the cells. In hashline editing a line is named by its number and a tag made from its text (`12#KT`,
`12:a3`), which is compared with the file's line; the first or the last line has to be there only once. Its
newer form (`[PATH#TAG]`, `SWAP 3.=4:`) has a tag of the whole file instead, and is refused. A
position of the Language Server Protocol (a line and a column) is refused unless the edit says what it takes
the place of.""",
        ),
    ),
    Format.PAIR: (
        Section(
            title="Pairs",
            examples=("pair",),
            description="""\
Two fences, the first with what is to be replaced and the second with what replaces it, where the words
above them say so: *change this … to this*, *Find … Replace with*, *Before … After*, *replace … with*,
*instead of … use*, in English or in one of seven other languages (*Ersetze … durch*); a sentence that says
more makes a proposal.
The file is named above either fence or on it; a pair that names none is for the file of the edit before.
Where one fence has both, below comments that say `Before` and `After`, that is a proposal. So are two
fences that show one definition with a few words between them (*becomes*, *should be:*): the second replaces
the first.""",
        ),
        Section(
            title="Pairs within a sentence",
            examples=("inline-pair",),
            description="""\
A sentence that asks for it, *change `timeout=5` to `timeout=30` in `src/app.py`*, makes a proposal, always.
What is replaced has to be in the file once, as whole words. Next to code, blocks or diffs, a sentence
mostly tells what these do: it is held against what they make of its file, and where that has it already,
nothing is left of it. What none of them makes is a proposal, also where it is said to be done (*I've set
`RATE` to `7`*) or to be needed (*`RATE` should be `7`*), and they wait for the same yes; where it has no
such place, they wait for that. The file is named in the sentence, in the heading above it or on the line
above it, or is the only one that has those words, of all or of those that the answer edits. A sentence with
a condition, or that only offers it, is prose. What is said of the name of a setting, a constant or a key,
is its value (*set `RATE` to `0.07`*, *change `line-length` to `120`*). A name to *rename* that the file has
in several places is changed in all of them, but for those of other objects (`json.load`, `self.file.load`);
one of a function (*rename the parameter `n` of `show` to `count`*) in that function alone.
Lines in a fence that the file has once go where the words above them ask for that. What else is to be
removed is a definition by its name, a line as it is (*remove the method `close` from
`src/app.py`*), or a file (*delete `src/old.py`*), and the files in a list or a `rm` below *Delete these
files:*; no command is ever run. A file is moved (*move `src/old.py` to `lib/old.py`*) or created without
content (*create an empty file `lib/py.typed`*). What only may be a request (*add a docstring to `close`*)
is named, and nothing waits for it. An import in words alone (*don't forget to import `time`*) is not made:
the code next to it waits, and the sentence is named. A list (`` `timeout=5` → `timeout=30` ``), such a cell
of a table, or a table with a column for what is there and one for what will be is a proposal, below the
name of the file or next to it. So is a line with its place in one sentence (*add `RETRIES = 3` right below
`TIMEOUT = 5` in `src/app.py`*); a value that is said to become another (*change `RATE` from `5` to `7`*)
counts where it is the one in the file.""",
        ),
        Section(
            title="Suggestions of a review",
            examples=("suggestion",),
            description="""\
A fence called `suggestion`, as in reviews on GitHub and GitLab, has the lines that replace those
commented on. Which ones is said above it: by the path with their numbers (`src/a.py:12-14`, *lines 12
to 14*), by a hunk of a diff whose last lines they are, or by a fence with the lines right above. Where
nothing says it, it goes to the one place whose lines it resembles. Numbers that do not go together with
what is suggested are not believed.""",
        ),
    ),
    Format.WHOLE_FILE: (
        Section(
            title="Whole files",
            examples=("whole-file",),
            description="""\
A fence holds a file where its path is on the fence (`title=`, `filename=`, behind the language), in a
comment in its first line, alone above it (in bold, as a heading, behind `File:`, as a link), or in a
sentence that hands it over (*Here is the new src/a.py*, *the updated version of …*, *Save this as …*):
certain where each word of the sentence, or next to the path, is known, and else a proposal.
Such a file is created where there is none. One that exists is overwritten only by what is most of it and
has all of its definitions; where the answer calls it the complete, full or whole file, by what has all of
its definitions, and is not far shorter. Everything else is merged into it as lazy code is, or refused with
what would be lost. Content with parts left out creates nothing. What is called an example is left alone.
With the format set to `wholeFile`, a path above the fence is enough, and the file may lose anything.""",
        ),
        Section(
            title="Files in shell commands",
            examples=("here-document",),
            description="""\
A file that a script writes by a here-document, `cat > FILE <<'EOF'` or `tee FILE <<'EOF'`, with
`>>` or `-a` at its end. The script is read word by word and never run. Where the shell would
change the lines first (the word is not in quotes, and they have a `$`, a backquote or a backslash), they are
refused, and so is a file of which the end is missing. An edit says which other commands of its script are not
run; a command that edits a file in place (`sed -i`) is refused where the answer has no other edits.""",
        ),
    ),
    Format.LAZY: (
        Section(
            title="Lazy code",
            examples=("lazy",),
            description="""\
A fence that shows only the definitions that change, with marks such as `# ... existing code ...` for what
is left out, or one function alone. The file is named on the fence, in a comment in its first line, or above
it; below a sentence with words that are not known (*In `src/a.py`, make it faster:*) the code is a proposal.
Each definition replaces the one of its name in the file; what is not shown stays as it is. Where that
would be a guess, the code is refused with what to show instead: see [lazy.md](lazy.md). Code that is said to
be an example, or to be as it was, is left alone. Code that was copied from the page of a chat, where the
page's buttons (*Copy*, *Edit*) are above it instead of a fence, is read as if it were in one, and is a
proposal: it ends where prose begins and what is above that parses.""",
        ),
    ),
}
"""The sections of each format, in the order of the page."""
