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

_TABLE = """
# Agent Client Protocol
type=diff deleted=true|1|yes -> delete content=old_text
old_path path asks=rename !DESTINATION -> rename path=old_path new_path!=path

# Serena
SYMBOL tool=replace_symbol_body -> place definition instead name=SYMBOL replace!=body sure
SYMBOL tool=insert_before_symbol -> place definition before name=SYMBOL replace!=body sure
SYMBOL tool=insert_after_symbol -> place definition after name=SYMBOL replace!=body sure
name_path tool=rename_symbol|safe_delete_symbol -> refused=EVERYWHERE
SYMBOL body called -> refused=UNKNOWN_SYMBOL
needle repl mode=literal -> replace search=needle replace=repl replace_all=ALL sure
needle repl -> refused=NO_TEXT sure

# notebooks: Cursor; then Claude Code and Copilot, whose number is that of a new cell, or none for the first
is_new_cell=true|1|yes -> place cell before name=cell_idx replace!=new_string cell_type=cell_language sure
MODE=delete -> place cell deleted name!=CELL sure
MODE=insert cell_id=top -> place cell before replace!=CODE cell_type=CELL_TYPE sure
MODE=insert cell_id=bottom -> place cell after replace!=CODE cell_type=CELL_TYPE sure
MODE=insert !cell_id -> place cell before name=CELL replace!=CODE cell_type=CELL_TYPE sure
MODE=insert -> place cell after name=CELL replace!=CODE cell_type=CELL_TYPE sure
new_source|MODE MODE=|replace|edit -> place cell instead name!=CELL replace!=CODE cell_type=cell_type sure
new_source|MODE -> refused=NO_MODE

# hashline
set_line -> place lines instead name=anchor replace=LINES inside=set_line sure
replace_lines -> place lines instead name=start_anchor last=end_anchor replace=LINES inside=replace_lines sure
insert_after -> place lines after name=anchor replace=LINES inside=insert_after sure
lines op=replace -> place lines instead name=pos last=end replace=lines sure
lines op=append -> place lines after name=pos replace=lines sure
lines op=prepend -> place lines before name=pos replace=lines sure
lines op=append !pos|end -> insert replace=lines at_end
lines op=prepend !pos|end -> insert replace=lines at_top
lines op=append|prepend|replace -> refused=NO_TAG

# Kimi
mode=append asks=write -> insert replace!=CONTENT at_end as_it_is

# all
asks=delete -> delete
asks=rename -> rename path=SOURCE new_path!=DESTINATION

# what is around the place, or what was there before
before after MIDDLE -> between before=before after=after replace=MIDDLE
before after called -> replace search!=before replace!=AFTER HINTS sure

# Roo, then Cline, then Anthropic
asks=insert tool=insert_content line=0 !OLD -> insert replace=INSERTED at_end
asks=insert tool=insert_content !OLD -> insert replace!=INSERTED line!=AT_LINE counts=-1
asks=insert new_text !OLD -> insert replace!=INSERTED line!=AT_LINE counts=-1
asks=insert !OLD -> insert replace!=INSERTED line!=AT_LINE

# a position, for example of the Language Server Protocol; then the Agent Client Protocol
asks=replace before|after|modified !OLD !NEW -> replace search!=before replace!=AFTER HINTS
asks=-|replace FIRST LAST TEXT !OLD -> refused=UNQUOTED
asks=-|replace lines|line_range|line_numbers TEXT called !OLD -> refused=UNQUOTED
asks=-|replace NEW end_line|range !OLD -> refused=UNQUOTED
asks=-|replace new_text !OLD -> create content=new_text

# all
OLD -> replace search!=OLD replace!=NEW|NEW_AS_WELL HINTS
asks=replace NEW -> replace search!=OLD replace!=NEW|NEW_AS_WELL HINTS

# Cursor, Morph, Copilot, Continue
code_edit -> merge replace!=PARTIAL|CONTENT
tool=insert_edit_into_file|edit_existing_file -> merge replace!=PARTIAL|CONTENT

# all; without overwriting; Anthropic; a path and its content
asks=create -> create content!=CONTENT sure
asks=write overwrite=false -> create content!=CONTENT sure
asks=write -> write content!=CONTENT sure
file_text -> create content!=CONTENT sure
asks=- content called -> write content!=CONTENT

# what is no edit without more
operation=copy called -> refused=COPY
operation=modify called !PATCH -> refused=NO_PATCH
"""
"""The dialects; of those that an object fits, the first counts. Keys and values are in any spelling.

An object fits what is before the arrow: `key|other` it has one of these keys, `!key|other` none of them or
nothing below it, `key=value|other` one of these values (none before the sign: or no value), `tool=name` the
name of its tool ends so, `asks=insert` its tool or command is for this operation (`-`: for none), `called` it
is known to be a call. Words in capitals are lists of `keys.py`.

Behind the arrow are the operation, the kind of place that is named and where the text goes, and the fields of
the edit or of its target, each with the keys that have it, of which the first counts; with `!=` one must be
there. `counts=-1` is what to add to its number of a line, behind which the text goes; `inside=key` the
arguments are those of the object below it; `sure` its keys are its own: where something is missing, it is a
call all the same; `as_it_is` no line ending is added to the text; `refused=WHY` it is no edit.
"""

