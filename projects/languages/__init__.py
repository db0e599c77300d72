"""What a language tag (BCP 47) says of a text: how it is written, which way it runs, what it is called. No database.

Tags are read and compared by langcodes, which holds IANA's registry of subtags; scripts, plural rules and names come
from the CLDR as babel ships it. Names that the CLDR lacks stand in names.json.
"""
