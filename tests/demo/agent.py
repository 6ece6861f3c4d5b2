"""An agent that was asked to have sessions end by themselves, and changes twelve places in five files."""

from __future__ import annotations

from pathlib import Path

FILES = Path(__file__).parent / "review"
"""The files before and after, in a folder each."""


def write(state: str, project: Path) -> None:
    """Write the files as they are `before` or `after` into a project."""
    for source in sorted((FILES / state).rglob("*")):
        if source.is_file():
            place = project / source.relative_to(FILES / state)
            place.parent.mkdir(parents=True, exist_ok=True)
            # They end in .txt, so that no tool takes them for code of ours.
            place.with_suffix("").write_bytes(source.read_bytes())
