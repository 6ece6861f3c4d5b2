"""The line endings of a text, mixed ones too."""

from __future__ import annotations

from patchpoint.dataclass import dataclass
from patchpoint.text.lines import LINE_ENDING


@dataclass(frozen=True, slots=True)
class Endings:
    r"""How many lines of a text end in `\n`, in `\r\n` and in `\r`."""

    lf: int
    crlf: int
    cr: int

    @property
    def mixed(self) -> bool:
        """Whether the text has several kinds of endings."""
        return (self.lf > 0) + (self.crlf > 0) + (self.cr > 0) > 1

    @property
    def usual(self) -> str:
        r"""The most frequent ending; `"\n"` for a text without any and where two are equally frequent."""
        most = max(self.lf, self.crlf, self.cr)
        if most == self.lf:
            return "\n"
        return "\r\n" if most == self.crlf else "\r"


def endings_of(text: str) -> Endings:
    """Return how often each ending occurs in `text`."""
    if "\r" not in text:
        return Endings(text.count("\n"), 0, 0)
    crlf = text.count("\r\n")
    return Endings(text.count("\n") - crlf, crlf, text.count("\r") - crlf)


def ended(text: str) -> str:
    """Return `text` with an ending after its last line, where it has none."""
    return text if not text or text.endswith(("\n", "\r")) else text + endings_of(text).usual


def is_shown_as(saved: str, shown: str) -> bool:
    r"""Return whether an editor shows the text of a file as `shown`: as it is, or `\n` for each `\r\n`.

    The latter is what Emacs sends.
    """
    return saved == shown or ("\r" in saved and saved == shown.replace("\n", "\r\n"))


def with_ending(text: str, ending: str) -> str:
    """Return `text` with `ending` for every line ending; a last line without one stays without."""
    if ending == "\n" and "\r" not in text:
        return text
    return LINE_ENDING.sub(lambda _: ending, text)
