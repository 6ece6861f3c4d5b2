"""Next to a mark, what is shown may be new: that what it is like stays is then proposed."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from patchpoint import apply_edits

SETUP = """\
def setup(app):
    app.register(AuthBlueprint)
    app.register(ShopBlueprint)
    return app
"""
BELOW = """\
def setup(app):
    # ... existing code ...
    {}
    return app
"""
GO = """\
package a

func Run(db *DB) error {
	if err := db.Open(); err != nil {
		return err
	}
	if err := db.Load(); err != nil {
		return err
	}
	db.Start()
	return nil
}
"""
CHECK = "\tif err := db.Check(); err != nil {\n\t\treturn err\n\t}\n"
EFFECTS = """\
export function Cart({ items }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    track('cart');
  }, []);
  useEffect(() => {
    document.title = `Cart (${items.length})`;
  }, [items]);
  return <Modal open={open} />;
}
"""
EFFECT = "  useEffect(() => {\n    localStorage.setItem('cart', String(items));\n  }, [items]);\n"
FORM = """\
<form id="f">
  <div class="row">
    <label>Name</label>
    <input name="name">
  </div>
  <div class="row">
    <label>Mail</label>
    <input name="mail">
  </div>
  <button>Save</button>
</form>
"""
ROW = '  <div class="row">\n    <label>Phone</label>\n    <input name="phone">\n  </div>\n'
RAISES = """\
def test(client):
    with raises(KeyError):
        client.get("a")
    with raises(ValueError):
        client.get(3)
    client.close()
"""
PAY = """\
def pay(order, user):
    if not order.items:
        log("empty")
        return False
    charge(user, order.total)
    return True
