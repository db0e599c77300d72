"""What calls to models have cost, and how fast judges are."""
