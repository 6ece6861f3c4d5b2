"""mpatch, given a search/replace block."""

import mpatch

VERSION = mpatch.VERSION


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` where it raises."""
    block = f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"
    try:
        after: str = mpatch.patch_content(block, original=text)
    except mpatch.MpatchError:
        return None
    return after
