"""Scripts of `sed` that edit a file in place: its lines become what `sed` itself makes of them."""

from __future__ import annotations

import subprocess

import pytest

from patchpoint.edit import Target, TargetKind
from patchpoint.patching.named.sed import edited_in_place
from patchpoint.patching.named.unplaced import UnplacedError

TEXT = """alpha beta
fastapi==0.110.0
xfastapi==0.110.0
  image: app:1.0 # x/y
foo(bar) | a+b? {1}
a.b.c a.b.c

end $5 ^x *y [z]
"""
BASIC = r"""
s/^fastapi==0.110.0$/fastapi==0.111.1/
s/^fastapi==0\.110\.0/fastapi==0.111.1/
s|app:1.0|app:2.0|
s#x/y#y/x#g
s,x/y,q,
s/x\/y/q/
s/a.b/X/g
s/a\.b/X/2
s/\(foo\)(\(bar\))/\2(\1)/
s/foo(bar)/&&/
s/a+b?/Q/
s/b*/Z/
s/[[:space:]]*#.*$//
s/[^a-z]/_/g
s/[]x]/_/g
s/[\.]/_/g
s/\balpha\b/omega/
s/\<a/A/g
s/ALPHA/x/I
s/alpha/x\ny/
s/\*y/w/
s/\$5/six/
s/^\(\s*image:\s*\)app:.*$/\1app:9/
s/^/# /
s/$/ ;/
s/\[z\]/q/
s/a\|f/X/g
s/{1}/q/
s/a\+/q/
s/.*/[&]/
s/a/\&/
1s/a/b/;2s/f/F/
/alpha/d
/^$/d
2d
2,3d
$d
/fast/,/foo/d
/fast/s/0.110/0.1/
/foo/,$s/a/Z/g
/alpha/a\ new line
/alpha/a\  two
/alpha/a new
/alpha/i\new
2c\changed
$a last
""".strip().splitlines()
EXTENDED = [r"s/(foo)\((bar)\)/\2/", r"s/^(\s*image:).*/\1 z/", r"s/a\+b/Q/", r"s/0{1}/q/"]
SEVERAL = ["/alpha/a\\\n  x\\\n  y", "1i\\\nfoo\n3d", "s/a/b/\ns/b/c/"]
UNREAD = [
    "s/a/b/p", "s/a/b/w f", "s/a/b/3g", "y/a/b/", "/a/!d", "2q", "1~2d", "N;s/a/b/", "s/a/\\U&/",
    "/a/{s/a/b/}", "s/a/b", "s/a", "/a", "s", "", "a", "s/\\(a/b/", "r f", "s/a/\\1/", "s|a\\|b|c|",
]  # fmt: skip


def made(script: str, kind: str = "", text: str = TEXT) -> str:
    lines = text.split("\n")[:-1]
    return "".join(
        f"{line}\n" for line in edited_in_place(lines, Target(TargetKind.COMMAND, script, last=kind)).lines
    )


@pytest.mark.parametrize("script", [*BASIC, *SEVERAL])
def test_a_script_makes_what_sed_makes(script: str) -> None:
    done = subprocess.run(["sed", script], input=TEXT, capture_output=True, text=True, check=True)
    assert made(script) == done.stdout


@pytest.mark.parametrize("script", EXTENDED)
def test_a_script_with_extended_patterns_makes_what_sed_makes(script: str) -> None:
    done = subprocess.run(["sed", "-E", script], input=TEXT, capture_output=True, text=True, check=True)
    assert made(script, "E") == done.stdout


@pytest.mark.parametrize("script", UNREAD)
@pytest.mark.parametrize("kind", ["", "E"])
def test_what_is_not_read_is_refused(script: str, kind: str) -> None:
    with pytest.raises(UnplacedError):
        made(script, kind)


@pytest.mark.parametrize("script", ["s/nothing/x/", "/nothing/d", "99d", "s/alpha/alpha/"])
def test_what_changes_nothing_is_not_there(script: str) -> None:
    with pytest.raises(UnplacedError) as raised:
        made(script)
    assert "changes" in str(raised.value.values)


def test_a_substitution_of_perl_has_the_patterns_of_perl() -> None:
    assert made(r"s/(\w+) beta/$1 gamma/", "perl").startswith("alpha gamma\n")


@pytest.mark.parametrize(
    "script", ["s/$x/y/", "s/a/$name/", "s/a/\\U$1/", "/a/d", "s/(?{1})/x/", "s/\\Qa/b/"]
)
def test_other_code_of_perl_is_refused(script: str) -> None:
    with pytest.raises(UnplacedError):
        made(script, "perl")


@pytest.mark.parametrize(
    "script",
    [
        "s/^(a+)+$/b/",
        "s/(a|aa)+$/b/",
        "s/(a|f){3}/b/",
        "s/.*.*.*.*x/b/",
        f"s/{'a?' * 40}{'a' * 40}/b/",
        f"s/{'(a|a)' * 40}b/c/",
        "s/a{0,900}a{0,900}a{0,900}x/b/",
    ],
)
def test_no_pattern_takes_longer_than_anybody_waits(script: str) -> None:
    text = f"{'a' * 2000}\n{'a' * 60}!\n" * 50
    with pytest.raises(UnplacedError):
        made(script, "E", text)
