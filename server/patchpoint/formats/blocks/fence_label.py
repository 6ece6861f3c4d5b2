"""What an answer says of a fence: the file that it is for, and what is called an example, whole, or new."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from patchpoint.formats.fences import FENCE, Fence
from patchpoint.formats.labels import Named, Naming, line_named, names_above, path_alone
from patchpoint.formats.path_forms import names_a_source, path_on_fence
from patchpoint.formats.source import AnswerText

_EXAMPLE = re.compile(
    r"\b(?:e\.g\.|examples?|for instance|usage|used? like|call(?:ed|s|ing)? (?:it|this)|output|"
    r"currently|original(?:ly)?|the old|existing code (?:is|was|looks)|was|previously|before(?! we| you)|"
    r"instead of|don't|do not|not like|wrong|tests? (?:it )?with|you (?:might|could) also|run (?:it|this))\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code something else than the change."""
_PRESENT = re.compile(
    r"\b(?:(?<!in )(?<!in your )(?<!in the )(?<!to your )(?<!to the )(?:current|existing)|present|previous|relevant|"
    r"(?:the|an?|this|your) (?:\w+ )?(?:problem|issue|bug|error|culprit)|(?:problem|issue|bug|error)s? (?:is|are|was|lies)|"
    r"buggy|broken|fails?|breaks?|crash(?:es)?|right now|at the moment|today|as (?:it|they) (?:is|are)|"
    r"for (?:reference|comparison|context)|(?:you|we|it|code|file) (?:already )?(?:have|has|had|wrote)|your code|"
    r"you(?:'re|’re| are) \w+ing|look(?:s|ing)? (?:at|like)|in question|there(?:'s|’s| is| are)|"
    r"(?:has|contains?)(?=\W*\Z)|(?:i|you|we)(?: can)? (?:found|find|see|saw|notice)|notice|no changes?|unchanged|"
    r"nothing (?:to|needs))\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code what the file has now, unless a change is spoken of as well."""
_REMEDY = re.compile(
    r"\b(?:fix(?:es|ing)?|solv(?:es?|ed|ing)|resolv(?:es?|ed|ing)|address(?:es|ed)?|avoid(?:s|ed|ing)?|"
    r"prevent(?:s|ed|ing)?|handl(?:es?|ed|ing)|correct(?:s|ly|ion)?|without|no longer|gone|instead|now|patch(?:ed)?|"
    r"so that|to make|make it|needs? to|should|must|let's|let’s|try|use|put|paste|insert|becomes?|to(?=\W*\Z))\b",
    re.IGNORECASE,
)
"""Said right above a fence, it speaks of what becomes of the code."""
_NO_REMEDY = re.compile(
    r"\b(?:no (?:\w+ )?changes?|nothing (?:to|needs).*|right now|(?:you|there) (?:now|should) (?:have|see|find|be))\b",
    re.IGNORECASE,
)
"""Has the words of a change, and says that there is none."""
_OLD = re.compile(
    r"\W*(?:find|search(?: for)?|old(?: code| version)?|from|look for|locate)\W*\Z", re.IGNORECASE
)
"""All that is said above a fence, it calls the code what is to be replaced."""
_CHANGE = re.compile(
    r"\b(?:change[sd]?|updated?|replace[sd]?|modif(?:y|ied)|fix(?:ed)?|new version|edit(?:ed)?|rewrite|"
    r"refactor\w*|after|add(?:ed)?)\b",
    re.IGNORECASE,
)
"""Said right above a fence, it calls the code the change after all."""
_BETTER = re.compile(
    r"\b(?:new|fixed|corrected|improved|revised|final|refactored|rewritten|better|simplified|simpler|faster|"
    r"safer|optimi[sz]ed|should be|use this|try this)\b",
    re.IGNORECASE,
)
"""Said right above a fence that is no example, it calls the code what is to be."""
_PATH = r"\(?[`*\[\"']*(?:[\w./@+-]*/)?[\w.@+-]*\.\w+"
_OF_FILE = (
    r"(?:(?:version|contents?|code|source|implementation|file)\s+)*"
    r"(?:(?:of|for|in|to|as)\s+)?(?:the\s+)?(?:file\s+)?"
)
_HANDED = re.compile(
    rf"\b(?:here(?:'s|’s| is)|below is|this is|the following is)\s+(?:how\s+|what\s+)?(?:(?:the|your|my)\s+)?"
    rf"{_OF_FILE}{_PATH}"
    rf"|\b(?:new|updated?|revised|modified|final|fixed|corrected|full|whole|complete|entire|improved|refactored|"
    rf"rewritten|latest)\s+{_OF_FILE}{_PATH}"
    rf"|{_PATH}[`*\]\"')]*\s+(?:should\s+(?:now\s+)?(?:look|be|read)|(?:now\s+)?looks?\s+like|becomes)\b",
    re.IGNORECASE,
)
"""Said with its path, it hands the file over, and does not only speak of it."""
_WHOLE = re.compile(
    r"\b(?:full|whole|entire|complete)\s+"
    r"(?:(?:updated|new|revised|modified|corrected|fixed|final|contents?|source|code|version|of|for|the|file)\s+){0,5}"
    r"(?:files?\b|contents?\b|[`*\[]+[^`*\s]+\.[^`*\s]+[`*\]]|[\w./@-]*/[\w.@-]+\.\w+)",
    re.IGNORECASE,
)
"""Calls a file whole, and not something in it: `the complete app.py`, `(full file)`."""
_NEW = re.compile(
    r"\b(?:new file|create[sd]?|creating|add (?:a|the|this|another) (?:new )?(?:file|module|script)|"
    r"make a (?:new )?file)\b",
    re.IGNORECASE,
)
_SAVE = re.compile(
    r"\b(?:save|put|store|write|place|paste|copy)\s+"
    r"(?:(?:it|this|that|these|the following|everything|all of it)\s+)?"
    r"(?:code\s+|content\s+)?(?:as|to|in|into|at|under)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\b(?:part|parts|partial|excerpt|snippet|section|relevant|example|not|instead of)\b|n't\b", re.IGNORECASE
)
_NAMES = re.compile(r"`[^`\n]*`|[\w./@-]*[\w-]/[\w./@-]+|[\w-]+\.\w+")
_CITATION = re.compile(r"\d+:\d+:")
_NO_LABEL = re.compile(r"\A(?:node|next|vue|react|express|three|d3|asp|vb)\.\w+\Z", re.IGNORECASE)
_DIFF = re.compile(r"(?:diff|patch|udiff)\b", re.IGNORECASE)
_OUTPUT = re.compile(r"(?:console|terminal|output|log|shell-session|mermaid|ascii|stdout)\b", re.IGNORECASE)
_COMMANDS = re.compile(r"(?:bash|sh|shell|zsh|fish|powershell|pwsh|ps1|cmd|bat)\b", re.IGNORECASE)
_TEXTS = re.compile(r"(?:text|txt|plaintext|json|markdown|md)\b", re.IGNORECASE)
_COMMAND_FILES = (".sh", ".bash", ".zsh", ".fish", ".ps1", ".cmd", ".bat", ".bashrc", ".zshrc", ".profile")
_COMMENT_SIGNS = ("#", "//", "/*", "<!--", "--", ";", "%")
_PROSE = ("md", "markdown", "mdx", "rst", "text", "txt", "plaintext")
_NEAR = 3
_FAR = 40

_OWN_SUFFIXES = "py js jsx ts tsx go rs java c cpp h hpp cs rb php kt swift scala lua"
_SUFFIXES = {
    "python": "py", "python3": "py", "javascript": "js", "mjs": "js", "node": "js", "typescript": "ts",
    "golang": "go", "rust": "rs", "c++": "cpp", "cc": "cpp", "csharp": "cs", "c#": "cs", "ruby": "rb",
    "kotlin": "kt",
    **{suffix: suffix for suffix in _OWN_SUFFIXES.split()},
}  # fmt: skip
"""By what a fence is called, the suffix of a file of its language."""


class FenceKind(Enum):
    """What the info string of a fence says that it holds."""

    CODE = "code"
    CITATION = "lines that are cited"
    DIFF = "a diff"
    OUTPUT = "what a program prints"
    COMMANDS = "commands"
    TEXT = "text or data"


@dataclass(frozen=True, slots=True, kw_only=True)
class FenceLabel:
    """What is said of one fence; `paths` are the files that are named for it, none or several if unclear."""

    kind: FenceKind
    language: str
    paths: tuple[str, ...]
    how: Naming | None
    """How its file is named, if it is one."""
    in_comment: int | None
    """The line of the fence that is a comment with its path."""
    line: int | None
    above: str
    """The sentence right above it."""
    heading: str
    """The heading that it is right under, without another fence between."""
    section: str
    """The nearest heading above that is not only a path."""

    @property
    def path(self) -> str:
        """Its file, if one is named."""
        return self.paths[0] if len(self.paths) == 1 else ""

    @property
    def is_example(self) -> bool:
        """Whether it is called something else than the change."""
        if _OLD.match(self.above):
            return True
        if _EXAMPLE.search(_without_paths(self.above)):
            return not _CHANGE.search(self.above)
        if _PRESENT.search(_without_paths(self.above)):
            spoken = _NO_REMEDY.sub(" ", self.above)
            return not (_CHANGE.search(spoken) or _BETTER.search(spoken) or _REMEDY.search(spoken))
        is_sample = bool(_EXAMPLE.search(_without_paths(self.section)))
        return is_sample and not _CHANGE.search(f"{self.above} {self.section}")

    @property
    def is_change(self) -> bool:
        """Whether it is called a change, or handed over as what a file is to be."""
        return bool(_CHANGE.search(self.above) or _BETTER.search(self.above) or self.is_handed_over)

    @property
    def is_handed_over(self) -> bool:
        """Whether its file is handed over in so many words."""
        handed = _HANDED.search(self.above) or _SAVE.search(self.above)
        return bool(handed) and not _PART.search(self.above)

    @property
    def is_whole(self) -> bool:
        """Whether it is called a whole file."""
        return bool(_WHOLE.search(self.above)) and not _PART.search(self.above)

    @property
    def is_new(self) -> bool:
        """Whether it is called a new file."""
        return bool(_NEW.search(self.above)) and not _PART.search(self.above)


def label_of(source: AnswerText, fence: Fence, lower_bound: int) -> FenceLabel:
    """Return what the text says of a fence, on its own line, in its first line and above it.

    Lines before `lower_bound` are not looked at.
    """
    opening = FENCE.match(source.lines[fence.first])
    info = opening[2] if opening else ""
    on_fence = "" if _NO_LABEL.search(info) else path_on_fence(info)
    if _CITATION.match(info):
        on_fence = ""
    is_prose = info.casefold().startswith(_PROSE)
    comment, commented = ("", None) if is_prose else _path_in_first_line(source, fence)
    named = names_above(source, fence.first, lower_bound, unquoted=True)
    above = source.bare(_line_above(source, fence.first, lower_bound))[:1000]
    if on_fence or comment:
        named = (Named(on_fence or comment, Naming.ON_FENCE),)
    only = named[0] if len(named) == 1 else None
    paths = tuple(each.path for each in named)
    line = only.line if only is not None else None
    return FenceLabel(
        kind=kind_of(info, only.path if only is not None else ""),
        language=(info.split() or [""])[0].strip("{}.").partition(":")[0].casefold(),
        paths=paths,
        how=only.how if only is not None else None,
        in_comment=commented,
        line=line if line is not None else line_named(above),
        above=above,
        heading=_heading_above(source, fence.first, lower_bound),
        section=_heading_above(source, fence.first, lower_bound, is_section=True),
    )


def suffix_of(language: str) -> str:
    """Return the suffix of a file in the language that a fence is called by; empty if it is not known."""
    return _SUFFIXES.get(language, "")


def kind_of(info: str, path: str = "") -> FenceKind:
    """Return what the info string of a fence says that it holds, if it is for the file at `path`."""
    if _CITATION.match(info):
        return FenceKind.CITATION
    if _DIFF.match(info):
        return FenceKind.CODE if path.casefold().endswith((".diff", ".patch")) else FenceKind.DIFF
    if _OUTPUT.match(info):
        return FenceKind.OUTPUT
    if _COMMANDS.match(info):
        return FenceKind.CODE if path.casefold().endswith(_COMMAND_FILES) else FenceKind.COMMANDS
    return FenceKind.TEXT if _TEXTS.match(info) else FenceKind.CODE


def code_of(source: AnswerText, fence: Fence, without: int | None = None) -> str:
    """Return the content of a fence, without the fence's own indentation, from behind line `without` on."""
    opening = source.lines[fence.first]
    indentation = opening[: len(opening) - len(opening.lstrip(" \t"))]
    first = fence.first + 1
    if without is not None:
        first = without + 1
        while first < fence.last and not source.bare(first):
            first += 1
    lines = source.lines[first : fence.last]
    if indentation and all(line.startswith(indentation) for line in lines if line.strip()):
        return "".join(line.removeprefix(indentation) for line in lines)
    return "".join(lines)


def _without_paths(text: str) -> str:
    """Return a sentence without what it has in backquotes, and without its paths."""
    return _NAMES.sub(" ", text)


def _path_in_first_line(source: AnswerText, fence: Fence) -> tuple[str, int | None]:
    """Return the path that the first line of a fence's content is, as a comment, and the line."""
    for number in range(fence.first + 1, min(fence.first + 3, fence.last)):
        words = source.bare(number)
        if words:
            is_comment = words.startswith(_COMMENT_SIGNS) and not words.startswith(("#!", "#include"))
            path = path_alone(words) if is_comment else ""
            # `# Changelog` and `# TODO` are no paths
            return (path, number) if names_a_source(path) and "." in path else ("", None)
    return "", None


def _line_above(source: AnswerText, line: int, lower_bound: int) -> int:
    """Return the nearest line above that is not blank; a line past the end if there is none."""
    above = range(line - 1, max(lower_bound, line - _NEAR) - 1, -1)
    return next((number for number in above if source.bare(number)), len(source.lines))


def _heading_above(source: AnswerText, line: int, lower_bound: int, *, is_section: bool = False) -> str:
    """Return the nearest heading above without a fence between, or the nearest of a section."""
    for number in range(line - 1, max(lower_bound, line - _FAR) - 1, -1):
        text = source.bare(number)
        if FENCE.match(text) and not is_section:
            return ""
        is_heading = text.startswith("#") or (text.startswith("**") and text.rstrip(":").endswith("**"))
        if is_heading and not (is_section and path_alone(text)):
            return text[:300]
    return ""
