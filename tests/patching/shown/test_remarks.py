"""Remarks in shown code: for lines that are there, or above an example of what the code is for."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

LOGIN = """def login(request):
    if request.method == "POST":
        user = User.by_name(request.form["username"])
        if user is None or not user.check_password(request.form["password"]):
            flash("Invalid username or password")
            return redirect(url_for("login"))
        login_user(user)
        return redirect(url_for("posts"))
    return render_template("login.html")
"""
ROUTE = """app.post("/users", async (req, res) => {
  const { name, email } = req.body;
  const { rows } = await pool.query(
    "INSERT INTO users (name, email) VALUES ($1, $2) RETURNING *",
    [name, email]
  );
  res.status(201).json(rows[0]);
});
"""


def shown(path: str, file: str, code: str) -> tuple[str | None, str]:
    """Return the file after a yes to what the answer proposes, which nothing is written without, and why."""
    answer = f"**{path}**\n\n```\n{code}```\n"
    first = apply_edits({path: file}, answer)
    assert first.files[path] == file
    (outcome,) = first.outcomes
    assert outcome.status is Status.PROPOSED
    assert outcome.proposal is not None
    return apply_edits({path: file}, answer, accept=[outcome.proposal.id]).files[path], outcome.proposal.why


@pytest.mark.parametrize(
    "remark",
    ["your existing credential check goes here", "the password is checked here", "ici la vérification"],
)
def test_a_remark_where_several_lines_would_go_is_shown_to_be_for_them(remark: str) -> None:
    code = LOGIN[: LOGIN.index("        user =")] + f"        # {remark}\n"
    changed = LOGIN.replace("login_user(user)", "login_user(user, remember=True)")
    code += changed[changed.index("        login_user") :]
    after, why = shown("app.py", LOGIN, code)
    assert after == changed
    assert why == f"`# {remark}` may be for lines that are there: they stay."


@pytest.mark.parametrize("remark", ["其余代码保持不变", "insert the user and answer, as it does now"])
def test_a_remark_that_ends_a_block_which_would_lose_lines_is_shown_to_be_for_them(
    remark: str,
) -> None:
    guard = '  if (!name || !email) {\n    return res.status(400).json({ error: "required" });\n  }\n'
    head = ROUTE[: ROUTE.index("  const { rows }")]
    after, _ = shown("app.js", ROUTE, f"{head}{guard}  // {remark}\n}});\n")
    assert after == ROUTE.replace("  const { rows }", f"{guard}  const {{ rows }}")


def test_a_remark_above_new_lines_is_for_nothing_else() -> None:
    code = LOGIN.replace(
        "        login_user(user)", "        # remember them for a month\n        remember(user)"
    )
    answer = f"**app.py**\n\n```python\n{code}```\n"
    assert apply_edits({"app.py": LOGIN}, answer).files["app.py"] == code


AREA = "import math\n\n\ndef area(r):\n    return 3.14 * r * r\n\n\ndef volume(r):\n    return area(r) * r\n"


@pytest.mark.parametrize("remark", ["Example usage:", "Usage", "example", "使用示例", "Beispiel:"])
def test_an_example_below_a_definition_in_one_fence_is_left_out(remark: str) -> None:
    code = f"def area(r):\n    return math.pi * r * r\n\n\n# {remark}\nprint(area(2))  # 12.56\n"
    after, why = shown("geo.py", AREA, code)
    assert after == AREA.replace("3.14", "math.pi")
    assert remark in why


def test_a_remark_of_the_file_begins_no_example() -> None:
    file = AREA + "\n\n# Usage\nprint(area(1))\n"
    answer = f"**geo.py**\n\n```python\n{file.replace('3.14', 'math.pi')}```\n"
    assert apply_edits({"geo.py": file}, answer).files["geo.py"] == file.replace("3.14", "math.pi")
