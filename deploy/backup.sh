#!/usr/bin/env bash
# Write one consistent copy of the database while Mizan goes on working: deploy/backup.sh FILE
#
# Which database: DATABASE_URL, else DATA_DIR, as for the server. FILE appears only when it is whole, with its
# SHA-256 beside it; an existing FILE is never overwritten. Accounts and password hashes are in it: keep it as
# you keep the database. SECRET_KEY and providers' keys are not: keep those apart.
set -euo pipefail
umask 077

target=${1:?"Say where the backup goes: deploy/backup.sh FILE"}
[ ! -e "$target" ] || { echo "$target exists already; a backup never overwrites another." >&2; exit 1; }
source "$(dirname "${BASH_SOURCE[0]}")/database.sh"

partial="$target.partial"
trap 'rm -f "$partial"' EXIT

if [ "$KIND" = postgresql ]; then
    pg_dump --format=custom --no-owner --no-privileges --file="$partial"
else
    [ -f "$DATABASE_FILE" ] || { echo "There is no database at $DATABASE_FILE." >&2; exit 1; }
    # SQLite's own backup: copying the file of a running server would miss what its log still holds.
    "$PYTHON" - "$DATABASE_FILE" "$partial" <<'PYTHON'
import sqlite3
import sys

source, target = (sqlite3.connect(path, timeout=60) for path in sys.argv[1:])
with target:
    source.backup(target)
if target.execute("PRAGMA integrity_check").fetchone() != ("ok",):
    sys.exit("The copy is damaged; nothing was kept.")
target.close()
PYTHON
fi

# The sum stands there before the backup does: none is ever without.
sum=$(sha256sum <"$partial")
printf '%s  %s\n' "${sum%% *}" "$(basename "$target")" >"$target.sha256"
sync "$partial" "$target.sha256"
mv "$partial" "$target"
echo "Backed up to $target"
