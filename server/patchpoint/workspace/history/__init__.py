"""The history of earlier requests: applications, pending edits, refusals."""
