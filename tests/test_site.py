"""The documents as a site: each page has a place in it, and what pages link to is there."""

from __future__ import annotations

import posixpath
import re
import sys
from functools import cache

import pytest

from tools.site.pages import HERE, ROOT, pages, pictures, sources, with_links

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LINK = re.compile(r"\]\(([^)\s#]+)")


def navigation() -> list[str]:
    """The pages that the navigation names, by their path on the site."""
    entries = tomllib.loads((HERE / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    return re.findall(r"'([\w./-]+\.md)'", str(entries))


def test_every_page_is_in_the_navigation_but_single_decisions() -> None:
    wanted = {place for place in sources().values() if not place.startswith("docs/decisions/")}
    assert set(navigation()) == wanted | {"docs/decisions/README.md"}
    assert len(navigation()) == len(set(navigation()))


@cache
def site() -> dict[str, str]:
    """The text of each page, by its path on the site."""
    return pages()


@cache
def shown() -> frozenset[str]:
    """The pictures of the site."""
    return frozenset(pictures())


@pytest.mark.parametrize("place", sources().values())
def test_every_link_of_a_page_leads_to_a_page_or_a_picture_of_the_site(place: str) -> None:
    there = {*site(), *shown()}
    text = re.sub(r"(?ms)^ *(```+|~~~+).*?^ *\1|`[^`\n]*`|^    .*?$", "", site()[place])
    for target in LINK.findall(text):
        if "://" not in target:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(place), target))
            assert path in there, f"{place} links to {target}"


def test_a_link_into_the_repository_is_text_on_the_site_and_code_is_left_alone() -> None:
    page = "[The test](../tests/test_site.py), [this](review.md#a), [it](editors/vim.md).\n\n    [x](../a)\n"
    assert with_links(page, "docs/agents.md") == (
        "The test, [this](review.md#a), [it](editors/vim.md).\n\n    [x](../a)\n"
    )
    assert with_links("[first](../README.md)", "docs/agents.md") == "[first](../index.md)"
    assert with_links("![a](docs/pictures/demo.svg)", "README.md") == "![a](docs/pictures/demo.svg)"
    assert with_links("| `a \\| b` | `c` |", "docs/mcp.md") == "| <code>a &#124; b</code> | `c` |"
    assert with_links("[why](decisions/)", "docs/mcp.md") == "[why](decisions/README.md)"


def test_nothing_is_fetched_from_elsewhere_and_there_is_a_dark_and_a_light_theme() -> None:
    project = tomllib.loads((HERE / "zensical.toml").read_text(encoding="utf-8"))["project"]
    assert project["theme"]["font"] is False
    assert {palette.get("scheme") for palette in project["theme"]["palette"]} >= {"default", "slate"}
    assert "//" not in re.sub(
        r"/\*.*?\*/", "", (HERE / "site.css").read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert (ROOT / "README.md").is_file()
