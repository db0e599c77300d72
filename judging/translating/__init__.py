"""Drafts of localisations by a model: a native speaker accepts, changes or puts aside each (docs/ratings.md)."""
