"""Items that experts answered are mixed into a questionnaire's work, and what people say there is held against them."""

import uuid

import pytest

from annotation.models import GoldAnswer, QuestionnaireAnswer
from formats.layout import asked_of
from projects.models import Rater
from screening.checks import choosing
from screening.checks.kinds import check_kind
from screening.checks.kinds.questionnaires import score_part
from screening.models import CheckResult, CheckSettings, GoldCheck
from tests.annotation.marked import rater_of
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, questionnaire, responses_of, said
from tests.annotation.rated import pair_of
from tests.people import add_response, signed_in
from workflow.claims import claim_next
from workflow.layouts import change_layout
from workflow.models import Stage
from workflow.planning import plan_items
from workflow.submission import submit

pytestmark = pytest.mark.django_db
KINDS = {"choices": "Which?", "key": "kinds", "of": ["Facts", "Style", "Length"], "optional": True}
GOOD = {"scale": "How good?", "key": "good"}
TONE = {"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold"]}


@pytest.fixture
def expert(project) -> Rater:
    return Rater.objects.create(project=project, kind="human", name="Hana", is_expert=True)


def answered(stage, rater, answers, **about) -> None:
    QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, **about)


def made(stage, nour, **settings) -> list[GoldCheck]:
    """Checks of all that experts answered, at every second turn."""
    kind = check_kind(stage)
    assert kind is not None
    CheckSettings.objects.create(stage=stage, share=50, **settings)
    choosing.add_checks(stage, kind, list(kind.candidates(stage).values_list("pk", flat=True)), nour)
    return list(GoldCheck.objects.filter(stage=stage).order_by("pk"))


def handed_in(rater, stage, body) -> CheckResult:
    """The result of the first check that the rater is given."""
    for _turn in range(40):
        turn = claim_next(rater, stage)
        assert turn is not None, "no check came"
        submit(turn, uuid.uuid4(), 0, body(turn))
        if turn.item.is_check:
            return CheckResult.objects.get(assignment=turn)
    raise AssertionError("forty turns without a check")


def test_an_answer_is_held_against_the_experts_part_by_part(project, nour, mona, expert):
    asked = (RIGHT, GOOD, KINDS, WRONG)
    known = add_response(project, "known", "جواب معروف", "ar-EG")
    stage = questionnaire(project, *asked)
    answered(stage, expert, {"right": "No", "good": 2, "kinds": ["Facts"], "wrong": "كلام"}, response=known)
    for at in range(30):
        add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
    plan_items(stage)
    stage.items.filter(response=known, is_check=False).delete()
    [check] = made(stage, nour)
    assert check.gold == {"answers": {"right": "No", "good": 2, "kinds": ["Facts"]}}, (
        "free text is held against nothing"
    )
    result = handed_in(rater_of(mona, project), stage, lambda turn: said(right="Yes", good=2, kinds=["Facts", "Style"]))
    assert (result.is_right, result.score) == (False, pytest.approx((0 + 1 + 2 / 3) / 3))
    stored = QuestionnaireAnswer.objects.get(assignment=result.assignment)
    assert stored.is_check
    [of_right, *_others] = check_kind(stage).compared([result])[result.pk]
    assert (of_right.part, of_right.own, of_right.gold) == ("Is it right?", ["Yes"], ["No"])
    assert not check_kind(stage).candidates(stage).exists(), "a check is made once"


def test_of_several_experts_the_rules_of_gold_decide_and_a_tie_holds_nobody(project, expert):
    second = Rater.objects.create(project=project, kind="human", name="Salma", is_expert=True)
    response = add_response(project, "known", "جواب", "ar-EG")
    stage = questionnaire(project, TONE, GOOD)
    answered(stage, expert, {"tone": "Warm", "good": 1}, response=response)
    answered(stage, second, {"tone": "Cold", "good": 3}, response=response)
    answered(stage, second, {"tone": "Cold", "good": 5}, response=response, round=2)
    kind = check_kind(stage)
    assert kind.gold(stage, [response.pk]) == {response.pk: {"answers": {"good": 3}}}


