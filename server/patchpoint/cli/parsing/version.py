"""`patchpoint --version`."""

from __future__ import annotations

from patchpoint.cli.terminal import DONE, standard_output


def print_version() -> int:
    """Print the version that is installed."""
    from importlib.metadata import version

    standard_output().line(f"patchpoint {version('patchpoint')}")
    return DONE
