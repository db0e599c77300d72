"""The case book: settled errors that people look up once they have answered for themselves."""
