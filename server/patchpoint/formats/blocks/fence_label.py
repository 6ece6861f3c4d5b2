"""What an answer says of a fence: the file that it is for, and what is called an example, whole, or new."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile

from patchpoint.formats.blocks.lead import last_sentence, lead_of
from patchpoint.formats.fences import (
    Fence,
    FenceKind,
    fence_on,
    lines_without_margin,
    without_content,
)
from patchpoint.formats.labels import Named, Naming, line_named, named_last_above, names_above, path_alone
from patchpoint.formats.path_forms import is_path, names_a_source, path_on_fence
from patchpoint.formats.sentences.sentence import Reading, readings
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

_COMMENT_SIGNS = ("#", "//", "/*", "<!--", "--", ";", "%")
_DATA = (".json", ".csv", ".toml", ".ini", ".lock", ".log", ".db", ".sqlite")
_PROSE = ("md", "markdown", "mdx", "rst", "text", "txt", "plaintext")
_MARKS = tuple("#*`~")
"""What a heading or a fence begins with."""
_NEAR = 3
_FAR = 40

_OWN_SUFFIXES = "py js jsx ts tsx go rs java c cpp h hpp cs rb php kt swift scala lua"
_BRANCHES = ("if ", "for ", "while ", "until ", "case ", "@test ")
_FUNCTION = regex(r"(?:function\s+)?[\w:.-]+\s*(?:\(\s*\)\s*[{(]?|\{)\Z")
_QUOTED = regex(r"`([^`\s]{1,300})`")
_IN_BRACKETS = regex(r"[(（]([^()（）]{1,60})[)）]")
_PROMPT = regex(r"\s*(?:[\w.-]+@[\w.-]+[^$#\n]{0,80})?\$ [\w./~]")
_DOCUMENTS = (".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc")
"""What may have commands, and what they print, in it."""
_SCRIPTS = (".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd")
_REMOVES = regex(r"(?:\$ )?(?:git )?rm ")
_RUNS = regex(
    r"(?i)\b(?:run|runs|running|execute|install|start|restart|regenerate|deploy|with|using|via|terminal|shell"
    r"|ausführ\w+|führe|installier\w+|starte\w*|mit|exécut\w+|lance[rz]?|avec|ejecut\w+|con|execut\w+|rode"
    r"|com|instal\w+|выполни\w*|запусти\w*|установи\w*)\b|运行|执行|安装|启动|実行|インストール|起動"
)
"""What is said of commands that are to be run."""
_SUFFIXES = {
    "python": "py", "python3": "py", "javascript": "js", "mjs": "js", "node": "js", "typescript": "ts",
    "golang": "go", "rust": "rs", "c++": "cpp", "cc": "cpp", "csharp": "cs", "c#": "cs", "ruby": "rb",
    "kotlin": "kt", "make": "mk", "makefile": "mk", "dockerfile": "dockerfile",
    **{suffix: suffix for suffix in _OWN_SUFFIXES.split()},
}  # fmt: skip
"""By what a fence is called, the suffix of a file of its language."""


class FenceLabel:
    """What is said of one fence: on its own line, in its first line, and around it.

    Lines before `lower_bound` are not looked at, and no more are those in fences that are not around it.
    """

    def __init__(self, source: AnswerText, fence: Fence, lower_bound: int) -> None:
        self._fence, self._lower_bound = fence, lower_bound
        around = source.once(without_content)
        self._around = source if source.lines[fence.first] != around.lines[fence.first] else around
        on_fence = path_on_fence(fence.info) if fence.kind() is not FenceKind.CITATION else ""
        comment, self.in_comment = _path_in_first_line(source, fence)
        remark = _IN_BRACKETS.search(
            fence.info if on_fence or self.in_comment is None else source.bare(self.in_comment)
        )
        self.remark = lead_of(remark[1]) if remark else None
        """What is said in brackets next to the path on its line, or in its first line."""
        content = source.content(fence.first + 1, fence.last)
        self._nearest = _line_above(self._around, fence.first, lower_bound)
        self.lead = lead_of(self._around.bare(self._nearest)[:1000])
        """What the line right above it says."""
        self.path_inside = ""
        """The longer path in its first line, where the line above it calls it a new file."""
        named = self._named(on_fence, comment, content)
        only = named[0] if len(named) == 1 else Named("", Naming.SENTENCE)
        self.paths = tuple(each.path for each in named)
        """The files that are named for it: none or several if it is unclear."""
        self.how = only.how if only.path else None
        """How its file is named, if it is one."""
        self.language = (fence.info.split() or [""])[0].strip("{}.").partition(":")[0].casefold()
        self.is_put = False
        """Whether words put its commands into a document, or a script: they are code of that."""
        self.kind = self._kind_of(only, content)
        self.line = line_named(self.lead.above) if only.line is None else only.line
        self.heading, self.section = _headings_above(self._around.once(_marked), fence.first, lower_bound)
        """The heading that it is right under, without another fence between, and the one of its section."""

    def _named(self, on_fence: str, comment: str, content: str) -> tuple[Named, ...]:
        """Return the files that are named for it: on its line, in its first line, or above it."""
        named = names_above(self._around, self._fence.first, self._lower_bound, content=content)
        if on_fence or comment:
            above = "" if on_fence else self._said_above(named, comment)
            self.path_inside = comment if above and comment.endswith(f"/{above}") else ""
            return (Named(on_fence or above or comment, Naming.ON_FENCE),)
        if not named and content.startswith("#!") and self.lead.is_new:
            return tuple(Named(path, Naming.SENTENCE) for path in self.scripts)
        named = tuple(each for each in named if self._may_be_for(each))
        said = tuple(each for each in named if each.how is Naming.SENTENCE)
        is_under_other = len(named) == 2 and named[0].how is Naming.HEADING and len(said) == 1
        return said if is_under_other and self.lead.is_for(said[0].path) else named

    def _may_be_for(self, named: Named) -> bool:
        """Return whether a file that is spoken of may have the code, or what a heading is of.

        A file of data has no code of a program, and what is in another class is below another heading.
        """
        if named.how is Naming.HEADING:
            return not self.lead.is_in_another(named.path)
        own = suffix_of((self._fence.info.split() or [""])[0].strip("{}.").casefold())
        return named.how is not Naming.SENTENCE or _may_have(named.path, own)

    def _kind_of(self, named: Named, content: str) -> FenceKind:
        """Return what it holds: a script, or what somebody typed, may look like something else."""
        kind, path = self._fence.kind(named.path), named.path
        if self._fence.kind() is FenceKind.COMMANDS and _only_removes(content):
            return FenceKind.COMMANDS
        is_of_document = path.lower().endswith(_DOCUMENTS) or self.language not in ("", *_PROSE)
        if kind in (FenceKind.CODE, FenceKind.TEXT) and not is_of_document and _PROMPT.match(content):
            return FenceKind.OUTPUT
        if kind is not FenceKind.COMMANDS:
            return kind
        # a script needs no suffix, without which it may be seen only later that a file is quoted
        is_named = "`" in self.lead.above or (bool(path) and named.how is not Naming.SENTENCE)
        may_be_script = is_named and "." not in path.rpartition("/")[2] and _is_program(content.splitlines())
        is_script = may_be_script or (bool(path) and content.startswith("#!"))
        self.is_put = not is_script and self._is_put_into_a_file(path, named.how)
        return FenceKind.CODE if is_script or self.is_put else kind

    def _is_put_into_a_file(self, path: str, how: Naming | None) -> bool:
        """Return whether words put lines of commands into a document, or a script, that they or others name.

        Those to be run are not: *add it to the project with:*, *then run:*.
        """
        lead = self.lead
        near = (path,) if path else named_last_above(self._around, self._fence.first, self._lower_bound)
        is_file = len(near) == 1 and near[0].casefold().endswith((*_DOCUMENTS, *_SCRIPTS))
        is_label = how in (Naming.ALONE, Naming.ON_FENCE)
        if not is_file or is_label or lead.is_offer or _RUNS.search(lead.above):
            return False
        return lead.is_asked and (lead.says_an_edge or lead.last.has("change replace"))

    @property
    def path(self) -> str:
        """Its file, if one is named."""
        return self.paths[0] if len(self.paths) == 1 else ""

    @property
    def scripts(self) -> list[str]:
        """What the line above it has in backquotes that may be the path of a file without a suffix."""
        quoted = _QUOTED.findall(self.lead.above)
        return [path for path in quoted if "/" in path and is_path(path) and not names_a_source(path)]

    @cached_property
    def is_example(self) -> bool:
        """Whether it is called something else than the change."""
        return (
            (_is_judged(self._below) and not self.lead.is_change)
            or self.lead.is_example(self.section or self.heading)
            or lead_of(self._introduction).is_example()
        )

    @property
    def may_be_change(self) -> bool:
        """Whether nothing but one word right above it calls it an example."""
        return self.lead.may_be_change and not self._is_example_elsewhere

    @property
    def may_be_abridged(self) -> bool:
        """Whether what speaks against it may be said of the lines that it leaves out."""
        return self.lead.may_be_of_rest and not self._is_example_elsewhere

    @property
    def _is_example_elsewhere(self) -> bool:
        """Whether other words than those right above it call it an example."""
        others = (self._introduction, self.section, self.heading)
        return _is_judged(self._below) or any(lead_of(each).is_example() for each in others)

    @property
    def tells_what_is(self) -> bool:
        """Whether it is called what a file has, or had, and may be what becomes of that."""
        return self.lead.tells_what_is or lead_of(self._introduction).tells_what_is

    def _said_above(self, named: tuple[Named, ...], inside: str) -> str:
        """Return the file that the line right above it names, and no more, rather than its first line.

        It calls the file new, or names the folders of what is `inside`, too.
        """
        path = named[0].path if len(named) == 1 else ""
        is_said = path in self.lead.above and (self.lead.is_certain or self.lead.is_label)
        return path if is_said and (self.lead.is_new or path.endswith(f"/{inside}")) else ""

    @property
    def words(self) -> str:
        """What the line above it says, with the place that only the line below it says."""
        return self.lead.with_place(self._below)

    @property
    def is_whole(self) -> bool:
        """Whether words call it all of its file, above a line that has no more than its path, too."""
        above = last_sentence(self._introduction) if self.how is Naming.ALONE else ""
        return self.lead.is_whole or lead_of(above).is_whole

    @property
    def _introduction(self) -> str:
        """The line above the one right above it, if it leads on with a colon."""
        before = self._around.bare(_line_above(self._around, self._nearest, self._lower_bound))[:1000]
        return before if before.endswith(":") and not fence_on(before) else ""

    @property
    def _below(self) -> str:
        """The line right below it; empty if there is none near."""
        end = self._fence.end
        return next(filter(None, map(self._around.bare, range(end, end + _NEAR))), "")[:1000]


def _may_have(path: str, suffix: str) -> bool:
    """Return whether a file may have code of a program, which is in files with a suffix."""
    return suffix not in _OWN_SUFFIXES.split() or not path.lower().endswith(_DATA)


def _only_removes(content: str) -> bool:
    """Return whether there are commands that remove files, and no others."""
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    return bool(lines) and all(map(_REMOVES.match, lines))


def _is_judged(below: str) -> bool:
    """Return whether the words below a fence judge its code as it is."""
    for sentence in readings(below):
        clause = Reading(tuple(takewhile(lambda word: not word.kinds & {"stop", "end"}, sentence.words)))
        is_of_now = clause.has("this gives") and clause.has("current")
        if clause.is_made_of("this thing fill is fine bad unneeded current") and (
            is_of_now or clause.has("fine bad unneeded")
        ):
            return True
    return False


def label_of(source: AnswerText, fence: Fence, lower_bound: int) -> FenceLabel:
    """Return what the text says of a fence; several formats ask for it."""
    return source.once(FenceLabel, fence, lower_bound)


def suffix_of(language: str) -> str:
    """Return the suffix of a file in the language that a fence is called by; empty if it is not known."""
    return _SUFFIXES.get(language, "")


def code_of(source: AnswerText, fence: Fence, without: int | None = None) -> str:
    """Return the content of a fence, without the fence's own indentation, from behind line `without` on."""
    first = 0 if without is None else without + 1
    while without is not None and first < fence.last and not source.bare(first):
        first += 1
    return "".join(lines_without_margin(source, fence, first))


