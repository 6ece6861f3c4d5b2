"""A field, a property or a key that is shown next to marks is the one of its name."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.structure.lazy.definition import Unmerged, UnmergedError
from patchpoint.structure.lazy.merge import merge_shown

JAVA = (
    "public class Job {\n    public interface Done {\n        void done(Result result);\n    }\n\n"
    "    public URL from;\n    public File to;\n    public int step;\n    public int first;\n"
    "    public int last;\n"
    "    public Done done;\n}\n"
)
SHARP = (
    "class Job : Task\n{\n    protected int id;\n    protected string path;\n\n    public Job(int id)\n"
    "    {\n        this.id = id;\n    }\n}\n"
)
PHP = (
    "<?php\nclass Job\n{\n    /** @var int */\n    protected $id;\n\n    /** @var string */\n"
    "    protected $path;"
    "\n\n    public function run()\n    {\n        return $this->path;\n    }\n}\n"
)
CSS = "nav {\n  background: lightgray;\n  display: flex;\n  padding: 0 0.5rem;\n}\n\np {\n  padding: 0;\n}\n"
TS = "export interface Job {\n  id: number;\n  path?: string;\n  first: Date;\n  last: Date;\n}\n"


@pytest.mark.parametrize(
    ("path", "file", "shown", "changes"),
    [
        (
            "Job.java",
            JAVA,
            "public class Job {\n    // ... interfaces ...\n\n    public URL from;\n    // ...\n"
            "    public long first = 15000;\n    public int last = 5000;\n    // ... callbacks ...\n}",
            {"int first": "long first = 15000", "int last": "int last = 5000"},
        ),
        (
            "Job.java",
            JAVA,
            "public class Job {\n    // ... (unchanged)\n    public long step;\n    // ... (unchanged)\n"
            "    public Runnable done = null;\n}",
            {"int step": "long step", "Done done;": "Runnable done = null;"},
        ),
        (
            "Job.cs",
            SHARP,
            "class Job : Task\n{\n    private readonly int id;\n    private readonly string path;\n\n"
            "    // ... existing constructor ...\n}",
            {"protected int": "private readonly int", "protected string": "private readonly string"},
        ),
        (
            "Job.php",
            PHP,
            "class Job\n{\n    // ... other properties ...\n\n    /** @var string */\n    private $path = '';"
            "\n\n    // ... remaining methods ...\n}",
            {"protected $path": "private $path = ''"},
        ),
        (
            "site.css",
            CSS,
            "nav {\n  background: #222;\n  /* ... */\n  padding: 0 1rem;\n}\n\n/* ... */",
            {"lightgray": "#222", "0 0.5rem": "0 1rem"},
        ),
        (
            "job.ts",
            TS,
            "export interface Job {\n  // ...\n  path: string | URL | null;\n  // ...\n}\n// ...",
            {"path?: string": "path: string | URL | null"},
        ),
    ],
)
def test_what_is_shown_of_members_with_marks_around_them_is_where_their_names_are(
    path: str, file: str, shown: str, changes: dict[str, str]
) -> None:
    want = file
    for old, new in changes.items():
        want = want.replace(old, new)
    answer = f"**{path}**\n\n```\n{shown}\n```\n"
    assert apply_edits({path: file}, answer).files[path] in (file, want)
    assert apply_edits({path: file}, answer, accept="all").files[path] == want


@pytest.mark.parametrize(
    "shown",
    [
        "public class Job {\n    // ...\n    public int last = 3;\n    public int first = 4;\n    // ...\n}",
        "public class Job {\n    public int last = 3;\n    // ...\n    public URL from;\n    // ...\n}",
    ],
)
def test_a_member_is_not_declared_a_second_time(shown: str) -> None:
    with pytest.raises(UnmergedError):
        merge_shown(JAVA.splitlines(), shown.splitlines(), "Job.java")


def test_a_member_that_is_below_the_methods_is_not_added_above_them() -> None:
    file = SHARP.removesuffix("}\n") + "\n    protected int count;\n}\n"
    shown = (
        "class Job : Task\n{\n    protected int id;\n    private long count;\n    protected string path;\n\n"
        "    public Job(int id)\n    {\n        this.id = id;\n    }\n\n    // ...\n}"
    )
    with pytest.raises(UnmergedError) as caught:
        merge_shown(file.splitlines(), shown.splitlines(), "Job.cs")
    assert caught.value.reason is Unmerged.UNCLEAR


def test_a_field_of_several_lines_is_not_shown_in_part() -> None:
    file = JAVA.replace("step;", "step =\n            1;")
    shown = "public class Job {\n    // ...\n    public int step = 2;\n    // ...\n}"
    with pytest.raises(UnmergedError):
        merge_shown(file.splitlines(), shown.splitlines(), "Job.java")
    css = CSS.replace("0 0.5rem", "\n    0 0.5rem")
    with pytest.raises(UnmergedError):
        merge_shown(css.splitlines(), ["nav {", "  padding: 0;", "  /* ... */", "}", "/* ... */"], "site.css")


def test_a_constant_of_a_file_is_where_its_name_is() -> None:
    file = "export const LIMIT = 20;\nexport const DELAY = 1000;\n\nfunction run() {\n  return LIMIT;\n}\n"
    shown = "export const LIMIT = Infinity;\n// ... other constants ...\n\n"
    shown += "function run() {\n  return LIMIT;\n}\n\n// ... rest of the file ...\n"
    made = apply_edits({"limit.ts": file}, f"**limit.ts**\n\n```\n{shown}```\n", accept="all")
    assert made.files["limit.ts"] == file.replace("20", "Infinity")


def test_a_second_value_for_older_browsers_may_be_shown_next_to_the_first() -> None:
    shown = (
        "nav {\n  background: lightgray;\n  background: color(display-p3 0 1 0);\n  /* ... */\n}\n\n/* ... */"
    )
    lines = merge_shown(CSS.splitlines(), shown.splitlines(), "site.css").lines
    assert lines[1:3] == ("  background: lightgray;", "  background: color(display-p3 0 1 0);")


def test_what_uses_its_own_name_is_another_statement() -> None:
    file = "class Job:\n    path = Field()\n    last = None\n    first = None\n\n"
    file += "    def run(self):\n        pass\n"
    shown = "class Job:\n    # ...\n    first = None\n    path = cached(path)\n\n    # ... methods ...\n"
    want = file.replace("first = None\n", "first = None\n    path = cached(path)\n")
    assert list(merge_shown(file.splitlines(), shown.splitlines(), "job.py").lines) == want.splitlines()


def test_in_a_function_a_name_may_get_a_value_twice() -> None:
    file = "def run(self, object):\n    path = find()\n    first = 1\n    log(path)\n    return first\n"
    shown = "def run(self, object):\n    # ...\n    log(path)\n    path = None\n    return first\n"
    want = file.replace("log(path)\n", "log(path)\n    path = None\n")
    assert list(merge_shown(file.splitlines(), shown.splitlines(), "run.py").lines) == want.splitlines()


@pytest.mark.parametrize(
    "code",
    [
        "    // ...\n    public long step;\n    // ...\n",
        "    // ...\n    public long size;\n    // ...\n",
        "    // ...\n    public long step;\n    log();\n",
    ],
)
def test_members_alone_have_no_place(code: str) -> None:
    answer = f"Change `Job.java`:\n\n```java\n{code}```\n\nThat is all.\n"
    assert apply_edits({"Job.java": JAVA}, answer).files == {"Job.java": JAVA}
    assert apply_edits({"Job.java": JAVA}, answer, accept="all").files == {"Job.java": JAVA}


_HEADS = {"A.java": "class A {{\n{}}}\n", "a.ts": "interface A {{\n{}}}\n", "a.css": ".a {{\n{}}}\n"}
_LINES = {"A.java": "    int {} = {};\n", "a.ts": "  {}: T{};\n", "a.css": "  {}: {}px;\n"}
_MARKS = {"A.java": "    // ...\n", "a.ts": "  // ...\n", "a.css": "  /* ... */\n"}
_NAMES = ("width", "height", "margin", "padding", "border")


@given(
    path=st.sampled_from(sorted(_HEADS)),
    shown=st.lists(st.sampled_from(_NAMES), min_size=1, max_size=3, unique=True),
    marks=st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_a_member_that_is_not_shown_next_to_a_mark_stays(
    path: str, shown: list[str], marks: list[bool]
) -> None:
    assume(any(marks[: len(shown) + 1]))
    file = _HEADS[path].format("".join(_LINES[path].format(name, 1) for name in _NAMES))
    inner = [_MARKS[path] * marks[0]]
    for at, name in enumerate(sorted(shown, key=_NAMES.index)):
        inner += [_LINES[path].format(name, 2), _MARKS[path] * marks[at + 1]]
    answer = f"Change `{path}`:\n\n```\n{_HEADS[path].format(''.join(inner))}```\n\nThat is all.\n"
    after = apply_edits({path: file}, answer).files[path] or ""
    for name in _NAMES:
        assert after.count(f" {name}") == 1


STATEMENTS = ["open(9)", "rate = 20", "send(3)", "limit(rate, 7)", 'name = "b"', "close(9, 0)"]
CHANGED = ["open(8)", "rate = 35", "send(4)", "limit(rate, 70)", 'name = "y"', "close(8, 0)"]


@given(st.integers(1, 4), st.booleans(), st.booleans())
def test_a_value_that_changes_next_to_a_mark_is_never_a_second_statement(
    at: int, is_marked_above: bool, is_marked_below: bool
) -> None:
    lines = [f"    {line}" for line in STATEMENTS]
    marks = [["    # ..."] if is_marked else [] for is_marked in (is_marked_above, is_marked_below)]
    shown = ["def run():", *marks[0], f"    {CHANGED[at]}", *marks[1]]
    try:
        new = list(merge_shown(["def run():", *lines], shown, "run.py").lines)
    except UnmergedError:
        assert marks != [["    # ..."], ["    # ..."]]
        return
    if any(marks):
        assert new == ["def run():", *lines[:at], f"    {CHANGED[at]}", *lines[at + 1 :]]
