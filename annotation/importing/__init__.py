"""Answers of raters who worked elsewhere: spans, reviews, groups, classifications, one module each.

answers.py is the importer; a kind of line is a `Part` that it knows by name.
"""
