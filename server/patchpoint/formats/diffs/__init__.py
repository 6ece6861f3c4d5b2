"""Formats made of diff lines: unified diffs, patch envelopes, shell commands that apply them."""
