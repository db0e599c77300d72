"""Nour takes the gold of her project of ratings, and brings one in that was made elsewhere."""

import io
import json
from pathlib import Path

import jsonschema
import pytest
from django.core.management import call_command

from annotation.consensus import RatedAnswer, consensus_of
from annotation.models import GoldRule, Rating, RatingSettings
from formats.importing.running import run_import
from formats.rating_gold import FORMAT
from formats.reading import Source
from projects.models import Project, QuestionType, Rater, Response, ResponsePair
from reports.ratings.gold import lines
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.formats.records import misplaced
from tests.people import add_response, signed_in

ROOT = Path(__file__).parents[2]
SCHEMA = FORMAT.schema


@pytest.fixture
def formality(project) -> QuestionType:
    return question_type(make_ratings_project(project), "formality")


@pytest.fixture
def invitation(project, formality):
    return pair_of(project, "invitation", question=formality)


def somebody(project, name: str, **fields) -> Rater:
    return Rater.objects.create(project=project, kind="human", name=name, pseudonym=f"r-{name.lower()}", **fields)


@pytest.fixture
def rated(project, formality, invitation, simba):
    """Three people: 4-2, 4-4 and 1-4; and a judge in both orders, once unreadable."""
    for name, grades in (("Amal", (4, 2)), ("Noor", (4, 4)), ("Zaynab", (1, 4))):
        rate(invitation, somebody(project, name), formality, *grades)
    rate(invitation, simba, formality, 4.5, 2, is_of_both_orders=True)
    rate(invitation, simba, formality, None, None, is_of_both_orders=True, is_swapped=True, is_unparseable=True)
    return invitation


def file_of(project) -> list[dict]:
    return [json.loads(line) for line in lines(project)]


def pair_line(project) -> dict:
    return next(line for line in file_of(project) if line["kind"] == "pair")


def bring(project, *made: dict):
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in made).encode()
    return run_import(project, Source(io.BytesIO(content)), "items")


@pytest.fixture
def elsewhere(db) -> Project:
    return Project.objects.create(slug="elsewhere", name="Elsewhere", areas=["ratings"])


# --- What stands in the file ---


def test_a_pair_stands_with_its_texts_its_gold_and_all_ratings(project, rated):
    kinds = [line["kind"] for line in file_of(project)]
    assert kinds == ["settings", "question", "pair"]
    line = pair_line(project)
    assert (line["first"]["response"], line["second"]["model"]) == (rated.first.text, "Delta-9B")
    # First: 4, 4, 1 gives 4. Second: 2, 4, 4 gives 4. The two are a tie.
    assert line["gold"] == [
        {"question": "formality", "rule": "majority", "n": 3, "first": 4, "second": 4, "preference": "tie"}
    ]
    assert [(each["rater"], each["first"], each["second"]) for each in line["ratings"][:3]] == [
        ("r-amal", 4, 2),
        ("r-noor", 4, 4),
        ("r-zaynab", 1, 4),
    ]
    verdict, unreadable = line["ratings"][3:]
    assert (verdict["name"], verdict["model"], verdict["simulated"]) == ("Simba", "simba-1", True)
    assert (verdict["first"], verdict["both_orders"], verdict["swapped"]) == (4.5, True, False)
    assert (unreadable["unparseable"], unreadable["first"]) == (True, None)
    for each in file_of(project):
        jsonschema.validate(each, SCHEMA)
        assert misplaced(FORMAT, each) == []


def test_gold_follows_the_rule_of_the_project(project, rated):
    RatingSettings.objects.create(project=project, gold_rule=GoldRule.MEAN)
    gold = pair_line(project)["gold"][0]
    # 9 / 3 and 10 / 3.
    assert (gold["rule"], gold["first"], gold["second"], gold["preference"]) == ("mean", 3, 10 / 3, "second")


def test_an_expert_comes_before_everybody(project, formality, rated):
    rate(rated, somebody(project, "Hana", is_expert=True), formality, 2, 5)
    gold = pair_line(project)["gold"]
    assert gold == [
        {"question": "formality", "rule": "expert", "n": 1, "first": 2, "second": 5, "preference": "second"}
    ]


def test_judges_alone_make_no_gold(project, formality, invitation, simba):
    rate(invitation, simba, formality, 4, 2)
    assert pair_line(project)["gold"] == []


