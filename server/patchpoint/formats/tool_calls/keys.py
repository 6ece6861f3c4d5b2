"""The keys and tool names that editing tools use, by what they mean.

All are written without case, underscores and hyphens, as `folded` makes them: `file_path` and `filePath`
are one. The lists are the union of what the known tools accept.
"""

from __future__ import annotations

from patchpoint.edit import Operation


def folded(key: str) -> str:
    """Return a key or tool name in the spelling of the lists here."""
    return key.replace("_", "").replace("-", "").replace(" ", "").casefold()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PATH = _words("""
path filepath targetfile file filename uri fileuri absolutepath relativepath notebookpath
targetnotebook
""")
OLD = _words("oldstring oldstr oldtext oldcontent oldcode search searchtext find original targetcontent old")
NEW = _words("""
newstring newstr newtext newcontent newcode replace replacement replacewith replacementcontent updated
""")
NEW_AS_WELL = _words("new modified content text insert")
"""Keys that hold the replacement only where there is a search text."""
CONTENT = _words("content filetext contents filecontent code text body newstr newtext newstring codecontent")
PARTIAL = _words("codeedit code")
"""A file in which parts may be left out."""
PATCH = _words("diff patch input patchtext")
NESTED = _words("edits replacements replacementchunks changes operations files modifications edit file")
CALLS = _words("""
toolcalls tooluses calls messages message choices candidates payload item parts part functioncall state action
update toolcall content output operation
""")
ARGUMENTS = _words("arguments input parameters params args toolinput actioninput kwargs")
TOOL = _words("name tool toolname recipientname functionname")
OPERATION = _words("operation command action op kind type mode")
PLAIN_OPERATION = _words("operation command")
"""Keys that name the operation even in an object that may be no call: JSON Patch has an `op` too."""
SOURCE = _words("oldpath source sourcepath from oldfilepath oldname")
DESTINATION = _words("newpath newfilepath destination destinationpath to newname moveto target")
LINE = _words("line startline linenumber linehint")
ALL = _words("replaceall allowmultiple allowmultiplematches allowmultipleoccurrences")
EXPLANATION = _words(
    "explanation description instruction instructions reason summary title recipient version"
)
OTHER = _words("""
before after insertline inserttext occurrence scope expectedreplacements function cmd id callid endline
overwrite emptyfile complexity toolaction toolsummary isartifact artifactmetadata targetlinterrorids
namepath namepathpattern cellid cellnumber cellidx isnewcell celllanguage celltype editmode edittype newsource
language pos end lines anchor startanchor endanchor setline replacelines insertafter delete rename range start
character documentchanges textdocument kind olduri newuri
needle repl
codemarkdownlanguage deleted displaydescription oldtext status filetype mimetype
""")

KNOWN = frozenset(
    PATH + OLD + NEW + NEW_AS_WELL + CONTENT + PARTIAL + PATCH + NESTED + CALLS + ARGUMENTS + TOOL
    + OPERATION + SOURCE + DESTINATION + LINE + ALL + EXPLANATION + OTHER
)  # fmt: skip
"""Every key that is understood, or that occurs in calls together with those."""

_REPLACING = _words("""
strreplace replace edit update multiedit editfile fileedit replaceinfile replacestringinfile
multireplacestringinfile searchandreplace searchreplace applydiff singlefindandreplace strreplaceeditor
strreplacebasededittool texteditor applypatch editexistingfile inserteditintofile findandreplace modify
updatefile replacefilecontent multireplacefilecontent strreplacefile
""")  # fmt: skip

OPERATIONS = {
    **dict.fromkeys(_words("create createfile newfile addfile add new createnewfile"), Operation.CREATE),
    **dict.fromkeys(_words("write writefile writetofile overwrite filewrite savefile"), Operation.WRITE),
    **dict.fromkeys(_words("delete deletefile remove removefile unlink"), Operation.DELETE),
    **dict.fromkeys(_words("rename renamefile move movefile mv"), Operation.RENAME),
    **dict.fromkeys(_words("insert insertline insertat insertcontent inserttext"), Operation.INSERT),
    **dict.fromkeys(_REPLACING, Operation.REPLACE),
}
"""The operation of each name of a tool, a command or an operation."""

PLACING = _words("""
replacesymbolbody insertbeforesymbol insertaftersymbol replacecontent notebookedit editnotebookfile
editnotebook
""")
"""Names of tools that name a place, or whose keys are their own."""

VIEWING = frozenset(_words("view read readfile undoedit undo open list ls listfiles grep"))
"""Names of tools and operations that change nothing."""


def tool_of(name: str) -> str:
    """Return the folded name of a tool, without the server or namespace in front of it."""
    return folded(name.rpartition(".")[2].rpartition("__")[2])
