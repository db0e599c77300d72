"""Nour goes from one rated pair, rated response or graded response to the next, the judge she looks at coming along."""

import pytest

from projects.models import Rater
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.judging.grading import graded_response
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db


def test_pairs_and_rated_responses(project, koshari, nour):
    feasts = make_ratings_project(project)
    asked = question_type(feasts)
    first, second = (pair_of(feasts, key, question=asked) for key in ("g1", "g2"))
    judge = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    client = signed_in(nour)
    page = client.get(f"/p/feasts/rating-results/pairs/{first.pk}/", {"judge": judge.pseudonym, "find": "G"})
    found = page.context["neighbours"]
    assert (found.previous, found.following["key"], len(found.found)) == (None, "g2", 2)
    assert f"/p/feasts/rating-results/pairs/{second.pk}/?judge={judge.pseudonym}" in page.content.decode()

    other = add_response(feasts, "zz", "Ful.", "ar-EG")
    add_response(feasts, "zy", "Nobody rated this.", "ar-EG")
    for response in (koshari, other):
        rate(response, Rater.objects.create(project=feasts, kind="human", name=response.key), asked, 4)
    page = client.get(f"/p/feasts/rating-results/responses/{koshari.uuid}/")
    assert page.context["neighbours"].following["key"] == "zz", "one that nobody rated is left out"
    assert f"/p/feasts/rating-results/responses/{other.uuid}/" in page.content.decode()


def test_graded_responses(project, mona, nour):
    response = graded_response(project, mona.raters.get()).response
    later = add_response(project, "zz", "Ful.", "ar-EG")
    client = signed_in(nour)
    address = f"/p/{project.slug}/rubric-results/responses/{response.uuid}/"
    page = client.get(address)
    assert page.status_code == 200
    found = page.context["neighbours"]
    assert found.following is None, "what nobody graded is left out"
    assert str(later.uuid) not in page.content.decode()
