"""A project as one archive: all that it holds, to be taken into another installation.

Each room says which of its tables go along and which do not, and why (`contents.py`); the declarations of the areas
name what the rooms say. `columns.py` is how a row is written and read, `unchanging.py` one look at a database that
others write to, `writing.py` makes the archive, `reading.py` looks at one that came before anything of it is believed,
`restoring.py` makes a project of it.
"""
