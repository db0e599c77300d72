"""Servers are killed without warning while people work: what was answered with 2xx is there, once, unaltered.

Each annotator keeps a ledger, fsynced before each send and after each answer (clients.py), and the database is held
against the ledgers (checking.py). The last tests plant the defects by which such promises are usually broken, and the
same check must find each of them.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest

from tests import migrated
from tests.fake_provider import FakeProvider
from tests.faults.checking import Findings, check, read_postgres, read_sqlite
from tests.faults.clients import Crowd
from tests.faults.machines import Machine, machine

pytestmark = pytest.mark.xdist_group("waiting for servers")
DEFECTS = ["answers-early", "commits-lazily", "forgets-submissions", "submits-in-two-steps", "claims-by-join"]
DEEDS_BETWEEN_FAULTS = 20
SKIPS = {"answers-early": 1.0, "submits-in-two-steps": 0.0}
PATIENCE = 20  # seconds for so many deeds: a hundred times what they take on an idle machine
# What a campaign must have checked at least to say anything.
FEWEST = {"claim": 10, "submit": 5, "save": 1, "skip": 1}


def campaign(crowd: Crowd, faults: list[Callable[[], None]]) -> list[dict]:
    """Let the crowd work while one fault after another strikes in the midst of it; the ledgers' entries."""
    crowd.begin()
    try:
        for fault in faults:
            crowd.wait_for(DEEDS_BETWEEN_FAULTS, seconds=PATIENCE)
            fault()
        crowd.wait_for(DEEDS_BETWEEN_FAULTS, seconds=PATIENCE)
    finally:
        crowd.end()
    return crowd.entries()


def assert_kept(findings: Findings, entries: list[dict]) -> None:
    assert findings.broken() == {}
    assert all(findings.kept[kind] >= count for kind, count in FEWEST.items()), findings.kept
    unanswered = [entry for entry in entries if entry["event"] == "unanswered"]
    assert unanswered, "no kill met a request on its way: nothing was put to the test"


# --- PostgreSQL, Redis, gunicorn, Celery ----------------------------------------------------------------


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    """PostgreSQL that waits for the disk, and Redis; a project for the campaign and one for each defect."""
    provider = FakeProvider()
    provider.tell(latency_ms=100)
    with machine(tmp_path_factory.mktemp("servers")) as made:
        made.environment["FAKE_PROVIDER_URL"] = provider.url
        made.start_postgres()
        made.start_redis()
        made.projects = made.run("build", "200", "campaign", *DEFECTS)
        yield made
    provider.stop()


def read(made: Machine, name: str):
    return read_postgres(made.environment["DATABASE_URL"], made.projects[name]["stage"])


@pytest.mark.postgres
@pytest.mark.redis
def test_nothing_is_lost_twice_or_altered_when_servers_are_killed(servers, tmp_path):
    assert servers.run("judge", "campaign") == {"started": True, "calls": 120}
    servers.start_worker()
    servers.start_web()
    crowd = Crowd.at(servers.address, servers.projects["campaign"], tmp_path)

    def kill_and_start(name: str, start: Callable[[], None]) -> None:
        servers.kill(name)
        start()

    faults = [
        servers.kill_one_web_worker,
        partial(kill_and_start, "postgres", servers.start_postgres),
        partial(kill_and_start, "redis", servers.start_redis),
        partial(kill_and_start, "worker", servers.start_worker),
        partial(kill_and_start, "web", servers.start_web),
        partial(kill_and_start, "postgres", servers.start_postgres),
    ]
    entries = campaign(crowd, faults)
    servers.kill("web")
    assert_kept(check(entries, read(servers, "campaign")), entries)
    assert_judging_ends(servers)
    servers.kill("worker")


def assert_judging_ends(servers: Machine) -> None:
    """What the dead worker and the emptied broker held is handed out again; each call has one end."""
    assert servers.run("finish") == {"runs": ["done"], "calls": {"scored": 120}, "markings": 60}


# --- The embedded mode ------------------------------------------------------------------------------------


def test_nothing_is_lost_twice_or_altered_in_the_embedded_mode(tmp_path):
    """One file of SQLite and two web workers; for the worker see tests/judging/test_a_worker_is_killed.py."""
    with machine(tmp_path) as made:
        migrated.copy_sqlite(tmp_path / "data" / "mizan.sqlite3")
        project = made.run("build", "200", "campaign")["campaign"]
        made.start_web()
        crowd = Crowd.at(made.address, project, tmp_path)

        def kill_all() -> None:
            made.kill("web")
            made.start_web()

        entries = campaign(crowd, [made.kill_one_web_worker, kill_all])
        made.kill("web")
        rows = read_sqlite(Path(made.environment["DATA_DIR"]) / "mizan.sqlite3", project["stage"])
    assert_kept(check(entries, rows), entries)


# --- The campaign notices ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def defective(servers):
    """A server with the defects planted in it, beside no other."""
    with psycopg.connect(servers.environment["DATABASE_URL"].replace("postgres:", "postgresql:")) as connection:
        # The database itself refuses a second answer; to see whether the check would, that guard is taken away.
        names = "SELECT conname FROM pg_constraint WHERE conrelid = 'annotation_marking'::regclass AND contype = 'u'"
        for [name] in connection.execute(names).fetchall():
            connection.execute(f'ALTER TABLE annotation_marking DROP CONSTRAINT "{name}"')
    servers.start_web("tests.faults.planted:application", workers=1)
    return servers


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize(
    ("defect", "victim", "broken"),
    [
        ("answers-early", "web", "lost"),
        # An answer that is gone is told by its row, or by its resend, which is then taken for the first.
        ("commits-lazily", "postgres", "lost or altered or duplicated"),
        ("forgets-submissions", "", "duplicated"),
        ("submits-in-two-steps", "web", "altered or duplicated"),
        ("claims-by-join", "", "duplicated"),
    ],
)
def test_a_planted_defect_is_found(defect, victim, broken, defective, tmp_path):
    crowd = Crowd.at(defective.address, defective.projects[defect], tmp_path, defect)
    for annotator in crowd.annotators:
        # Who submits sends it all once more, which would hide a draft that is gone.
        annotator.skips = SKIPS.get(defect, annotator.skips)
    crowd.begin()
    crowd.wait_for(12, seconds=PATIENCE)
    if victim == "web":
        for _time in range(2):
            defective.kill_one_web_worker()
            crowd.wait_for(4, seconds=1.5)
    elif victim == "postgres":
        # Whatever else makes the server write its log to disk just before a kill hides the defect from that one.
        for _time in range(6):
            defective.kill("postgres")
            defective.start_postgres()
            crowd.wait_for(6, seconds=3)
    crowd.end(seconds=1.5)
    findings = check(crowd.entries(), read(defective, defect))
    assert set(broken.split(" or ")) & set(findings.broken()), (findings, len(crowd.entries()))
