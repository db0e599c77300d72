#!/usr/bin/env bash
# Bring a backup back into an empty database: deploy/restore.sh [--without-checksum] FILE
#
# Which database: DATABASE_URL, else DATA_DIR, as for the server, which must not be running. A database that holds
# anything is left as it is. Afterwards start Mizan as always; migrations newer than the backup are applied then.
#
# Before anything is changed the whole file is read. Its FILE.sha256 must be beside it: only that shows every flipped
# byte. --without-checksum goes on without one, with what the format itself shows: a file that was cut, tables that do
# not fit together, texts that are not what their hashes say.
set -euo pipefail
umask 077

refuse() { echo "$1 Nothing was changed." >&2; exit 1; }

checksum=demanded
if [ "${1:-}" = --without-checksum ]; then checksum=waived; shift; fi
backup=${1:?"Say which backup: deploy/restore.sh [--without-checksum] FILE"}
[ -f "$backup" ] || refuse "There is no backup $backup."
if [ -f "$backup.sha256" ]; then
    # The sum of this file, whatever file is named beside the sum: both may have been renamed.
    sum=$(sha256sum <"$backup")
    [ "$(head -c 64 "$backup.sha256")" = "${sum%% *}" ] ||
        refuse "The backup is not what was written: its SHA-256 differs."
elif [ "$checksum" = demanded ]; then
    refuse "There is no $backup.sha256, without which damage can go unseen. Put it beside the backup, or say --without-checksum."
fi
source "$(dirname "${BASH_SOURCE[0]}")/database.sh"

if [ "$KIND" = postgresql ]; then
    tables=$(psql --no-psqlrc --tuples-only --no-align \
        --command "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    [ "$tables" = 0 ] || { echo "The database $PGDATABASE holds $tables tables; restore into an empty one." >&2; exit 1; }
    contents=$(pg_restore --list "$backup") || refuse "The backup is damaged: its list of contents cannot be read."
    grep --quiet "TABLE DATA public projects_auditevent" <<<"$contents" || refuse "This is no backup of Mizan."
    pg_restore --file=/dev/null "$backup" || refuse "The backup is damaged: it cannot be read to its end."
    pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname="$PGDATABASE" "$backup"
    psql --no-psqlrc --quiet --command ANALYZE
else
    [ ! -e "$DATABASE_FILE" ] || { echo "$DATABASE_FILE exists; move it away first." >&2; exit 1; }
    mkdir -p "$(dirname "$DATABASE_FILE")"
    partial="$DATABASE_FILE.partial"
    trap 'rm -f "$partial"' EXIT
    cp "$backup" "$partial"
    "$PYTHON" "$(dirname "${BASH_SOURCE[0]}")/check_backup.py" "$partial" || refuse "The backup is damaged or no backup of Mizan."
    rm -f "$DATABASE_FILE-wal" "$DATABASE_FILE-shm"
    sync "$partial"
    mv "$partial" "$DATABASE_FILE"
fi
echo "Restored $backup"
