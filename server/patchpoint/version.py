"""The version, which the package's metadata and every command that says it take from here."""

__version__ = "0.1.0"
