"""The words around the figures: a module per group, each with `tables(results)`."""