@pytest.mark.parametrize("shown", ["pair", "responses"])
def test_pairs_and_prompts_are_checks_as_well(project, nour, mona, expert, shown):
    if shown == "pair":
        pair = pair_of(project, "greeting")
        for at in range(12):
            pair_of(project, f"other-{at}")
        about, ranks = {"pair": pair}, {"greeting-a": 1, "greeting-b": 2}
    else:
        three = responses_of(project, "feast", 3)
        for at in range(12):
            responses_of(project, f"other-{at}", 2)
        about, ranks = {"prompt": three[0].prompt}, {one.key: at for at, one in enumerate(three, start=1)}
    stage = questionnaire(project, RANK, show=("prompt", shown))
    answered(stage, expert, {"rank": ranks}, **about)
    stage.items.filter(**about).delete()
    [check] = made(stage, nour)
    assert check.gold == {"answers": {"rank": {name: float(rank) for name, rank in ranks.items()}}}
    keys = {str(one.uuid): one.key for one in project.responses.all()}

    def as_the_expert(turn):
        sides = signed_in(mona).get(f"/tasks/{turn.uuid}/").context["task"]["sides"]
        return said(rank={side: ranks.get(keys[side], at) for at, side in enumerate(sides, start=1)})

    result = handed_in(rater_of(mona, project), stage, as_the_expert)
    assert (result.is_right, result.score) == (True, 1.0)


