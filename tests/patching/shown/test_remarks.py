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


def shown(path: str, file: str, code: str, lead: str = "") -> tuple[str | None, str]:
    """Return the file after a yes to what the answer proposes, which nothing is written without, and why."""
    answer = f"{lead or f'**{path}**'}\n\n```\n{code}```\n"
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


STORE = """use std::io;

pub fn run(command: Command) -> io::Result<()> {
    match command {
        Command::Add { title } => {
            let note = Note::new(title);
            notes.push(note);
        }
        Command::List => {
            for note in &notes {
                println!("{}", note.title);
            }
        }
    }
    Ok(())
}

pub fn save(path: &str, notes: &[Note]) -> io::Result<()> {
    let text = serde_json::to_string_pretty(notes)?;
    fs::write(path, text)
}
"""
PAGE = """export function App({ todos }) {
  const open = todos.filter((todo) => !todo.done);
  return (
    <main className="app">
      <h1>Todos</h1>
      <TodoList todos={open} />
    </main>
  );
}
"""


def test_brackets_that_have_only_a_remark_keep_what_they_have() -> None:
    code = STORE[STORE.index("pub fn run") : STORE.index("pub fn save")]
    start, end = code.index("            let note"), code.index("        }\n        Command::List")
    code = code[:start].rstrip() + " /* as it was */ " + code[end:].lstrip()
    code = code.replace("Ok(())", "save(PATH, &notes)")
    after, _ = shown("main.rs", STORE, code)
    assert after == STORE.replace("    Ok(())", "    save(PATH, &notes)")


def test_an_element_that_has_only_a_remark_keeps_what_it_has() -> None:
    code = PAGE.replace("!todo.done", "!todo.done && !todo.hidden")
    inner = code[code.index("      <h1>") : code.index("    </main>")]
    code = code.replace(f">\n{inner}    </main>", ">{/* your JSX */}</main>")
    after, _ = shown("App.jsx", PAGE, code)
    assert after == PAGE.replace("!todo.done", "!todo.done && !todo.hidden")


def test_a_remark_in_the_place_of_what_gives_a_name_its_value_is_shown_to_be_for_it() -> None:
    code = (
        "pub fn save(path: &str, notes: &[Note]) -> io::Result<()> {\n    // serialize\n"
        '    let temporary = format!("{path}.tmp");\n    fs::write(&temporary, text)?;\n'
        "    fs::rename(temporary, path)\n}\n"
    )
    after, why = shown("main.rs", STORE, code)
    assert after is not None
    assert "let text = serde_json::to_string_pretty(notes)?;\n    let temporary" in after
    assert why.startswith("`// serialize`")


def test_a_name_that_nothing_gives_a_value_any_more_is_said() -> None:
    file = "def crop(job):\n    box = job['box']\n    return {'id': job['id'], 'box': box}\n"
    code = "def crop(job):\n    return {'id': job['id'], 'box': box, 'cropped': True}\n"
    _, why = shown("worker.py", file, code)
    assert why == "`box` is used, and nothing would give it a value any more."


@pytest.mark.parametrize(
    "code",
    [
        "def crop(job):\n    return {'id': job['id'], 'box': None}\n",
        "def crop(box):\n    return {'id': 1, 'box': box}\n",
        "def crop(job):\n    for box in job['boxes']:\n        yield box\n    return None\n",
        "def crop(job):\n    return Crop(box=job['box'])\n",
        "def crop(job):\n    return job.box\n",
    ],
)
def test_a_name_that_is_given_a_value_or_is_none_is_no_reason_to_ask(code: str) -> None:
    file = "def crop(job):\n    box = job['box']\n    return {'id': job['id'], 'box': box}\n"
    answer = f"**worker.py**\n\n```python\n{code}```\n"
    assert apply_edits({"worker.py": file}, answer).files["worker.py"] == code


def test_code_that_has_only_remarks_more_than_its_file_is_shown() -> None:
    file = "def total(lines):\n    first = lines[0]\n    return first.price * len(lines)\n"
    code = file.replace("lines[0]\n", "lines[0]  # <-- IndexError here\n")
    assert shown("cart.py", file, code) == (code, "Only comments are new.")


def test_remarks_that_are_asked_for_are_shown_for_what_they_are() -> None:
    file = "def total(lines):\n    return sum(lines)\n"
    code = "def total(lines):\n    # in cents\n    return sum(lines)\n"
    _, why = shown("cart.py", file, code, "Add a comment, with the unit, to `total` in `cart.py`:")
    assert why == "Only what is said above it names cart.py."


