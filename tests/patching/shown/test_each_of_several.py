"""Lines that are shown once are proposed for each place where the words above them say so."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

SERVICES = "services:\n  api:\n    image: a\n    restart: no\n  worker:\n    image: b\n    restart: no\n"
SHOWN = "```yaml\n    restart: always\n    mem_limit: 1g\n```\n"
FILES = {"compose.yml": SERVICES}


@pytest.mark.parametrize(
    "lead",
    [
        "Update `compose.yml`, in both services:",
        "Ändere `compose.yml` in beiden Diensten:",
        "Modifiez `compose.yml`, dans chaque service :",
        "Cambia `compose.yml`, en ambos servicios:",
        "Altere `compose.yml`, em todos os serviços:",
        "Измените `compose.yml`, в каждом сервисе:",
        "修改 `compose.yml` 中的每个服务：",
        "`compose.yml` の両方のサービスを変更してください：",
    ],
)
def test_all_of_it_is_proposed_for_each_of_them(lead: str) -> None:
    answer = f"{lead}\n\n{SHOWN}"
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files["compose.yml"]
    assert after == SERVICES.replace("restart: no", "restart: always\n    mem_limit: 1g")


@pytest.mark.parametrize("lead", ["Update `compose.yml`:", "Update another service in `compose.yml`:"])
def test_nothing_is_proposed_where_no_words_say_which_is_meant(lead: str) -> None:
    assert apply_edits(FILES, f"{lead}\n\n{SHOWN}", accept="all").files == FILES
