"""Ada, who runs the installation, says which account speaks for which laboratory."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from benchmark.models import VerifiedAccount
from projects.models import AuditEvent, User
from tests.people import person, signed_in

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("verify_account", *arguments, stdout=out)
    return out.getvalue()


def test_by_a_command(db):
    layla = person("layla@example.org", "Layla")
    assert "speaks for Pond Lab (pond-lab)" in said(" Layla@Example.org", "--laboratory", "Pond Lab")
    assert layla.verified_account.laboratory.name == "Pond Lab"
    said("layla@example.org", "--laboratory", "Reed Lab")  # said again, the later holds
    assert VerifiedAccount.objects.get().laboratory.slug == "reed-lab"
    assert AuditEvent.objects.filter(action="account.verified").count() == 2


@pytest.mark.parametrize(
    ("email", "laboratory"),
    [("nobody@example.org", "Pond Lab"), ("no address", "Pond Lab"), ("l@example.org", ""), ("l@example.org", "مختبر")],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(db, email, laboratory):
    person("l@example.org", "Layla")
    with pytest.raises(CommandError):
        said(email, "--laboratory", laboratory)
    assert not VerifiedAccount.objects.exists()


def test_an_account_is_made_only_where_that_is_asked_for(db):
    told = said("new@example.org", "--laboratory", "Pond Lab", "--make")
    assert "/accounts/password/reset/" in told
    user = User.objects.get(email="new@example.org")
    assert not user.has_usable_password()
    assert not user.memberships.exists()
    gone = person("gone@example.org", "Gone", is_active=False)
    with pytest.raises(CommandError):
        said(gone.email, "--laboratory", "Pond Lab", "--make")


def test_a_new_account_can_set_its_pass_phrase(db, client, mailoutbox):
    said("new@example.org", "--laboratory", "Pond Lab", "--make")
    client.post(reverse("account_reset_password"), {"email": "new@example.org"})
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]]
    assert "/accounts/password/reset/key/" in mailoutbox[0].body


def test_on_the_page(ada, nour):
    page = reverse("verified-accounts")
    layla = person("layla@example.org", "Layla")
    assert signed_in(nour).get(page).status_code == 404
    admin = signed_in(ada)
    assert admin.post(page, {"email": "who@example.org", "laboratory": "Pond Lab"}).status_code == 422
    assert admin.post(page, {"email": layla.email, "laboratory": "Pond <b>Lab</b>"}).status_code == 302
    html = admin.get(page).content.decode()
    assert "Pond &lt;b&gt;Lab" in html
    assert layla.email in html
    assert admin.post(reverse("verified-account-remove", args=[layla.pk])).status_code == 302
    assert not VerifiedAccount.objects.exists()
    assert AuditEvent.objects.filter(action="account.unverified").exists()


def test_by_a_program_of_an_administrator(ada):
    layla = person("layla@example.org", "Layla")
    program, address = signed_in(ada), reverse("api-verified-accounts")
    said = {"email": "layla@example.org", "laboratory": "Pond Lab"}
    answer = program.post(address, said, content_type="application/json")
    assert answer.status_code == 201
    assert answer.json() == {"id": layla.pk, **said}
    assert program.get(address).json()["results"] == [answer.json()]
    wrong = program.post(address, {**said, "email": "nobody@example.org"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["problems"][0]["code"]) == (422, "unknown_account")
    own = reverse("api-verified-account", args=[layla.pk])
    assert signed_in(layla).delete(own).status_code == 404
    assert signed_in(layla).get(address).status_code == 404
    assert VerifiedAccount.objects.count() == 1
    assert program.delete(own).status_code == 204
    assert not VerifiedAccount.objects.exists()
    assert program.delete(own).status_code == 404
