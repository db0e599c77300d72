"""Bringing question sets in."""
