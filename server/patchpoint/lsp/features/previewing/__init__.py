"""Previews: what edits would change, of which a person keeps some and drops others."""
