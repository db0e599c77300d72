"""Collecting the responses of target models: a prompt once, in a session of its own, its first answer word for word."""
