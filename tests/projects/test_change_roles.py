"""Ada changes roles; nobody changes their own."""

import pytest

from projects.invitations import change_roles
from projects.models import AuditEvent, Membership, Rater
from tests.people import signed_in


def test_an_administrator_makes_an_annotator_a_validator(ada, project, mona):
    signed_in(ada).post(f"/p/{project.slug}/people/{mona.pk}/roles/", {"roles": ["validator"]})
    assert list(Membership.objects.filter(user=mona).values_list("role", flat=True)) == ["validator"]
    event = AuditEvent.objects.get(action="roles.changed")
    assert event.detail == {"before": ["annotator"], "after": ["validator"]}


def test_a_lead_cannot(nour, project, mona):
    response = signed_in(nour).post(f"/p/{project.slug}/people/{mona.pk}/roles/", {"roles": ["lead"]})
    assert response.status_code == 404
    assert Membership.objects.get(user=mona).role == "annotator"


def test_an_administrator_cannot_change_their_own(ada, project):
    Membership.objects.create(user=ada, project=project, role="annotator")
    response = signed_in(ada).post(f"/p/{project.slug}/people/{ada.pk}/roles/", {"roles": ["lead"]})
    assert response.status_code == 404
    assert Membership.objects.get(user=ada).role == "annotator"


def test_without_any_role_a_person_leaves_and_what_they_did_stays(ada, project, mona):
    signed_in(ada).post(f"/p/{project.slug}/people/{mona.pk}/roles/", {})
    assert not Membership.objects.filter(user=mona).exists()
    assert Rater.objects.filter(user=mona).exists()
    assert signed_in(mona).get(f"/p/{project.slug}/").status_code == 404


def test_the_domain_itself_lets_nobody_change_their_own(ada, project):
    with pytest.raises(ValueError, match="their own roles"):
        change_roles(project, ada, ["lead"], by=ada)
    assert not Membership.objects.exists()
