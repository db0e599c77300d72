"""Mona and Karim score answers of a benchmark from 0 to 10, each without the other, the model or any judge."""

import pytest
from django.core.management import CommandError, call_command

from benchmark.freezing import freeze
from benchmark.models import Answer, ConfigurationKind, RuleScore
from benchmark.scoring import score_answers
from benchmark.scoring_task.checking import check_complete, check_draft
from benchmark.scoring_task.sampling import plan_sample, sample
from projects.models import Rater
from projects.problems import Invalid
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.sets import open_line, question_line
from tests.people import signed_in
from tests.workflow.working import put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Stage, WorkItem
from workflow.reassignment import may_amend, reopen
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db
KIND = "answer_scoring"
TEXT = "الشاي مشروب ساخن يشربه الناس في الصباح والمساء."
JUDGED = {"rules": [{"rule": "judge_generation"}]}


def line(key: str, category: str = "Summarization") -> dict:
    return open_line(key, category=category, variety="ar-EG", **JUDGED)


@pytest.fixture
def tea(project):
    """A set of one question, and its answer."""
    own = frozen_set(project, line("tea"))
    return own, answered(configuration_of(project), "tea", TEXT)


@pytest.fixture
def stage(project, tea) -> Stage:
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", overlap=2, seed=7)
    assert plan_sample(stage) == 1
    return stage


def turn_of(person, stage) -> Assignment:
    turn = claim_next(person.raters.get(project=stage.project), stage)
    assert turn is not None
    return turn


def hand_in(person, turn, score: int | None = 7, note: str = ""):
    """Kept as a draft first, then submitted; the server's answer."""
    client, body = signed_in(person), {"score": score, "note": note}
    put_draft(client, turn, 0, body)
    return submit(client, turn, 1, body)


# --- What is a score ---


@pytest.mark.parametrize("score", [-1, 11, 7.5, "7", True, [7]])
def test_points_are_whole_and_from_0_to_10(score):
    with pytest.raises(Invalid) as refused:
        check_draft({"score": score, "note": ""})
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [("score", "off_scale")]


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(Invalid) as refused:
        check_draft({"score": 12, "note": 3, "judge": "x"})
    assert [problem.field for problem in refused.value.problems] == ["judge", "score", "note"]
    with pytest.raises(Invalid, match="object"):
        check_draft([])
    assert check_draft({}) == {"score": None, "note": ""}
    with pytest.raises(Invalid, match="Give the points"):
        check_complete(check_draft({"note": "?"}))


# --- From the queue to the table ---


def test_two_people_score_one_answer_and_both_count(stage, tea, mona, karim):
    question_set, answer = tea
    for person, score in ((mona, 7), (karim, 4)):
        response = hand_in(person, turn_of(person, stage), score, " Leaves the evening out. ")
        assert response.status_code == 200, response.content
    target = question_set.questions.get().target_sha256
    scores = RuleScore.objects.filter(rater__kind="human").order_by("value")
    assert [(each.answer, each.target_sha256, each.round, each.value) for each in scores] == [
        (answer, target, 1, 4.0),
        (answer, target, 1, 7.0),
    ]
    assert {each.detail["note"] for each in scores} == {"Leaves the evening out."}


def test_without_points_nothing_is_handed_in(stage, mona):
    response = hand_in(mona, turn_of(mona, stage), None)
    assert response.status_code == 422
    assert response.json()["error"]["problems"][0]["field"] == "score"
    assert not RuleScore.objects.filter(rater__kind="human").exists()


def test_points_can_be_changed_afterwards(stage, mona):
    turn = turn_of(mona, stage)
    hand_in(mona, turn, 7, "Well.")
    turn.refresh_from_db()
    assert task_type(KIND).stored(turn) == {"score": 7, "note": "Well."}
    assert may_amend(turn)
    reopen(turn, mona)
    assert not RuleScore.objects.filter(rater__kind="human").exists()
    turn = Assignment.objects.get(pk=turn.pk)
    assert turn.draft.body == {"score": 7, "note": "Well."}


