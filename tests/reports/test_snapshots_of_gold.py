"""Nour keeps her gold as it stood when she wrote the paper, and sees what has changed since."""

import hashlib
import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from annotation.gold import derive
from annotation.models import Review
from jobs.models import Job, JobState, StoredFile
from jobs.working import work_on
from projects.models import AuditEvent
from reports.gold import snapshot_jobs, snapshots
from reports.gold.snapshots import compare, content_of, lines_of
from reports.models import GoldSnapshot, GoldSnapshotPart
from reports.spans.gold import lines
from tests.annotation.marked import mark
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
API = "/api/v1/projects/feasts/gold/snapshots/"


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


@pytest.fixture
def first(answered, project) -> GoldSnapshot:
    call_command("gold_snapshot", "feasts", "As submitted", stdout=io.StringIO())
    return GoldSnapshot.objects.get()


def changed_since(capfdbinary_or_text: Any, *options: str) -> dict:
    call_command("gold_snapshot", "feasts", *options)
    return json.loads(capfdbinary_or_text.readouterr().out)


def test_a_worker_takes_a_snapshot_for_the_page(answered, project, nour):
    client = signed_in(nour)
    answer = client.post("/p/feasts/gold/snapshots/", {"of": "spans", "name": " As  submitted "})
    job = Job.objects.get(kind="gold_snapshot")
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    work_on(job.pk)
    snapshot = GoldSnapshot.objects.get()
    whole = b"".join(lines(project))
    assert (snapshot.name, snapshot.made_by, snapshot.area) == ("As submitted", nour, "spans")
    assert (snapshot.lines, snapshot.responses, snapshot.size) == (1, 1, len(whole))
    assert snapshot.sha256 == hashlib.sha256(whole).hexdigest()
    page = client.get("/p/feasts/gold/").content.decode()
    assert "As submitted" in page
    assert snapshot.sha256 in page
    assert content(client.get(f"/p/feasts/gold/snapshots/{snapshot.pk}/file/")) == whole
    taken = AuditEvent.objects.get(action="gold.snapshot_taken")
    assert (taken.actor, taken.subject, taken.detail["sha256"]) == (nour, "As submitted", snapshot.sha256)


def test_its_file_stays_when_the_gold_changes_and_the_change_is_named(first, answered, project, mona, karim, nour):
    before = b"".join(lines(project))
    Review.objects.filter(span=answered["nightly"]).update(verdict="reject")
    flawless = add_response(project, "flawless", "Nothing is wrong here.", "ar-EG")
    mark(flawless, mona)
    mark(flawless, karim)
    derive([answered["nightly"].response_id, flawless.pk])
    assert b"".join(content_of(first)) == before != b"".join(lines(project))
    client = signed_in(nour)
    assert client.get(f"{API}{first.pk}/changes/").json() == {
        "added": ["flawless"],
        "removed": [],
        "changed": ["koshari"],
        "unchanged": 0,
    }
    page = client.get(f"/p/feasts/gold/snapshots/{first.pk}/changes/").content.decode()
    assert '<code dir="ltr">flawless</code>' in page
    call_command("gold_snapshot", "feasts", "Revised", stdout=io.StringIO())
    revised = GoldSnapshot.objects.get(name="Revised")
    backwards = client.get(f"{API}{revised.pk}/changes/?until={first.pk}").json()
    assert (backwards["added"], backwards["removed"], backwards["changed"]) == ([], ["flawless"], ["koshari"])


def test_where_nothing_has_changed_it_says_so(first, nour, capfd):
    assert changed_since(capfd, "--since", "As submitted") == {
        "added": [],
        "removed": [],
        "changed": [],
        "unchanged": 1,
    }
    page = signed_in(nour).get(f"/p/feasts/gold/snapshots/{first.pk}/changes/").content.decode()
    assert "every line is what it was" in page


def refused(act) -> None:
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        act()


