"""`explain`: what decides about each edit of an answer."""

from __future__ import annotations

from pathlib import Path

from tests.cli.calls import Run, answer, edit
from tests.uncertain_edit import FORGETFUL, ORDER

UNCERTAIN = edit("order.py", FORGETFUL.rstrip(), f"{FORGETFUL}    remarks: str")
CERTAIN = edit("shop.py", "OPEN = 9", "OPEN = 8")
LOAD = "def load(self, path):\n    data = read(path)\n    self.check(data)\n    return data\n\n"
SAVE = "def save(self, path):\n    data = pack(self)\n    self.check(data)\n    write(path, data)\n"


def written(project: Path) -> None:
    (project / "order.py").write_text(ORDER)
    (project / "shop.py").write_text("OPEN = 9\n")


def test_each_edit_is_explained_and_nothing_is_written(project: Path, run: Run) -> None:
    written(project)
    done = run("explain", answer(project, UNCERTAIN + CERTAIN))
    assert done.status == 0
    first, second = done.out.split("edit 2")
    assert first.startswith("edit 1  order.py  proposed\n")
    assert "68 % similar" in first
    assert "unknown_name  a look settles it  a quoted name is nowhere in the file" in first
    assert "+    remarks: str" in first
    assert "would be applied" in second
    assert "+OPEN = 8" in second
    assert (project / "order.py").read_text() == ORDER
    assert (project / "shop.py").read_text() == "OPEN = 9\n"


def test_one_edit_is_explained_as_json(project: Path, run: Run) -> None:
    written(project)
    (one,) = run("explain", answer(project, CERTAIN + UNCERTAIN), "--edit", "2", "--json").json["edits"]
    assert one["edit"] == 2
    assert one["status"] == "proposed"
    assert one["rung"] == "similarity"
    (guard,) = one["guards"]
    assert guard == {
        "name": "unknown_name",
        "found": "a quoted name is nowhere in the file",
        "isSettledByALook": True,
    }
    assert one["places"][0]["firstLine"] == 1
    assert one["why"].startswith("Lines 1 to 9 are ")


def test_every_guard_is_named_and_what_would_be_written_without_them(project: Path, run: Run) -> None:
    (project / "file.py").write_text(LOAD + SAVE)
    quoted = f"{SAVE.replace('save', 'store')}\n{LOAD}".rstrip()
    blocks = edit("file.py", quoted, quoted.replace("path, data)", "path, data, safe=True)"))
    (one,) = run("explain", answer(project, blocks), "--json").json["edits"]
    assert one["status"] == "notFound"
    assert len(one["guards"]) >= 2
    assert len({guard["name"] for guard in one["guards"]}) == len(one["guards"])
    assert "safe=True" in one["diff"]


def test_an_edit_that_is_not_in_the_answer_is_refused(project: Path, run: Run) -> None:
    written(project)
    done = run("explain", answer(project, CERTAIN), "--edit", "2")
    assert done.status == 2
    assert "There is no edit 2" in done.err
    assert run("explain", answer(project, "Nothing to do.")).status == 1


def test_an_edit_that_quotes_nothing_is_no_matter_of_places(project: Path, run: Run) -> None:
    done = run("explain", answer(project, "`new.py`:\n```python\nprint('hello')\n```\n"))
    assert done.status in (0, 1)
    assert not (project / "new.py").exists()


def test_a_turn_that_is_none_is_wrong_usage(project: Path, run: Run) -> None:
    written(project)
    done = run("explain", answer(project, CERTAIN), "--turn", "9")
    assert done.status == 2
    assert "--turn: there is no turn 9" in done.err
