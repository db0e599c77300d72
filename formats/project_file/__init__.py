"""The project file: everything a project is made of, but its texts and answers, in one YAML that people read and edit.

Each room contributes the parts that lie in its tables (`part.py`), named in the declarations of the areas. `reading.py`
and `writing.py` are the YAML, `describing.py` says what a project is made of, `applying.py` makes a project so,
`comparing.py` says in what two of them differ. Presets are such files (`presets.py`).
"""
