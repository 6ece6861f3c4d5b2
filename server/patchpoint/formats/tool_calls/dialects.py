"""The dialects of editing tools, one row each: what shows it, what it calls its arguments, how it counts.

`call.py` reads all of them in one way. A new dialect is a row here and an example in `tests/data/formats`; a
mere new spelling is a word in `keys.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import Operation, Side, TargetKind
from patchpoint.formats.spelling import folded
from patchpoint.formats.tool_calls import keys

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one tool asks for one kind of edit. The first row that an object fits is the one that counts."""

    of: str
    """The product, or what its calls have in common."""
    when: str
    """What an object has to be, separated by spaces; keys and values are in any spelling.

    `key|other` it has one of these keys, `!key|other` none of them or nothing below it, `key=value|other` one
    of these values (none before the sign: or no value), `tool=name` the name of its tool ends so,
    `asks=insert` its tool or command is for this operation (`-`: for none), `called` it is known to be a
    call. Words in capitals are lists of `keys.py`."""
    makes: Operation
    keys: str = ""
    """The fields of the edit, or of its target, each with the keys that have it: `replace=new_source|code`.
    Of several that are there, the first counts."""
    needed: Mapping[str, str] = field(default_factory=dict)
    """The fields that must be there, and what to call them."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Fields that every edit of this kind has."""
    counts: int = 0
    """What to add to its number of a line, behind which the text goes."""
    at: tuple[TargetKind, Side] | None = None
    """The kind of place that it names, and where its text goes."""
    inside: str = ""
    """The arguments are those of the object below this key."""
    is_sure: bool = False
    """Its keys are its own: where something is missing, it is a call all the same."""
    refused: str = ""
    """Why it is no edit."""


UNQUOTED = (
    "the place is a line and a column, and nothing shows that the text meant is still there; a search text "
    "('oldText') was expected"
)
_NO_SYMBOL = "a language server is needed to rename or delete a symbol everywhere; edits were expected"
_UNKNOWN_SYMBOL = (
    "nothing says what the text is to the symbol; a call of 'replace_symbol_body', 'insert_before_symbol' or "
    "'insert_after_symbol' was expected"
)
_NO_TEXT = "a regular expression is not looked for; the text itself was expected"
_NO_MODE = "that is no way to edit a cell; replace, insert or delete was expected"
_NO_TAG = "the tag of a line ('pos') was expected, such as 12#KT"

_BODY = {"replace": "the new text ('body')"}
_SOURCE = {"replace": "the source of the cell ('new_source')"}
_CELL = {"name": "the cell ('cell_id')"}
_INSERTED = {"replace": "the text to insert ('new_str')"}
_LINE = {"line": "the line to insert after ('insert_line', a number from 0)"}
_QUOTED = {"search": "the text to search for ('old_string')", "replace": "the replacement ('new_string')"}
_CONTENT = {"content": "the file's content ('content')"}
_PART = {"replace": "the code ('code_edit')"}

_IN_CELL = "replace=new_source|new_code cell_type=cell_type|language"
_TEXT = "replace=insert_text|NEW|content|text|new"
_AT_LINE = f"{_TEXT} line=insert_line|line|line_number"
_HINTS = "replace_all=ALL occurrence=occurrence line=LINE scope=scope expected=expected_replacements"
_OLD_NEW = f"search=OLD replace=NEW|NEW_AS_WELL {_HINTS}"
_BEFORE_AFTER = f"search=before replace=after|modified {_HINTS}"
_MIDDLE = "modified|NEW|new|content|text|insert"

_PLACE, _INSERT, _REPLACE = Operation.PLACE, Operation.INSERT, Operation.REPLACE
_CREATE, _WRITE, _MERGE = Operation.CREATE, Operation.WRITE, Operation.MERGE
_SYMBOL, _LINES = TargetKind.DEFINITION, TargetKind.LINES
_AT = {side: (TargetKind.CELL, side) for side in Side}


def _symbol(tool: str, side: Side) -> Dialect:
    """Return the row of one of Serena's tools."""
    name = "name_path|name_path_pattern"
    keys = f"name={name} replace=body"
    return Dialect("Serena", f"{name} tool={tool}", _PLACE, keys, _BODY, at=(_SYMBOL, side), is_sure=True)


def _cell(when: str, side: Side, keys: str = _IN_CELL, needed: Mapping[str, str] = _SOURCE) -> Dialect:
    """Return the row of one way to edit a cell."""
    return Dialect("notebooks", when, _PLACE, keys, needed, at=_AT[side], is_sure=True)


