"""Transports: streams, sockets and WebSockets that connect one client."""
