"""Arithmetic on ratings, spans and scores.

One function per formula. Inputs are numpy arrays or plain records, outputs are `figures.Figure`:
a value with its n and, where asked, its interval, or the reason why there is no value. No web framework,
no database: whatever is computed here can be computed again from an export.
"""
