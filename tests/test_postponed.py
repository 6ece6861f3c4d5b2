"""Modules of the standard library that wait until something of them is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = "import sys; from patchpoint.postponed import postpone; postpone(['traceback', 'textwrap']); "


@pytest.mark.parametrize(
    "program",
    [
        "import textwrap; print(textwrap.dedent('  it is used'))",
        "from textwrap import dedent; print(dedent('  it is used'))",
        "import textwrap; textwrap.wrap('a b', 1); print(sys.modules['textwrap'].dedent('  it is used'))",
        "import traceback; print(traceback.textwrap.dedent('  it is used'))",
    ],
)
def test_it_is_there_once_it_is_used(program: str) -> None:
    assert printed(program) == "it is used"


def test_until_then_it_is_not_loaded() -> None:
    assert printed("import textwrap, traceback; print('tokenize' in sys.modules)") == "False"
    assert printed("import traceback; traceback.format_exc(); print('tokenize' in sys.modules)") == "True"


def test_the_logger_of_a_module_waits_until_it_logs_something() -> None:
    begin = "postpone(['logging']); import logging; log = logging.getLogger('till'); "
    assert printed(begin + "print('string' in sys.modules)") == "False"
    assert (
        printed(begin + "log.debug('no'); print(log.name, type(logging.getLogger('a')).__name__)")
        == "till Logger"
    )


def test_one_that_is_loaded_stays() -> None:
    assert printed("import json; postpone(['json']); print(hasattr(json, '__file__'))") == "True"
    assert printed("import json; postpone(['json']); print(sys.modules['json'] is json)") == "True"


def test_threads_that_use_it_first_at_the_same_time_find_all_of_it() -> None:
    program = """
import threading, textwrap
start = threading.Barrier(8)
found = []
def use():
    start.wait()
    found.append(textwrap.wrap('a b', 1))
threads = [threading.Thread(target=use) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print(found == [['a', 'b']] * 8)
"""
    assert printed(program) == "True"


def test_an_attribute_that_it_has_not_is_an_error() -> None:
    program = "import textwrap; print(hasattr(textwrap, 'no_such_thing'))"
    assert printed(program) == "False"


def printed(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
