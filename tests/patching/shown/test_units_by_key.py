"""A part of a file that is a list of units is proposed for those of its keys."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

FILES = {
    "Makefile": "CC = gcc\n\nall: app\n\napp: main.c\n\t$(CC) -o app main.c\n\ntest: app\n\t./app --test\n",
    "CMakeLists.txt": "project(app)\nadd_executable(app a.c)\ntarget_link_libraries(app\n  m\n)\nset(A 1)\n",
    "Dockerfile": "FROM python:3.10\nWORKDIR /app\nCOPY . .\nRUN pip install .\nRUN app --check\n",
    "settings.ini": "[main]\nname = app\n\n[logging]\nlevel = INFO\n",
    "pom.xml": (
        "<project>\n  <name>app</name>\n  <properties>\n    <java.version>11</java.version>\n"
        "    <skip>no</skip>\n  </properties>\n</project>\n"
    ),
    "App.jsx": (
        "export default function App() {\n  return (\n    <main>\n      <h1>Count</h1>\n      <p>One</p>\n"
        "      <p>Two</p>\n      <button onClick={() => add(1)}>{count}</button>\n    </main>\n  );\n}\n"
    ),
    "app.gradle": (
        "android {\n    compileOptions {\n        source JavaVersion.V_8\n        target JavaVersion.V_8\n"
        '    }\n    dependencies {\n        implementation "org.a:one:1"\n    }\n}\n'
    ),
    "site.conf": (
        "server {\n    listen 80;\n    server_name a.com;\n    location / {\n        proxy_pass http://a;\n"
        "        proxy_set_header Host $host;\n    }\n}\n"
    ),
    "main.prisma": "model User {\n    id   Int    @id\n    role String @a\n}\n",
    "main.dart": "class App {\n  final String title;\n  int size;\n}\n",
    "page.html": "<html>\n<body>\n  <nav>\n    <a href='/'>A</a>\n  </nav>\n  <p>One</p>\n</body>\n</html>\n",
}


def shown(path: str, code: str) -> str:
    return f"In `{path}`, change this part:\n\n```\n{code}```\n\nThat is all.\n"


@pytest.mark.parametrize(
    ("path", "code", "old", "new"),
    [
        ("Makefile", "test: app\n\t./app --test --fast\n", "--test\n", "--test --fast\n"),
        (
            "Makefile",
            "test: app\n\t# ... existing commands ...\n\t./app --fast\n",
            "--test\n",
            "--test\n\t./app --fast\n",
        ),
        ("Makefile", "CC = clang\n", "gcc", "clang"),
        ("CMakeLists.txt", "target_link_libraries(app\n  m pthread\n)\n", "  m\n", "  m pthread\n"),
        ("CMakeLists.txt", "target_link_libraries(app\n  m pthread\n", "  m\n", "  m pthread\n"),
        ("Dockerfile", "FROM python:3.12\n", "3.10", "3.12"),
        ("Dockerfile", "RUN pip install -e .\n", "install .", "install -e ."),
        ("settings.ini", "[logging]\nlevel = DEBUG\n", "INFO", "DEBUG"),
        (
            "settings.ini",
            "[main]\nname = app\n\n[mail]\nport = 25\n",
            "app\n",
            "app\n\n[mail]\nport = 25\n",
        ),
        (
            "pom.xml",
            "<properties>\n  <java.version>17</java.version>\n  <skip>no</skip>\n</properties>\n",
            ">11<",
            ">17<",
        ),
        ("App.jsx", "<h1>{title}</h1>\n", "<h1>Count</h1>", "<h1>{title}</h1>"),
        ("page.html", "<p>Two</p>\n", "<p>One</p>", "<p>Two</p>"),
        (
            "app.gradle",
            "compileOptions {\n    source JavaVersion.V_17\n    target JavaVersion.V_17\n}\n",
            "V_8",
            "V_17",
        ),
        (
            "app.gradle",
            'dependencies {\n    implementation "com.b:another-two:2"\n}\n',
            'one:1"\n',
            'one:1"\n        implementation "com.b:another-two:2"\n',
        ),
        ("pom.xml", "<properties>\n  <java.version>17</java.version>\n</properties>\n", ">11<", ">17<"),
        ("site.conf", "server {\n    listen 443 ssl;\n}\n", "listen 80", "listen 443 ssl"),
        ("main.prisma", "model User {\n    role Role @b\n}\n", "role String @a", "role Role @b"),
        ("Makefile", "\t./app --test --fast\n", "./app --test\n", "./app --test --fast\n"),
    ],
)
def test_a_unit_is_proposed_for_that_of_its_key(path: str, code: str, old: str, new: str) -> None:
    report = apply_edits(FILES, shown(path, code))
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    report = apply_edits(FILES, shown(path, code), accept="all")
    assert report.files == {**FILES, path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("Dockerfile", "FROM node:20\n"),
        ("pom.xml", "<version>2</version>\n"),
        ("App.jsx", "<p>Three</p>\n"),
        ("App.jsx", "<h1>Count\n"),
        ("App.jsx", "<h2>{title}</h2>\n"),
        ("main.dart", "class App {\n  int count;\n}\n"),
        ("page.html", "<footer>\n  <p>Bye</p>\n</footer>\n"),
    ],
)
def test_what_has_no_place_or_would_lose_something_is_refused(path: str, code: str) -> None:
    report = apply_edits(FILES, shown(path, code), accept="all")
    assert report.files == FILES


def test_a_new_rule_of_make_is_shown_at_the_end() -> None:
    rule = "install: app\n\tcp app /usr/bin\n"
    report = apply_edits(FILES, shown("Makefile", rule), accept="all")
    assert report.files == {**FILES, "Makefile": f"{FILES['Makefile']}\n{rule}"}
    assert apply_edits(FILES, shown("Makefile", rule)).files == FILES


def test_a_key_that_a_file_has_twice_names_nothing() -> None:
    files = {"Makefile": "all: a\n\nall: b\n\nclean:\n\trm -f a b\n"}
    assert apply_edits(files, shown("Makefile", "all: c\n"), accept="all").files == files


def test_members_that_are_there_already_are_not_there_twice() -> None:
    members = '        <env name="A" value="1"/>\n        <env name="B" value="2"/>\n'
    file = f"<phpunit>\n    <php>\n{members}    </php>\n</phpunit>\n"
    answer = f"In `phpunit.xml`:\n\n```xml\n    <php>\n{members}    </php>\n```\n"
    assert apply_edits({"phpunit.xml": file}, answer, accept="all").files["phpunit.xml"] == file