def test_gold_of_preferences_without_grades_is_their_majority():
    answers = [RatedAnswer(1, "better", None, None, preference, False) for preference in ("first", "first", "tie")]
    # A win against a loss is a tie: halfway between 1 and -1.
    answers += [RatedAnswer(2, "better", None, None, preference, False) for preference in ("first", "second")]
    consensus = consensus_of(answers, "mean", {"better": None})
    assert [consensus[subject, "better"].preference for subject in (1, 2)] == ["first", "tie"]
    assert {each.rule for each in consensus.values()} == {"majority"}


def test_answers_to_checks_are_not_in_it(project, formality, rated):
    Rating.objects.filter(rater__name="Zaynab").update(is_check=True)
    assert "r-zaynab" not in {each["rater"] for each in pair_line(project)["ratings"]}
    Rating.objects.all().update(is_check=True)
    assert list(lines(project)) == []


def test_people_appear_by_pseudonym_alone(project, rated):
    text = b"".join(lines(project)).decode()
    assert "r-amal" in text
    assert "Amal" not in text


def test_pairs_and_single_responses_cost_the_same_few_statements(project, formality, django_assert_num_queries):
    amal = somebody(project, "Amal")
    for number in range(60):
        pair = pair_of(project, f"x-{number}", question=formality)
        rate(pair, amal, formality, 4, 2)
        rate(pair.first, amal, formality, 4)
    # Is there any; settings, fractions, raters, question types (4), templates; two batches of pairs and one that is
    # empty, with their ratings; single responses, their texts and ratings; of each of the three how many were unsure.
    with django_assert_num_queries(24):
        assert len(list(lines(project))) == 2 + 60 + 60


# --- There and back ---


def test_what_came_back_goes_out_again_byte_by_byte(project, formality, rated, elsewhere):
    rate(rated.second, somebody(project, "Hana", is_expert=True), formality, 3)
    rate(rated.first, Rater.objects.get(name="Amal"), formality, 5)
    file = b"".join(lines(project))
    outcome = run_import(elsewhere, Source(io.BytesIO(file)), "items")
    assert (outcome.is_stored, outcome.kind, outcome.problems) == (True, "rating-gold", [])
    assert outcome.counts["ratings"] == 7
    assert b"".join(lines(elsewhere)) == file


def test_how_sure_a_judge_is_goes_out_and_comes_back_byte_by_byte(project, formality, rated, elsewhere, simba):
    """Lines of judges that say nothing of it stay as they were."""
    assert b"probabilities" not in b"".join(lines(project))
    of_it = {"model": "sure-1", "laboratory": simba.laboratory}
    sure = Rater.objects.create(project=project, kind="judge", name="Sure", pseudonym="r-sure", **of_it)
    rate(rated, sure, formality, 4, 2, probabilities=[0.7000001, 0, 1 - 0.7000001])
    rate(rated.first, sure, formality, 4, probabilities=[1e-05, 0.1, 0.2, 0.69999, 0])
    out = b"".join(lines(project))
    [of_pair] = [one for one in pair_line(project)["ratings"] if "probabilities" in one]
    assert of_pair["probabilities"] == [0.7000001, 0, 1 - 0.7000001]
    outcome = run_import(elsewhere, Source(io.BytesIO(out)), "rating-gold")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    assert b"".join(lines(elsewhere)) == out


def test_a_project_made_from_the_same_preset_takes_it_too(project, rated, elsewhere):
    question_type(elsewhere, "formality")
    assert bring(elsewhere, *file_of(project)).is_stored
    assert elsewhere.question_types.count() == 1


def test_the_rule_comes_with_the_file(project, rated, elsewhere):
    RatingSettings.objects.create(project=project, gold_rule=GoldRule.MEAN)
    assert bring(elsewhere, *file_of(project)).is_stored
    assert elsewhere.rating_settings.gold_rule == GoldRule.MEAN


def changed(made: list[dict], place: str, value: object) -> list[dict]:
    """The file with one value of its pair changed, as "ratings.0.first" names it."""
    *way, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    target = made[-1]
    for step in way:
        target = target[step]
    target[last] = value
    return made