REFUSED = {
    "UNQUOTED": (
        "the place is only named by numbers, and nothing shows that the text meant is still there; a search "
        "text ('oldText') was expected"
    ),
    "COPY": "copying a file is not understood; the whole new file was expected",
    "NO_PATCH": "nothing says how to modify the file; a 'patch' was expected",
    "EVERYWHERE": "a language server is needed to rename or delete a symbol everywhere; edits were expected",
    "UNKNOWN_SYMBOL": (
        "nothing says what the text is to the symbol; a call of 'replace_symbol_body', "
        "'insert_before_symbol' or 'insert_after_symbol' was expected"
    ),
    "NO_TEXT": "a regular expression is not looked for; the text itself was expected",
    "NO_MODE": "that is no way to edit a cell; replace, insert or delete was expected",
    "NO_TAG": "the tag of a line ('pos') was expected, such as 12#KT",
}
_HINTS = "replace_all=ALL occurrence=occurrence line=LINE scope=scope expected=expected_replacements"


@dataclass(slots=True)
class Dialect:
    """How one tool asks for one kind of edit: a row of the table, as `call.py` asks for it."""

    has: list[frozenset[str]] = field(default_factory=list)
    """Groups of keys, of each of which an object must have one."""
    lacks: Keys = ()
    values: list[tuple[Keys, Keys]] = field(default_factory=list)
    makes: Operation = Operation.PLACE
    kind: TargetKind | None = None
    side: Side = Side.INSTEAD
    keys: dict[str, Keys] = field(default_factory=dict)
    needed: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    """What else the row says."""

    @classmethod
    def of(cls, text: str) -> Dialect:
        """Return what a row of the table says in words."""
        row = cls()
        when, _, makes = text.replace("HINTS", _HINTS).partition(" -> ")
        for word in when.split():
            name, sign, value = word.partition("=")
            if name in ("tool", "asks", "called"):
                row.words[name] = value
            elif sign:
                row.values.append((_keys_in(name), _keys_in(value)))
            elif name.startswith("!"):
                row.lacks += _keys_in(name[1:])
            else:
                row.has.append(frozenset(_keys_in(name)))
        for word in makes.split():
            name, sign, value = word.partition("=")
            if not sign and name in list(Operation):
                row.makes = Operation(name)
            elif not sign and name in list(TargetKind):
                row.kind = TargetKind(name)
            elif not sign and name in list(Side):
                row.side = Side(name)
            elif not sign or name in ("refused", "counts", "inside"):
                row.words[name] = value
            else:
                row.keys[name.rstrip("!")] = _keys_in(value)
                row.needed += [name[:-1]] if name.endswith("!") else []
        return row

    def fits(self, fields: Mapping[str, Any], operation: str, tool: str, *, is_call: bool) -> bool:
        """Return whether an object may be of this dialect, given what else is known of it."""
        words = self.words
        return (
            ("asks" not in words or operation in words["asks"].split("|"))
            and ("tool" not in words or tool.endswith(_keys_in(words["tool"])))
            and ("called" not in words or is_call)
            and not any(group.isdisjoint(fields) for group in self.has)
            and all(_value_of(fields, names) in values for names, values in self.values)
            and all(fields.get(key) in (None, "") for key in self.lacks)
        )


def _value_of(fields: Mapping[str, Any], names: Keys) -> str:
    value = next((fields[name] for name in names if name in fields), "")
    return folded(str(value)) if isinstance(value, (str, int)) else ""


def _keys_in(words: str) -> Keys:
    """Return keys and lists of keys, each as it is compared."""
    named = (getattr(keys, word) if word.isupper() else (folded(word),) for word in words.split("|"))
    return tuple(key for each in named for key in each)


DIALECTS = tuple(Dialect.of(line) for line in _TABLE.splitlines() if " -> " in line)
"""Every dialect; of those that an object fits, the first."""
TOOLS = (
    *(tool for row in DIALECTS if "tool" in row.words for tool in _keys_in(row.words["tool"])),
    *("replacecontent", "notebookedit", "editnotebookfile", "editnotebook"),
)
"""What the names of tools end with that are named in a row, or whose calls are known by their keys."""
KNOWN = keys.KNOWN.union(
    *(group for row in DIALECTS for group in row.has),
    *(names for row in DIALECTS for names, _ in row.values),
    *(names for row in DIALECTS for names in row.keys.values()),
)
"""Every key that is understood, or that occurs in calls together with those."""


def is_tool(name: str) -> bool:
    """Return whether a tool of this name edits files."""
    tool = keys.tool_of(name)
    return tool in keys.OPERATIONS or tool.endswith(TOOLS)
