"""Large writes on SQLite that hold its only write lock for as long as the rows take to be stored, and no longer.

One writer at a time is all that SQLite has, and reading and checking a large file takes far longer than storing what
came of it. So the work is rehearsed first: on a private copy of the database (copying.py), by the very code that would
run on the database itself, with every constraint and trigger in force. What it wrote there is noted in order
(journal.py). Only work that came to its end is then carried over, by statements that move rows from file to file
(carrying.py), in one transaction: all of it or nothing.

What is refused in the rehearsal never touches the database. What changed in the database meanwhile is found while the
lock is held: by its constraints, by the rows that the work changed, and by those that it says it weighed (`Weighed`).
Then the rehearsal begins again.

PostgreSQL has no such lock: there the work is one transaction.
"""

from projects.rehearsing.carrying import Changed, Weighed
from projects.rehearsing.copying import NoRoom
from projects.rehearsing.journal import FILLED_BY_TRIGGERS
from projects.rehearsing.running import can_rehearse, on_own_connection, rehearsed, stored_at_once

__all__ = [
    "FILLED_BY_TRIGGERS",
    "Changed",
    "NoRoom",
    "Weighed",
    "can_rehearse",
    "on_own_connection",
    "rehearsed",
    "stored_at_once",
]
