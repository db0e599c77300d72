"""The case book: settled cases that people look up once they have answered for themselves."""