def test_the_database_refuses_to_change_a_snapshot(first):
    part = first.parts.get()
    refused(lambda: GoldSnapshot.objects.update(name="Another"))
    refused(lambda: GoldSnapshot.objects.filter(pk=first.pk)._raw_delete("default"))
    refused(lambda: GoldSnapshotPart.objects.update(content=b"{}"))
    refused(lambda: GoldSnapshotPart.objects.all().delete())
    refused(lambda: GoldSnapshotPart.objects.create(snapshot=first, number=1, content=b"{}"))
    assert bytes(first.parts.get().content) == bytes(part.content)


def test_a_name_is_given_once_and_never_empty(first, nour):
    client = signed_in(nour)
    for name, said in (("As submitted", "There is a snapshot"), ("  ", "Give the snapshot a name")):
        page = client.post("/p/feasts/gold/snapshots/", {"of": "spans", "name": name}, follow=True)
        assert said in page.content.decode()
    answer = client.post(API, {"name": "As submitted"}, content_type="application/json")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (400, "taken")
    with pytest.raises(CommandError, match="There is a snapshot"):
        call_command("gold_snapshot", "feasts", "As submitted")
    with pytest.raises(CommandError, match="There are: As submitted"):
        call_command("gold_snapshot", "feasts", "--since", "none")
    assert not Job.objects.filter(kind="gold_snapshot").exists()


def test_a_project_without_gold_has_nothing_to_keep(project):
    with pytest.raises(CommandError, match="no gold yet"):
        call_command("gold_snapshot", "feasts", "Too early")


def test_a_program_takes_one_lists_them_and_has_large_ones_compared_by_a_worker(first, nour, monkeypatch):
    client = signed_in(nour)
    assert client.post(API, {"name": "Second"}, content_type="application/json").status_code == 202
    work_on(Job.objects.get(kind="gold_snapshot").pk)
    listed = client.get(API).json()
    assert [(each["name"], each["sha256"]) for each in listed] == [
        ("Second", first.sha256),
        ("As submitted", first.sha256),
    ]
    assert content(client.get(f"{API}{first.pk}/file/")) == b"".join(content_of(first))
    monkeypatch.setattr(snapshot_jobs, "MAX_LINES_AT_ONCE", 1)
    assert client.get(f"{API}{first.pk}/changes/").status_code == 202
    job = Job.objects.get(kind="gold_changes")
    assert "a worker compares them" in client.get(f"/p/feasts/gold/snapshots/{first.pk}/changes/").content.decode()
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.result == {"added": 0, "removed": 0, "changed": 0, "unchanged": 1}
    assert StoredFile.objects.get(job=job).name == "feasts-gold-changes.json"


def test_a_snapshot_of_another_project_is_not_found(first, other_project, nour, mona):
    client = signed_in(nour)
    for way in ("file", "changes"):
        assert client.get(f"/p/{other_project.slug}/gold/snapshots/{first.pk}/{way}/").status_code == 404
        assert signed_in(mona).get(f"/p/feasts/gold/snapshots/{first.pk}/{way}/").status_code == 404
    for until in ("0", "x", "9" * 30, "\u0663"):
        assert client.get(f"{API}{first.pk}/changes/?until={until}").status_code == 404


def test_what_breaks_off_stores_nothing(answered, nour, monkeypatch):
    signed_in(nour).post("/p/feasts/gold/snapshots/", {"of": "spans", "name": "Half"})

    def broken(*_arguments):
        yield b"half"
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(snapshots, "in_chunks", broken)
    work_on(Job.objects.get().pk)
    assert not GoldSnapshot.objects.exists()
    assert not GoldSnapshotPart.objects.exists()


def test_lines_are_put_together_from_parts_and_compared_by_kind_and_id():
    assert list(lines_of([b"a\nb", b"b\n", b"", b"c"])) == [b"a\n", b"bb\n", b"c"]
    earlier = [b'{"kind": "settings"}', b'{"kind": "pair", "id": "1"}', b'{"kind": "response", "id": "1"}']
    later = [b'{"kind": "settings", "x": 1}', b'{"kind": "response", "id": "1"}', b'{"kind": "response", "id": "2"}']
    found = compare(earlier, later)
    assert (found.added, found.removed, found.changed, found.unchanged) == (["response 2"], ["pair 1"], ["settings"], 1)
