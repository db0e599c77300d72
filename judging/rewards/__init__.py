"""Judges as rewards: what a model in training writes is scored over HTTP, within a budget (docs/training.md)."""
