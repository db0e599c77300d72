"""From a file of any kind to numbered records: one module for each kind, behind `formats.readers.choosing`.

JSON lines are read by `formats.reading`, to whose limits all others keep: no line, cell, entry or nesting is followed
further, and of a file that is packed no more is unpacked than could have been meant.
"""
