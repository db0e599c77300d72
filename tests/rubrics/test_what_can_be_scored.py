"""From the freeze on, responses can be scored without a lead planning them: those that waited, those that come."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.collecting.by_hand import CONTROLS, paste
from judging.collecting.endpoints import add_by_hand
from projects.anchors import sha256
from projects.models import Laboratory, LanguageVariety, Prompt, Response
from rubrics.scoring.planning import plan_open_stages
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.grading import stage_of
from tests.rubrics.writing import PROMPT, authoring_stage, frozen_by
from workflow.claims import claim_another
from workflow.models import Stage, WorkItem
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db


def waiting(stage: Stage) -> list[Response]:
    return [item.response for item in stage.items.select_related("response").order_by("pk") if item.response]


@pytest.fixture
def imported(project) -> Response:
    """An imported prompt with its response."""
    variety = LanguageVariety.objects.get(tag="ar-EG")
    prompt = Prompt.objects.create(
        project=project, key="koshari", text=PROMPT, text_sha256=sha256(PROMPT), variety=variety
    )
    response = add_response(project, "koshari", EGYPTIAN, "ar-EG")
    Response.objects.filter(pk=response.pk).update(prompt=prompt)
    Prompt.objects.filter(pk=response.prompt_id).delete()  # else it might be the one that is taken up
    return response


@pytest.fixture
def authored(project, salma, imported):
    """Salma has taken up the imported prompt; nothing of it is frozen."""
    stage = authoring_stage(project)
    plan_items(stage)
    return claim_another(salma.raters.get(), stage)


def test_a_freeze_makes_the_responses_that_waited_for_it_items(project, salma, authored, imported):
    scoring = stage_of(project, "scoring")
    assert waiting(scoring) == []
    frozen_by(signed_in(salma), authored)
    assert waiting(scoring) == [imported]


def test_a_closed_stage_is_left_alone(project, salma, authored):
    scoring = stage_of(project, "scoring", is_open=False)
    frozen_by(signed_in(salma), authored)
    assert waiting(scoring) == []


def test_a_response_that_is_pasted_after_the_freeze_is_an_item_at_once(project, salma, authored, nour):
    rubric = frozen_by(signed_in(salma), authored)
    scoring = stage_of(project, "scoring")
    before = len(waiting(scoring))
    river = Laboratory.objects.create(slug="river-lab", name="River Lab")
    endpoint = add_by_hand(project, "River Spark", laboratory=river, by=nour)
    pasted = paste(endpoint, rubric.prompt, "الكشري من الرز والعدس.", list(CONTROLS), nour)
    assert waiting(scoring)[before:] == [pasted]


def test_planning_again_adds_nothing_and_costs_the_same_for_many(project, salma, authored, imported):
    frozen_by(signed_in(salma), authored)
    scoring = stage_of(project, "scoring", name="Later")
    assert plan_open_stages([imported.pk]) == 0
    assert WorkItem.objects.filter(stage=scoring).count() == 1

    others = Response.objects.bulk_create(
        Response(
            project=project,
            prompt_id=Prompt.objects.get(key="koshari").pk,
            target_model=imported.target_model,
            variety=imported.variety,
            key=f"more-{number}",
            text=f"Answer {number}",
            text_sha256=sha256(f"Answer {number}"),
        )
        for number in range(40)
    )
    costs = []
    for batch in (others[:1], others[1:]):
        with CaptureQueriesContext(connection) as queries:
            assert plan_open_stages(response.pk for response in batch) == len(batch)
        costs.append(len(queries))
    assert costs[0] == costs[1]
