import pytest
from django.db import DatabaseError, transaction

from projects.models import AuditEvent, Prompt, Response


def test_a_stored_response_text_cannot_be_changed(koshari):
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        Response.objects.filter(pk=koshari.pk).update(text="something else")
    koshari.refresh_from_db()
    assert koshari.text.startswith("الكشري")


def test_a_stored_prompt_text_cannot_be_changed(koshari):
    with pytest.raises(DatabaseError, match="never changes"), transaction.atomic():
        Prompt.objects.filter(pk=koshari.prompt_id).update(text="something else")


def test_what_is_not_text_may_change(koshari):
    assert Response.objects.filter(pk=koshari.pk).update(metadata={"note": 1}) == 1


def test_the_audit_log_is_only_added_to(project):
    AuditEvent.objects.create(project=project, action="project.created")
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
        AuditEvent.objects.update(action="nothing happened")
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
        AuditEvent.objects.all().delete()
    assert AuditEvent.objects.get().action == "project.created"
