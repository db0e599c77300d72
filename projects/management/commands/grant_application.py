import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from psycopg import sql

PASSWORD = "APPLICATION_PASSWORD"
# What the application may only add to, and what it may only read.
ADDED_TO, READ = ["projects_auditevent"], ["django_migrations"]


class Command(BaseCommand):
    help = (
        "PostgreSQL: let a role that owns nothing do the application's work. It reads and writes rows, adds to the "
        "audit log without changing it, and cannot touch a table's definition or its triggers. Run it as the owner of "
        f"the tables, after each migration. The role is made where it is missing, with the password in {PASSWORD}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role", help="name of the application's role, for example mizan_application")

    def handle(self, *, role: str, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles.")
        name, password = sql.Identifier(role), os.environ.get(PASSWORD, "")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_database(), current_user")
            database, owner = cursor.fetchone()
            if role == owner:
                raise CommandError(f"{role} owns the tables; the application's role is another.")
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
            if cursor.fetchone() is None:
                if not password:
                    raise CommandError(f"There is no role {role}; set {PASSWORD}, and it is made.")
                cursor.execute(sql.SQL("CREATE ROLE {}").format(name).as_string(cursor.connection))
            if password:
                login = sql.SQL("ALTER ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {}")
                cursor.execute(login.format(name, sql.Literal(password)).as_string(cursor.connection))
            for statement in grants(database):
                cursor.execute(statement.format(name).as_string(cursor.connection))
        self.stdout.write(f"{role} may do the application's work and only add to the audit log.")


def grants(database: str) -> list[sql.SQL]:
    """Statements with one gap, for the role. All is taken away first: what an earlier version gave does not stay."""
    everything = [
        f'GRANT CONNECT ON DATABASE "{database}" TO {{}}',
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}",
        "GRANT USAGE ON SCHEMA public TO {}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}",
        *(f"REVOKE UPDATE, DELETE ON {table} FROM {{}}" for table in ADDED_TO),
        *(f"REVOKE INSERT, UPDATE, DELETE ON {table} FROM {{}}" for table in READ),
    ]
    return [sql.SQL(statement) for statement in everything]
