"""Nour collects two responses of each model without a rubric, sets them side by side, and a rater is handed them."""

import pytest

from annotation.models import PairDesign
from annotation.pairs.forming import form
from judging.collecting.endpoints import add_endpoint
from projects.models import Project, ResponsePair
from tests.annotation.rating import rating_stage, turn_of
from tests.judging.collecting import add_prompt, collect
from tests.people import signed_in
from tests.preset_parts import add_question_types

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(project) -> Project:
    Project.objects.filter(pk=project.pk).update(areas=["ratings"], preset="ratings")
    project.refresh_from_db()
    add_question_types(project)
    for n in range(4):
        add_prompt(project, f"p{n}", f"السؤال رقم {n}؟")
    return project


def test_from_prompts_to_what_a_rater_sees(study, provider, nour, mona):
    for model in ("simulated-1", "simulated-2"):
        collect(add_endpoint(study, provider, model, parameters={"seed": len(model)}, replicates=2))
    assert study.responses.count() == 16
    stage = rating_stage(study, overlap=1)
    assert not stage.items.exists()
    formed = form(PairDesign(project=study), by=nour)
    # first with first and second with second, of four prompts
    assert len(formed.pairs) == ResponsePair.objects.count() == 8
    assert {(row.first.key[-3:] == "-r2") for row in study.pairs.select_related("first")} == {True, False}
    assert all((row.first.key[-3:] == "-r2") == (row.second.key[-3:] == "-r2") for row in study.pairs.all())
    assert stage.items.count() == 8  # the stage is open: they are handed out at once
    turn = turn_of(mona, stage)
    assert {turn.pair.first.target_model.name, turn.pair.second.target_model.name} == {"simulated-1", "simulated-2"}
    page = signed_in(mona).get(f"/tasks/{turn.uuid}/")
    assert page.status_code == 200
    assert turn.pair.first.text.split("\n")[0] in page.content.decode()
