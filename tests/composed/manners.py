"""Ordinary answers whose right result is known: files in many languages, each changed in many manners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.composed.answers import Changes, ComposedAnswer, filled, table
from tests.composed.samples import Sample, samples


def ordinary_answers() -> Iterator[ComposedAnswer]:
    """Yield an answer for each sample and each manner."""
    manners = table("manners")
    for language, sample in samples().items():
        fields = sample.fields()
        for name, manner in manners.items():
            yield ComposedAnswer(
                group="manners",
                name=f"{language}, {name}",
                files={sample.path: sample.text, **manner.get("files", {})},
                text=filled(manner["answer"], fields),
                right=_right(sample, manner),
            )


def _right(sample: Sample, manner: dict[str, Any]) -> tuple[Changes, ...] | None:
    if manner["right"] is None:
        return None
    texts = sample.texts()
    return tuple({sample.path: texts[name], **manner.get("also", {})} for name in manner["right"])
