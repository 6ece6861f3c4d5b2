"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from shutil import disk_usage

import pytest
from hypothesis import settings

_ENOUGH_BYTES = 2 << 30
"""What the temporary files of all tests at once stay well below."""

# How long one example takes says how busy the machine is, not whether the code is right. Whoever works on a
# change tries other examples each time; what is taken must not depend on those that chance brings.
settings.register_profile("patchpoint", deadline=None, derandomize="PATCHPOINT_SAME_EXAMPLES" in os.environ)
# `make test-fast` asks for this one: fewer examples, where a test does not say itself how many it needs.
settings.register_profile("fast", settings.get_profile("patchpoint"), max_examples=12)
settings.load_profile("patchpoint")

# What is run by `nohup`, or in the background, is started to ignore some signals, and so is what it starts.
for _name in ("SIGHUP", "SIGINT", "SIGTERM"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)

# The tests start Patchpoint many hundred times: it is compiled once, whatever the environment says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A third of what the tests took was waiting until a disk had their small files; in memory they are at once.
_MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK) and disk_usage(_MEMORY).free > _ENOUGH_BYTES:
    os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)

# Nothing is left behind by a hook, but where a test is about that.
os.environ["PATCHPOINT_HOOK_STAY"] = "0"

pytest_plugins = ["tests.distribution", "tests.processor_time", "tests.sampling"]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is collected, since all of it stays: neither meanwhile nor later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        # Looking for cycles in what tests make as often as Python does takes a thirtieth of them.
        gc.set_threshold(10_000, 20, 50)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish() -> Iterator[None]:
    """Let another run of pytest delete the link to the newest folder at the same moment."""
    try:
        yield
    except FileNotFoundError as error:
        if Path(os.fsdecode(error.filename)).name != "pytest-current":
            raise
