"""Checks: items with a known answer, given beside the queue and unrecognisably, and what follows from the answers."""
