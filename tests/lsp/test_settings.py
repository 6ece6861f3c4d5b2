"""Settings are followed where they are right, and named and ignored where they are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import patchpoint
from patchpoint.outcome import Rung
from patchpoint.schema.decode import JSON
from patchpoint.schema.settings import Setting, Settings, Trace, read_settings, table_of_settings


@pytest.mark.parametrize(
    "given",
    [
        {"match": {"minSimilarity": 0.8}, "trace": "verbose"},
        {"match.minSimilarity": 0.8, "trace": "verbose"},
        {"patchpoint": {"match": {"minSimilarity": 0.8}, "trace": "verbose"}},
        {"patchpoint": {"match.minSimilarity": 0.8, "trace": "verbose"}},
    ],
)
def test_nested_and_flat_settings_with_and_without_the_section_are_alike(given: JSON) -> None:
    settings, problems = read_settings(given)
    assert not problems
    assert (settings.min_similarity, settings.trace) == (0.8, Trace.VERBOSE)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            {"match": {"minSimilarity": "high"}},
            '`patchpoint.match.minSimilarity` must be a number, not "high".',
        ),
        ({"match": {"minMargin": -1}}, "`patchpoint.match.minMargin` must be between 0 and 1"),
        ({"match": {"rungs": ["exact", "guess"]}}, "`patchpoint.match.rungs[1]` must be one of"),
        ({"match": {"minSimilarty": 0.5}}, "Unknown setting `patchpoint.match.minSimilarty`"),
        ({"checkpoints": {"keepDays": 0}}, "`patchpoint.checkpoints.keepDays` must be between 1 and 36500"),
        ({"checkpoints": {"maxFileSizeMiB": float("inf")}}, "MiB` must be a finite number"),
        ({"checkpoints": {"maxFileSizeMiB": 10**400}}, "MiB` must be a finite number"),
        ({"checkpoints": {"maxFileSizeMiB": 1e308}}, "MiB` must be between 0 and 1048576"),
    ],
)
def test_a_wrong_setting_is_named_and_the_others_hold(given: dict[str, JSON], complaint: str) -> None:
    settings, problems = read_settings({**given, "trace": "messages"})
    assert settings == Settings(trace=Trace.MESSAGES)
    assert len(problems) == 1
    assert complaint in problems[0]


@pytest.mark.parametrize("given", [None, [], "x", 3, {}, {"patchpoint": None}, {"match": None}])
def test_no_settings_are_the_defaults(given: JSON) -> None:
    assert read_settings(given) == (Settings(), [])


def test_the_defaults_satisfy_their_own_table() -> None:
    settings, problems = read_settings({setting.name: setting.default for setting in table_of_settings()})
    assert (settings, problems) == (Settings(), [])
    assert settings.rungs == tuple(Rung)


@pytest.mark.parametrize("setting", table_of_settings(), ids=lambda setting: setting.name)
def test_every_setting_is_read_by_some_module(setting: Setting) -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(patchpoint.__file__).parent.rglob("*.py")]
    assert any(re.search(rf"\b(?:self|settings)\.{setting.attribute}\b", source) for source in sources)


def test_every_setting_has_a_schema_for_manifests() -> None:
    for setting in table_of_settings():
        schema = setting.schema()
        assert schema["description"] == setting.description
        assert schema["type"] in ("number", "integer", "boolean", "string", "array")
