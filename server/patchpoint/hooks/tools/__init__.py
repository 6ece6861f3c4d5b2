"""The tools of agents, by what they are called and what they are given."""
