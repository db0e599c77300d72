"""What a board shows: each file one thing, from its statistics to its table."""
