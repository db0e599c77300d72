"""File formats: one declared record type each, which is reader, validator, published JSON Schema and writer.

A format is a file of this folder (`item.py`, `answer.py`, `gold.py` ...). Its records are `TypedDict`s whose fields
carry their constraints (`kinds.py`); `records.py` compiles them once, into the check of a record and its JSON Schema.
Nothing here but `importing/` asks the database: that folder stores what belongs to `projects`, which lies below, and
holds what the importers of all rooms share.
"""
