"""The styles of the full screen, in the sixteen colours that a terminal's own theme makes readable."""

from __future__ import annotations

from prompt_toolkit.styles import Style

STYLE = Style.from_dict(
    {
        "head": "reverse",
        "foot": "reverse",
        "message": "reverse bold",
        "question": "bold",
        "line": "ansibrightblack",
        "number": "ansibrightblack",
        "fold": "ansibrightblack italic",
        "note": "ansicyan",
        "bar": "ansiyellow bold",
        "kept": "ansigreen bold",
        "back": "ansired bold",
        "because": "ansiyellow italic",
        "risk": "ansired bold",
        "file.current": "bold reverse",
        "chosen": "reverse",
        "key": "bold",
        "removed": "ansired",
        "added": "ansigreen",
        "sign": "bold",
        "word": "bold underline",
        "code.comment": "ansibrightblack",
        "code.keyword": "ansimagenta",
        "code.string": "ansiyellow",
        "code.escape": "ansiyellow",
        "code.number": "ansicyan",
        "code.constant": "ansicyan",
        "code.function": "ansiblue",
        "code.constructor": "ansiblue",
        "code.type": "ansicyan",
        "code.tag": "ansiblue",
        "code.attribute": "ansicyan",
        "code.label": "ansicyan",
        "code.module": "ansicyan",
    }
)
"""No style has a background of its own: what is dark on one person's screen is light on another's."""
