"""A mapping says what becomes of a file that somebody else's tool wrote: which of its parts fill which of our fields.

It is data (`specification`), applied to records as they are read (`applying`): rows are taken out of them (`rows`), and
our records made of the rows (`making`). `guessing` proposes one from the first rows of a file.
"""
