"""Which tools change no file, and which change the files that they name and no other."""

from __future__ import annotations

READERS = {
    "askuser", "askuserquestion", "bashoutput", "codesearch", "exitplanmode", "fetch", "find", "glob",
    "googlewebsearch", "grep", "grepsearch", "killshell", "list", "listdir", "listdirectory", "ls", "lsp",
    "open", "planexit", "question", "read", "readfile", "readlints", "readmanyfiles", "ripgrep",
    "savememory", "search", "searchfilecontent", "semanticsearch", "skill", "task", "taskoutput", "think",
    "todoread", "todowrite", "toolsearch", "updateplan", "view", "viewimage", "webfetch", "websearch",
    "writetodos",
}  # fmt: skip
"""Tools that change no file of the project; those of a subagent call the hook themselves."""

WRITERS = {
    "applypatch", "create", "createfile", "delete", "deletefile", "edit", "editfile", "editnotebook",
    "inserteditintofile", "multiedit", "multireplacestringinfile", "notebookedit", "patch", "replace",
    "replaceinfile", "replacestringinfile", "searchreplace", "strreplace", "strreplacebasededittool",
    "strreplaceeditor", "write", "writefile", "writetofile",
}  # fmt: skip
"""Tools that change the files they name, and no other."""

DELETERS = {"delete", "deletefile"}
"""Those of them that delete what they name."""

CLAUDE_STEPS = ("Bash", "Edit", "MultiEdit", "Write", "NotebookEdit")
"""The tools of Claude Code for which hooks are set up."""
