"""Google's diff-match-patch: a patch from the search text to the replacement, looked for in all the text."""

from importlib.metadata import version

from diff_match_patch import diff_match_patch  # type: ignore[import-untyped]

VERSION = version("diff-match-patch")


def apply(text: str, search: str, replace: str, path: str) -> str | None:
    """Return the new text, or `None` if any part of the patch finds no place."""
    engine = diff_match_patch()
    engine.Match_Distance = max(1000, 4 * len(text))
    patched, landed = engine.patch_apply(engine.patch_make(search, replace), text)
    return patched if landed and all(landed) else None
