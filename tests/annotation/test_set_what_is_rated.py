"""Nour sets what responses are rated on: dimensions, question types, what each grade means."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import GoldRule, RatingSettings
from projects.models import AuditEvent, Dimension, QuestionType, Rater
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import signed_in
from tests.preset_parts import add_question_types

pytestmark = pytest.mark.django_db
LIST = "/p/feasts/question-types/"


@pytest.fixture
def formality(project) -> QuestionType:
    make_ratings_project(project)
    return question_type(project)


def filled(question: QuestionType, **changes) -> dict:
    """The form as its page shows it, with changes."""
    form = {
        "dimension": question.dimension_id,
        "name": question.name,
        "definition": question.definition,
        "lowest": "" if question.lowest is None else question.lowest,
        "highest": "" if question.highest is None else question.highest,
    }
    for level in question.levels.all():
        form |= {f"level-{level.grade}-{word}": getattr(level, word) for word in ("label", "summary", "detail")}
    return form | changes


def address(question: QuestionType) -> str:
    return f"{LIST}{question.pk}/"


def summaries(question: QuestionType) -> dict[int, str]:
    return dict(question.levels.values_list("grade", "summary"))


# --- Reading --------------------------------------------------------------------------------------------


def test_the_list_by_dimension_costs_the_same_however_many_there_are(
    project, nour, django_assert_num_queries, django_assert_max_num_queries
):
    question_type(make_ratings_project(project), "warmth", dimension="voice")
    client = signed_in(nour)
    client.get(LIST)
    with django_assert_max_num_queries(20) as few:
        client.get(LIST)
    add_question_types(project)
    with django_assert_num_queries(len(few)):
        page = client.get(LIST).content.decode()
    assert page.index("Fluency") < page.index("Grammar and mechanics") < page.index("Localized factuality")


def test_a_project_without_any_is_told_what_to_do(project, nour):
    make_ratings_project(project)
    page = signed_in(nour).get(LIST).content.decode()
    assert "Nothing is asked yet" in page
    assert signed_in(nour).get(f"{LIST}add/").url == f"{LIST}dimensions/add/"


def test_levels_are_shown_in_the_language_of_the_interface_where_they_are_as_shipped(project):
    add_question_types(project)
    level = project.question_types.get(slug="formality").levels.get(grade=5)
    assert (level.named, level.summarised, level.detailed) == (level.label, level.summary, level.detail)


# --- Adding ---------------------------------------------------------------------------------------------


def test_a_dimension_and_a_question_type_are_added(project, nour):
    make_ratings_project(project)
    client = signed_in(nour)
    client.post(f"{LIST}dimensions/add/", {"name": "لهجة", "definition": ""})
    dimension = Dimension.objects.get()
    assert dimension.slug == "dimension", "a name without Latin letters has a short name all the same"
    form = {"dimension": dimension.pk, "name": "Warmth", "definition": "Is it warm?", "lowest": 1, "highest": 2}
    levels = {"level-1-summary": "Cold.", "level-2-summary": "Warm."}
    assert client.post(f"{LIST}add/", form | levels).url == LIST
    question = QuestionType.objects.get()
    assert (question.slug, question.position, summaries(question)) == ("warmth", 1, {1: "Cold.", 2: "Warm."})
    assert AuditEvent.objects.filter(action="question_type.added", subject="warmth").exists()


def test_one_without_a_scale_asks_for_a_preference_alone(project, nour, formality):
    form = {"dimension": formality.dimension_id, "name": "Which?", "definition": "", "lowest": "", "highest": ""}
    assert signed_in(nour).post(f"{LIST}add/", form).status_code == 302
    assert not QuestionType.objects.get(slug="which").has_scale


def test_a_dimension_of_another_project_is_no_choice(project, other_project, nour, formality):
    theirs = Dimension.objects.create(project=other_project, slug="tone", name="Tone")
    answer = signed_in(nour).post(address(formality), filled(formality, dimension=theirs.pk))
    assert answer.status_code == 422


# --- Changing -------------------------------------------------------------------------------------------


def test_a_longer_scale_asks_for_its_new_levels_before_anything_is_saved(project, nour, formality):
    client = signed_in(nour)
    page = client.post(address(formality), filled(formality, highest=6))
    assert page.status_code == 422
    assert "the scale has grades that say nothing so far" in page.content.decode()
    assert 'name="level-6-summary"' in page.content.decode()
    formality.refresh_from_db()
    assert formality.highest == 5
    saved = client.post(address(formality), filled(formality, highest=6, **{"level-6-summary": "Beyond."}))
    assert saved.status_code == 302
    assert summaries(formality)[6] == "Beyond."


def test_a_shorter_scale_takes_its_levels_with_it(project, nour, formality):
    signed_in(nour).post(address(formality), filled(formality, highest=3))
    assert list(summaries(formality)) == [1, 2, 3]


def test_a_score_from_0_to_100_is_asked_about_its_ends_and_quarters_alone(project, nour, formality):
    client = signed_in(nour)
    assert client.post(address(formality), filled(formality, lowest=0, highest=100)).status_code == 302
    formality.refresh_from_db()
    assert (formality.lowest, formality.highest, len(summaries(formality))) == (0, 100, 5)
    page = client.get(address(formality))
    assert [level.instance.grade for level in page.context["levels"]] == [0, 1, 2, 3, 4, 5, 25, 50, 75, 100]
    form = filled(formality) | {
        f"level-{grade}-{word}": "" for grade in (2, 3, 4, 5) for word in ("label", "summary", "detail")
    }
    form |= {"level-0-summary": "Nothing of it.", "level-100-summary": "All of it.", "level-50-summary": ""}
    assert client.post(address(formality), form).status_code == 302
    assert summaries(formality) == {0: "Nothing of it.", 1: "What earns a 1.", 100: "All of it."}


def test_a_level_that_has_a_label_needs_its_line(project, nour, formality):
    form = filled(formality, lowest=0, highest=100, **{"level-0-label": "None", "level-0-summary": ""})
    page = signed_in(nour).post(address(formality), form)
    assert page.status_code == 422
    assert len(summaries(formality)) == 5


@pytest.mark.parametrize(
    "ends", [{"highest": 1}, {"highest": ""}, {"highest": 102}, {"lowest": -30_000}, {"lowest": "x"}, {"highest": 9**9}]
)
def test_no_scale_is_refused_and_nothing_changed(project, nour, formality, ends):
    assert signed_in(nour).post(address(formality), filled(formality, **ends)).status_code == 422
    formality.refresh_from_db()
    assert list(summaries(formality)) == list(formality.scale) == [1, 2, 3, 4, 5]


def test_once_rated_the_wording_may_change_and_is_recorded(project, nour, mona, formality):
    rate(pair_of(project, "p1"), mona, formality, 4, 2)
    form = filled(formality, **{"level-3-summary": "Nobody is offended."})
    assert signed_in(nour).post(address(formality), form).status_code == 302
    assert summaries(formality)[3] == "Nobody is offended."
    event = AuditEvent.objects.get(action="question_type.changed")
    detail = ["Pass", "What earns a 3.", "All that earns a 3, at length."]
    assert event.detail == {"level 3": [detail, ["Pass", "Nobody is offended.", detail[2]]]}


def test_once_rated_the_scale_stays(project, nour, mona, formality):
    rate(pair_of(project, "p1"), mona, formality, 4, 2)
    form = filled(formality, highest=6, **{"level-6-summary": "Beyond."})
    page = signed_in(nour).post(address(formality), form)
    assert page.status_code == 422
    assert "Responses have been rated on this scale, so it stays as it is." in page.content.decode()
    assert 6 not in summaries(formality)


def test_the_database_keeps_the_scale_too(project, mona, formality):
    rate(pair_of(project, "p1"), mona, formality, 4, 2)
    for change in ({"highest": 6}, {"lowest": None, "highest": None}):
        with pytest.raises(IntegrityError), transaction.atomic():
            QuestionType.objects.filter(pk=formality.pk).update(**change)
    QuestionType.objects.filter(pk=formality.pk).update(name="Register", highest=5)


def test_saving_what_was_not_changed_records_nothing(project, nour, formality):
    signed_in(nour).post(address(formality), filled(formality))
    assert not AuditEvent.objects.filter(action="question_type.changed").exists()


# --- Removing -------------------------------------------------------------------------------------------


def test_what_nothing_belongs_to_is_removed(project, nour, formality):
    client = signed_in(nour)
    dimension = formality.dimension
    kept = client.post(f"{LIST}dimensions/{dimension.pk}/remove/", follow=True).content.decode()
    assert "still has question types" in kept
    client.post(f"{address(formality)}remove/")
    client.post(f"{LIST}dimensions/{dimension.pk}/remove/")
    assert not QuestionType.objects.exists()
    assert not Dimension.objects.exists()


def test_what_was_rated_stays(project, nour, mona, formality):
    rate(pair_of(project, "p1"), mona, formality, 4, 2)
    page = signed_in(nour).post(f"{address(formality)}remove/", follow=True).content.decode()
    assert "so it stays. Nothing was changed." in page
    assert QuestionType.objects.exists()
    assert not AuditEvent.objects.filter(action="question_type.removed").exists()


# --- How ratings are taken --------------------------------------------------------------------------------


def test_the_rules_for_ratings_are_set(project, nour):
    make_ratings_project(project)
    form = {"asks_comment": "on", "gold_rule": "mean", "unparseable": "wrong"}
    signed_in(nour).post(f"{LIST}settings/", form)
    rules = RatingSettings.objects.get()
    assert (rules.asks_preference, rules.asks_comment, rules.gold_rule) == (False, True, GoldRule.MEAN)
    assert AuditEvent.objects.get(action="ratings.settings").detail["unparseable"] == "wrong"
    assert signed_in(nour).post(f"{LIST}settings/", form | {"gold_rule": "median"}).status_code == 422


# --- Grades without an order --------------------------------------------------------------------------


def test_nour_says_that_grades_are_names_until_somebody_has_rated(project, nour, formality):
    client = signed_in(nour)
    assert client.post(address(formality), filled(formality, is_nominal="on")).status_code == 302
    formality.refresh_from_db()
    assert formality.is_nominal
    assert "no order" in client.get(LIST).content.decode()
    rate(pair_of(project, "p1", question=formality), rater_in(project), formality, 1, 2)
    refused = client.post(address(formality), filled(formality))
    assert refused.status_code == 422
    formality.refresh_from_db()
    assert formality.is_nominal


def test_names_need_a_scale(project, nour, formality):
    refused = signed_in(nour).post(address(formality), filled(formality, lowest="", highest="", is_nominal="on"))
    assert refused.status_code == 422
    assert "need a scale" in refused.content.decode()


def rater_in(project) -> Rater:
    return Rater.objects.create(project=project, kind="human", name="Zahra")
