"""The keys and tool names that editing tools use, by what they mean.

All are written without case, underscores and hyphens, as `folded` makes them: `file_path` and `filePath`
are one. The lists are the union of what the known tools accept.
"""

from __future__ import annotations

from patchpoint.edit import Operation
from patchpoint.formats.spelling import folded, words_of

PATH = words_of("""
path filepath targetfile file filename uri fileuri absolutepath relativepath notebookpath
targetnotebook
""")
OLD = words_of(
    "oldstring oldstr oldtext oldcontent oldcode search searchtext find original targetcontent old"
)
NEW = words_of("""
newstring newstr newtext newcontent newcode replace replacement replacewith replacementcontent updated
""")
NEW_AS_WELL = words_of("new modified content text insert")
"""Keys that hold the replacement only where there is a search text."""
CONTENT = words_of(
    "content filetext contents filecontent code text body newstr newtext newstring codecontent"
)
PARTIAL = words_of("codeedit code")
"""A file in which parts may be left out."""
PATCH = words_of("diff patch input patchtext")
NESTED = words_of("""
edits replacements replacementchunks changes documentchanges operations files modifications edit file
""")
CALLS = words_of("""
toolcalls tooluses calls messages message choices candidates payload item parts part functioncall state action
update toolcall content output operation
""")
ARGUMENTS = words_of("arguments input parameters params args toolinput actioninput kwargs")
TOOL = words_of("name tool toolname recipientname functionname")
OPERATION = words_of("operation command action op kind type mode")
PLAIN_OPERATION = words_of("operation command")
"""Keys that name the operation even in an object that may be no call: JSON Patch has an `op` too."""
SOURCE = words_of("oldpath source sourcepath from oldfilepath oldname olduri")
DESTINATION = words_of("newpath newfilepath destination destinationpath to newname moveto target newuri")
LINE = words_of("line startline linenumber linehint")
ALL = words_of("replaceall allowmultiple allowmultiplematches allowmultipleoccurrences")
EXPLANATION = words_of(
    "explanation description instruction instructions reason summary title recipient version"
)
OTHER = words_of("""
function cmd id callid emptyfile complexity toolaction toolsummary isartifact artifactmetadata
targetlinterrorids delete rename start character textdocument
codemarkdownlanguage deleted displaydescription status filetype mimetype
""")
"""Keys that occur in calls, and that no row of a dialect has."""

KNOWN = frozenset(
    PATH + OLD + NEW + NEW_AS_WELL + CONTENT + PARTIAL + PATCH + NESTED + CALLS + ARGUMENTS + TOOL
    + OPERATION + SOURCE + DESTINATION + LINE + ALL + EXPLANATION + OTHER
)  # fmt: skip
"""Every key that is understood whatever the dialect, or that occurs in calls together with those."""

_REPLACING = words_of("""
strreplace replace edit update multiedit editfile fileedit replaceinfile replacestringinfile
multireplacestringinfile searchandreplace searchreplace applydiff singlefindandreplace strreplaceeditor
strreplacebasededittool texteditor applypatch editexistingfile inserteditintofile findandreplace modify
updatefile replacefilecontent multireplacefilecontent strreplacefile
""")  # fmt: skip

OPERATIONS = {
    **dict.fromkeys(words_of("create createfile newfile addfile add new createnewfile"), Operation.CREATE),
    **dict.fromkeys(words_of("write writefile writetofile overwrite filewrite savefile"), Operation.WRITE),
    **dict.fromkeys(words_of("delete deletefile remove removefile unlink"), Operation.DELETE),
    **dict.fromkeys(words_of("rename renamefile move movefile mv"), Operation.RENAME),
    **dict.fromkeys(words_of("insert insertline insertat insertcontent inserttext"), Operation.INSERT),
    **dict.fromkeys(_REPLACING, Operation.REPLACE),
}
"""The operation of each name of a tool, a command or an operation."""

MODE = words_of("editmode edittype")
CELL = words_of("cellid cellnumber")
CODE = words_of("newsource newcode")
CELL_TYPE = words_of("celltype language")
SYMBOL = words_of("namepath namepathpattern")
LINES = words_of("newtext text lines")
AFTER = words_of("after modified")
MIDDLE = ("modified", *NEW, *words_of("new content text insert"))
INSERTED = ("inserttext", *NEW, *words_of("content text new"))
AT_LINE = words_of("insertline line linenumber")
FIRST = words_of("startline firstline fromline linestart")
LAST = words_of("endline lastline toline lineend")
TEXT = (*NEW, *CONTENT)

VIEWING = frozenset(words_of("view read readfile undoedit undo open list ls listfiles grep"))
"""Names of tools and operations that change nothing."""

CHANGING = frozenset(words_of("""
oldstr oldstring oldtext oldcontent oldcode oldsource newstr newstring newtext newcontent newcode newsource
replacement replacements replace filetext insertline needle targetcontent replacementcontent codecontent
replacementchunks namepath cellid pos edits edit patch diff patchtext
"""))  # fmt: skip
"""Keys that show a change even where the JSON is broken."""
PRINTED = frozenset(words_of("documentchanges payload functioncall sessionupdate jsonrpc callid"))
"""Keys of what no model writes: where such JSON is broken, it is cut off."""


def tool_of(name: str) -> str:
    """Return the folded name of a tool, without the server or namespace in front of it."""
    return folded(name.rpartition(".")[2].rpartition("__")[2])
