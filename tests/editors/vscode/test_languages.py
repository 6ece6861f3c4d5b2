"""The words of the VS Code extension in every language that it is translated into."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.vscode_manifest import ENGLISH, EXTENSION, read_manifest, read_texts, server_descriptions

LANGUAGES = ("de", "zh-cn")

READ_BY_PEOPLE = {"title", "name", "displayName", "description", "enumDescriptions", "contents", "altText"}
"""The properties in the manifest that are texts, where they are not names."""

NAMES = {"Patchpoint", "patchpoint"}

STRING = r'"((?:[^"\\]|\\.)*)"'
MESSAGES = re.compile(rf"(?<![\w.])(?:t\(\s*{STRING}|counted\([^\"]*?,\s*{STRING},\s*{STRING})")


def messages() -> set[str]:
    """Return the messages in the sources, in English."""
    found = set()
    for path in (EXTENSION / "src").rglob("*.ts"):
        for match in MESSAGES.finditer(path.read_text(encoding="utf-8")):
            found |= {str(json.loads(f'"{text}"')) for text in match.groups() if text is not None}
    return found


def texts_in(value: Any, name: str = "") -> Iterator[str]:
    """Yield what people read in a part of the manifest, which `name` is the property of."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "inputSchema":  # models read that
                yield from texts_in(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner, name)
    elif isinstance(value, str) and name in READ_BY_PEOPLE and not is_name(value):
        yield value


def is_name(text: str) -> bool:
    return text in NAMES or text.startswith("patchpoint_")


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"\{\d+\}", text))


def commands(text: str) -> list[str]:
    return re.findall(r"\]\((command:[^)]+)\)", text)


def code(text: str) -> list[str]:
    return sorted(re.findall(r"`([^`]+)`", text))


def of_language(language: str) -> Path:
    return ENGLISH.with_name(f"package.nls.{language}.json")


def bundle(language: str) -> dict[str, str]:
    return read_texts(EXTENSION / "l10n" / f"bundle.l10n.{language}.json")


def test_every_text_of_the_manifest_has_a_key_and_every_key_a_text() -> None:
    found = list(texts_in(read_manifest()))
    assert found
    assert [text for text in found if not re.fullmatch(r"%[\w.]+%", text)] == []
    assert {text.strip("%") for text in found} == set(read_texts(ENGLISH))


def test_the_english_descriptions_of_the_settings_are_those_of_the_server() -> None:
    written = read_texts(ENGLISH)
    assert {key: written[key] for key in server_descriptions()} == server_descriptions(), "run `make docs`"


def test_every_language_has_both_files() -> None:
    translated = {path.name for path in EXTENSION.glob("package.nls.*.json")}
    assert translated == {f"package.nls.{language}.json" for language in LANGUAGES}
    assert {path.name for path in (EXTENSION / "l10n").iterdir()} == {
        f"bundle.l10n.{language}.json" for language in LANGUAGES
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_manifest_is_translated(language: str) -> None:
    english, translated = read_texts(ENGLISH), read_texts(of_language(language))
    assert list(translated) == list(english), "the same keys, in the same order"
    assert [key for key, text in translated.items() if text == english[key]] == []
    for key, text in translated.items():
        assert text.strip() == text != "", key
        assert commands(text) == commands(english[key]), f"{key} leads elsewhere"
        assert code(text) == code(english[key]), f"{key} names something else"
        assert text.count("\n") == english[key].count("\n"), f"{key} has other lines"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_of_the_sources_is_translated_and_nothing_else(language: str) -> None:
    found = messages()
    assert len(found) > 100
    translated = bundle(language)
    assert found - set(translated) == set(), "without a translation"
    assert set(translated) - found == set(), "no longer said"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_says_the_same_with_the_same_fillers(language: str) -> None:
    for english, text in bundle(language).items():
        assert text.strip() == text != "", english
        assert placeholders(text) == placeholders(english), english
        assert code(text) == code(english), english
        assert text.endswith((".", "。", "？", "?")) == english.endswith((".", "?")), english
        assert ("…" in text) == ("…" in english), english


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_quotation_marks_are_those_of_the_language(language: str) -> None:
    marks = {"de": "„“", "zh-cn": "“”"}[language]
    for text in (*bundle(language).values(), *read_texts(of_language(language)).values()):
        assert set(re.findall("[“”„]", text)) <= set(marks), text
        assert text.count(marks[0]) == text.count(marks[1]), text


def test_every_message_is_one_string_that_the_tests_can_read() -> None:
    """A message that is put together, or in backticks, would be in English for everybody."""
    for path in sorted((EXTENSION / "src").rglob("*.ts")):
        source = re.sub(
            r"/\*.*?\*/|^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        if path.name != "language.ts":
            assert not re.search(r"(?<![\w.])t\(\s*[^\"\s]", source), path.name
            assert not re.search(rf"(?<![\w.])t\(\s*{STRING}\s*\+", source), path.name


def test_nothing_is_shown_that_is_in_one_language_only() -> None:
    shown = re.compile(
        r"(?:announce|show(?:Information|Warning|Error)Message|TreeItem)\(\s*[\"`][^\"`$]*[a-z]{2}"
        r"|\b(?:title|prompt|placeHolder|openLabel|tooltip|description|detail|failureReason)"
        r"(?:: | = )\"[^\"]* "
    )
    for path in sorted((EXTENSION / "src").rglob("*.ts")):
        for found in shown.finditer(path.read_text(encoding="utf-8").replace("`Patchpoint: ${", "`${")):
            raise AssertionError(f"{path.name}: {found[0]}")
