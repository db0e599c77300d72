"""The words of each group of figures of ratings."""
