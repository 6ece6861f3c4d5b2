"""Lay out what the site is made of: `python -m tools.site.pages FOLDER`.

README.md is the first page, `docs/` keeps its name, and what pages link to is there at the same path: a link
that leads somewhere on a forge leads there on the site. What is no page (a module, a folder) loses its link.
"""

from __future__ import annotations

import html
import posixpath
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""The pages outside of `docs/`."""
_PICTURES = {".svg", ".webp", ".png"}
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_PIPED = re.compile(r"`([^`]*\\\|[^`]*)`")
"""Code with a `|` in a cell of a table, which forges and the site's Markdown read differently."""
_FENCE = re.compile(r"^ *(```|~~~)")


def main() -> None:
    """Write the folder that Zensical reads: its configuration, the pages, and their pictures."""
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    target = folder / "pages"
    for name, text in pages().items():
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for picture in pictures():
        (target / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / picture, target / picture)
    shutil.copy2(HERE / "site.css", target)
    shutil.copy2(HERE / "zensical.toml", folder)


def sources() -> dict[str, str]:
    """Return the path on the site of each page, by its path in the repository."""
    docs = (path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md")))
    return {name: "index.md" if name == "README.md" else name for name in (*PAGES, *docs)}


def pages() -> dict[str, str]:
    """Return the text of each page, by its path on the site."""
    return {
        place: with_links((ROOT / name).read_text(encoding="utf-8"), name)
        for name, place in sources().items()
    }


def pictures() -> list[str]:
    """Return the pictures that pages show, by their path in the repository."""
    found = {}
    for name in sources():
        for _, _, target, _ in _LINK.findall((ROOT / name).read_text(encoding="utf-8")):
            path = _resolved(name, target)
            if Path(path).suffix in _PICTURES and "://" not in target:
                found[path] = True
    return sorted(found)


def with_links(text: str, name: str) -> str:
    """Return the text of the page at `name` with the links that the site can follow, outside of code.

    What is code with a `|` in a table is written so that the site shows it as a forge does.
    """
    lines = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        is_code = fence or line.startswith("    ")
        if not is_code:
            line = _LINK.sub(lambda link: _followed(link, name), line)
        if line.startswith("|"):
            line = _PIPED.sub(_piped, line)
        lines.append(line)
    return "\n".join(lines)


def _followed(link: re.Match[str], name: str) -> str:
    sign, words, target, anchor = link.groups(default="")
    if "://" in target or not target:
        return link[0]
    path = _resolved(name, target)
    here = posixpath.dirname(sources()[name])
    if Path(path).suffix in _PICTURES:
        return f"{sign}[{words}]({posixpath.relpath(path, here or '.')}{anchor})"
    for page in (path, f"{path}/README.md"):
        if page in sources():
            return f"{sign}[{words}]({posixpath.relpath(sources()[page], here or '.')}{anchor})"
    return words


def _piped(code: re.Match[str]) -> str:
    return f"<code>{html.escape(code[1].replace(chr(92) + '|', '|')).replace('|', '&#124;')}</code>"


def _resolved(name: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


if __name__ == "__main__":
    main()
