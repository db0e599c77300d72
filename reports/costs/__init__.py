"""What judges cost and how fast they are."""
