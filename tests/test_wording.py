from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.wording import ago, answer_named, before_edits, byte_size, plural, without_credentials

NOW = datetime(2026, 3, 4, 12, tzinfo=timezone.utc)


def test_one_thing_is_singular_and_any_other_number_plural() -> None:
    assert [plural(count, "file") for count in (0, 1, 2)] == ["0 files", "1 file", "2 files"]


@pytest.mark.parametrize(
    ("count", "size"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1.0 KiB"),
        (1024**2 * 3.5, "3.5 MiB"),
        (1024**3 * 2000, "2000.0 GiB"),
    ],
)
def test_a_size_is_given_in_its_largest_unit(count: float, size: str) -> None:
    assert byte_size(int(count)) == size


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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://me:pw@host/x.git", "https://***@host/x.git"),
        ("https://token@host:8443/x", "https://***@host:8443/x"),
        ("https://me:p@w@host/x", "https://***@host/x"),
        ("https://me:p/w@host/x", "https://***"),
        ("https://host/@scope/x", "https://host/@scope/x"),
        ("https://host/x?private_token=pw", "https://host/x?***"),
        ("it said 'https://me:pw@host/x': no", "it said 'https://***@host/x': no"),
        ("me@host:repo.git", "me@host:repo.git"),
        ("https://host:8443", "https://host:8443"),
        ("https://[::1]:80/x", "https://[::1]:80/x"),
    ],
)
def test_a_url_is_shown_without_its_credentials(text: str, shown: str) -> None:
    assert without_credentials(text) == shown


WORD = st.text("abcXYZ019-._~!$&()*+,;=%@:", min_size=1, max_size=12)


@given(user=WORD, password=WORD, host=st.sampled_from(["host", "a.example:8443"]), path=WORD)
def test_no_password_is_ever_shown(user: str, password: str, host: str, path: str) -> None:
    text = f"https://{user}:QQ{password}QQ@{host}/{path}"
    assert "QQ" not in without_credentials(text)
    assert without_credentials(f"no: {text}").startswith("no: https://***@" + host)


@pytest.mark.parametrize(
    ("paths", "named"),
    [
        (["src/sessions.py"], "sessions.py"),
        (["src/sessions.py", "structures.py", "till/tax.py"], "sessions.py, structures.py, +1"),
        (["a/__init__.py", "b/__init__.py"], "a/__init__.py, b/__init__.py"),
        (["__init__.py", "b/__init__.py"], "__init__.py, b/__init__.py"),
    ],
)
def test_files_are_named_by_what_tells_them_apart(paths: list[str], named: str) -> None:
    assert before_edits(len(paths), paths) == f"Before {plural(len(paths), 'edit')}: {named}"


def test_an_answer_is_called_by_its_time_where_the_reader_is() -> None:
    there = timezone(timedelta(hours=2))
    now = datetime(2026, 3, 4, 12, tzinfo=there)
    assert answer_named("", "2026-03-04T06:35:10.123Z", now, 3, 1) == "answer of 08:35, 3 edits in 1 file"
    assert answer_named("", "2026-03-03T22:10:00Z", now, 1, 2) == "answer of 00:10, 1 edit in 2 files"
    assert answer_named("", "2026-03-03T21:10:00Z", now, 1, 1).startswith("answer of 2026-03-03 23:10")
    assert answer_named("“So it is”", "2026-03-03T21:10:00Z", now, 1, 1) == "“So it is”, 1 edit in 1 file"