SMALL = (
    "def f(x):\n    a = 1\n    return a\n\n\n"
    "def g():\n    one()\n    two()\n    three()\n\n\n"
    "def h():\n    pass\n"
)


@pytest.mark.parametrize(
    "pointer",
    [
        "# 👈 add this",
        "# <-- add this line",
        "# NEW",
        "# <- new",
        "# ADDED",
        "# CHANGED!",
        "# ← changed",
        "# Add this line",
    ],
)
def test_a_remark_that_points_at_a_line_for_its_reader_is_not_written(pointer: str) -> None:
    for line in (f"    log(a)  {pointer}\n", f"    {pointer}\n    log(a)\n"):
        code = f"def f(x):\n    a = 1\n{line}    return a\n"
        answer = f"**m.py**\n\n```python\n{code}```\n"
        wanted = SMALL.replace("    return a\n", "    log(a)\n    return a\n")
        assert apply_edits({"m.py": SMALL}, answer).files["m.py"] == wanted


@pytest.mark.parametrize(
    "remark", ["# new: log it", "# NEW YORK", "# changed by g", "# <- x", "# fixed rate"]
)
def test_a_remark_that_says_something_is_written(remark: str) -> None:
    code = f"def f(x):\n    a = 1\n    log(a)  {remark}\n    return a\n"
    answer = f"**m.py**\n\n```python\n{code}```\n"
    after = apply_edits({"m.py": SMALL}, answer).files["m.py"]
    assert after is not None
    assert f"    log(a)  {remark}\n" in after


def test_a_pointing_remark_that_the_file_has_stays() -> None:
    file = SMALL.replace("a = 1\n", "a = 1  # NEW\n")
    code = "def f(x):\n    a = 1  # NEW\n    log(a)\n    return a\n"
    answer = f"**m.py**\n\n```python\n{code}```\n"
    assert apply_edits({"m.py": file}, answer).files["m.py"] == file.replace(
        "    return a\n", "    log(a)\n    return a\n"
    )


def test_a_comment_of_a_template_in_the_place_of_elements_is_no_code() -> None:
    file = (
        "@extends('layouts.app')\n\n@section('content')\n    <h1>{{ $post->title }}</h1>\n"
        "    <p>{{ $post->body }}</p>\n    <a href=\"{{ route('posts.index') }}\">Back</a>\n@endsection\n"
    )
    start, end = file.index("    <p>"), file.index("@endsection")
    code = f"{file[:start]}    {{{{-- Rest wie bisher --}}}}\n{file[end:]}"
    report = apply_edits({"show.blade.php": file}, f"**show.blade.php**\n\n```blade\n{code}```\n")
    assert report.files["show.blade.php"] == file


@pytest.mark.parametrize(
    ("path", "file", "line"),
    [
        ("README.md", "# A\n\ntext\n\n## B\n\nmore\n", "# NEW"),
        ("a.sh", "f() {\n  one\n  two\n}\n\ng() {\n  three\n  four\n}\n", "  git checkout -- NEW"),
    ],
)
def test_what_is_no_remark_in_its_language_points_at_nothing(path: str, file: str, line: str) -> None:
    first, _, rest = file.partition("\n")
    shown_ = (
        file[file.index("## B") :] + f"\n{line}\n" if path.endswith(".md") else f"{first}\n{line}\n{rest}"
    )
    report = apply_edits({path: file}, f"**{path}**\n\n```\n{shown_}```\n", accept="all")
    assert report.files[path] != file
    assert line in (report.files[path] or "")


PRICES = """def price(items):
    total = 0
    for item in items:
        total += item.price
    return total
"""


@pytest.mark.parametrize(
    "body",
    [
        "    # The sum\n    total = sum(item.price for item in items)\n    return total * 0.9\n",
        "    return sum(total for total in map(price_of, items))\n",
        "    if (total := summed(items)) > 10:\n        return total\n    return 10\n",
        "    return rounded(items, total=sum(each.price for each in items))\n",
        "    # everything is done elsewhere now\n    return summed(items)\n",
    ],
)
def test_a_function_with_another_body_is_written(body: str) -> None:
    file = PRICES + "\n\ndef other():\n    one()\n    two()\n    three()\n"
    code = f"def price(items):\n{body}"
    answer = f"**m.py**\n\n```python\n{code}```\n\nThat is all.\n"
    assert apply_edits({"m.py": file}, answer).files["m.py"] == file.replace(PRICES, code)


