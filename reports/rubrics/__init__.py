"""What the grades of a project of rubrics add up to.

`dashboard.tables` is the entrance: page, charts, command and API all read its tables. As for error spans each group
of tables is a trio: statistics of one variety, figures of one variety or of several, and the words around them.
"""
