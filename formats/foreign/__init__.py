"""Files of other annotation tools, each a small module that reads and writes them as documents with marks.

`documents.py` has what they all are, `registry.py` knows them by name. What a file does not say, such as the language
variety or whose model wrote a text, a mapping says; no category is made that it does not name.
"""