def _tagged(when: str, side: Side, keys: str, inside: str = "") -> Dialect:
    """Return the row of one operation of hashline editing."""
    return Dialect("hashline", when, _PLACE, keys, at=(_LINES, side), inside=inside, is_sure=True)


DIALECTS = (
    _symbol("replace_symbol_body", Side.INSTEAD),
    _symbol("insert_before_symbol", Side.BEFORE),
    _symbol("insert_after_symbol", Side.AFTER),
    Dialect("Serena", "name_path tool=rename_symbol|safe_delete_symbol", _PLACE, refused=_NO_SYMBOL),
    Dialect("Serena", "name_path|name_path_pattern body called", _PLACE, refused=_UNKNOWN_SYMBOL),
    Dialect(
        "Serena",
        "needle repl mode=literal",
        _REPLACE,
        "search=needle replace=repl replace_all=ALL",
        is_sure=True,
    ),
    Dialect("Serena", "needle repl", _REPLACE, is_sure=True, refused=_NO_TEXT),
    # Cursor
    _cell(
        "is_new_cell=true|1|yes",
        Side.BEFORE,
        "name=cell_idx replace=new_string cell_type=cell_language",
    ),
    # Claude Code and Copilot; the number is that of a new cell, and without one it is the first
    _cell("MODE=delete", Side.DELETED, "name=CELL", _CELL),
    _cell("MODE=insert cell_id=top", Side.BEFORE),
    _cell("MODE=insert cell_id=bottom", Side.AFTER),
    _cell("MODE=insert !cell_id", Side.BEFORE, f"name=CELL {_IN_CELL}"),
    _cell("MODE=insert", Side.AFTER, f"name=CELL {_IN_CELL}"),
    _cell(
        "new_source|MODE MODE=|replace|edit",
        Side.INSTEAD,
        "name=CELL replace=new_source|new_code cell_type=cell_type",
        {**_CELL, **_SOURCE},
    ),
    Dialect("notebooks", "new_source|MODE", _PLACE, refused=_NO_MODE),
    _tagged("set_line", Side.INSTEAD, "name=anchor replace=new_text|text|lines", "setline"),
    _tagged(
        "replace_lines",
        Side.INSTEAD,
        "name=start_anchor last=end_anchor replace=new_text|text|lines",
        "replacelines",
    ),
    _tagged("insert_after", Side.AFTER, "name=anchor replace=new_text|text|lines", "insertafter"),
    _tagged("lines op=replace", Side.INSTEAD, "name=pos last=end replace=lines"),
    _tagged("lines op=append", Side.AFTER, "name=pos replace=lines"),
    _tagged("lines op=prepend", Side.BEFORE, "name=pos replace=lines"),
    Dialect("hashline", "lines op=append !pos|end", _INSERT, "replace=lines", fixed={"at_end": True}),
    Dialect("hashline", "lines op=prepend !pos|end", _INSERT, "replace=lines", fixed={"line": 0}),
    Dialect("hashline", "lines op=append|prepend|replace", _PLACE, refused=_NO_TAG),
    Dialect(
        "Kimi",
        "mode=append asks=write",
        _INSERT,
        "replace=CONTENT",
        {"replace": "the text to append ('content')"},
        {"at_end": True},
    ),
    Dialect("all", "asks=delete", Operation.DELETE),
    Dialect(
        "all",
        "asks=rename",
        Operation.RENAME,
        "path=SOURCE new_path=DESTINATION",
        {"new_path": "the new path ('newPath')"},
    ),
    Dialect(
        "anchors",
        f"before after {_MIDDLE}",
        Operation.BETWEEN,
        f"before=before after=after replace={_MIDDLE}",
    ),
    Dialect("before and after", "before after called", _REPLACE, _BEFORE_AFTER, _QUOTED, is_sure=True),
    Dialect("Roo", "asks=insert tool=insert_content line=0 !OLD", _INSERT, _TEXT, fixed={"at_end": True}),
    Dialect(
        "Roo",
        "asks=insert tool=insert_content !OLD",
        _INSERT,
        _AT_LINE,
        {**_INSERTED, **_LINE},
        counts=-1,
    ),
    Dialect("Cline", "asks=insert new_text !OLD", _INSERT, _AT_LINE, {**_INSERTED, **_LINE}, counts=-1),
    Dialect("Anthropic", "asks=insert !OLD", _INSERT, _AT_LINE, {**_INSERTED, **_LINE}),
    Dialect(
        "before and after",
        "asks=replace before|after|modified !OLD !NEW",
        _REPLACE,
        _BEFORE_AFTER,
        _QUOTED,
    ),
    Dialect("a position", "asks=-|replace NEW end_line|range !OLD", _REPLACE, refused=UNQUOTED),
    Dialect("Agent Client Protocol", "asks=-|replace new_text !OLD", _CREATE, "content=new_text"),
    Dialect("all", "OLD", _REPLACE, _OLD_NEW, _QUOTED),
    Dialect("all", "asks=replace NEW", _REPLACE, _OLD_NEW, _QUOTED),
    Dialect("Cursor, Morph", "code_edit", _MERGE, "replace=PARTIAL|CONTENT", _PART),
    Dialect(
        "Copilot, Continue",
        "tool=insert_edit_into_file|edit_existing_file",
        _MERGE,
        "replace=PARTIAL|CONTENT",
        _PART,
    ),
    Dialect("all", "asks=create", _CREATE, "content=CONTENT", _CONTENT, is_sure=True),
    Dialect(
        "no file is overwritten",
        "asks=write overwrite=false",
        _CREATE,
        "content=CONTENT",
        _CONTENT,
        is_sure=True,
    ),
    Dialect("all", "asks=write", _WRITE, "content=CONTENT", _CONTENT, is_sure=True),
    Dialect("Anthropic", "file_text", _CREATE, "content=CONTENT", _CONTENT, is_sure=True),
    Dialect("a path and its content", "asks=- content called", _WRITE, "content=CONTENT", _CONTENT),
)
"""Every dialect; of those that an object fits, the first."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A row's `when`, and its `keys`, as `call.py` asks them."""

    has: tuple[frozenset[str], ...] = ()
    lacks: Keys = ()
    values: tuple[tuple[Keys, Keys], ...] = ()
    tools: Keys = ()
    asks: tuple[Operation | None, ...] = ()
    is_called: bool = False
    keys: Mapping[str, Keys] = field(default_factory=dict)
    spelled: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The same keys, to ask quickly whether one of them is there."""


def condition_of(row: Dialect) -> Condition:
    """Return what a row says in words."""
    has: list[frozenset[str]] = []
    lacks: Keys = ()
    values: list[tuple[Keys, Keys]] = []
    tools: Keys = ()
    asks: tuple[Operation | None, ...] = ()
    for word in row.when.split():
        name, sign, value = word.partition("=")
        if name == "tool":
            tools = _keys_in(value)
        elif name == "asks":
            asks = tuple(None if one == "-" else Operation(one) for one in value.split("|"))
        elif sign:
            values.append((_keys_in(name), tuple(map(folded, value.split("|")))))
        elif name.startswith("!"):
            lacks += _keys_in(name[1:])
        elif name != "called":
            has.append(frozenset(_keys_in(name)))
    read = {name: _keys_in(names) for name, _, names in (word.partition("=") for word in row.keys.split())}
    spelled = {name: frozenset(each) for name, each in read.items()}
    is_called = "called" in row.when.split()
    return Condition(tuple(has), lacks, tuple(values), tools, asks, is_called, read, spelled)


def _keys_in(words: str) -> Keys:
    """Return keys and lists of keys, each as it is compared."""
    named = (getattr(keys, word) if word.isupper() else (folded(word),) for word in words.split("|"))
    return tuple(key for each in named for key in each)


CONDITIONS = tuple(map(condition_of, DIALECTS))
TOOLS = (
    *(tool for condition in CONDITIONS for tool in condition.tools),
    *("replacecontent", "notebookedit", "editnotebookfile", "editnotebook"),
)
"""What the names of tools end with that are named in a row, or whose calls are known by their keys."""
KNOWN = keys.KNOWN.union(
    *(group for condition in CONDITIONS for group in condition.has),
    *(names for condition in CONDITIONS for names, _ in condition.values),
    *(names for condition in CONDITIONS for names in condition.keys.values()),
)
"""Every key that is understood, or that occurs in calls together with those."""


def is_tool(name: str) -> bool:
    """Return whether a tool of this name edits files."""
    tool = keys.tool_of(name)
    return tool in keys.OPERATIONS or tool.endswith(TOOLS)
