"""Changes of a plan as they are made on disk, by ourselves."""

from patchpoint.disk import journal_folder as landing_journal
from patchpoint.disk import land_changes

__all__ = ["land_changes", "landing_journal"]
