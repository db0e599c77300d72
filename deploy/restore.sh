#!/usr/bin/env bash
# Bring a backup back into an empty database: deploy/restore.sh FILE
#
# Which database: DATABASE_URL, else DATA_DIR, as for the server, which must not be running. A database that holds
# anything is left as it is. Afterwards start Mizan as always; migrations newer than the backup are applied then.
set -euo pipefail
umask 077

backup=${1:?"Say which backup: deploy/restore.sh FILE"}
[ -f "$backup" ] || { echo "There is no backup $backup." >&2; exit 1; }
if [ -f "$backup.sha256" ]; then
    (cd "$(dirname "$backup")" && sha256sum --check --quiet "$(basename "$backup").sha256") ||
        { echo "The backup is not what was written: its SHA-256 differs. Nothing was changed." >&2; exit 1; }
fi
source "$(dirname "${BASH_SOURCE[0]}")/database.sh"

if [ "$KIND" = postgresql ]; then
    tables=$(psql --no-psqlrc --tuples-only --no-align \
        --command "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    [ "$tables" = 0 ] || { echo "The database $PGDATABASE holds $tables tables; restore into an empty one." >&2; exit 1; }
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$PGDATABASE" "$backup"
    psql --no-psqlrc --quiet --command ANALYZE
else
    [ ! -e "$DATABASE_FILE" ] || { echo "$DATABASE_FILE exists; move it away first." >&2; exit 1; }
    mkdir -p "$(dirname "$DATABASE_FILE")"
    partial="$DATABASE_FILE.partial"
    trap 'rm -f "$partial"' EXIT
    cp "$backup" "$partial"
    "$PYTHON" - "$partial" <<'PYTHON'
import sqlite3
import sys

try:
    state = sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()
except sqlite3.DatabaseError as error:
    state = (str(error),)
if state != ("ok",):
    sys.exit(f"The backup is damaged ({state[0]}). Nothing was changed.")
PYTHON
    rm -f "$DATABASE_FILE-wal" "$DATABASE_FILE-shm"
    sync "$partial"
    mv "$partial" "$DATABASE_FILE"
fi
echo "Restored $backup"