def _path_in_first_line(source: AnswerText, fence: Fence) -> tuple[str, int | None]:
    """Return the path that the first line of a fence's content is, as a comment, and the line."""
    rows = range(fence.first + 1, min(fence.first + 3, fence.last))
    number = next((row for row in rows if source.bare(row)), None)
    words = source.bare(number) if number is not None else ""
    is_comment = words.startswith(_COMMENT_SIGNS) and not words.startswith(("#!", "#include"))
    path = path_alone(words) if is_comment and not fence.info.casefold().startswith(_PROSE) else ""
    # `# Changelog` and `# TODO` are no paths
    is_file = "." in path or "/" in path or path.casefold() == fence.language
    return (path, number) if names_a_source(path) and is_file else ("", None)


def _is_program(lines: Sequence[str]) -> bool:
    """Return whether branches of the shell are shown, or nothing but functions: nobody types these."""
    outer = [line.rstrip() for line in lines if line.strip() and not line[0].isspace()]
    heads = [line for line in outer if _FUNCTION.match(line)]
    others = [line for line in outer if line not in heads and line not in ("{", "}", ")")]
    is_only_functions = bool(heads) and all(line.startswith("#") for line in others)
    return is_only_functions or any(line.startswith(_BRANCHES) for line in others)


def _line_above(source: AnswerText, line: int, lower_bound: int) -> int:
    """Return the nearest line above that is not blank; a line past the end if there is none."""
    above = range(line - 1, max(lower_bound, line - _NEAR) - 1, -1)
    return next((number for number in above if source.bare(number)), len(source.lines))


def _marked(source: AnswerText) -> list[tuple[int, str]]:
    """Return the lines that may be headings or fences, each with its number."""
    lines = enumerate(source.lines)
    return [(number, line.strip()) for number, line in lines if line.lstrip().startswith(_MARKS)]


def _headings_above(marked: list[tuple[int, str]], line: int, lower_bound: int) -> tuple[str, str]:
    """Return the nearest heading above without a fence between, and the nearest that is not only a path."""
    lowest = max(lower_bound, line - _FAR)
    at = bisect_left(marked, (line,))
    nearest: str | None = None
    while at and marked[at - 1][0] >= lowest:
        at -= 1
        text = marked[at][1][:300]
        if text.startswith(("```", "~~~")):
            nearest = nearest or ""
        elif text.startswith("#") or (text.startswith("**") and text.rstrip(":").endswith("**")):
            nearest = text if nearest is None else nearest
            if not path_alone(text):
                return nearest, text
    return nearest or "", ""