@pytest.mark.parametrize(
    ("part", "gold", "given", "tolerance", "value"),
    [
        (RIGHT, "Yes", "Partly", 1, 1.0),
        (RIGHT, "Yes", "No", 1, 0.0),
        (TONE, "Warm", "Cold", 1, 0.0),
        (GOOD, 4, 3, 1, 1.0),
        (GOOD, 4, None, 1, 0.0),
        ({"number": "?", "key": "n"}, 2.5, 3, 0.25, 0.0),
        ({"number": "?", "key": "n"}, 1.0, 1.1, 0.1, 1.0),
        (KINDS, ["Facts"], None, 0, 2 / 3),
        (KINDS, [], None, 0, 1.0),
        (RANK, {"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}, 0, 2 / 3),
        (RANK, {"a": 1.5, "b": 1.5, "c": 3}, {"a": 2, "b": 1, "c": 3}, 0, 1.0),
        (RANK, {"a": 1, "b": 2}, None, 0, 0.0),
        (RANK, {"a": 1, "b": 2}, {"a": 1, "b": 1}, 0, 1.0),
    ],
)
def test_how_near_an_answer_comes(part, gold, given, tolerance, value):
    [asked] = asked_of([part])
    score = score_part(asked, gold, given, tolerance)
    assert score.value == pytest.approx(value)
    assert score.is_right == (value == 1.0)


@pytest.mark.parametrize(
    ("asked", "given", "score"),
    [
        ([{"choice": "Right?", "key": "anew", "of": ["Yes", "No"]}], {"anew": "Yes"}, (True, 1.0)),
        ([{"scale": "Right?", "key": "right"}, GOOD], {"right": 1, "good": 5}, (False, 0.0)),
    ],
)
def test_a_check_made_before_the_stage_asked_otherwise_stops_nobody(project, nour, mona, expert, asked, given, score):
    """What an expert answered in a file locks no layout; what still fits is held against it."""
    known = add_response(project, "known", "جواب معروف", "ar-EG")
    stage = questionnaire(project, RIGHT, GOOD)
    answered(stage, expert, {"right": "No", "good": 2}, response=known)
    for at in range(30):
        add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
    plan_items(stage)
    stage.items.filter(response=known, is_check=False).delete()
    made(stage, nour)
    change_layout(stage, ["prompt", "response"], asked, nour)
    stage.refresh_from_db()
    result = handed_in(rater_of(mona, project), stage, lambda turn: said(**given))
    assert (result.is_right, result.score) == score
    kind = check_kind(stage)
    assert kind is not None
    assert [one.part for one in kind.compared([result])[result.pk]] == [part["scale"] for part in asked if part == GOOD]


def test_the_pages_offer_and_count_them(project, nour, mona, expert):
    project.areas = ["questionnaires"]
    project.save()
    stage = questionnaire(project, RIGHT)
    lead = signed_in(nour)
    assert lead.get(f"/p/feasts/checks/{stage.pk}/").status_code == 200
    known = add_response(project, "known", "جواب", "ar-EG")
    answered(stage, expert, {"right": "Yes"}, response=known)
    page = lead.get(f"/p/feasts/checks/{stage.pk}/").content.decode()
    assert "known" in page
    added = lead.post(f"/p/feasts/checks/{stage.pk}/add/", {"subject": known.pk}, follow=True)
    assert "1 check was added" in added.content.decode()
    stage.refresh_from_db()  # from now on it has checks
    CheckSettings.objects.filter(stage=stage).update(share=50)
    for at in range(12):
        add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
    plan_items(stage)
    stage.items.filter(response=known, is_check=False).delete()
    result = handed_in(rater_of(mona, project), stage, lambda turn: said(right="Yes"))
    assert result.is_right
    assert rater_of(mona, project).pseudonym in lead.get("/p/feasts/watch/").content.decode()


def test_beside_marks_both_are_compared_in_one_verdict(project, nour, mona, expert):
    """No error to find, and Hana answered "No" and 4: who finds none, says "No" and 2 is right in two of three."""
    project.areas = ["spans", "questionnaires"]
    project.save()
    known = add_response(project, "known", "جواب معروف", "ar-EG")
    for at in range(12):
        add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2, seed=7)
    change_layout(stage, ["prompt", "response"], [{"spans": "Mark every error."}, RIGHT, GOOD], None)
    stage.refresh_from_db()
    plan_items(stage)
    GoldAnswer.objects.create(response=known, kept=0, rejected=0)
    answered(stage, expert, {"right": "No", "good": 4}, response=known)
    [check] = made(stage, nour, tolerance=1)
    assert check.gold == {"places": [], "answers": {"right": "No", "good": 4}}
    body = {"no_errors": True, "spans": [], "answers": {"right": "No", "good": 2}}
    result = handed_in(rater_of(mona, project), stage, lambda turn: body)
    assert (result.is_right, result.score) == (False, pytest.approx(2 / 3))
    assert result.parts == {
        **{"gold": 0, "marked": 0, "matched": 0, "marks_right": True},
        "answers": {"right": {"right": True, "same": True}, "good": {"right": False, "same": False}},
    }
    told = check_kind(stage).compared([result])[result.pk]
    assert [(str(one.part), one.own, one.gold) for one in told] == [
        ("Errors", [], []),
        ("Is it right?", ["No"], ["No"]),
        ("How good?", ["2"], ["4"]),
    ]


def test_a_check_made_before_answers_were_compared_holds_marks_alone(project, nour, mona, expert):
    project.areas = ["spans", "questionnaires"]
    project.save()
    known = add_response(project, "known", "جواب معروف", "ar-EG")
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2, seed=7)
    change_layout(stage, ["prompt", "response"], [RIGHT], None)
    stage.refresh_from_db()
    plan_items(stage)
    GoldAnswer.objects.create(response=known, kept=0, rejected=0)
    [check] = made(stage, nour)
    assert check.gold == {"places": []}
    for at in range(12):
        add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
    plan_items(stage)
    body = {"no_errors": True, "spans": [], "answers": {"right": "Yes"}}
    result = handed_in(rater_of(mona, project), stage, lambda turn: body)
    assert (result.is_right, result.score, "answers" in result.parts) == (True, 1.0, False)
