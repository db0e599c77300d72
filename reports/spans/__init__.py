"""What the answers of a project of error spans add up to.

`dashboard.tables` is the entrance: page, charts, command and API all read its tables. Each group of tables is a
folder-like trio: statistics of one variety (plain arrays that add up), figures of one variety or of several put
together, and the words around them.
"""
