"""What people ask of files every day, and where it goes: values, elements, documents of YAML, what goes."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits


def shown(path: str, file: str, lead: str, code: str) -> str | None:
    """Return the file after a yes to what the answer proposes, which nothing is written without."""
    answer = f"{lead}\n\n```\n{code}```\n"
    first = apply_edits({path: file}, answer)
    assert first.files[path] == file
    assert [one.status for one in first.outcomes] == [Status.PROPOSED], first.outcomes
    return apply_edits({path: file}, answer, accept="all").files[path]


def test_a_document_of_yaml_is_not_merged_into_another_one() -> None:
    file = "spring:\n  jpa:\n    ddl-auto: update\n"
    code = "---\nspring:\n  profile: test\n  jpa:\n    ddl-auto: create-drop\n"
    answer = f"Add this at the end of `application.yml`:\n\n```\n{code}```\n"
    files = {"application.yml": file}
    assert apply_edits(files, answer, accept="all").files == files


def test_imports_at_the_top_go_among_those_of_the_file_and_the_rest_below_them() -> None:
    file = "import logging\n\nfrom fastapi import FastAPI\n\nlogger = logging.getLogger()\n"
    code = "import os\n\nsentry.init(os.environ)\n"
    after = shown("main.py", file, "Initialize it at the top of `main.py`, after the imports:", code)
    assert after == (
        "import logging\nimport os\n\nfrom fastapi import FastAPI\n\nsentry.init(os.environ)\n\n"
        "logger = logging.getLogger()\n"
    )


def test_a_name_that_would_get_two_values_is_asked_about() -> None:
    file = "class Config:\n    DEBUG = False\n    PAGES = 20\n\n\nclass Test(Config):\n    DEBUG = True\n"
    code = 'class Config:\n    ...\n    PAGES = int(os.environ.get("PAGES", 20))\n'
    after = shown("config.py", file, "**config.py**", code) or ""
    assert after.replace('    PAGES = int(os.environ.get("PAGES", 20))\n', "") == file


def test_a_new_name_above_a_definition_goes_right_above_it() -> None:
    file = "KEEP=7\n\nlog() {\n  echo $*\n}\n\nrotate() {\n  ls | tail -n $KEEP\n}\n\nrotate\n"
    code = "KEEP_DAYS=14\n\nrotate() {\n  find . -mtime +$KEEP_DAYS -delete\n}\n"
    after = shown("backup.sh", file, "**backup.sh**", code)
    assert after == file.replace("rotate() {\n  ls | tail -n $KEEP\n}\n", code)


def test_other_methods_are_those_below_the_last_one_too() -> None:
    head = "public class Products {\n"
    made = "    public Products(Context context) {\n        this.context = context;\n    }\n\n"
    added = "    public Product add(Product one) {\n        return context.add(one);\n    }\n"
    last = "\n    public void discount(Product one) {\n        one.price *= 0.9;\n    }\n"
    file = f"{head}{made}{added}{last}}}\n"
    logged = added.replace("        return", '        log.info("add");\n        return')
    code = f"{head}    // other methods unchanged\n\n{logged}}}\n"
    assert shown("Products.java", file, "**Products.java**", code) == f"{head}{made}{logged}{last}}}\n"


@pytest.mark.parametrize(
    "lead",
    [
        "Dans `worker.py`, remplacez la méthode `run` par celle-ci (le reste du fichier ne change pas) :",
        "In `worker.py`, replace `run` with this (the rest of the file does not change):",
        "In `worker.py`, the `run` method has no retry:",
        "Ersetze `run` in `worker.py` hierdurch (der Rest bleibt, nicht anfassen):",
    ],
)
def test_what_is_said_of_the_rest_is_not_said_of_the_code(lead: str) -> None:
    file = "class Worker:\n    def run(self):\n        self.fetch()\n\n    def stop(self):\n        pass\n"
    code = "    def run(self):\n        retry(self.fetch)\n"
    assert shown("worker.py", file, lead, code) == file.replace("self.fetch()", "retry(self.fetch)")


def test_what_goes_below_a_name_goes_below_where_it_gets_its_value() -> None:
    file = 'const BASE = "/api";\n\nexport async function load() {\n  return fetch(`${BASE}/todos`);\n}\n'
    code = (
        "async function request(path) {\n  const found = await fetch(`${BASE}${path}`);\n  return found;\n}\n"
    )
    after = shown("api.js", file, "In `api.js` add a helper after `BASE`:", code)
    assert after == file.replace('"/api";\n', f'"/api";\n\n{code}')


USER = """class User(Base):
    id = Column(Integer)
    name = Column(
        String,
    )

    def __repr__(self):
        return self.name


class Post(Base):
    id = Column(Integer)
"""


def test_a_field_below_a_mark_goes_below_the_fields_and_not_behind_the_methods() -> None:
    code = "class User(Base):\n    # ... existing columns ...\n    bio = Column(Text)\n"
    answer = f"**models.py**\n\n```python\n{code}```\n"
    wanted = USER.replace("    )\n", "    )\n    bio = Column(Text)\n")
    assert apply_edits({"models.py": USER}, answer).files["models.py"] == wanted


def test_a_field_between_two_marks_goes_below_the_fields() -> None:
    code = (
        "class User(Base):\n    # ... columns ...\n    bio = Column(Text)\n\n    # ... existing methods ...\n"
    )
    after = shown("models.py", USER, "**models.py**", code)
    assert after == USER.replace("    )\n", "    )\n    bio = Column(Text)\n")


def test_a_field_that_is_shown_next_to_another_one_stays_there() -> None:
    code = "class User(Base):\n    id = Column(Integer)\n    bio = Column(Text)\n    # ... rest ...\n"
    answer = f"**models.py**\n\n```python\n{code}```\n"
    wanted = USER.replace("(Integer)\n", "(Integer)\n    bio = Column(Text)\n", 1)
    assert apply_edits({"models.py": USER}, answer).files["models.py"] == wanted


@pytest.mark.parametrize("field", ["size = property(label)", "label.short = True", "sizes = [label, len]"])
def test_a_field_that_uses_a_method_stays_behind_the_methods(field: str) -> None:
    file = USER.replace("__repr__", "label")
    answer = f"**models.py**\n\n```python\nclass User(Base):\n    # ... existing code ...\n    {field}\n```\n"
    wanted = file.replace("        return self.name\n", f"        return self.name\n\n    {field}\n")
    assert apply_edits({"models.py": file}, answer).files["models.py"] == wanted


_SAVE = "def save(path, data):\n    path.check()\n    path.write(data)\n    return path\n"
_LOAD = "def load(path):\n    return path.read()\n\n\n"


def test_the_last_function_of_an_answer_is_proposed_where_its_last_line_is_another_one() -> None:
    code = "def save(path, data):\n    other = path.new()\n    other.write(data)\n    other.move(path)\n"
    assert shown("files.py", _LOAD + _SAVE, "**files.py**", code) == _LOAD + code


def test_the_last_function_of_an_answer_that_is_shorter_than_before_is_not_proposed() -> None:
    answer = "**files.py**\n\n```\ndef save(path, data):\n    path.check()\n    data.check()\n```\n"
    files = {"files.py": _LOAD + _SAVE}
    assert apply_edits(files, answer, accept="all").files == files
