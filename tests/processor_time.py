"""How much processor time the tests take, and how much they may: a busy machine changes it little."""

from __future__ import annotations

import os
from typing import Any

import pytest

_OPTION = "--most-processor-seconds"
_TAKEN = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the most that they may take."""
    parser.addoption(
        _OPTION, type=float, metavar="SECONDS", help="fail if all processes together take more processor time"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin with none."""
    config.stash[_TAKEN] = 0.0


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add what a process has taken that ran tests for this one."""
    node.config.stash[_TAKEN] += getattr(node, "workeroutput", {}).get("processor_seconds", 0.0)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say what this process has taken, or fail if it is too much."""
    config = session.config
    taken = sum(os.times()[:2])
    if not config.pluginmanager.has_plugin("dsession"):
        # Otherwise the processes that it has started are those that run the tests, and say it themselves.
        taken = sum(os.times()[:4])
    output = getattr(config, "workeroutput", None)
    if output is not None:
        output["processor_seconds"] = taken
        return
    config.stash[_TAKEN] += taken
    most = config.getoption(_OPTION)
    if most is not None and config.stash[_TAKEN] > most and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print it."""
    taken, most = config.stash[_TAKEN], config.getoption(_OPTION)
    terminalreporter.write_line(f"{taken:.0f} s of processor time in all processes together")
    if most is not None and taken > most:
        terminalreporter.write_line(
            f"That is more than {most:.0f} s: find the slowest with `--durations=20`, and make them "
            "faster, or give those that have a smaller sibling the mark `slow`",
            red=True,
        )
