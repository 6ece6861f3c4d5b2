"""What holds for all tests."""

from hypothesis import settings

# How long one example takes says how busy the machine is, not whether the code is right.
settings.register_profile("patchpoint", deadline=None)
settings.load_profile("patchpoint")
