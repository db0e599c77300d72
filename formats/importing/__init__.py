"""Files into rows: read strictly, checked line by line, stored all or not at all.

reading.py turns bytes into numbered records, fields.py checks one record, an importer (items.py here, others
in the rooms above, all behind registry.py) stores them, running.py does it in one transaction.
"""
