"""Paths and URIs are converted as pygls converts them, without pygls in the command line."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator
from pathlib import Path

import pygls.uris
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from patchpoint.schema import uris

SEGMENTS = st.text(
    st.sampled_from(" aZ09.:;?#%&=+~@!$'()*,[]\\|<>\"^`{}\t\nä€語😀\u200b\ud800"), min_size=1, max_size=6
)
PATHS = st.builds(
    lambda root, segments: root + "/".join(segments),
    st.sampled_from(["", "/", "//", "//host/", "/c:/", "/C:/", "C:/", "c:", "C:\\", "\\\\host\\share\\"]),
    st.lists(SEGMENTS, max_size=4),
).filter(lambda path: not path.replace("\\", "/").startswith("///"))
"""Paths as `Path` normalises them: with two leading slashes at most."""

URIS = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["file:", "FILE:", "File://", " file:", "untitled:", "file:/", ""]),
    st.sampled_from(["", "//", "///", "//host/", "//%68ost/", "//[::1]/", "//[/", "//a℀b/"]),
    st.sampled_from(["", "c:/", "C:/", "c%3A/", "C%3a/", "/C:/"]),
    st.text(st.sampled_from("aé/.;?#%2Fc:\\ \n\0\ud800"), max_size=8),
    st.sampled_from(["", "%2e%2E/", "%00", "%ff", "%E2%82%AC", "#frag", "?query"]),
)


@pytest.fixture(params=[False, True], ids=["posix", "windows"], autouse=True, scope="module")
def system(request: pytest.FixtureRequest) -> Iterator[None]:
    """Convert as on POSIX, and as on Windows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pygls.uris, "IS_WIN", request.param)
        patch.setattr(uris, "_ON_WINDOWS", request.param)
        yield


@given(PATHS)
@example("/a b/ü%20;x?y#z")
@example("//host/share/a")
@example("//host")
@example("//host//a")
@example("//host/\\")
@example("C:\\Users\\a b")
def test_a_path_has_the_uri_that_pygls_gives_it(path: str) -> None:
    try:
        wanted = pygls.uris.from_fs_path(path)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 (the two word it differently)
            uris.uri_of(path)
    else:
        assert uris.uri_of(path) == wanted


@given(URIS)
@example("file:///c%3A/a")
@example("file://host/share")
@example("file://[/a")
@example("file:")
@example("file:a;b")
def test_a_uri_names_the_file_that_pygls_gives_it(uri: str) -> None:
    try:
        wanted = pygls.uris.to_fs_path(uri) if uri.lower().startswith("file:") else None
    except ValueError:
        wanted = None
    if wanted and "\ufffd" in wanted:
        return  # bytes that are no UTF-8: pygls names another file, and a test below has them
    if not wanted or "\0" in wanted:
        assert uris.path_of(uri) is None
    else:
        assert uris.path_of(uri) == Path(os.path.abspath(wanted))  # noqa: PTH100


@pytest.mark.parametrize("path", ["/a/b c", "/a/ü€😀", "/%2F;?#&", "//host/share/x"])
def test_a_path_comes_back_from_its_uri(path: str) -> None:
    there = uris.path_of(uris.uri_of(path))
    assert str(there).replace("\\", "/").endswith(path)


def test_spellings_of_one_document_have_one_key() -> None:
    assert len({uris.document_key(uri) for uri in ("file:///c%3A/a", "file:///c:/a", "FILE:///C:/a")}) == 1


@pytest.mark.parametrize(
    ("uri", "scheme", "name"),
    [
        ("file:///a/b%20c", "file", "b c"),
        ("Untitled:Untitled-1", "untitled", "Untitled:Untitled-1"),
        ("file://[/x", "", "x"),
        ("", "", ""),
    ],
)
def test_a_uri_has_a_scheme_and_a_name(uri: str, scheme: str, name: str) -> None:
    assert (uris.scheme_of(uri), uris.name_of(uri)) == (scheme, name)


@given(st.lists(st.binary(min_size=1, max_size=8), min_size=1, max_size=3))
def test_a_name_of_any_bytes_comes_back(parts: list[bytes]) -> None:
    if uris._ON_WINDOWS:
        pytest.skip("names are Unicode there")
    names = [part.translate(None, b"/\0") or b"x" for part in parts]
    names = [b"x" if name in (b".", b"..") else name for name in names]
    if re.match(rb"[A-Za-z]:", names[0]):
        names[0] = b"x" + names[0]  # else the first one is a drive of Windows, whose files have URIs, too
    path = Path(os.fsdecode(b"/" + b"/".join(names)))
    uri = uris.uri_of(path)
    assert uri.isascii()
    assert uris.path_of(uri) == path


def test_where_the_system_composes_names_both_spellings_are_one_document(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spellings = ["file:///caf%C3%A9/a.py", "file:///cafe%CC%81/a.py"]
    for composes, keys in ((True, 1), (False, 2)):
        monkeypatch.setattr(uris, "_COMPOSES", composes)
        uris.document_key.cache_clear()
        assert len({uris.document_key(uri) for uri in spellings}) == keys
    uris.document_key.cache_clear()
