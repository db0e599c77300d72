"""Audited acceptance: people decide on a sample of what was proposed; a lead then accepts the rest unseen.

One shell for every kind of proposal (`kinds.py`): drawing and settling (`settling.py`), what it is worth (`worth.py`),
the work (`jobs.py`). What was accepted so is marked in the gold's provenance, in frames and in recipes.
"""
