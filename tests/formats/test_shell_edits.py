"""Commands of a shell that change files: those that are read are proposals, others hold the script back."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Malformed
from patchpoint.formats import parse_edits
from patchpoint.outcome import Status

FILES = {
    "requirements.txt": "fastapi==0.110.0\nuvicorn==0.27.1\n",
    "README.md": "# Meteo\n",
    "package.json": '{\n  "version": "1.0.0"\n}\n',
    "src/a.ts": "const a = 1;\nconst b = 2;\n",
    "old.py": "x = 1\n",
}
CAT = "cat >> README.md <<'EOF'\nmore\nEOF\n"
MORE = {"README.md": "# Meteo\nmore\n"}


def answer(script: str, above: str = "Run this in the root of the repository:") -> str:
    return f"{above}\n\n```bash\n{script}\n```\n"


def changes(text: str, *, yes: bool = True) -> dict[str, str | None]:
    report = apply_edits(FILES, text, accept="all" if yes else ())
    return {path: new for path, new in report.files.items() if new != FILES.get(path)}


READ = {
    "sed -i 's/^fastapi==0.110.0$/fastapi==0.111.1/' requirements.txt": (
        "requirements.txt",
        "fastapi==0.111.1\nuvicorn==0.27.1\n",
    ),
    "sed -i '' 's|0.110.0|0.111.1|' requirements.txt": (
        "requirements.txt",
        "fastapi==0.111.1\nuvicorn==0.27.1\n",
    ),
    "sed -i.bak -e 's/fastapi/django/' -e 's/uvi/guni/g' requirements.txt && rm requirements.txt.bak": (
        "requirements.txt",
        "django==0.110.0\ngunicorn==0.27.1\n",
    ),
    "sed -i -E 's/(fastapi)==.*/\\1==1/' ./requirements.txt": (
        "requirements.txt",
        "fastapi==1\nuvicorn==0.27.1\n",
    ),
    "sed --in-place --expression='/uvicorn/d' requirements.txt": ("requirements.txt", "fastapi==0.110.0\n"),
    "sed -i '/^fastapi/a\\\nhttpx==1' requirements.txt": (
        "requirements.txt",
        "fastapi==0.110.0\nhttpx==1\nuvicorn==0.27.1\n",
    ),
    'sed -i "s/\\"version\\": \\"1.0.0\\"/\\"version\\": \\"1.1.0\\"/" package.json': (
        "package.json",
        '{\n  "version": "1.1.0"\n}\n',
    ),
    "cd src && sed -i 's/a = 1/a = 9/' a.ts && cd ..": ("src/a.ts", "const a = 9;\nconst b = 2;\n"),
    "cd src\nsed -i 's/a = 1/a = 9/' a.ts": ("src/a.ts", "const a = 9;\nconst b = 2;\n"),
    "$ sed -i 's/a = 1/a = 9/' src/a.ts": ("src/a.ts", "const a = 9;\nconst b = 2;\n"),
    "sed -i 's/a = 1/a = 9/' src/a.ts  # the first": ("src/a.ts", "const a = 9;\nconst b = 2;\n"),
    "perl -pi -e 's/const (\\w+)/let $1/g' src/a.ts": ("src/a.ts", "let a = 1;\nlet b = 2;\n"),
    "perl -i -pe 's/const/let/' src/a.ts": ("src/a.ts", "let a = 1;\nlet b = 2;\n"),
}


@pytest.mark.parametrize("script", READ)
def test_a_command_that_edits_a_file_in_place_is_a_proposal(script: str) -> None:
    path, text = READ[script]
    assert changes(answer(script), yes=False) == {}
    assert changes(answer(script)) == {path: text}


@pytest.mark.parametrize("script", READ)
def test_a_file_that_the_same_script_writes_waits_for_it(script: str) -> None:
    if script.startswith("cd src\n"):
        script += "\ncd .."
    path, text = READ[script.removesuffix("\ncd ..") if script.startswith("cd src\n") else script]
    assert changes(answer(f"{CAT}{script}"), yes=False) == {}
    assert changes(answer(f"{CAT}{script}")) == {**MORE, path: text}


CHANGING = [
    'sed -i "s/1.0.0/$VERSION/" package.json',
    "sed -i 's/const/let/' src/*.ts",
    "find . -name '*.ts' | xargs sed -i 's/a/b/'",
    "find . -name '*.ts' -exec sed -i 's/a/b/' {} +",
    "for f in src/a.ts; do\n  sed -i 's/a/b/' \"$f\"\ndone",
    "perl -0777 -pi -e 's/a/b/' src/a.ts",
    "mv src lib",
    "rm old.py",
    "git rm old.py",
    "git mv old.py src/new.py",
    "echo 'y = 2' >> old.py",
    "printf 'y = 2\\n' >> old.py",
    "cp src/a.ts src/b.ts",
    "patch -p1 < fix.patch",
    "git apply fix.patch",
    "git apply <<'END'\n--- a/old.py\n+++ b/old.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\nEND",
    "awk '{print}' old.py > src/new.py",
    "gawk -i inplace '{print}' old.py",
    "jq '.a = 1' package.json > t.json && mv t.json package.json",
    "yq -i '.a = 1' package.json",
    "curl -s https://x.test | tee src/a.ts",
    "truncate -s 0 src/a.ts",
    'echo "a = $B" >> old.py',
    "echo 'x = 2' > old.py",
    "python3 - <<'END'\nopen('old.py', 'w').write('x = 2')\nEND",
]


@pytest.mark.parametrize("command", CHANGING)
def test_a_command_that_changes_a_file_in_another_way_holds_the_script_back(command: str) -> None:
    report = apply_edits(FILES, answer(f"{CAT}{command}"), accept="all")
    assert dict(report.files) == FILES
    assert any("changes a file" in one.message for one in report.outcomes)


HARMLESS = [
    "npm install express",
    "pip install -r requirements.txt",
    "mkdir -p src/x",
    "docker compose up -d --build > /dev/null 2>&1",
    "echo done",
    "git add -A && git commit -m 'a > b'",
    "export A=1",
    "chmod +x run.sh",
    "sed -n 1,3p src/a.ts",
    "npm test 2>&1 | tee out.log",
    "python - <<'END'\nprint(1)\nEND",
    "# mv is not needed",
    "curl -s localhost:8000 | jq .",
]


@pytest.mark.parametrize("command", HARMLESS)
def test_a_command_that_changes_no_file_of_the_project_holds_nothing_back(command: str) -> None:
    assert changes(answer(f"{CAT}{command}"), yes=False) == MORE


def test_what_a_command_does_to_a_file_that_the_script_writes_is_not_known() -> None:
    script = "cat > new.py <<'EOF'\nx = 1\nEOF\nsed -i 's/1/2/' new.py"
    assert changes(answer(script)) == {}


def test_a_command_that_finds_nothing_to_change_keeps_the_script_from_being_applied() -> None:
    report = apply_edits(FILES, answer(f"{CAT}sed -i 's/nothing/x/' src/a.ts"), accept="all")
    assert dict(report.files) == FILES
    assert [one.status for one in report.outcomes] == [Status.HELD, Status.NOT_FOUND]


def test_a_command_alone_that_no_word_asks_for_is_refused() -> None:
    [refused] = parse_edits("```bash\nsed -i 's/a/b/' src/a.ts\n```\n")
    assert isinstance(refused, Malformed)
    assert "not run" in refused.message


def test_several_files_of_one_command_are_edits_of_their_own() -> None:
    files = {"a.txt": "one\n", "b.txt": "one two\n"}
    report = apply_edits(files, answer("sed -i 's/one/1/' a.txt b.txt"), accept="all")
    assert dict(report.files) == {"a.txt": "1\n", "b.txt": "1 two\n"}


def test_what_a_terminal_printed_is_no_command() -> None:
    script = f"$ {CAT}$ npm test\n1 > 0 passed\nmv: renamed a to b\n"
    assert changes(answer(script), yes=False) == MORE
