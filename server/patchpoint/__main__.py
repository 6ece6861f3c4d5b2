"""Run the command line as `python -m patchpoint`."""

import sys

from patchpoint.cli import main

sys.exit(main())
