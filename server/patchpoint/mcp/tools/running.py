"""Run a tool, once what was cut short before is undone; one that writes is not broken off by a signal."""

from __future__ import annotations

import sys

from patchpoint.filesystem.state_home import unfinished_marks
from patchpoint.mcp.call import Call, Reply
from patchpoint.mcp.tools.table import Needs, Tool
from patchpoint.signals import unbroken


def run_tool(tool: Tool, call: Call, arguments: object) -> Reply:
    """Return the reply of a tool to these arguments. Raises what the tool raises."""
    if call.recovers and unfinished_marks():
        from patchpoint.workspace.unfinished import recover_unfinished

        for says in recover_unfinished():
            sys.stderr.write(f"patchpoint: {says}\n")
    if tool.needs is Needs.NOTHING:
        return tool.run(call, arguments)
    with unbroken():
        return tool.run(call, arguments)
