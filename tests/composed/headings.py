"""What is written above code: every heading of a table in every way, over one file."""

from __future__ import annotations

from collections.abc import Iterator

from tests.composed.answers import ComposedAnswer, filled, table


def headed_answers() -> Iterator[ComposedAnswer]:
    """Yield an answer for each heading, with and without its capitals, and each way to write it."""
    data = table("headings")
    seen = set()
    for sense, headings in data["headings"].items():
        for heading in (form for one in headings for form in (one, one.lower())):
            for way, template in data["ways"].items():
                text = filled(template, {"heading": heading, **data["blocks"]})
                if text not in seen:
                    seen.add(text)
                    name = f"{sense}: {heading}, {way}"
                    yield ComposedAnswer(group="headings", name=name, files=data["files"], text=text)
