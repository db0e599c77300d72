"""The generated study of ratings is loaded by the paths that real data takes."""

import io
from collections import Counter

import pytest
from django.core.management import call_command

from annotation.models import Rating
from demo.studies.menlo import generate
from projects.models import Localisation, Project, PromptTemplate, Rater, ResponsePair

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("menlo at full size")]


def test_the_project_has_the_published_counts_and_says_it_is_generated(menlo):
    project = menlo
    assert (project.is_generated, project.areas) == (True, ["ratings"])
    assert "Generated" in project.description
    people = Rating.objects.filter(pair__project=project, rater__kind="human")
    assert ResponsePair.objects.filter(project=project).count() == 6423
    assert 2 * people.count() == 81_014
    assert people.values("rater").distinct().count() == 1934
    assert ResponsePair.objects.filter(prompt__template__split="test").count() == 1766
    assert Localisation.objects.filter(template__project=project).count() == 6423
    assert PromptTemplate.objects.filter(project=project).count() == len(generate().templates)
    # One expert in a variety and a second one in every other; each person speaks the variety they rate.
    experts = Rater.objects.filter(project=project, is_expert=True)
    assert set(Counter(experts.values_list("varieties__tag", flat=True)).values()) == {1, 2}
    assert not Rater.objects.filter(project=project, kind="human", varieties=None).exists()
    judges = Rater.objects.filter(project=project, kind="judge")
    assert (judges.count(), set(judges.values_list("is_simulated", flat=True))) == (10, {True})
    said = io.StringIO()
    call_command("load_demo", scale="menlo", stdout=said)
    assert "already there" in said.getvalue()
    assert Project.objects.filter(slug="menlo").count() == 1