BAD_VALUES = [
    ("prompt", "another", "prompt_sha256", "hash_differs"),
    ("first.response", "another", "first.response_sha256", "hash_differs"),
    ("gold.0.first", 5, "gold", "gold_differs"),
    ("gold.0.n", 2, "gold", "gold_differs"),
    ("gold", [], "gold", "gold_differs"),
    ("ratings", [], "ratings", "nothing"),
    ("ratings.0.first", 6, "ratings[0].first", "off_scale"),
    ("ratings.0.first", 2.5, "ratings[0].first", "not_whole_number"),
    ("ratings.0.first", True, "ratings[0].first", "not_a_number"),
    ("ratings.1.rater", "r-amal", "ratings[1]", "already_there"),
    ("ratings.0.question", "depth", "ratings[0].question", "unknown_question"),
    ("ratings.0.model", "m", "ratings[0].model", "judge_field"),
    ("ratings.3.expert", True, "ratings[3].expert", "not_a_person"),
    ("ratings.0.rated_at", "yesterday", "ratings[0].rated_at", "not_a_moment"),
    ("ratings.0.owner", "omar", "ratings[0].owner", "unknown_field"),
    ("first.owner", "omar", "first.owner", "unknown_field"),
    ("second.id", "invitation-a", "second", "same_response"),
    ("question", "depth", "question", "unknown_question"),
    ("kind", "couple", "kind", "not_a_choice"),
]


@pytest.mark.parametrize(("place", "value", "field", "code"), BAD_VALUES)
def test_a_faulty_value_is_named_and_nothing_is_stored(project, rated, elsewhere, place, value, field, code):
    outcome = bring(elsewhere, *changed(file_of(project), place, value))
    assert not outcome.is_stored
    assert [(problem.line, problem.field, problem.code) for problem in outcome.problems][:1] == [(3, field, code)]
    assert not QuestionType.objects.filter(project=elsewhere).exists()


def test_question_types_that_differ_are_named(project, rated, elsewhere):
    question_type(elsewhere, "formality", highest=7)
    outcome = bring(elsewhere, *file_of(project))
    assert {(problem.field, problem.code) for problem in outcome.problems} == {
        ("highest", "question_differs"),
        ("levels", "question_differs"),
    }


def test_an_expert_is_one_on_every_line(project, formality, rated, elsewhere):
    hana = somebody(project, "Hana", is_expert=True)
    rate(rated, hana, formality, 2, 5)
    rate(rated, hana, formality, 2, 5, round=2)
    made = file_of(project)
    made[-1]["ratings"][2]["expert"] = False
    outcome = bring(elsewhere, *made)
    assert [problem.code for problem in outcome.problems] == ["rater_differs"]


def test_another_rule_is_refused_where_ratings_are(project, rated, elsewhere):
    assert bring(elsewhere, *file_of(project)).is_stored
    RatingSettings.objects.create(project=project, gold_rule=GoldRule.MEAN)
    outcome = bring(elsewhere, file_of(project)[0])
    assert [problem.code for problem in outcome.problems] == ["rule_differs"]


def test_the_same_file_is_not_taken_twice(project, rated, elsewhere):
    assert bring(elsewhere, *file_of(project)).is_stored
    outcome = bring(elsewhere, *file_of(project))
    assert {problem.code for problem in outcome.problems} == {"already_there"}
    assert Rating.objects.filter(pair__project=elsewhere).count() == 5


# --- Page, card, command ---


def test_the_page_says_what_is_in_it(project, rated, nour):
    page = signed_in(nour).get(f"/p/{project.slug}/gold/").content.decode()
    assert "r-amal" not in page
    assert "Simba" in page
    card = signed_in(nour).get(f"/p/{project.slug}/gold/card/").content.decode()
    assert "1 pairs and 0 single responses. 3 ratings of 3 people, 0 of them experts; 2 ratings of 1 judges." in card
    assert "**Simulated judges.**" in card


def test_a_project_without_ratings_says_what_to_do(project, formality, nour):
    assert "No gold yet" in signed_in(nour).get(f"/p/{project.slug}/gold/").content.decode()


def test_the_command_writes_the_file(project, rated, tmp_path):
    call_command("export_gold", project.slug, output=tmp_path / "gold.jsonl")
    assert (tmp_path / "gold.jsonl").read_bytes() == b"".join(lines(project))


def test_a_response_of_two_pairs_is_the_same_in_both(project, formality, rated, elsewhere):
    third = add_response(project, "invitation-c", "أهلا وسهلا", "ar-EG")
    Response.objects.filter(pk=third.pk).update(prompt=rated.prompt)
    other = ResponsePair.objects.create(
        project=project, key="second", prompt=rated.prompt, variety=rated.variety, first=rated.first, second=third
    )
    rate(other, somebody(project, "Hoda"), formality, 3, 3)
    made = file_of(project)
    assert bring(elsewhere, *made).is_stored
    made[-1]["first"] |= {"response": "another", "response_sha256": None}
    fresh = Project.objects.create(slug="fresh", name="Fresh", areas=["ratings"])
    outcome = bring(fresh, *made)
    assert [(each.line, each.code) for each in outcome.problems] == [(4, "response_differs")]
