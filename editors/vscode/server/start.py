"""Starts the server that the extension carries, with the packages for the Python that runs this."""

import sys
from pathlib import Path

BUNDLE = Path(__file__).resolve().parent
OWN = "python{}.{}".format(*sys.version_info)

sys.path[:0] = [str(BUNDLE / OWN), str(BUNDLE / "libraries")]

from patchpoint.cli import main  # noqa: E402 - found on the path that was just made

if __name__ == "__main__":
    sys.exit(main())
