"""Code of a language of which nothing is known is proposed by the lines that the file has, too."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

FILES = {
    "lib/app.ex": (
        "defmodule App do\n  use Plug.Router\n\n  plug :match\n\n"
        '  get "/" do\n    send_resp(conn, 200, "hello")\n  end\n\n'
        "  def start(port) do\n    Http.start(port)\n  end\nend\n"
    ),
    "nginx.conf": (
        "http {\n    sendfile on;\n\n    server {\n        listen 80;\n\n        location / {\n"
        "            proxy_pass http://app;\n        }\n\n        location /static/ {\n"
        "            alias /srv/static/;\n        }\n    }\n}\n"
    ),
    "main.dart": (
        "class App {\n  final String title;\n\n  String name() {\n    return title;\n  }\n\n"
        "  void log(String text) {\n    print(text);\n  }\n}\n"
    ),
    "Main.hs": 'module Main where\n\nimport Data.List\n\ngreet :: String -> String\ngreet n = "Hi " ++ n\n',
    "one.pl": "sub one {\n    my $x = shift;\n    return $x + 1;\n}\n\nsub two {\n    return 2;\n}\n",
}
"""Files of languages without a grammar."""


def shown(path: str, code: str) -> str:
    return f"Change `{path}`:\n\n```\n{code}```\n\nThat is all.\n"


@pytest.mark.parametrize(
    ("path", "code", "old", "new"),
    [
        (
            "lib/app.ex",
            "defmodule App do\n  # ... existing code ...\n\n"
            '  get "/" do\n    send_resp(conn, 200, "hello world")\n  end\n\n  # ... more ...\nend\n',
            "hello",
            "hello world",
        ),
        (
            "nginx.conf",
            "    server {\n        listen 80;\n\n        location / {\n            proxy_pass http://app;\n"
            "            proxy_redirect off;\n        }\n\n        # ... rest unchanged ...\n    }\n",
            "http://app;\n",
            "http://app;\n            proxy_redirect off;\n",
        ),
        (
            "main.dart",
            "class App {\n  // ... fields ...\n\n  String name() {\n    return title.trim();\n  }\n\n"
            "  // ... rest of the class ...\n}\n",
            "return title;",
            "return title.trim();",
        ),
        (
            "Main.hs",
            '-- ... imports ...\n\ngreet :: String -> String\ngreet n = "Hi, " ++ n\n',
            '"Hi "',
            '"Hi, "',
        ),
        ("one.pl", "sub one {\n    my ($x) = @_;\n    return $x + 1;\n}\n", "$x = shift", "($x) = @_"),
    ],
)
def test_what_is_shown_with_marks_is_proposed(path: str, code: str, old: str, new: str) -> None:
    report = apply_edits(FILES, shown(path, code))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    report = apply_edits(FILES, shown(path, code), accept="all")
    assert report.files == {**FILES, path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    "code",
    [
        "  # ...\n\n  def stop do\n    :ok\n  end\n\n  # ...\n",
        "defmodule App do\n  # ... existing code ...\n\n  def start(port) do\n    if port do\n",
    ],
    ids=["nowhere", "cut off"],
)
def test_what_says_no_place_or_opens_more_than_it_closes_is_refused(code: str) -> None:
    assert apply_edits(FILES, shown("lib/app.ex", code), accept="all").files == FILES


CONFIG = (
    "[server]\n# where it listens\nlisten = localhost\n\n# seconds\ntimeout = 5\n\n[guard]\n"
    "# new ones a minute.\nrate = 2\n\n# how many\n# at most\ndirect-reply = 3\n"
)


@pytest.mark.parametrize(
    ("path", "file", "code", "changes"),
    [
        (
            "app.cfg",
            CONFIG,
            "[guard]\n# ... existing settings ...\nrate = 5\ndirect-reply = 10\n# ...\n",
            {"rate = 2": "rate = 5", "reply = 3": "reply = 10"},
        ),
        (
            "app.cfg",
            CONFIG.replace("timeout", "enabled = false\ntimeout") + "enabled = true\n",
            "[server]\n# ...\nenabled = true\ntimeout = 9\n\n[guard]\n# ...\nenabled = false\n# ...\n",
            {"enabled = false": "enabled = yes", "= true": "= false", "= yes": "= true", "= 5": "= 9"},
        ),
        (
            "Containerfile",
            "FROM base\n\n# packages\nRUN make init\n\nRUN make all\n",
            "# ... unchanged ...\n\n# packages\nRUN make init && npm cache clean --force\n\n# ...\n",
            {"make init": "make init && npm cache clean --force"},
        ),
        (
            "site.conf",
            "server {\n    body_size 20M;\n    listen 80;\n\n    location / {\n        # pass unix:///socket;\n"
            "        pass 127.0.0.1:8080;\n        include params;\n    }\n}\n",
            "server {\n    body_size 50M;\n    # ... rest of the block ...\n\n    location / {\n"
            "        # ...\n        pass 127.0.0.1:9090;\n        # ...\n    }\n}\n",
            {"20M": "50M", "8080": "9090"},
        ),
    ],
    ids=["comments above keys", "keys of two sections", "a line that goes on", "brackets that match"],
)
def test_what_is_left_out_without_a_mark_of_its_own_stays(
    path: str, file: str, code: str, changes: dict[str, str]
) -> None:
    want = file
    for old, new in changes.items():
        want = want.replace(old, new)
    assert apply_edits({path: file}, shown(path, code)).files == {path: file}
    assert apply_edits({path: file}, shown(path, code), accept="all").files == {path: want}
