"""An agent accepts what was proposed by its id, and does not send the edit again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints.store import CheckpointStore
from patchpoint.mcp.call import Call, Reply, ToolError
from patchpoint.mcp.tools.results import EditsDone, Proposed
from patchpoint.mcp.tools.table import tools_allowed
from patchpoint.outcome import Status
from tests.uncertain_edit import FORGETFUL, ORDER

BLOCK = f"order.py\n<<<<<<< SEARCH\n{FORGETFUL}=======\n{FORGETFUL}    remarks: str\n>>>>>>> REPLACE\n"


def run(folder: Path, tool: str, **arguments: Any) -> Reply:
    found = tools_allowed(read_only=False, allow_restore=True)[tool]
    return found.run(Call(roots=(folder,)), found.decoded(arguments))


@pytest.fixture
def order(project: Path) -> Path:
    path = project / "order.py"
    path.write_text(ORDER)
    return path


def proposed(reply: Reply) -> Proposed:
    assert isinstance(reply.data, EditsDone)
    (edit,) = reply.data.edits
    assert edit.status is Status.PROPOSED
    assert edit.proposal is not None
    return edit.proposal


@pytest.mark.parametrize("tool", ["preview_edits", "apply_edits"])
def test_what_is_proposed_is_made_once_its_id_is_accepted(project: Path, order: Path, tool: str) -> None:
    reply = run(project, tool, text=BLOCK)
    proposal = proposed(reply)
    assert reply.is_error
    assert proposal.id in reply.text
    assert "+    remarks: str" in reply.text
    assert order.read_text() == ORDER
    before = len(CheckpointStore.open(project).list())
    done = run(project, "accept_proposals", ids=[proposal.id])
    assert not done.is_error, done.text
    assert order.read_text() == f"{ORDER}    remarks: str\n"
    assert len(CheckpointStore.open(project).list()) == before + 1
    assert isinstance(done.data, EditsDone)
    assert done.data.application is not None
    run(project, "revert_edits", application=done.data.application)
    assert order.read_text() == ORDER


def test_an_id_whose_file_has_changed_since_is_refused(project: Path, order: Path) -> None:
    stale = proposed(run(project, "apply_edits", text=BLOCK)).id
    order.write_text(f"# Ours.\n{ORDER}")
    with pytest.raises(ToolError, match=stale) as refused:
        run(project, "accept_proposals", ids=[stale])
    assert refused.value.code == "stale-proposal"
    assert order.read_text() == f"# Ours.\n{ORDER}"
    now = proposed(run(project, "apply_edits", text=BLOCK)).id
    assert not run(project, "accept_proposals", ids=[now]).is_error


def test_an_id_that_nobody_was_given_is_refused(project: Path) -> None:
    with pytest.raises(ToolError, match="no proposal 0123456789ab") as refused:
        run(project, "accept_proposals", ids=["0123456789ab"])
    assert refused.value.code == "no-proposal"


def test_a_proposal_that_was_accepted_is_not_made_twice(project: Path, order: Path) -> None:
    name = proposed(run(project, "apply_edits", text=BLOCK)).id
    run(project, "accept_proposals", ids=[name])
    again = run(project, "accept_proposals", ids=[name])
    assert isinstance(again.data, EditsDone)
    assert not again.data.applied
    assert order.read_text() == f"{ORDER}    remarks: str\n"