@pytest.mark.parametrize(
    "lead",
    [
        "Here's how `total` works:",
        "This is how `total` works:",
        "Let's walk through how `total` in `cart.py` works.",
        "Pour comprendre, voici la partie de `cart.py` qui compte :",
    ],
)
@pytest.mark.parametrize("has_more", [True, False])
def test_an_explanation_with_other_comments_offers_nothing(lead: str, has_more: bool) -> None:
    remarked, bare = (
        "def total(lines):\n    # add them up\n    return sum(lines)\n",
        "def total(lines):\n    return sum(lines)\n",
    )
    file = f"{bare if has_more else remarked}\n\ndef other():\n    return 1\n"
    answer = f"{lead}\n\n```python\n{remarked if has_more else bare}```\n"
    assert apply_edits({"cart.py": file}, answer, accept="all").files == {"cart.py": file}


@pytest.mark.parametrize("mark", ["// ... existing members", "// ..."])
@pytest.mark.parametrize("path", ["e.ts", "E.java", "e.rs"])
def test_what_is_new_with_a_comment_leaves_the_comment_of_the_next_one(path: str, mark: str) -> None:
    head = "pub enum E {" if path == "e.rs" else "export enum E {" if path == "e.ts" else "enum E {"
    light = "  /**\n   * A light one.\n   */\n  Light,\n\n  /**\n   * A heavy one.\n   */\n  Heavy,\n"
    extra = "  /**\n   * A very light one.\n   */\n  Extra,\n"
    file = f"{head}\n{light}}}\n"
    answer = f"`{path}`: add the member:\n\n```\n{head}\n{extra}  {mark}\n}}\n```\n"
    after = apply_edits({path: file}, answer, accept="all").files[path]
    assert after is not None
    assert all(
        after.count(f"* A {each} one.\n   */\n  {each.capitalize()},") == 1 for each in ("light", "heavy")
    )


@pytest.mark.parametrize("mark", ["...", "<!-- ... existing text ... -->"])
def test_what_a_mark_within_a_section_is_for_is_not_lost(mark: str) -> None:
    file = (
        "# Ledger\n\n## Usage\n\nStart it:\n\n```bash\nmake run\n```\n\nImport a statement:\n\n```bash\n"
        "ledger import a.csv\n```\n\n## Tests\n\n- `make test`\n- `make lint`\n"
    )
    code = (
        "## Usage\n\nStart it:\n\n```bash\nmake run\n```\n\nCheck that it is alive:\n\n```bash\n"
        f"curl localhost\n```\n\n{mark}\n\n## Tests\n\n- `make test`\n- `make lint`\n- `make clean`\n"
    )
    answer = f"In `README.md`:\n\n````markdown\n{code}````\n"
    assert apply_edits({"README.md": file}, answer).files["README.md"] == file
    after = apply_edits({"README.md": file}, answer, accept="all").files["README.md"]
    wanted = file.replace(
        "make run\n```\n", "make run\n```\n\nCheck that it is alive:\n\n```bash\ncurl localhost\n```\n"
    )
    assert after in (file, f"{wanted}- `make clean`\n")


def test_no_bracket_of_a_script_within_a_page_is_lost_to_what_is_shown_with_marks() -> None:
    file = (
        "<script>\nexport default {\n  data() {\n    return {};\n  },\n  methods: {\n    load() {\n"
        "      if (this.a) {\n        run();\n      }\n    },\n  },\n};\n</script>\n\n"
        "<style>\n.a {\n  margin: 0;\n}\n</style>\n"
    )
    code = (
        "<script>\nexport default {\n  // ...\n  methods: {\n    // ... load ...\n\n    save() {\n"
        "      store();\n    },\n  },\n};\n</script>\n\n<style>\n/* ... */\n\n"
        ".b {\n  margin: 1px;\n}\n</style>\n"
    )
    answer = f"In `a.vue`:\n\n```vue\n{code}```\n"
    for accept in ((), "all"):
        after = apply_edits({"a.vue": file}, answer, accept=accept).files["a.vue"]
        assert after is not None
        assert after.count("{") == after.count("}")
        assert "run();" in after
