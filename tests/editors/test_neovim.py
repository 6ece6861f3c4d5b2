"""A real Neovim with the plugin as it is shipped."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from patchpoint.formats.instructions import model_instructions
from tests.demo.project import contents
from tests.editors.installed import PROGRAMS, ROOT
from tests.editors.reviewed import BEFORE, CHANGED, LINES

WAITING = ROOT / "tests" / "data" / "waiting"
"""A file, and an answer of which one edit fits, one fits twice, one resembles a place and one none."""

Neovim = Callable[..., dict[str, Any]]


def test_neovim_applies_an_answer_chooses_a_candidate_and_restores(neovim: Neovim, project: Path) -> None:
    before = contents(project)
    seen = neovim("apply_and_restore.lua", PATH=PROGRAMS)

    statuses = [edit["status"] for edit in seen["answer"]["edits"]]
    assert statuses == ["applied", "applied", "applied", "applied", "ambiguous", "notFound"]
    assert "        if count < 1:\n            raise ValueError(" in seen["basket_after_apply"]
    assert "candidate 2: tax.py:16" in seen["ambiguous"]
    assert "is not in till/basket.py" in seen["not_found"]

    chosen = seen["tax_after_choice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["tax_on_disk"] == chosen + "\n"
    # What the model misquoted and did not mean to change is still there, byte for byte.
    assert "\t# the customer's copy\n" in seen["receipt_on_disk"]
    assert 'Thank you — "see you on Saturday"' in seen["receipt_on_disk"]
    assert "{date.today():%d %B %Y}" in seen["receipt_on_disk"]

    assert seen["tax_after_restore"] + "\n" == before["till/tax.py"].decode()
    assert seen["basket_after_restore"] + "\n" == before["till/basket.py"].decode()
    assert contents(project) == before


def test_the_plugin_applies_from_a_register_and_goes_back_and_forth(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("plugin.lua")

    assert {"apply", "checkpoint", "restore", "undo", "redo", "operations"} <= set(seen["completion"])
    assert "-1 +1: + from decimal import ROUND_HALF_UP, Decimal" in seen["preview"]
    assert seen["candidates"] == [10, 16]
    assert "import ROUND_HALF_UP, Decimal" in seen["tax_on_disk"]
    assert seen["tax_restored"] == before
    assert seen["tax_after_undo"] == seen["tax_on_disk"]
    assert seen["tax_after_redo"] == before
    assert seen["instructions"] == model_instructions()
    assert "in this form." in seen["feedback"]
    assert "ERROR" not in seen["health"], seen["health"]
    assert [choice["prompt"] for choice in seen["selected"]][:1] == ["Restore"]


def test_text_that_was_not_saved_is_back_after_a_restore_is_undone(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("unsaved.lua")

    assert seen["file_restored"] == before
    assert seen["file"] == "# the agent's\n"
    assert seen["buffer"] == seen["mine"] == before.removesuffix("\n")
    assert seen["modified"] is True


def test_what_a_restore_puts_into_a_buffer_and_its_file_is_saved(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("restored.lua")

    assert seen["restored"] == {"text": before.removesuffix("\n"), "modified": False}
    assert seen["undone"]["text"].startswith("# typed\n")
    assert seen["undone"]["modified"] is True
    assert seen["written"] is True
    assert seen["again"] == seen["restored"]
    assert "W12" not in seen["messages"]


def test_each_place_of_an_edit_that_waits_is_named_and_the_one_at_the_cursor_is_first(
    neovim: Neovim, project: Path
) -> None:
    (project / "ledger.py").write_bytes((WAITING / "ledger.txt").read_bytes())
    (project / "answer.md").write_bytes((WAITING / "answer.md").read_bytes())
    seen = neovim("candidates.lua")

    in_cart, in_order = "candidate 1 (line 3, in Cart > total)", "candidate 2 (line 9, in Order > total)"
    for place, order in (("first", [in_cart, in_order]), ("second", [in_order, in_cart])):
        titles = [action["title"] for action in seen[place]]
        assert titles[:2] == [f"Apply the edit at {one}" for one in order]
    titles = [action["title"] for action in seen["similar"]]
    assert titles[0].startswith("Compare what the model quoted")
    assert titles[1] == "Preview the edit at candidate 1 (line 13, 33 % similar)…"
    assert not any(action["preferred"] for place in ("first", "second", "similar") for action in seen[place])

    # The edit that was applied is the first of the answer, and the last one has no place that resembles it.
    places = [
        "3: edit 2, candidate 1 (in Cart > total)",
        "9: edit 2, candidate 2 (in Order > total)",
        "13: edit 3, candidate 1 (33 % similar)",
    ]
    assert seen["candidates"] == places
    assert [text.partition(": The ")[0] for text in seen["pending"][:3]] == places
    assert [text.partition(", ")[0] for text in seen["pending"][3:]] == ["1: edit 4"]


def test_a_server_that_has_ended_is_started_by_the_next_command(neovim: Neovim) -> None:
    seen = neovim("restart.lua")

    assert seen["pending"] == seen["after_end"] == seen["after_restart"]
    assert len(set(seen["clients"])) == 3
    assert seen["typed"] is True
    assert "Patchpoint: the server has been restarted" in seen["notified"]


def test_a_review_ends_at_the_end_of_a_file_and_saves(neovim: Neovim, reviewed: Path) -> None:
    seen = neovim("review_end.lua")

    assert seen["kept"] == 11
    assert seen["went_on"] is True
    assert seen["asked"] == {
        "prompt": "Not saved: four.txt",
        "items": ["Save and finish", "Finish", "Go on with the review"],
    }
    assert "not saved" not in seen["summary"].lower()
    assert "Reverted, so it is no longer in the files" in seen["summary"]
    assert (reviewed / "four.txt").read_text() == CHANGED["four.txt"].replace("3\n", "line 3\n", 1)


def test_twelve_changes_are_reviewed_in_the_quickfix_list(neovim: Neovim, reviewed: Path) -> None:
    seen = neovim("review.lua")

    assert seen["title"] == "Patchpoint review: 12 open, 0 kept, 0 reverted"
    assert seen["first"][:3] == [
        ["three.txt", 1, "-1 +1: + first"],
        ["three.txt", 10, "-1 +1: + 10"],
        ["four.txt", 3, "-1 +1: + 3"],
    ]
    assert ["made.txt", 1, "the file, as a whole (created)"] in seen["first"]
    # What docs/review.md shows of it is what was seen.
    page = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
    assert "\n".join((":Patchpoint review", *seen["window"])) in page
    assert "\n".join((":Patchpoint review finish", seen["said"])) in page
    assert seen["three"] == LINES
    assert seen["one"] + "\n" == "typed\n" + CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "one.txt").read_text() == CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "two.txt").read_text() == CHANGED["two.txt"].removesuffix("end\n")
    assert not (reviewed / "made.txt").exists()
    assert seen["summary"].startswith("Your changes were reviewed: kept 7, reverted 5.\n")
    assert "- deep/three.txt, line 1, because the numbers are tested:" in seen["summary"]
    assert seen["events"] > 10
    assert any("no change of a review at the cursor" in message for message in seen["notified"])


def test_the_source_for_mini_diff_has_what_a_file_was_while_it_is_reviewed(
    neovim: Neovim, reviewed: Path
) -> None:
    seen = neovim("mini_diff.lua")

    assert (seen["before"], seen["during"]) == ("git", "patchpoint")
    assert seen["text"] + "\n" == BEFORE["one.txt"]
    assert seen["made"] == ""


def test_checkpoints_are_picked_in_the_pickers_of_plugins_with_what_a_restore_would_change(
    neovim: Neovim,
) -> None:
    seen = neovim("pickers.lua")

    for name, title in (("snacks", "Restore"), ("telescope", "Restore"), ("fzf-lua", "Restore> ")):
        assert seen[name]["title"] == title
        assert "Before " in seen[name]["row"] or "before the answer" in seen[name]["row"]
        assert "-import os" in seen[name]["lines"]
    # Each restore was asked about once more, where the picker left off.
    assert seen["answered"] == 3
    assert "knows no picker 'other'" in seen["unknown"]


def test_changes_are_drawn_in_their_files_and_decided_there(neovim: Neovim, reviewed: Path) -> None:
    seen = neovim("drawn.lua")

    # In a review the buffer has the new lines, and the old ones are above them.
    assert seen["review"]["lines"] == [[2, "PatchpointAdd"], [24, "PatchpointAdd"]]
    assert [line[:3] for line in seen["review"]["virtual"]] == [
        ["above", 2, "line 2"],
        ["above", 12, "line 12"],
        ["above", 24, "line 25"],
    ]
    assert seen["screen"] == ["line 1", "line 2", "LINE 2", "line 3"]
    assert seen["words"] == [[[[16, 17]], [[0, 4]]], [[[16, 19]]]]
    assert seen["word"] == [", too", "PatchpointAddWord"]
    # The keys go forth and back, decide, and are repeated.
    assert seen["mapped"]
    assert seen["at"] == [2, 12, 2]
    assert (seen["went_to"], seen["came_from"]) == ("four.txt", "three.txt")
    assert seen["hidden"] == 0
    # In a preview it has the old lines, and the new ones are below them. What is dropped is not applied.
    assert seen["title"] == "Patchpoint preview: 4 to apply, 0 dropped"
    assert seen["listed"][:4] == [
        "basket.py:20: in Basket > add, -0 +2: + if count < 1:",
        "receipt.py:1: -0 +2: + from datetime import date",
        'receipt.py:11: in render, -0 +1: + rows.append(f"{date.today():%d %B %Y}".center(WIDTH))',
        "tax.py:1: -1 +1: + from decimal import ROUND_HALF_UP, Decimal",
    ]
    assert seen["listed"][4].startswith(
        "tax.py:10: edit 5, candidate 1 (in standard): The search text occurs"
    )
    assert seen["preview"]["lines"] == [[1, "PatchpointDelete"]]
    imported = "from decimal import ROUND_HALF_UP, Decimal"
    assert seen["preview"]["virtual"] == [["below", 1, imported, "ROUND_HALF_UP, "]]
    assert seen["untouched"]
    assert seen["dropped"] == [
        'dropped: in render, -0 +1: + rows.append(f"{date.today():%d %B %Y}".center(WIDTH))'
    ]
    assert seen["applied"] == "Patchpoint: 3 of 6 edits applied; :copen lists why"
    assert seen["gone"] == 0
    assert "date.today()" not in (reviewed / "till/receipt.py").read_text(encoding="utf-8")
    # What waits is shown at each of its candidates.
    assert [line[:2] for line in seen["pending"]["virtual"]] == [["below", 10], ["below", 16]]
    assert {line[3] for line in seen["pending"]["virtual"]} == {", rounding=ROUND_HALF_UP"}


def test_a_change_of_a_preview_is_dropped_by_a_key_and_the_rest_applied_by_writing(
    neovim: Neovim, project: Path
) -> None:
    seen = neovim("preview_diff.lua")

    assert "4 to apply, 0 dropped; d drops a change or keeps it again" in seen["first"]
    assert "# till/basket.py, line " in seen["first"]
    assert "# dropped: till/receipt.py, line " in seen["second"]
    assert "if count < 1" in seen["second"]
    assert seen["applied"] == "Patchpoint: 3 of 6 edits applied; :copen lists why"
    assert "date.today()" not in (project / "till/receipt.py").read_text(encoding="utf-8")
    assert "if count < 1:" in (project / "till/basket.py").read_text(encoding="utf-8")


def test_what_a_demanding_user_comes_across_is_as_it_should_be(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("defects.lua")

    # The manual is found.
    assert "patchpoint.txt" in seen["help"]
    assert seen["help_page"] == "patchpoint.txt"
    # Only a register is one; messages are of one line, and say what is missing.
    assert "'nonsense' is not a register" in seen["nonsense"]
    assert "register e is empty" in seen["empty"]
    assert "no edits found in the text" in seen["prose"]
    assert seen["code"].startswith("Patchpoint: no edits found in the text: Line 1: this is some code")
    assert seen["there_already"] == "Patchpoint: 1 edit is there already"
    nothing = "Patchpoint: nothing was applied: 2 of 6 edits do not fit"
    assert seen["refused"] == f"{nothing}; `matching` applies the others; :copen lists why"
    # Refusals are in the quickfix list, at their places.
    places = [(Path(item["file"]).name, item["line"], item["type"]) for item in seen["quickfix"]]
    assert places[:2] == [("tax.py", 10, "W"), ("tax.py", 16, "W")]
    assert places[-1][0] == "basket.py"
    assert all("\n" not in item["text"] for item in seen["quickfix"])
    # Plugins and status lines are served.
    assert seen["Applied"]["applied"] is True
    assert seen["status"] == "patchpoint: 2 pending"
    assert seen["events"]["Pending"] >= 1
    # A preview has no second server, and neither has a buffer without a name; commands work in both.
    assert seen["clients_at_preview"] == seen["clients_at_paste"] == 1
    assert seen["pending"] >= 2
    assert "of 6 edits" in seen["from_nowhere"]
    # Nothing is asked where nothing would change; else after the difference, which shows what a restore does.
    assert seen["asked_for_nothing"] == 0
    assert "+from decimal import Decimal" in seen["restore"]
    assert "-from decimal import ROUND_HALF_UP, Decimal" in seen["restore"]
    assert seen["twice_reversed"]
    assert seen["side_by_side"] == [False, True]
    # Ids and labels are completed; automatic checkpoints are called by what follows.
    assert seen["first_label"] == "Before 4 edits: basket.py, receipt.py, +1"
    assert "after the answer" in seen["completion"]
    assert seen["completion_of_labels"] == ["the answer"]
    assert "renamed to “the good one”" in seen["renamed"]
    # Pending edits go after a question, and what was applied is taken back by its name.
    assert seen["asked_to_discard"] == "Discard 2 pending edits?"
    # The answer was applied twice: the second time there was nothing to write, so one application is named.
    (application,) = seen["applications"]
    assert "just now" in application
    assert "4 edits in 3 files" in application
    assert (project / "till/tax.py").read_text(encoding="utf-8") != before
    # Of two projects that of the place is meant, and named.
    assert seen["two"] == 2
    assert seen["where_nothing_is_open"] == project.name
    assert f"({project.name})" in seen["named"]


def test_the_answers_of_chat_plugins_are_followed(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("chats.lua")

    says = "6 edits, of which 4 fit; `:Patchpoint answer` applies them"
    for name, chat in (
        ("codecompanion", "codecompanion"),
        ("gp", "gp"),
        ("copilotchat", "CopilotChat"),
        ("copilotchat_before", "CopilotChat"),
    ):
        assert seen[name] == f"Patchpoint: the answer of {chat} has {says}"
    # By chat and message; nothing of a stopped request, of a chat that is gone, or of a file.
    assert seen["answers"][:3] == [
        ["codecompanion", "codecompanion-11", "1", True],
        ["codecompanion", "codecompanion-14", "1", False],
        ["gp", "gp-one.md", "2", False],
    ]
    assert [answer[0] for answer in seen["answers"][3:5]] == ["CopilotChat", "CopilotChat"]
    # A chat is a file of no project, and needs no server.
    assert seen["servers"] == 1
    assert seen["copilotchat_returns"] is True
    assert seen["completion"] == ["apply", "matching", "preview"]
    assert "not one of apply, matching and preview" in seen["nonsense"]
    assert seen["matching"] == "Patchpoint: 4 of 6 edits applied; :copen lists why"
    assert seen["anchor"] == ["codecompanion-11", "2"]
    assert seen["given"] == "CopilotChat"
    assert seen["settings_without_chats"] is True
    assert (project / "till/tax.py").read_text(encoding="utf-8") != before


def test_other_plugins_have_functions_for_all_of_it(neovim: Neovim) -> None:
    manual = (ROOT / "editors/neovim/doc/patchpoint.txt").read_text(encoding="utf-8")
    mappings = manual.partition("*patchpoint-mappings*")[2].partition("====")[0]
    names = [name.strip("-") for name in re.findall(r"`(?:<Plug>\(patchpoint)?(-[a-z]+)\)?`", mappings)]
    names += ["review-next", "review-keep", "review-take-back", "review-finish"]
    assert len(names) > 15
    wanted = [f"<Plug>(patchpoint-{name})" for name in names]
    seen = neovim("api.lua", MAPPINGS=" ".join(wanted))

    assert seen["nothing_to_attach"] is True
    assert (seen["before"], seen["again"], seen["root"]) == (0, True, "project")
    assert seen["dry"] is False
    assert seen["applied"] == [True, 6]
    assert seen["pending"] == 2
    assert seen["resolved"] == "applied"
    assert (seen["open"] > 2, seen["decided"], seen["finished"]) == (True, "keep", 1)
    assert seen["applications"] == 2
    assert seen["reverted"] == "reverted"
    assert "There is no pending edit no such edit" in seen["refused"]["message"]
    assert seen["refused"]["code"] == "no-edit"
    assert seen["mappings"] == wanted
    assert seen["undescribed"] == []
    # Neovim 0.12 shows the server's own messages in the same way.
    assert [message for message in seen["notified"] if not message.startswith("LSP[")] == []


def test_the_tags_of_the_manual_are_those_of_the_manual() -> None:
    manual = ROOT / "editors/neovim/doc/patchpoint.txt"
    defined = sorted(re.findall(r"(?<=\*)[^*\s|]+(?=\*)", manual.read_text(encoding="utf-8")))
    tags = (manual.parent / "tags").read_text(encoding="utf-8")
    assert tags == "".join(f"{name}\tpatchpoint.txt\t/*{name}*\n" for name in defined)
