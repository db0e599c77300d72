"""`make run` as a person has it: each of its programs is killed while people ask for pages, and the site answers on."""

import signal
import sys
import threading
import time

import pytest

from deploy.processes import Child
from deploy.supervision import left_behind
from tests import migrated
from tests.deploy.site import PATIENCE, ROOT, Site


class Visitors:
    """People who ask for a page again and again; each request that is not answered is noted."""

    def __init__(self, site: Site) -> None:
        self.site, self.answered = site, 0
        self.failures: list[object] = []
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.ask) for _ in range(2)]

    def ask(self) -> None:
        while not self.ended.wait(0.05):
            try:
                assert self.site.answers()
                self.answered += 1
            except Exception as failure:
                self.failures.append(failure)

    def __enter__(self) -> "Visitors":
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        for thread in self.threads:
            thread.join()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("site"))
    migrated.copy_sqlite(made.data / "mizan.sqlite3")
    made.start()
    yield made
    made.run.stop()


def test_the_site_answers_while_each_program_is_killed(site):
    site.wait_for(lambda: site.pid_of("provider"))
    with Visitors(site) as visitors:
        for name in ("worker", "clock", "provider", "web"):
            site.kill(name)
        asked = visitors.answered
        site.wait_for(lambda: visitors.answered > asked + 4)  # the new web server's
    # Requests that were in the web server when it was killed may be lost, and no others.
    assert len(visitors.failures) <= len(visitors.threads), visitors.failures
    assert site.log.read_text().count("was ended by SIGKILL; it is started again in 1 s.") == 4


def test_broken_files_in_its_folder_and_its_old_schedule_end_nothing(site):
    before = {name: site.pid_of(name) for name in ("web", "worker", "clock")}
    (site.data / "celerybeat-schedule.db").write_bytes(b"\0half a database")
    (site.data / "broker").mkdir(exist_ok=True)  # made with the first message, where none was sent yet
    for n, queue in enumerate(("work", "sweeps")):
        (site.data / "broker" / f"{n}_x.{queue}.msg").touch()
    unreadable = site.data / "broker" / "unreadable"
    site.wait_for(lambda: unreadable.exists() and len(list(unreadable.iterdir())) == 2)
    assert site.answers()
    assert {name: site.pid_of(name) for name in before} == before


def test_killed_itself_it_starts_again_on_the_same_port(site):
    site.run.process.kill()
    site.run.process.wait()
    site.start()
    assert site.answers()
    assert left_behind(site.data)


def test_a_second_one_on_the_folder_is_told_which_runs(site):
    command = [sys.executable, "-m", "deploy.run"]
    second = Child("second", command, site.data / "second.log", environment=site.environment, folder=ROOT)
    assert second.process.wait(PATIENCE) == 1
    assert f"already runs on the data folder {site.data} (process {site.run.process.pid})" in second.last_log_lines()
    assert site.answers()


def test_ctrl_c_ends_it_in_order_and_leaves_nothing(site):
    began = time.monotonic()
    site.run.process.send_signal(signal.SIGINT)
    assert site.run.process.wait(60) == 0
    assert time.monotonic() - began < 60
    assert site.log.read_text().rstrip().endswith("Stopped.")
    assert "Traceback" not in site.log.read_text()
    assert left_behind(site.data) == []
