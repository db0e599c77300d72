"""The figures of each group: their arithmetic and, beside it, the tables they are written down in."""
