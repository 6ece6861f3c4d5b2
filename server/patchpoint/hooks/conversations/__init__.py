"""Conversations of agents, put back to a prompt: a new session of the agent, next to the one that stays."""
