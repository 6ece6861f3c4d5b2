"""Patchpoint: edits that a language model wrote, made safe."""
