"""However large a project is, no statement names all of its rows: lists of ids are joins, chunks or one parameter."""

import io
import json

import pytest

from annotation.gold import derive
from annotation.models import Marking, Review, Span
from formats.importing.running import run_import
from formats.reading import Source
from judging.engine.choice import Choice
from judging.engine.planning import plan
from judging.judges import add_judge
from projects.among import Among
from projects.chunks import in_chunks
from projects.models import Rater
from providers.endpoints import simulated_provider
from tests.annotation.marked import rater_of
from tests.people import signed_in
from tests.statements import MANY, few_parameters, statements

pytestmark = pytest.mark.django_db
LENTILS = "Lentils"


def import_items(project, n: int):
    lines = (
        {
            **{"id": f"r{number}", "prompt_id": f"p{number % 50}", "prompt": f"Question {number % 50}"},
            **{"variety": "en-US", "model": "Nile-7B", "laboratory": "Delta Lab"},
            "response": f"{LENTILS} and rice, number {number}.",
        }
        for number in range(n)
    )
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return run_import(project, Source(io.BytesIO(text.encode())), "items")


@pytest.fixture
def large(project, mona, karim):
    """More responses than a statement may carry parameters, in each of which Karim rejects what Mona marked."""
    with few_parameters():
        assert import_items(project, MANY + 100).is_stored
    author, reviewer = rater_of(mona, project), rater_of(karim, project)
    responses = list(project.responses.order_by("pk"))
    Marking.objects.bulk_create([Marking(response=one, rater=author) for one in responses], batch_size=500)
    markings = dict(Marking.objects.values_list("response_id", "pk"))
    Span.objects.bulk_create(
        [
            Span(
                **{"marking_id": markings[one.pk], "response": one, "rater": author, "key": "one"},
                **{"start": 0, "end": len(LENTILS), "quote": LENTILS, "error_type": "cultural", "criticality": "low"},
            )
            for one in responses
        ],
        batch_size=500,
    )
    Review.objects.bulk_create(
        [Review(span_id=pk, rater=reviewer, verdict="reject") for pk in Span.objects.values_list("pk", flat=True)],
        batch_size=500,
    )
    for chunk in in_chunks(markings):
        derive(chunk)
    return project


def test_pages_of_a_large_project(large, nour):
    nours = signed_in(nour)
    with few_parameters() as sent:
        for page in ("responses/?outcome=rejected", "responses/", "results/", "gold/", "team/", "signals/", ""):
            assert nours.get(f"/p/{large.slug}/{page}").status_code == 200
        listed = nours.get(f"/p/{large.slug}/responses/?outcome=rejected").content.decode()
    assert f"{MANY + 100:,} responses" in listed or f"{MANY + 100} responses" in listed
    assert sent.largest > 0


def test_judging_a_large_project(large):
    judge = add_judge(large, simulated_provider(), "simulated-1")
    with few_parameters():
        on_sides = [Choice(split=side).responses(large).count() for side in ("train", "validation", "test")]
        assert sum(on_sides) == MANY + 100
        assert plan(judge, large.responses.all()).responses == MANY + 100


def test_among_many_is_among_a_list(project, koshari, mona):
    pks = list(Rater.objects.values_list("pk", flat=True))
    assert set(Rater.objects.filter(pk__in=Among([*pks, *pks, 10**12]))) == set(Rater.objects.all())
    assert not Rater.objects.filter(pk__in=Among([])).exists()
    assert Rater.objects.exclude(pk__in=Among(pks[:1])).count() == len(pks) - 1
    with few_parameters() as sent:
        assert Rater.objects.filter(pk__in=Among([*pks, *range(10**5)])).count() == len(pks)
    assert sent.largest == 1


def test_a_long_list_is_found_out():
    with pytest.raises(AssertionError, match="2001 parameters"), few_parameters():
        list(Rater.objects.filter(pk__in=range(1, MANY + 2)))
    with statements() as sent:
        list(Rater.objects.filter(pk__in=range(1, MANY + 2)))
    assert sent.largest == MANY + 1
