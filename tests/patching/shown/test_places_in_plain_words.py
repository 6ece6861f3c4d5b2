"""Places that are named in plain, quoted or bold words: the one block of the file that has them."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

STYLES = """\
.app {
  margin: 0;
}

.badge-easy {
  color: green;
}

.badge-hard {
  color: red;
}
"""
RULE = ".badge-medium {\n  color: blue;\n}\n"
POM = """\
<project>
    <dependencies>
        <dependency>
            <artifactId>starter-web</artifactId>
        </dependency>
        <dependency>
            <artifactId>starter-actuator</artifactId>
        </dependency>
        <dependency>
            <artifactId>postgresql</artifactId>
        </dependency>
    </dependencies>
</project>
"""
DEPENDENCY = "<dependency>\n    <artifactId>starter-validation</artifactId>\n</dependency>\n"
LAST = "        <dependency>\n            <artifactId>postgresql"
WORKFLOW = """\
on: push
jobs:
  lint:
    steps:
      - uses: actions/checkout@v4
      - run: ruff
  deploy:
    steps:
      - uses: actions/checkout@v4
      - name: Deploy
        run: ./deploy
"""
STEP = "- name: Build\n  run: make\n"
PAGE = """\
<head>
  <meta charset="utf-8">
  <title>A</title>
</head>
<nav>
  <a href="/docs">Docs</a>
  <a href="/load">Download</a>
</nav>
"""
RUN = """\
package a

func Run(n int, s string) error {
\tif n < 1 {
\t\treturn errors.New("count must be positive")
\t}
\treturn work(s)
}
"""
CHECK = 'if s == "" {\n\treturn errors.New("no name")\n}\n'
TARGETS = "PREFIX=/u\n\n.PHONY: all test\n\nall:\n\tbuild\n\ntest:\n\tgo test\n"
HEADER = "/* Names. */\nconst char *name(int v);\n\n/* Whether it passes. */\nbool match(int v);\n"


def accepted(path: str, file: str, lead: str, code: str) -> str:
    answer = f"{lead}\n\n```\n{code}```\n"
    assert apply_edits({path: file}, answer).files[path] == file
    return apply_edits({path: file}, answer, accept="all").files[path] or ""


@pytest.mark.parametrize(
    "lead",
    [
        "In `a.css`, add this between the easy and the hard badge:",
        "In `a.css` there are rules for easy and hard. Add this one between them:",
        "In `a.css`, füge das zwischen easy und hard ein:",
        "Dans `a.css`, ajoutez cette règle entre easy et hard :",
        "En `a.css`, añade esta regla después de easy:",
        "Em `a.css`, adicione esta regra antes de **hard**:",
        "В `a.css` добавьте это правило после easy:",
        "在 `a.css` 的 easy 和 hard 之间添加：",
        "`a.css` の easy の後に追加:",
    ],
)
def test_a_rule_goes_next_to_the_one_whose_name_has_the_word(lead: str) -> None:
    assert accepted("a.css", STYLES, lead, RULE) == STYLES.replace(".badge-hard", f"{RULE}\n.badge-hard")


@pytest.mark.parametrize(
    ("path", "file", "lead", "code", "above"),
    [
        ("pom.xml", POM, "In `pom.xml`, after the actuator starter:", DEPENDENCY, LAST),
        ("pom.xml", POM, "In `pom.xml`, nach dem Actuator-Starter:", DEPENDENCY, LAST),
        ("a.yml", WORKFLOW, "In `a.yml`, in the `deploy` job, after the checkout:", STEP, "name: Deploy"),
        ("a.yml", WORKFLOW, "In `a.yml`, after the checkout of the deploy job:", STEP, "name: Deploy"),
        ("a.yml", WORKFLOW, "In `a.yml`, im Job `lint` am Ende:", STEP, "  deploy:"),
        ("a.yml", WORKFLOW, "En `a.yml`, añade este paso al final del job `lint`:", STEP, "  deploy:"),
        ("a.html", PAGE, "In `a.html`, in the `<head>`, after the charset:", '<meta name="a">\n', "  <title"),
        ("a.html", PAGE, "In `a.html`, between Docs and Download:", '<a href="/b">B</a>\n', '  <a href="/l'),
        ("a.go", RUN, "In `a.go`, in `Run`, below the check for a positive count:", CHECK, "\treturn work"),
    ],
)
def test_new_lines_go_next_to_others_of_their_kind(
    path: str, file: str, lead: str, code: str, above: str
) -> None:
    made = accepted(path, file, lead, code)
    at = file.index(above)
    at = file.rindex("\n", 0, at) + 1 if at else 0
    assert (made[:at], made[len(made) - len(file) + at :]) == (file[:at], file[at:])
    new = made[at : len(made) - len(file) + at].splitlines()
    assert [line.strip() for line in new] == [line.strip() for line in code.splitlines()]


@pytest.mark.parametrize(
    ("path", "file", "lead", "code"),
    [
        ("a.css", STYLES, "In `a.css`, add this below the badges:", RULE),
        ("pom.xml", POM, "In `pom.xml`, after the starter:", DEPENDENCY),
        ("a.yml", WORKFLOW, "In `a.yml`, after the checkout:", STEP),
        ("a.css", STYLES, "In `a.css`, do not add this after easy:", RULE),
    ],
)
def test_words_that_several_have_or_none_are_no_place(path: str, file: str, lead: str, code: str) -> None:
    assert accepted(path, file, lead, code) == file


def test_what_the_file_has_by_name_changes_where_it_is_and_the_rest_goes_to_the_place() -> None:
    code = ".PHONY: all debug test\n\ndebug:\n\tbuild -g\n"
    lead = "In the `Makefile`, put the target after `all`, and update the `.PHONY` line:"
    wanted = TARGETS.replace(".PHONY: all", ".PHONY: all debug").replace(
        "test:", "debug:\n\tbuild -g\n\ntest:"
    )
    assert accepted("Makefile", TARGETS, lead, code) == wanted


@pytest.mark.parametrize("code", ["/* None. */\nbool empty(void);\n", "bool empty(void);\n"])
@pytest.mark.parametrize(
    "lead",
    [
        "In `a.h`, above the comment of `match`:",
        "In `a.h`, füge das vor `match` ein:",
        "Dans `a.h`, ajoutez avant `match` :",
    ],
)
def test_a_comment_stays_with_what_is_below_it(lead: str, code: str) -> None:
    old = "/* Whether"
    assert accepted("a.h", HEADER, lead, code) == HEADER.replace(old, f"{code}\n{old}")


def test_a_comment_above_several_values_stays_above_a_new_one() -> None:
    file = "# mail\nHOST=a\nPORT=1\n"
    assert accepted(".env", file, "In `.env`, add above `HOST`:", "USER=x\n") == file.replace(
        "HOST", "USER=x\nHOST"
    )
