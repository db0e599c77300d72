"""Figures of texts, one module for each group of tables."""