def test_an_item_can_be_skipped_with_a_reason(stage, mona):
    turn = turn_of(mona, stage)
    page = signed_in(mona).get(f"/tasks/{turn.uuid}/")
    assert {each["value"] for each in page.context["task"]["skip_reasons"]} >= {
        "do_not_know",
        "not_my_language",
        "other",
    }


def test_nobody_scores_an_answer_twice_in_two_stages(stage, project, mona):
    other = Stage.objects.create(project=project, kind=KIND, name="Again", overlap=2, seed=8)
    plan_sample(other)
    hand_in(mona, turn_of(mona, stage))
    assert claim_next(mona.raters.get(), other) is None
    item = WorkItem.objects.get(stage=other)
    assert not task_type(KIND).may_be_given(item, mona.raters.get())


# --- What is not told ---


def test_the_page_shows_question_reference_and_answer_and_nothing_of_anybody(project, mona, karim):
    frozen_set(project, line("tea"))
    answer = answered(configuration_of(project), "tea", f"<think>سرّ</think>{TEXT}", reasoning="zq7secret")
    judge = Rater.objects.create(project=project, kind="judge", name="zq7judge", model="zq7-1", pseudonym="zq7-p")
    use = answer.prompt.benchmark_questions.get().rule_uses.get()
    RuleScore.objects.create(
        answer=answer, rater=judge, target_sha256=use.target_sha256, value=2.25, detail={"reason": "zq7reason"}
    )
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", seed=7)
    plan_sample(stage)
    hand_in(karim, turn_of(karim, stage), 3, "zq7note")
    project.show_target_model = True  # this work is blind whatever the project shows elsewhere
    project.save()
    page = signed_in(mona).get(f"/tasks/{turn_of(mona, stage).uuid}/").content.decode()
    for shown in (TEXT, "الشاي مشروب دافئ يحبه الناس.", "اكتب جملة عن الشاي"):
        assert shown in page
    for hidden in ("سرّ", "zq7", "2.25", "Nile-7B", "nile-7b", "delta-lab", answer.response.key):
        assert hidden not in page
    assert 'lang="ar-EG" dir="rtl"' in page
    assert "Expected language: <bdi>Arabic</bdi>" in page


def test_no_list_of_work_names_the_model(stage, tea, mona):
    turn = turn_of(mona, stage)
    title = task_type(KIND).title(turn.item)
    assert title == f"{turn.response.prompt.key} · {turn.response.uuid.hex[:4]}"
    assert "nile" not in signed_in(mona).get(f"/p/{stage.project.slug}/").content.decode().lower()


def test_a_version_frozen_meanwhile_changes_nothing_under_her_hands(stage, tea, mona, karim):
    question_set, _answer = tea
    turn = turn_of(mona, stage)
    later = question_set.new_version()
    later.questions.update(reference="القهوة مشروب مرّ.")
    freeze(later)
    hand_in(mona, turn, 7)
    hand_in(karim, turn_of(karim, stage), 1)
    by_target = dict(RuleScore.objects.filter(rater__kind="human").values_list("target_sha256", "value"))
    assert by_target == {
        question_set.questions.get().target_sha256: 7.0,
        later.questions.get().target_sha256: 1.0,
    }


# --- What is drawn ---


@pytest.fixture
def many(project):
    """Two skills of six questions, two models; and what is never drawn: an anchor, and what a fixed rule decides."""
    keys = {f"sum-{n}": "Summarization" for n in range(6)} | {f"say-{n}": "Writing" for n in range(6)}
    own = frozen_set(project, *(line(key, category) for key, category in keys.items()))
    rows = [configuration_of(project, name) for name in ("Nile-7B", "Delta-1")]
    for row in rows:
        for key in keys:
            answered(row, key, TEXT)
    anchor = configuration_of(project, "Anchor")
    anchor.kind, anchor.card = ConfigurationKind.ANCHOR, None
    anchor.save()
    answered(anchor, "sum-0", TEXT)
    refused = configuration_of(project, "Shy-1")
    answered(refused, "sum-0", "لا أستطيع.", is_refusal=True)
    score_answers(own)
    return own


