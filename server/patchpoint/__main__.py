"""`python -m patchpoint` is the command line."""

import sys

from patchpoint.cli import main

sys.exit(main())
