"""Mona says Yes and No, Karim No and No. Nour sends Mona's first back with a note, and she says No: people agree as
little as before, and all of what was chosen is No."""

import io
import json

import pytest

from agreement.alpha import alpha
from annotation.models import QuestionnaireAnswer
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from projects.models import Laboratory, Project, Rater, TargetModel
from reports.dashboard.tables import by_id
from reports.frames import frame
from reports.frames import questionnaires as questionnaires_frame
from reports.questionnaires.dashboard import QUESTIONNAIRES
from reports.questionnaires.reader import Key, Reader
from tests.annotation.questionnaires import (
    RANK,
    RIGHT,
    make_questionnaires_project,
    questionnaire,
    responses_of,
    said,
    turn_of,
)
from tests.people import add_response, signed_in
from tests.reports.sending_back import NOTE, once_more
from tests.workflow.working import submit
from workflow.models import Assignment, FirstAnswer
from workflow.reassignment import amend, reopen

pytestmark = pytest.mark.django_db


def hand_in(person, stage, body) -> Assignment:
    turn = turn_of(person, stage)
    answer = submit(signed_in(person), turn, 0, body)
    assert answer.status_code == 200, answer.content
    return Assignment.objects.get(pk=turn.pk)


@pytest.fixture
def answered(project, mona, karim):
    """`mine` is Mona's turn at the text where she says Yes."""
    make_questionnaires_project(project)
    for key in ("one", "two"):
        add_response(project, key, f"جواب {key}", "ar-EG")
    stage = questionnaire(project, RIGHT)
    mine, _other = (hand_in(mona, stage, said(right=one)) for one in ("Yes", "No"))
    for _text in range(2):
        hand_in(karim, stage, said(right="No"))
    return project, mine


def figures(project):
    """Alpha of people, how many answers, and the share of each that was chosen."""
    found = QUESTIONNAIRES.tables(project, None)
    alpha, answers, *_others = by_id(found, "questionnaire-agreement").rows[-1].figures
    shares = {row.labels[1]: row.figures[0].value for row in by_id(found, "questionnaire-choices").rows}
    return alpha.value, answers.value, shares


def test_alpha_stays_and_what_is_chosen_follows(answered, mona, nour):
    project, mine = answered
    # Yes once, No three times, one pair apart: 2 observed, and 2 x 1 x 3 / 3 = 2 by chance.
    assert figures(project) == (0, 4, {"Yes": 0.25, "Partly": 0, "No": 0.75})
    reopen(mine, nour, NOTE)
    once_more(mona, mine, said(right="No"))
    assert figures(project) == (0, 4, {"Yes": 0, "Partly": 0, "No": 1})


def test_where_nothing_was_amended_it_costs_one_statement(answered, django_assert_max_num_queries):
    project, mine = answered
    with django_assert_max_num_queries(8) as asked:
        loaded = Reader().load(project, [mine.item.variety_id], QUESTIONNAIRES.scope())
    assert loaded[mine.item.variety_id].at_first is None
    assert sum(FirstAnswer._meta.db_table in query["sql"] for query in asked.captured_queries) == 1


def test_a_ranking_is_of_the_same_responses(project, mona):
    """The screen names them by UUID, the table by key."""
    make_questionnaires_project(project)
    texts = responses_of(project, "rank", 3)
    stage = questionnaire(project, RANK, show=("prompt", "responses"))
    ranks = {str(text.uuid): place for place, text in enumerate(texts, 1)}
    turn = hand_in(mona, stage, said(rank=ranks))
    amend(turn)
    once_more(mona, turn, said(rank={name: 4 - rank for name, rank in ranks.items()}))
    variety = texts[0].variety_id
    of_variety = Reader().load(project, [variety], QUESTIONNAIRES.scope())[variety]
    [key] = of_variety.people
    assert key == Key(stage.pk, "rank")
    last, first = (
        dict(zip(one[key].item, one[key].value, strict=True)) for one in (of_variety.people, of_variety.agreed)
    )
    assert last == {text.pk: 3 - at for at, text in enumerate(texts)}
    assert first == {text.pk: at + 1 for at, text in enumerate(texts)}
    told = questionnaires_frame(project)
    assert len(told) == questionnaires_frame.count(project) == 2
    [given] = told[told.is_first].value
    assert json.loads(given) == {text.key: at + 1 for at, text in enumerate(texts)}


