"""The quality report of groups of people."""
