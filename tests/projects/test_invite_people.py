"""Nour invites people; only those she invited get an account."""

import re

import pytest
from django.core import mail
from django.test import Client

from projects.invitations import accept
from projects.models import Invitation, Membership, Rater, User
from tests.people import PASSWORD, signed_in

NEW_PASSWORD = "nobody guesses this phrase"


def invite(lead, project, email="salma@example.org", roles=("annotator",), **fields):
    from projects.models import LanguageVariety

    variety = LanguageVariety.objects.get(tag="ar-EG")
    data = {"email": email, "name": "Salma", "roles": list(roles), "varieties": [variety.pk], **fields}
    return signed_in(lead).post(f"/p/{project.slug}/people/invite/", data)


def link_in(response) -> str:
    return re.findall(r"/invitation/[\w-]+/", response.content.decode())[0]


def test_an_invited_person_makes_an_account_and_is_a_rater_of_the_project(nour, project):
    link = link_in(invite(nour, project))
    assert "salma@example.org" in mail.outbox[0].to
    assert link in mail.outbox[0].body

    salma = Client()
    assert salma.get(link).status_code == 200
    signup = salma.post(link, follow=True)
    assert signup.redirect_chain[-1][0] == "/accounts/signup/"
    done = salma.post("/accounts/signup/", {"name": "Salma Fathy", "password1": NEW_PASSWORD}, follow=True)
    assert done.redirect_chain[-1][0] == f"/p/{project.slug}/"
    user = User.objects.get(email="salma@example.org")
    assert Membership.objects.get(user=user).role == "annotator"
    rater = Rater.objects.get(user=user)
    assert [variety.tag for variety in rater.varieties.all()] == ["ar-EG"]
    assert rater.name == "Salma Fathy"


def test_nobody_signs_up_without_an_invitation(db):
    visitor = Client()
    assert b"By invitation" in visitor.get("/accounts/signup/").content
    visitor.post("/accounts/signup/", {"name": "X", "email": "x@example.org", "password1": NEW_PASSWORD})
    assert not User.objects.filter(email="x@example.org").exists()


def test_the_address_of_the_account_is_that_of_the_invitation(nour, project):
    link = link_in(invite(nour, project))
    salma = Client()
    salma.post(link)
    form = {"name": "Salma", "email": "ada@example.org", "password1": NEW_PASSWORD}
    salma.post("/accounts/signup/", form)
    assert not User.objects.filter(email="ada@example.org").exists()
    assert User.objects.filter(email="salma@example.org").exists()


def test_a_link_works_once(nour, project):
    link = link_in(invite(nour, project))
    salma = Client()
    salma.post(link)
    salma.post("/accounts/signup/", {"name": "Salma", "password1": NEW_PASSWORD})
    assert Client().get(link).status_code == 410


def test_a_withdrawn_invitation_no_longer_opens(nour, project):
    link = link_in(invite(nour, project))
    invitation = Invitation.objects.get()
    signed_in(nour).post(f"/p/{project.slug}/invitations/{invitation.pk}/withdraw/")
    assert Client().get(link).status_code == 410


def test_someone_with_an_account_joins_with_it(nour, project, omar):
    link = link_in(invite(nour, project, email=omar.email))
    browser = Client()
    response = browser.post(link)
    assert response.url.startswith("/accounts/login/?next=/invitation/")
    browser.post(response.url, {"login": omar.email, "password": PASSWORD, "next": link})
    browser.post(link)
    assert Membership.objects.filter(user=omar, project=project, role="annotator").exists()


def test_another_person_cannot_take_up_an_invitation(nour, project, omar, mona):
    link = link_in(invite(nour, project, email=omar.email))
    signed_in(mona).post(link)
    assert not Membership.objects.filter(project=project, user=omar).exists()
    assert Membership.objects.filter(user=mona).count() == 1


def test_a_lead_cannot_make_another_lead(nour, project):
    assert invite(nour, project, roles=("lead",)).status_code == 422
    assert not Invitation.objects.exists()


def test_an_administrator_can(ada, project):
    assert invite(ada, project, roles=("lead",)).status_code == 200
    assert Invitation.objects.get().roles == ["lead"]


def test_an_annotator_needs_a_language(nour, project):
    response = invite(nour, project, varieties=[])
    assert response.status_code == 422
    assert b"Choose at least one language" in response.content


def test_the_token_is_not_stored(nour, project):
    token = link_in(invite(nour, project)).split("/")[2]
    invitation = Invitation.objects.get()
    assert token not in str(vars(invitation))


@pytest.mark.parametrize("who", ["nour", "ada"])
def test_the_list_of_people_costs_the_same_for_three_and_for_thirty(
    who, request, project, mona, karim, django_assert_num_queries, django_assert_max_num_queries
):
    from tests.people import join, person

    client = signed_in(request.getfixturevalue(who))
    with django_assert_max_num_queries(13) as few:
        client.get(f"/p/{project.slug}/people/")
    for number in range(30):
        join(person(f"p{number}@example.org", f"P{number}"), project, "annotator", varieties=("ar-EG",))
    with django_assert_num_queries(len(few.captured_queries)):
        assert client.get(f"/p/{project.slug}/people/").status_code == 200


def test_the_domain_itself_hands_no_invitation_to_another_address(nour, project, omar, mona):
    invite(nour, project, email=omar.email)
    with pytest.raises(ValueError, match="the address it was sent to"):
        accept(Invitation.objects.get(), mona)
    assert Invitation.objects.get().accepted_at is None
