"""What a project rates on, as its lead sets it: dimensions, question types with their scales, rating settings."""
