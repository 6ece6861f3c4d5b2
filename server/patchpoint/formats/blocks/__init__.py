"""Formats made of marked blocks: search/replace, anchors, whole files."""