"""
CLOSED = "  if is_closed then\n    return\n  end\n"
LUA = """\
local function run(err, rows)
  if err then
    log.error("run", err)
    return
  end
  print(#rows)
end
"""
UPDATE = """\
function update(kind) {
  const files = list(kind);
  cache.load(kind);
  if (files.length !== size(cache[kind])) {
    options.reset(kind);
    cache.clear(kind);
  }
  return files.map(read);
}
"""
NESTED = """\
def outer(items):
    def key(item):
        return item.name

    def value(item):
        return item.price

    return {key(item): value(item) for item in items}
"""
TAX = "    def tax(item):\n        return item.tax\n\n"
NEW = [
    pytest.param(
        "app.py",
        SETUP,
        BELOW.format("app.register(UserBlueprint)"),
        SETUP.replace("    return", "    app.register(UserBlueprint)\n    return"),
        id="a call below a mark",
    ),
    pytest.param(
        "app.py",
        SETUP,
        "def setup(app):\n    app.register(UserBlueprint)\n    # ...\n",
        SETUP.replace("(app):\n", "(app):\n    app.register(UserBlueprint)\n"),
        id="a call above a mark",
    ),
    pytest.param(
        "app.py",
        SETUP.replace("ShopBlueprint", "shop=shop"),
        BELOW.format("app.register(user=shop)"),
        SETUP.replace("ShopBlueprint)", "shop=shop)\n    app.register(user=shop)"),
        id="a call with a name that the other one has twice",
    ),
    pytest.param(
        "a.go",
        GO,
        f"func Run(db *DB) error {{\n\t// ... existing code ...\n{CHECK}\tdb.Start()\n\treturn nil\n}}\n",
        GO.replace("\tdb.Start", f"{CHECK}\tdb.Start"),
        id="a statement that gives a name a value, and asks",
    ),
    pytest.param(
        "Cart.jsx",
        EFFECTS,
        EFFECTS.partition("  useEffect")[0] + EFFECT + "  // ...\n}\n",
        EFFECTS.replace("(false);\n", f"(false);\n{EFFECT}"),
        id="a block above a mark",
    ),
    pytest.param(
        "Cart.jsx",
        EFFECTS,
        f"export function Cart({{ items }}) {{\n  // ...\n{EFFECT}  return <Modal open={{open}} />;\n}}\n",
        EFFECTS.replace("  return", f"{EFFECT}  return"),
        id="a block below a mark",
    ),
    pytest.param(
        "f.html",
        FORM,
        f'<form id="f">\n  <!-- ... existing fields ... -->\n{ROW}  <button>Save</button>\n</form>\n',
        FORM.replace("  <button", f"{ROW}  <button"),
        id="an element with others in it",
    ),
    pytest.param(
        "t.py",
        RAISES,
        "def test(client):\n    # ...\n    with raises(TypeError):\n        client.get(None)\n"
        "    client.close()\n",
        RAISES.replace(
            "    client.close", "    with raises(TypeError):\n        client.get(None)\n    client.close"
        ),
        id="a block that ends with its depth",
    ),
    pytest.param(
        "pay.py",
        PAY,
        "def pay(order, user):\n    # ...\n    if user.is_blocked:\n        return False\n"
        "    charge(user, order.total)\n    # ...\n",
        PAY.replace("    charge", "    if user.is_blocked:\n        return False\n    charge"),
        id="a guard with the last line of the one above",
    ),
    pytest.param(
        "run.lua",
        LUA,
        f"local function run(err, rows)\n  -- ...\n{CLOSED}  print(#rows)\nend\n",
        LUA.replace("  print", f"{CLOSED}  print"),
        id="a guard that a word ends",
    ),
    pytest.param(
        "a.js",
        UPDATE,
        UPDATE.partition("  cache")[0]
        + "  if (enabled) {\n    cache.load(kind);\n  }\n  // ... rest unchanged ...\n}\n",
        UPDATE.replace("  cache.load(kind);\n", "  if (enabled) {\n    cache.load(kind);\n  }\n"),
        id="a block around a statement",
    ),
    pytest.param(
        "a.py",
        NESTED,
        NESTED.partition("    def value")[0] + TAX + "    # ... existing code ...\n",
        NESTED.replace("    def value", f"{TAX}    def value"),
        id="a function in another one",
    ),
]


@pytest.mark.parametrize(("path", "file", "shown", "right"), NEW)
def test_what_may_be_new_next_to_a_mark_replaces_nothing(
    path: str, file: str, shown: str, right: str
) -> None:
    assert written(path, file, shown) == file
    assert solid(written(path, file, shown, accept="all")) == solid(right)


CHANGED = [
    pytest.param("    rate = 20\n", "    rate = 35\n", id="another value of a name"),
    pytest.param("    rate: int = load(old_rates)\n", "    rate: int = load(new_rates)\n", id="with a type"),
    pytest.param("    limit(rate, 7)\n", "    limit(rate, 70)\n", id="another number"),
    pytest.param("    limit(rate, 7)\n", "    limit(rate, 7, top)\n", id="one word more"),
]


@pytest.mark.parametrize(("old", "new"), CHANGED)
@pytest.mark.parametrize("is_above", [True, False])
def test_a_line_next_to_a_mark_that_is_plainly_another_form_is_written(
    old: str, new: str, is_above: bool
) -> None:
    file = f"def run():\n    begin()\n{old}    return 1\n"
    shown = f"    begin()\n{new}    # ...\n" if is_above else f"    # ...\n{new}    return 1\n"
    assert written("run.py", file, f"def run():\n{shown}") == file.replace(old, new)


def test_a_line_between_its_neighbours_is_written_whatever_it_is() -> None:
    shown = "def setup(app):\n    # ...\n    app.register(AuthBlueprint)\n    app.serve(9)\n    return app\n"
    right = SETUP.replace("app.register(ShopBlueprint)", "app.serve(9)")
    assert written("app.py", SETUP, shown) == right


def test_a_block_with_one_of_its_lines_changed_is_written_below_a_mark() -> None:
    file = (
        "def run(rows):\n    total = 0\n    for row in rows:\n        total += row.price\n    return total\n"
    )
    shown = "def run(rows):\n    # ...\n    for row in rows:\n        total += row.cost\n    return total\n"
    assert written("run.py", file, shown) == file.replace("price", "cost")


@pytest.mark.parametrize("is_above", [True, False])
def test_lines_in_another_order_next_to_a_mark_are_not_there_twice(is_above: bool) -> None:
    file = "def run(x):\n    check(x)\n    log(x)\n    save(x)\n    send(x)\n    close(x)\n    return x\n"
    order = (
        "    save(x)\n    log(x)\n    # ...\n"
        if is_above
        else "    # ...\n    send(x)\n    save(x)\n    close(x)\n"
    )
    shown = f"def run(x):\n    check(x)\n{order}" if is_above else f"def run(x):\n{order}    return x\n"
    assert written("run.py", file, shown) == file


OF_PYTHON = """\
class T(Case):
    def test_a(self):
        out = run()
        rv = get(1)
        self.equal(rv.code, 500)
        self.true(rv.data)
        err = out.getvalue()
        self.equal(err, "")

    def test_b(self):
        self.true(run())
"""
OF_JAVA = """\
class T {
  void a() {
    Out out = run();
    Data rv = get(1);
    equal(rv.code, 500);
    check(rv.data);
    String err = out.value();
    equal(err, "");
  }

  void b() {
    check(run());
  }
}
"""
CUT_OFF = [
    pytest.param(
        "t.py",
        OF_PYTHON,
        "class T(Case):\n    def test_a(self):\n        out = run()\n        rv = get(2)\n        # ...\n"
        "        self.true(rv.data)\n\n    # ... rest unchanged ...\n",
        id="a body that ends with its depth",
    ),
    pytest.param(
        "T.java",
        OF_JAVA,
        "class T {\n  void a() {\n    Out out = run();\n    Data rv = get(2);\n    // ...\n"
        "    check(rv.data);\n  }\n\n  // ... rest unchanged ...\n}\n",
        id="a body that a bracket ends",
    ),
]


@pytest.mark.parametrize(("path", "file", "shown"), CUT_OFF)
def test_a_body_with_marks_that_stops_early_above_a_mark_keeps_its_end(
    path: str, file: str, shown: str
) -> None:
    assert written(path, file, shown) == file
    assert written(path, file, shown, accept="all") == file.replace("get(1)", "get(2)")


@pytest.mark.parametrize("at", ["  db.commit();\n  log(1);\n", "  log(1);\n  db.commit();\n"])
@pytest.mark.parametrize(
    "inner",
    [
        "  db.load();\n  db.commit();\n  db.save();\n  db.commit();\n",
        "  db.commit();\n  db.save();\n  db.commit();\n  db.close();\n",
        "  db.load();\n  db.commit();\n  db.save();\n  db.commit();\n  db.close();\n",
    ],
)
def test_a_line_that_is_there_twice_tells_no_place_between_marks(inner: str, at: str) -> None:
    file = f"function run(db) {{\n{inner}}}\n"
    shown = f"function run(db) {{\n  // ...\n{at}  // ...\n}}\n"
    assert written("a.js", file, shown) == file
    assert solid(written("a.js", file.replace("db.save();\n  db.commit", "db.save"), shown)) != solid(file)


def test_the_end_of_a_loop_of_a_shell_is_not_doubled() -> None:
    loop = "\twhile test -e $1; do\n\t\tif grep -q on $2; then\n\t\t\techo OK\n\t\t\tbreak\n\t\tfi\n\tdone\n"
    file = f"wait_for()\n{{\n\tlimit=$3\n\tstart=$(now)\n{loop}\treturn 0\n}}\n"
    new = '\tif is_open; then\n\t\techo "open" >&2\n\tfi\n'
    shown = f"wait_for()\n{{\n\tlimit=$3\n\t# ...\n{loop}{new}\t# ...\n}}\n"
    assert written("w.sh", file, shown) in (file, file.replace(loop, loop + new))
    below = shown.replace("\t# ...\n}", "\treturn 0\n}")
    assert written("w.sh", file, below) == file.replace(loop, loop + new)


def written(path: str, file: str, shown: str, accept: Collection[str] = ()) -> str:
    """Return what becomes of a file, of which an answer shows parts."""
    report = apply_edits({path: file}, f"Here is `{path}`:\n\n```\n{shown}```\n", accept=accept)
    return report.files[path] or ""


def solid(text: str) -> list[str]:
    """Return the lines of a text that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


def test_a_line_below_a_nested_function_is_not_doubled_by_code_that_begins_in_it() -> None:
    head = "test('parses', async t => {\n\tconst error = await t.throwsAsync(get({\n"
    inner = ["\t\tparse(text, {request}) {\n", "\t\t\tt.true(request instanceof Request);\n"]
    rest = "\t\t\treturn JSON.parse(text);\n\t\t},\n\t}));\n\tt.deepEqual(error?.data, {value: 1});\n"
    file = f"{head}{''.join(inner)}{rest}}});\n"
    shown = f"{''.join(inner)}\t\t\tlog('miss');\n{rest}"
    answer = f"Here is the updated `a.test.ts`:\n\n```typescript\n{shown}```\n"
    for accept in ((), "all"):
        after = apply_edits({"a.test.ts": file}, answer, accept=accept).files["a.test.ts"]
        assert after is not None
        assert after.count("t.deepEqual(error") == 1


@pytest.mark.parametrize(
    ("path", "file", "code"),
    [
        (
            "level.rs",
            'fn color(level: Level) -> &str {\n    match level {\n        Level::Debug => "\\x1b[90m",\n'
            '        Level::Warn => "red",\n        Level::Info => "white",\n    }\n}\n',
            'fn color(level: Level) -> &str {\n    match level {\n        Level::Trace => "\\x1b[90m",\n'
            "        // ... existing arms ...\n    }\n}\n",
        ),
        (
            "Level.kt",
            'fun color(level: Level) = when (level) {\n    DEBUG -> "grey"\n    INFO -> "white"\n}\n',
            'fun color(level: Level) = when (level) {\n    TRACE -> "grey"\n'
            "    // ... existing code ...\n}\n",
        ),
        (
            "level.rb",
            'COLORS = {\n  "debug" => "grey",\n  "info" => "white",\n}\n',
            'COLORS = {\n  "trace" => "grey",\n  # ... existing code ...\n}\n',
        ),
    ],
)
def test_a_case_next_to_a_mark_takes_the_place_of_no_other_case(path: str, file: str, code: str) -> None:
    answer = f"Update `{path}`:\n\n```\n{code}```\n"
    for accept in ((), "all"):
        after = apply_edits({path: file}, answer, accept=accept).files[path] or ""
        assert [line for line in file.splitlines() if line not in after.splitlines()] == []
