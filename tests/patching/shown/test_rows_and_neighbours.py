"""New code next to definitions with more than their grammar knows, to items of lists, to rows of tables."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.structure.lazy.marks import without_numbers

COMMANDS = """\
class Cli < Thor
  desc "list", "List all"
  def list
    puts all
  end

  desc "sum", "Print the totals"
  def sum
    puts total
  end
end
"""
NEW = '  desc "count", "Count all"\n  def count\n    puts all.size\n  end\n'
TARGETS = """\
targets:
  - name: website
    url: https://example.com/
  - name: api
    url: https://api.example.com/health
  - id: docs
    name: documents
    url: https://docs.example.com/
"""
TABLES = """\
# A

| Name | Default |
| ---- | ------- |
| `APP_PORT` | `1` |

## Routes

| Method | Path | Text |
|--------|------|------|
| GET | /a | all |
"""


def made(path: str, file: str, lead: str, code: str) -> str:
    answer = f"{lead}\n\n```\n{code}```\n"
    assert apply_edits({path: file}, answer).files[path] == file
    return apply_edits({path: file}, answer, accept="all").files[path] or ""


@pytest.mark.parametrize(
    "lead",
    [
        "In `lib/cli.rb`, add the command between `list` and `sum`:",
        "Füge in `lib/cli.rb` den Befehl zwischen `list` und `sum` ein:",
        "Dans `lib/cli.rb`, ajoutez la commande entre `list` et `sum` :",
        "En `lib/cli.rb`, añade la orden entre `list` y `sum`:",
        "Em `lib/cli.rb`, adicione o comando entre `list` e `sum`:",
        "В `lib/cli.rb` добавьте команду между `list` и `sum`:",
        "在 `lib/cli.rb` 的 `list` 和 `sum` 之间添加命令:",
        "`lib/cli.rb` の `list` と `sum` の間にコマンドを追加します:",
    ],
)
def test_a_definition_with_its_own_lines_goes_between_two_others(lead: str) -> None:
    old = '  desc "sum"'
    assert made("lib/cli.rb", COMMANDS, lead, NEW) == COMMANDS.replace(old, f"{NEW}\n{old}")


@pytest.mark.parametrize(
    ("lead", "below"),
    [
        ("Add the shop to `config.yaml`, after `api`:", "  - id: docs\n"),
        ("Füge in `config.yaml` nach `api` ein:", "  - id: docs\n"),
        ("In `config.yaml`, add this before `documents`:", "  - id: docs\n"),
        ("在 `config.yaml` 的 `api` 之前添加:", "  - name: api\n"),
    ],
)
def test_an_item_of_a_list_is_called_by_its_name(lead: str, below: str) -> None:
    new = "  - name: shop\n    url: https://shop.example.com/\n"
    assert made("config.yaml", TARGETS, lead, new) == TARGETS.replace(below, new + below)


@pytest.mark.parametrize(
    ("row", "above"),
    [
        ("| `APP_HOST`      | `a`   |\n", "| `APP_PORT` | `1` |\n"),
        ("| POST | /a | new |\n", "| GET | /a | all |\n"),
    ],
)
@pytest.mark.parametrize("lead", ["Add a row to the table in `README.md`:", "在 `README.md` 的表格末尾添加:"])
def test_a_row_goes_to_the_table_with_as_many_columns(lead: str, row: str, above: str) -> None:
    assert made("README.md", TABLES, lead, row) == TABLES.replace(above, above + row)


def test_a_row_that_may_be_of_two_tables_goes_to_none() -> None:
    file = f"{TABLES}\n| Key | Action |\n| --- | --- |\n| q | quit |\n"
    assert made("README.md", file, "Add a row to the table in `README.md`:", "| x | y |\n") == file


@pytest.mark.parametrize(
    "shown",
    [
        ["8      a()", "9          b()", "10     c()"],
        [" 8 | a()", " 9 |     b()", "10 | c()"],
        ["8\ta()", "9\t    b()", "10\tc()"],
        ["8 a()", "9     b()", "11 c()"],
    ],
)
def test_numbers_in_front_of_lines_are_left_out(shown: list[str]) -> None:
    lines = without_numbers(shown, ["x()"])
    depths = [len(line.expandtabs(8)) - len(line.lstrip()) for line in lines]
    assert [line.strip() for line in lines] == ["a()", "b()", "c()"]
    assert (depths[1] - depths[0], depths[2] - depths[0]) == (4, 0)


@pytest.mark.parametrize(
    "shown", [["1", "2", "3"], ["1 a", "3 b", "2 c"], ["1. a", "2. b", "3. c"], ["1 a", "b", "3 c"]]
)
def test_other_numbers_stay(shown: list[str]) -> None:
    assert without_numbers(shown, ["x()"]) == shown


def test_code_with_such_numbers_is_only_proposed() -> None:
    file = "def a():\n    x = 1\n    return x\n"
    shown = "1  def a():\n2      x = 3\n3      return x\n"
    assert made("a.py", file, "In `a.py`:", shown) == file.replace("1", "3")


@pytest.mark.parametrize(
    "lead",
    [
        "Mention it in `README.md`:",
        "Update the row in `README.md`:",
        "Aktualisiere die Zeile in `README.md`:",
        "Mettez à jour la ligne dans `README.md` :",
        "Actualiza la fila en `README.md`:",
        "Atualize a linha em `README.md`:",
        "Обновите строку в `README.md`:",
        "更新 `README.md` 中的这一行：",
        "`README.md` の行を更新します:",
    ],
)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| `KEY` | `dev` | Key of the sessions |\n", "| `KEY` | `APP_KEY` or `dev` | Signs sessions |\n"),
        ("- `--dry-run`: prints what would be done\n", "- `--dry-run`: prints it, and asks\n"),
    ],
)
def test_a_row_or_an_item_takes_the_place_of_that_of_its_name(lead: str, old: str, new: str) -> None:
    file = (
        "# A\n\n| Name | Default | Text |\n|---|---|---|\n| `KEY` | `dev` | Key of the sessions |\n"
        "| `PORT` | `1` | The port |\n\n## Options\n\n- `--dry-run`: prints what would be done\n"
        "- `--all`: does all\n"
    )
    assert made("README.md", file, lead, new) == file.replace(old, new)
