# Read by backup.sh and restore.sh: which database this installation uses.
#
# Sets KIND (postgresql or sqlite), and either DATABASE_FILE or the PG* variables of PostgreSQL's own tools: a
# password among their arguments could be read by every user of the machine.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PYTHON=${PYTHON:-$([ -x "$ROOT/.venv/bin/python" ] && echo "$ROOT/.venv/bin/python" || echo python3)}

settings=$("$PYTHON" - "$ROOT" <<'PYTHON'
import os
import shlex
import sys
from urllib.parse import unquote, urlsplit

url = os.environ.get("DATABASE_URL", "")
address = urlsplit(url)
if address.scheme in ("postgres", "postgresql", "psql", "pgsql"):
    values = {
        "PGHOST": address.hostname,
        "PGPORT": address.port,
        "PGUSER": address.username,
        "PGPASSWORD": address.password,
        "PGDATABASE": address.path.lstrip("/"),
    }
    print("KIND=postgresql")
    for name, value in values.items():
        if value:
            print(f"export {name}={shlex.quote(unquote(str(value)))}")
elif not url or address.scheme == "sqlite":
    data = os.environ.get("DATA_DIR") or os.path.join(sys.argv[1], "data")
    path = unquote(address.path[1:]) if url else os.path.join(data, "mizan.sqlite3")
    print("KIND=sqlite")
    print(f"DATABASE_FILE={shlex.quote(path)}")
else:
    sys.exit(f"DATABASE_URL begins with {address.scheme}://, which is neither PostgreSQL nor SQLite.")
PYTHON
) || exit 1
eval "$settings"
