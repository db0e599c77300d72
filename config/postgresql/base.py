"""Django's PostgreSQL, but that a restarted server is not noticed and one that is away is waited for only once.

psycopg's own check asks the server at every checkout, and after each dead connection sleeps for longer. Here a
connection that died tells so by itself: there is something to read on it, where nothing was asked.
"""

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import PoolTimeout

# Once nobody could be given a connection, the next ones wait so long, until somebody is given one again.
AWAY_SECONDS = 0.3


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        pool = self.pool
        if pool is None:
            return super().get_new_connection(conn_params)
        try:
            while not is_alive(connection := super().get_new_connection(conn_params)):
                connection.close()
                pool.putconn(connection)  # which makes another in its place
        except PoolTimeout:
            pool.timeout = AWAY_SECONDS
            raise
        pool.timeout = self.settings_dict["OPTIONS"]["pool"]["timeout"]
        return connection


def is_alive(connection: Connection) -> bool:
    """Whether the server still has its end of a connection that nobody uses."""
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    if not waiting.poll(0):
        return True
    try:
        connection.execute("")  # it may only have been told of a changed setting
    except Error:
        return False
    return True
