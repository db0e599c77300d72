"""`load_demo --scale juice` makes a project of the published size, which says of itself that it is generated."""

import io

import pytest
from django.core.management import call_command

from annotation.models import GoldError
from demo.loading import share_with_leads
from projects.models import Membership, Rater, Response
from projects.steps import OPEN, steps_of

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("juice at full size")]


def test_it_has_the_published_numbers(juice):
    assert Response.objects.filter(project=juice, derivation=None).count() == 1050  # collected ones
    settings_of_study = set(Response.objects.filter(project=juice).values_list("prompt__variety", "variety"))
    assert len(settings_of_study) == 7
    assert GoldError.objects.filter(response__project=juice).count() == 7470
    reached = {one.step.url_name: one for one in steps_of(juice)}
    assert reached["gold"].text == "Errors: 7\u202f470. Responses: 1\u202f050."
    assert reached["judges"].state == OPEN, "its judges' answers came in a file"


def test_it_says_that_it_is_generated(juice):
    assert juice.is_generated
    assert set(Rater.objects.filter(project=juice, kind="judge").values_list("is_simulated", flat=True)) == {True}


def test_who_leads_the_demonstration_leads_it_too(juice, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    assert not Membership.objects.filter(project=juice).exists(), "there was no demonstration when it was loaded"
    call_command("load_demo", stdout=io.StringIO())
    share_with_leads(juice)
    assert Membership.objects.get(project=juice).user.email == "lead@example.org"
