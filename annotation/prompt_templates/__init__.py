"""Prompt templates as a lead writes and lists them, and draws their splits."""
