"""Conversations that are JSON: exports of chats, and the files in which agents keep their sessions."""
