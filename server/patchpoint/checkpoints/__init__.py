"""Checkpoints of working trees: recorded as ordinary commits under private refs, restored byte for byte."""
