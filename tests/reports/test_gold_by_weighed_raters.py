"""A lead lets the project weigh its raters: two careful people outweigh three careless ones wherever gold is told."""

import io
import json

import numpy as np
import pytest

from agreement.weighed_gold import fitted
from annotation.fitted_rules import fitted_rule
from annotation.models import GoldRule, Rating, RatingSettings
from annotation.questions.settings import gold_rule
from formats.importing.running import run_import
from formats.reading import Source
from judging.human_gold import graded_responses, human_ratings
from projects.models import Project, Rater
from projects.splits import prompts_of
from reports.dashboard.tables import by_id
from reports.ratings.card import how_made, summarise
from reports.ratings.consensus import gold_of, grades_without_own
from reports.ratings.context import Context
from reports.ratings.dashboard import RATERS, RATINGS
from reports.ratings.gold import lines
from reports.ratings.reader import load
from reports.ratings.scope import Narrowed
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db

CAREFUL, CARELESS = ("Amal", "Noor"), ("Zaynab", "Karam", "Samir")
N = 40


@pytest.fixture
def question(project):
    return question_type(make_ratings_project(project))


@pytest.fixture
def truth():
    return np.random.default_rng(7).integers(1, 6, N)


@pytest.fixture
def graded(project, question, truth):
    """Forty responses, each graded by all five; the careful are wrong on a tenth, the careless guess."""
    generator = np.random.default_rng(11)
    responses = [add_response(project, f"r{number:02}", f"رقم {number}", "ar-EG", "Nile-7B") for number in range(N)]
    ratings = []
    for name in (*CAREFUL, *CARELESS):
        rater = Rater.objects.create(project=project, kind="human", name=name, pseudonym=f"p-{name.lower()}")
        knows = generator.random(N) < (0.9 if name in CAREFUL else 0.15)
        said = np.where(knows, truth, generator.integers(1, 6, N)).tolist()
        ratings += [
            Rating(question=question, rater=rater, response=response, first_grade=grade)
            for response, grade in zip(responses, said, strict=True)
        ]
    Rating.objects.bulk_create(ratings)
    return responses


def chosen(nour, rule: str) -> None:
    form = {"asks_comment": "on", "gold_rule": rule, "unparseable": "excluded"}
    assert signed_in(nour).post("/p/feasts/question-types/settings/", form).status_code == 302


def gold_in_file(project) -> dict[str, dict]:
    return {line["id"]: line["gold"][0] for line in map(json.loads, lines(project)) if line["kind"] == "response"}


def by_the_model(rule: str) -> list[int]:
    """Computed again from the rows, as a person with a notebook would."""
    rows = list(Rating.objects.order_by("response_id").values_list("response_id", "rater_id", "first_grade"))
    items, raters, grades = zip(*rows, strict=True)
    return (fitted(rule, items, raters, grades, (1, 5)).codes + 1).tolist()


@pytest.mark.parametrize("rule", ["dawid-skene", "mace"])
def test_the_rule_is_chosen_on_the_page_and_makes_the_gold_of_the_file(project, nour, graded, truth, rule):
    by_most = [gold["grade"] for gold in gold_in_file(project).values()]
    page = signed_in(nour).get("/p/feasts/question-types/settings/").content.decode()
    assert f'value="{rule}"' in page
    chosen(nour, rule)
    assert gold_rule(project) == rule
    gold = gold_in_file(project)
    assert {entry["rule"] for entry in gold.values()} == {rule}
    assert {entry["n"] for entry in gold.values()} == {5}
    assert [gold[response.key]["grade"] for response in graded] == by_the_model(rule)
    right, of_most = ((np.array(made) == truth).mean() for made in ([one["grade"] for one in gold.values()], by_most))
    assert right > of_most + 0.1
    assert {"dawid-skene": "Dawid and Skene", "mace": "MACE"}[rule] in "".join(how_made(summarise(project)))


def test_figures_and_examples_of_judges_have_the_gold_of_the_file(project, question, graded):
    RatingSettings.objects.create(project=project, gold_rule="dawid-skene")
    in_file = {response.pk: gold_in_file(project)[response.key]["grade"] for response in graded}
    context = Context(Narrowed(), "dawid-skene", "excluded")
    loaded = load(project, [graded[0].variety_id], context.scope)
    made = gold_of(loaded, context)
    assert dict(zip(loaded.items.response.tolist(), made.grade.tolist(), strict=True)) == in_file
    assert dict(graded_responses(question, human_ratings(project)[question.pk], fitted_rule(project))) == in_file
    judge = Rater.objects.create(project=project, kind="judge", name="Simba", model="simba-1")
    Rating.objects.bulk_create(
        Rating(question=question, rater=judge, response_id=pk, first_grade=grade) for pk, grade in in_file.items()
    )
    found = by_id(RATINGS.tables(project, filters={}), "judges-against-gold")
    assert found.rows[0].figures[found.measures.index("accuracy")].value == 1.0
    assert "Dawid-Skene" in found.recipe.gold_rule
    assert "by majority where one rater graded" in found.recipe.gold_rule


