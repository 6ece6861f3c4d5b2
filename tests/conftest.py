"""What holds for all tests."""

import os

from hypothesis import settings

# How long one example takes says how busy the machine is, not whether the code is right. Whoever works on a
# change tries other examples each time; what is taken must not depend on those that chance brings.
settings.register_profile("patchpoint", deadline=None, derandomize="PATCHPOINT_SAME_EXAMPLES" in os.environ)
# `make test-fast` asks for this one: fewer examples, where a test does not say itself how many it needs.
settings.register_profile("fast", settings.get_profile("patchpoint"), max_examples=20)
settings.load_profile("patchpoint")
