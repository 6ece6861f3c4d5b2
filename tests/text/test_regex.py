"""Regular expressions of the package are compiled when they are first used, and are then as any other."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages

import pytest

import patchpoint
from patchpoint.text.regex import regex


def test_it_does_what_a_compiled_pattern_does() -> None:
    source, text = r"(?P<word>[a-z]+)(\d*)", "one1, two22"
    lazy, compiled = regex(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
    assert [found.span() for found in lazy.finditer(text)] == [one.span() for one in compiled.finditer(text)]
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.split(text) == compiled.split(text)
    assert lazy.sub(r"\2\1", text) == compiled.sub(r"\2\1", text)
    assert lazy.subn("-", text, count=1) == compiled.subn("-", text, count=1)
    for name in ("match", "search", "fullmatch"):
        assert repr(getattr(lazy, name)(text)) == repr(getattr(compiled, name)(text))
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(lazy, name) == getattr(compiled, name)
    assert regex(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_it_is_compiled_once_and_only_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    really = re.compile

    def watched(source: str, flags: int) -> re.Pattern[str]:
        compiled.append(source)
        return really(source, flags)

    monkeypatch.setattr(re, "compile", watched)
    lazy = regex("a+")
    assert compiled == []
    assert lazy.search("caat")
    assert lazy.match("aa")
    assert compiled == ["a+"]


def test_a_wrong_one_is_an_error_when_it_is_used_and_an_attribute_that_is_none_always() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.search("")
    with pytest.raises(AttributeError):
        regex("a").find  # type: ignore[attr-defined]  # noqa: B018


COMPILED_ON_IMPORT = """
import re, sys
really = re.compile

def watched(*given):
    caller = sys._getframe(1)
    while caller.f_code.co_filename == regex.__file__:
        caller = caller.f_back
    if caller.f_globals["__name__"].startswith("patchpoint."):
        print(caller.f_globals["__name__"], given[0])
    return really(*given)

from importlib import import_module
from pkgutil import walk_packages
import patchpoint
from patchpoint.text import regex
re.compile = watched
for module in walk_packages(patchpoint.__path__, "patchpoint."):
    if not module.name.endswith("__main__"):
        import_module(module.name)
"""


@pytest.mark.slow
def test_none_of_the_package_is_compiled_when_its_module_is_imported() -> None:
    command = [sys.executable, "-c", COMPILED_ON_IMPORT]
    assert subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout == ""


@pytest.mark.slow
def test_every_one_of_the_package_can_be_compiled() -> None:
    for module in walk_packages(patchpoint.__path__, "patchpoint."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    kind = type(regex(""))
    gc.unfreeze()
    gc.collect()  # the wrong one of another test
    found = [one for one in gc.get_objects() if type(one) is kind]
    assert len(found) > 100
    for one in found:
        assert one.flags is not None
