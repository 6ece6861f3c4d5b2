"""Which tests run in the same process, one after another, when several processes share them (`pytest -n`)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

TOGETHER = (
    # CPU times that are compared with each other.
    r"tests/growth/",
    # They wait half of their time, for editors and for what must not come: meanwhile the others compute.
    r"tests/(editors|hooks|mcp)/",
    # Both read the whole source, which is parsed once a process.
    r"tests/test_(house|architecture)\.py",
)
"""Patterns of what runs in one process, and so never at the same time as the others of its pattern."""

FIRST = (
    "tests/editors/",
    "tests/workspace/",
    "tests/operations/",
    "tests/checkpoints/",
    "tests/cli/",
    "tests/growth/",
    "tests/lsp/",
    "tests/locate/",
    "tests/test_",
    "tests/weighing/",
)
"""What takes longest is begun first, so that no process is left alone with it at the end.

Next comes what forks the process of the tests, which takes the longer the more memory that has come to hold.
"""


def unit(nodeid: str) -> str:
    """Return what a test runs together with: its module, whose fixtures are then made once, or more."""
    found = next((pattern for pattern in TOGETHER if re.match(pattern, nodeid)), None)
    return found or nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Return how many processes share all tests; of those that are named, the library decides.

    One more than there are processors, for now and then one waits: for an editor, for a time to be over.
    Each costs what it takes to collect all tests.
    """
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return None
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    return processors + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Return what hands the units out, in the order of `FIRST`."""
    from xdist.scheduler import LoadScopeScheduling

    class InUnits(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return unit(nodeid)

    config.option.loadscopereorder = False
    return InUnits(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Where several processes share all tests, begin in each with others.

    Each imports every module, and one that is there already need not be compiled again.
    """
    config = session.config
    shared = getattr(config, "workerinput", None)
    if shared is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    left_out = {"__pycache__", *config.getini("norecursedirs")}
    (top,) = (config.rootpath / name for name in config.args)
    parts = sorted(path for path in top.iterdir() if path.is_dir() or path.match("test_*.py"))
    names = [str(path) for path in parts if path.name not in left_out]
    at = len(names) * int(shared["workerid"].removeprefix("gw")) // shared["workercount"]
    config.args = names[at:] + names[:at]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put what takes longest first where several processes share the tests, in the same order in each."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _place(item.nodeid))


def _place(nodeid: str) -> tuple[int, str]:
    rank = next((rank for rank, folder in enumerate(FIRST) if nodeid.startswith(folder)), len(FIRST))
    return rank, nodeid.partition("::")[0]