def test_of_each_skill_as_many_are_drawn_by_the_seed(project, many):
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", seed=7)
    drawn = {(each.key, each.skill) for each in sample(stage, 3)}
    assert sorted(skill for _key, skill in drawn) == ["Summarization"] * 3 + ["Writing"] * 3
    assert drawn <= {(each.key, each.skill) for each in sample(stage, 5)}, "with more, the same ones and others"
    other = Stage.objects.create(project=project, kind=KIND, name="Other", seed=8)
    assert drawn != {(each.key, each.skill) for each in sample(other, 3)}
    everything = sample(stage, 100)
    assert len(everything) == 24
    models = Answer.objects.filter(response__in=[each.response for each in everything])
    assert set(models.values_list("configuration__name", flat=True)) == {"Nile-7B", "Delta-1"}


def test_planning_again_adds_what_is_missing_alone(project, many, django_assert_max_num_queries):
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", seed=7)
    with django_assert_max_num_queries(12):
        assert plan_sample(stage, 2) == 4
    assert plan_sample(stage, 2) == 0
    assert plan_sample(stage, 3) == 2
    assert WorkItem.objects.filter(stage=stage).count() == 6


def test_the_command_makes_the_stage_and_draws(project, many, capsys):
    call_command("plan_answer_scoring", project.slug, per_skill=2, seed=5)
    assert "4 (seed 5)" in capsys.readouterr().out
    stage = Stage.objects.get(kind=KIND)
    assert (stage.overlap, stage.seed, stage.is_open) == (2, 5, True)
    call_command("plan_answer_scoring", project.slug, per_skill=3)
    assert "2 (seed 5)" in capsys.readouterr().out
    with pytest.raises(CommandError, match="another seed"):
        call_command("plan_answer_scoring", project.slug, seed=6)
    with pytest.raises(CommandError, match="at least"):
        call_command("plan_answer_scoring", project.slug, per_skill=0)
    Stage.objects.create(project=project, kind="spans", name="Marks")
    with pytest.raises(CommandError, match="other work"):
        call_command("plan_answer_scoring", project.slug, stage="Marks")


def test_titles_of_many_items_cost_one_statement(project, many, django_assert_num_queries):
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", seed=7)
    plan_sample(stage, 5)
    items = list(WorkItem.objects.filter(stage=stage))
    with django_assert_num_queries(1):
        assert len(task_type(KIND).titles(items)) == 10


def test_options_without_labels_stand_beside_the_question(project, mona):
    options = [{"label": "أ", "text": "صح"}, {"label": "ب", "text": "خطأ"}]
    frozen_set(
        project, question_line("sum", instruction="المثلث: صح أم خطأ؟", options=options, output="أ", variety="ar-EG")
    )
    answered(configuration_of(project), "sum", "لعلّه كذلك كما يقول أهل الهندسة في كل مكان.")
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", seed=7)
    plan_sample(stage)
    page = signed_in(mona).get(f"/tasks/{turn_of(mona, stage).uuid}/")
    assert page.context["options"] == "أ. صح\nب. خطأ"
    assert "Options" in page.content.decode()


# --- What the button of a stage plans ---


def test_the_lead_plans_answers_on_the_page_of_stages(project, nour, tea):
    stage = Stage.objects.create(project=project, kind=KIND, name="Points", overlap=2, seed=7)
    page = signed_in(nour).post(f"/p/{project.slug}/stages/{stage.pk}/plan/", follow=True).content.decode()
    assert "1 item was added." in page
    assert stage.items.count() == 1
    page = signed_in(nour).post(f"/p/{project.slug}/stages/{stage.pk}/plan/", follow=True).content.decode()
    assert "but for those that a fixed rule scores" in page
    assert stage.items.count() == 1