def test_the_frame_has_both_and_says_which_agreement_counts(answered, mona, nour):
    project, mine = answered
    reopen(mine, nour, NOTE)
    once_more(mona, mine, said(right="No"))
    found = questionnaires_frame(project)
    of_mine = found[(found.response_key == mine.item.response.key) & (found.rater == mine.rater.pseudonym)]
    told = of_mine[["question", "value", "is_counted", "is_first"]].to_numpy().tolist()
    assert told == [["right", "No", True, False], ["right", "Yes", False, True]]
    first, counted = found[found.is_first], found[found.is_counted]
    assert alpha(first.response_key.tolist(), first.value.tolist(), "nominal").value == figures(project)[0]
    assert (len(counted), (counted.value == "No").mean()) == (figures(project)[1], figures(project)[2]["No"])
    assert len(found) == questionnaires_frame.count(project) == 5


def test_of_rounds_the_latest_counts_also_in_another_batch(answered, monkeypatch):
    """The last of Mona's rounds is read long after her first, which is read alone."""
    monkeypatch.setattr(frame, "FIRST_BATCH", 1)
    monkeypatch.setattr(frame, "MAX_BATCH", 1)
    project, mine = answered
    rows = QuestionnaireAnswer.objects.filter(assignment=mine)
    again = rows.values("stage_id", "response_id", "rater_id").get()
    QuestionnaireAnswer.objects.create(**again, round=2, answers={"right": "Partly", "long gone": 1})
    found = questionnaires_frame(project)
    told = found[found.rater == mine.rater.pseudonym][["round", "question", "value", "is_counted", "is_first"]]
    assert told.to_numpy().tolist() == [
        [1, "right", "Yes", False, False],
        [1, "right", "No", True, True],
        [2, "right", "Partly", True, True],
        [2, "long gone", "1", False, False],
    ]
    assert figures(project)[1] == found[found.is_counted].shape[0] == 4


def test_a_check_and_what_a_judge_says_of_its_own_laboratory_are_not_counted(answered, simba):
    project, mine = answered
    QuestionnaireAnswer.objects.filter(assignment=mine).update(is_check=True)
    response = mine.item.response
    laboratory = Laboratory.objects.create(name="Laboratory of both", slug="of-both")
    TargetModel.objects.filter(pk=response.target_model_id).update(laboratory=laboratory)
    Rater.objects.filter(pk=simba.pk).update(laboratory=laboratory)
    QuestionnaireAnswer.objects.create(stage=mine.stage, response=response, rater=simba, answers={"right": "Yes"})
    found = questionnaires_frame(project)
    left_out = found[~found.is_counted]
    assert left_out[["rater_kind", "is_check", "own_laboratory"]].to_numpy().tolist() == [
        ["human", True, False],
        ["judge", False, True],
    ]
    assert not left_out.is_first.any()
    assert len(found) == 5


def test_the_frame_of_questionnaires_costs_one_statement_for_first_answers(answered, django_assert_max_num_queries):
    project, _mine = answered
    with django_assert_max_num_queries(12) as asked:
        questionnaires_frame(project)
    assert sum(FirstAnswer._meta.db_table in query["sql"] for query in asked.captured_queries) == 1


def test_a_ranking_goes_along_into_an_archive_that_is_taken_in_beside_its_project(project, mona):
    """There the responses have other UUIDs, for those are taken."""
    make_questionnaires_project(project)
    texts = responses_of(project, "rank", 3)
    ranks = {str(text.uuid): place for place, text in enumerate(texts, 1)}
    turn = hand_in(mona, questionnaire(project, RANK, show=("prompt", "responses")), said(rank=ranks))
    amend(turn)
    once_more(mona, turn, said(rank={name: 4 - rank for name, rank in ranks.items()}))
    archive = io.BytesIO()
    write_archive(project, archive)
    there = Project.objects.get(pk=restore(io.BytesIO(archive.getvalue()), "moved", None).project)
    of_variety = Reader().load(there, [texts[0].variety_id], QUESTIONNAIRES.scope())[texts[0].variety_id]
    [first] = of_variety.agreed.values()
    keys = dict(there.responses.values_list("pk", "key"))
    assert {keys[item]: value for item, value in zip(first.item.tolist(), first.value.tolist(), strict=True)} == {
        text.key: place for place, text in enumerate(texts, 1)
    }
