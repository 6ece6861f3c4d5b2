from datetime import datetime, timezone

import pytest

from patchpoint.wording import ago, plural

NOW = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)


def test_one_thing_is_singular_and_any_other_number_plural() -> None:
    assert [plural(count, "file") for count in (0, 1, 2)] == ["0 files", "1 file", "2 files"]


@pytest.mark.parametrize(
    ("created_at", "age"),
    [
        ("2026-03-04T12:00:00.000Z", "just now"),
        ("2026-03-04T11:59:00.001Z", "just now"),
        ("2026-03-04T11:59:00.000Z", "1 minute ago"),
        ("2026-03-04T11:00:00.001Z", "59 minutes ago"),
        ("2026-03-04T10:00:00.000Z", "2 hours ago"),
        ("2026-03-03T12:00:00.000Z", "1 day ago"),
        ("2025-03-04T12:00:00.000Z", "365 days ago"),
        ("2026-03-04T12:00:01.000Z", "just now"),
    ],
)
def test_an_age_is_given_in_its_largest_whole_unit(created_at: str, age: str) -> None:
    assert ago(created_at, NOW) == age


def test_an_age_below_a_minute_can_be_given_in_other_words() -> None:
    assert ago("2026-03-04T12:00:00.000Z", NOW, "less than a minute ago") == "less than a minute ago"