def test_one_side_of_the_split_has_the_gold_that_all_of_it_makes(project, graded):
    RatingSettings.objects.create(project=project, gold_rule="mace")
    whole = {response.pk: gold_in_file(project)[response.key]["grade"] for response in graded}
    context = Context(Narrowed(split="test"), "mace", "excluded")
    loaded = load(project, [graded[0].variety_id], context.scope)
    assert 0 < len(loaded.items) < N
    assert len(loaded.items) == len(prompts_of(project, "test"))
    made = gold_of(loaded, context)
    assert made.grade.tolist() == [whole[pk] for pk in loaded.items.response.tolist()]


def test_the_others_gold_leaves_out_what_this_person_said(project, graded):
    """By the weights learned from all: the sum over the other four of what each adds, worked out here."""
    context = Context(Narrowed(), "dawid-skene", "excluded")
    loaded = load(project, [graded[0].variety_id], context.scope)
    [weights] = gold_of(loaded, context).weights.values()
    grades = loaded.grades
    nobody = np.zeros(len(grades.item), dtype=bool)
    rest = grades_without_own(grades.item, grades.grade, nobody, "dawid-skene", (1, 5), grades.rater, weights)
    for at in range(0, len(rest), 17):
        others = np.flatnonzero((grades.item == grades.item[at]) & (grades.rater != grades.rater[at]))
        chance = weights.log_prior.copy()
        for other in others.tolist():
            place = weights.raters.tolist().index(grades.rater[other])
            chance += weights.log_says[place, :, int(grades.grade[other]) - 1]
        assert rest[at] == 1 + int(np.argmax(chance))


def test_where_nobody_can_be_compared_the_majority_decides_and_the_file_says_so(project, question, nour, graded):
    Rating.objects.exclude(rater__name="Amal").delete()
    chosen(nour, "dawid-skene")
    assert {entry["rule"] for entry in gold_in_file(project).values()} == {"majority"}
    found = by_id(RATERS.tables(project, filters={}), "rater-confusions")
    assert {one.undefined for row in found.rows for one in row.figures[1:]} == {"one rater"}


def test_an_expert_comes_before_the_model(project, question, graded):
    RatingSettings.objects.create(project=project, gold_rule="dawid-skene")
    hana = Rater.objects.create(project=project, kind="human", name="Hana", is_expert=True)
    Rating.objects.create(question=question, rater=hana, response=graded[0], first_grade=1)
    gold = gold_in_file(project)
    assert (gold["r00"]["rule"], gold["r00"]["grade"], gold["r00"]["n"]) == ("expert", 1, 1)
    assert gold["r01"]["rule"] == "dawid-skene"


@pytest.mark.parametrize("rule", ["dawid-skene", "mace"])
def test_the_file_is_read_back_and_a_line_with_another_gold_is_refused(project, graded, rule):
    RatingSettings.objects.create(project=project, gold_rule=rule)
    file = b"".join(lines(project))
    elsewhere = Project.objects.create(slug="elsewhere", name="Elsewhere", areas=["ratings"])
    outcome = run_import(elsewhere, Source(io.BytesIO(file)), "rating-gold")
    assert outcome.problems == []
    assert elsewhere.rating_settings.gold_rule == GoldRule(rule)
    assert b"".join(lines(elsewhere)) == file
    changed = file.decode().splitlines()
    line = json.loads(changed[-1])
    line["gold"][0]["grade"] = 1 + line["gold"][0]["grade"] % 5
    changed[-1] = json.dumps(line, ensure_ascii=False)
    third = Project.objects.create(slug="third", name="Third", areas=["ratings"])
    refused = run_import(third, Source(io.BytesIO("\n".join(changed).encode())), "rating-gold")
    assert [problem.code for problem in refused.problems] == ["gold_differs"]
    assert not Rating.objects.filter(question__project=third).exists()


def test_raters_see_what_each_takes_for_what(project, nour, graded, truth):
    """The careful say the true grade, the careless about one time in five; Amal's share is that of her own rows."""
    found = by_id(RATERS.tables(project, filters={}), "rater-confusions")
    by_person = {row.labels[0]: row.figures for row in found.rows}
    right = {name: figures[1].number for name, figures in by_person.items()}
    looks = {name: figures[4].number for name, figures in by_person.items()}
    careful, careless = ({f"p-{name.lower()}" for name in names} for names in (CAREFUL, CARELESS))
    assert min(right[name] for name in careful) > 0.75 > 0.5 > max(right[name] for name in careless)
    assert min(looks[name] for name in careful) > max(looks[name] for name in careless) + 0.3
    for figures in by_person.values():
        assert sum(one.number for one in figures[1:4]) == pytest.approx(1)
        assert figures[1].low < figures[1].number < figures[1].high
        assert np.array(figures[1].detail["confusion"]).sum(axis=1) == pytest.approx(np.ones(5), abs=1e-3)
    assert found.rows[0].labels[0] in careless, "who says the truth least often stands first"
    page = signed_in(nour).get("/p/feasts/rating-results/raters/rater-confusions/").content.decode()
    assert "What each person takes for what" in page
