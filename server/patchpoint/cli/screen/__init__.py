"""A review on a full screen, for a terminal that can show one."""
