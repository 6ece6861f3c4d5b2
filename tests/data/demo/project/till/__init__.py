"""A cash register for a market stall."""
