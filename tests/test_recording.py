"""The recordings in README.md show what the program prints, and nothing else."""

from __future__ import annotations

import os

import pytest

from tools.recording import DEMO, REVIEW, demo, review

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")


def test_the_recording_of_the_demo_is_that_of_the_program() -> None:
    assert DEMO.picture.read_bytes() == demo(), "run `make docs`"


def test_the_recording_of_a_review_is_that_of_the_program() -> None:
    assert REVIEW.picture.read_bytes() == review(), "run `make docs`"
