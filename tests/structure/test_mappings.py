"""What is shown of a mapping of YAML is some of its keys."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint import Status, apply_edits
from patchpoint.structure.keyed.units import with_units

COMPOSE = """services:
  web:
    build: .
    depends_on:
      - db

  # the store
  db:
    image: postgres:15
    volumes:
      - pgdata:/var

volumes:
  pgdata:
"""


def shown(code: str, file: str = COMPOSE) -> str:
    units = with_units(file.splitlines(), code.splitlines(), "a.yml")
    assert units is not None
    return "".join(f"{line}\n" for line in units.lines)


def test_a_value_takes_the_place_of_the_value_and_the_other_keys_stay() -> None:
    healthy = "      db:\n        condition: healthy\n"
    code = f"services:\n  web:\n    depends_on:\n{healthy}  db:\n    image: postgres:16\n"
    assert shown(code) == COMPOSE.replace("      - db\n", healthy).replace(":15", ":16")


def test_a_new_key_goes_to_the_end_of_its_mapping() -> None:
    code = "services:\n  cache:\n    image: redis\n"
    wanted = COMPOSE.replace("/var\n", "/var\n\n  cache:\n    image: redis\n")
    assert shown(code) == wanted


def test_what_is_shown_at_another_depth_gets_that_of_the_file() -> None:
    code = "services:\n    db:\n        ports:\n            - 5432\n"
    assert shown(code) == COMPOSE.replace("/var\n", "/var\n    ports:\n        - 5432\n")


def test_what_is_no_mapping_or_has_a_key_twice_is_not_read() -> None:
    for code in ("- a\n- b\n", "services:\n  a: 1\nservices:\n  b: 1\n", "other: 1\n", "text\n"):
        assert with_units(COMPOSE.splitlines(), code.splitlines(), "a.yml") is None


def test_it_is_a_proposal_and_a_service_that_is_new_takes_the_place_of_none() -> None:
    code = "services:\n  app:\n    build: .\n    ports:\n      - 80:80\n"
    report = apply_edits({"compose.yml": COMPOSE}, f"**compose.yml**\n\n```yaml\n{code}```\n")
    assert report.files["compose.yml"] == COMPOSE
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    after = apply_edits({"compose.yml": COMPOSE}, f"**compose.yml**\n\n```yaml\n{code}```\n", accept="all")
    assert after.files["compose.yml"] == shown(code)


_KEYS = st.sampled_from(["a", "b", "c-d", "e.f"])
_VALUES = st.recursive(
    st.sampled_from(["1", "x y", '"t"']), lambda of: st.dictionaries(_KEYS, of, min_size=1)
)
_MAPPINGS = st.dictionaries(_KEYS, _VALUES, min_size=1)


def written(mapping: dict[str, object], depth: int = 0) -> list[str]:
    lines: list[str] = []
    for key, value in mapping.items():
        is_nested = isinstance(value, dict)
        lines.append(f"{' ' * depth}{key}:{'' if is_nested else f' {value}'}")
        lines += written(value, depth + 2) if isinstance(value, dict) else []
    return lines


def joined(own: dict[str, object], new: dict[str, object]) -> dict[str, object]:
    made = dict(own)
    for key, value in new.items():
        there = own.get(key)
        is_both = isinstance(there, dict) and isinstance(value, dict)
        made[key] = joined(there, value) if is_both else value  # type: ignore[arg-type]
    return made


@given(_MAPPINGS, _MAPPINGS)
def test_no_key_is_lost_and_each_that_is_shown_is_there(
    own: dict[str, object], new: dict[str, object]
) -> None:
    units = with_units(written(own), written(new), "a.yml")
    if set(own) & set(new):
        assert units is not None
        assert units.lines == tuple(written(joined(own, new)))
    else:
        assert units is None
