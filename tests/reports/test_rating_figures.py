"""What ratings add up to: by hand on three pairs, and on a drawn study whose severities are known."""

import numpy as np
import pytest

from agreement.alpha import alpha
from annotation.models import Rating, RatingSettings
from jobs.models import Job
from judging.models import Call, Judge, PromptVersion, Run, Shard
from projects.models import Prompt, Rater, Response
from providers.models import Provider
from reports.dashboard.tables import Table, by_id
from reports.ratings.dashboard import RATERS, RATINGS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.menlo import a_study
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

#: Grades of (first, second) by three people; by majority the first pair is 5 : 3, the second 2 : 4, the third 4 : 3.
PEOPLE = (((5, 3), (5, 3), (4, 3)), ((2, 4), (2, 4), (2, 5)), ((3, 3), (4, 4), (4, 3)))
#: Of the judge Simba, as the pair stands and with the responses changed round.
SIMBA = (((5, 3), (4, 4)), ((2, 4), (2, 3)), ((3, 4), (5, 3)))


def table(project, table_id: str, **filters) -> Table:
    found = by_id(RATINGS.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


def value(found: Table, *labels: str, measure: str) -> float:
    return figure(found, *labels, measure=measure).number


def judge_of(project, name: str, **fields) -> Rater:
    return Rater.objects.create(project=project, kind="judge", name=name, **fields)


@pytest.fixture
def feasts(project):
    return make_ratings_project(project)


@pytest.fixture
def formality(feasts):
    return question_type(feasts)


@pytest.fixture
def pairs(feasts, formality):
    return [pair_of(feasts, f"p{number}", question=formality) for number in (1, 2, 3)]


@pytest.fixture
def people(feasts, pairs, formality):
    raters = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim", "Salma")]
    for pair, grades in zip(pairs, PEOPLE, strict=True):
        for rater, (first, second) in zip(raters, grades, strict=True):
            rate(pair, rater, formality, first, second)
    return raters


def answers_to_one_prompt(project, question, key: str, n: int) -> list[Response]:
    """All by one model, which was asked n times."""
    made = [add_response(project, f"{key}-{number}", "اتفضل", "ar-EG") for number in range(n)]
    Prompt.objects.filter(pk=made[0].prompt_id).update(question=question)
    Response.objects.filter(pk__in=[one.pk for one in made]).update(prompt=made[0].prompt_id)
    return made


@pytest.fixture
def simba(feasts, pairs, people, formality):
    judge = judge_of(feasts, "Simba")
    for pair, (straight, swapped) in zip(pairs, SIMBA, strict=True):
        rate(pair, judge, formality, *straight, is_of_both_orders=True)
        rate(pair, judge, formality, *swapped, is_of_both_orders=True, is_swapped=True)
    return judge


def test_how_people_grade(feasts, people):
    found = table(feasts, "ratings-by-dimension")
    assert [row.labels for row in found.rows] == [("Tone",), ("All dimensions",)]
    counts = [value(found, "Tone", measure=name) for name in ("ratings", "items", "raters")]
    assert counts == [18, 6, 3]
    # 23 + 19 + 21 = 63 of 18 grades; their squares sum to 237.
    assert value(found, "Tone", measure="mean grade") == 3.5
    assert value(found, "Tone", measure="standard deviation") == pytest.approx(((237 - 63**2 / 18) / 17) ** 0.5)
    assert value(found, "Tone", measure="agreement within 1") == 1.0
    grades = np.array(PEOPLE).transpose(0, 2, 1).reshape(6, 3)
    expected = alpha(np.repeat(np.arange(6), 3), grades.reshape(-1)).number
    assert value(found, "Tone", measure="alpha") == pytest.approx(expected)
    [question] = table(feasts, "ratings-by-question").rows
    assert question.labels == ("Formality", "Tone")


def test_gwets_ac_beside_alpha(feasts, people):
    """Over the scale from 1 to 5, of which nobody gave the 1; a difference of one grade agrees by 15/16."""
    found = figure(table(feasts, "ratings-by-dimension"), "Tone", measure="Gwet's AC")
    # In two of six items all three agree, in four two of the three pairs are one grade apart.
    observed = 1 - 8 / 18 / 16
    # The squared differences of all ordered pairs of 1 to 5 add up to 100.
    # Of 18 grades 3 are 2, 6 are 3, 6 are 4, 3 are 5.
    expected = (25 - 100 / 16) / (5 * 4) * (1 - (3**2 + 6**2 + 6**2 + 3**2) / 18**2)
    assert found.number == pytest.approx((observed - expected) / (1 - expected), abs=1e-12)
    assert (found.n, found.detail["weights"], found.detail["values"]) == (6, "quadratic", 5)


def test_a_judge_in_both_orders_is_two_predictions_of_each_item(feasts, simba):
    found = table(feasts, "judges-against-gold")
    # Of twelve grades six are gold's: both of the first pair, then none; both and one; none and one.
    assert value(found, "Simba", measure="accuracy") == 0.5
    # Of the classes 1 to 5: 0, 2 * 2 / (2 + 2), 2 * 2 / (4 + 4), 2 * 1 / (4 + 4), 2 * 1 / (2 + 2).
    assert value(found, "Simba", measure="macro-F1") == pytest.approx((0 + 1 + 0.5 + 0.25 + 0.5) / 5)
    # Six grades are off by one, three up and three down.
    assert value(found, "Simba", measure="MAD") == 0.5
    assert value(found, "Simba", measure="signed error") == 0.0
    # A win for a win, then a tie; two losses for a loss; a loss for a win, then a win.
    assert value(found, "Simba", measure="preference accuracy") == pytest.approx(4 / 6)
    assert figure(found, "Simba", measure="accuracy").n == 12
    assert figure(found, "Simba", measure="preference accuracy").n == 6
    assert found.recipe.as_json()["settings"]["prediction"] == "one per answer: a judge asked in both orders gives two"


def test_questions_that_nobody_answered_have_no_part_in_macro_f1(feasts, people):
    """Of a question from 0 to 1, beside others from 1 to 5 and from 1 to 9 that nobody was asked."""
    polite = question_type(feasts, "polite", 0, 1)
    question_type(feasts, "unused", 1, 9)
    judges = [judge_of(feasts, name) for name in ("Nala", "Kiara")]
    # People's grades of four pairs, and what Nala says.
    for number, (gold, said) in enumerate((((1, 0), (1, 0)), ((1, 0), (1, 1)), ((0, 1), (0, 1)), ((1, 1), (1, 1)))):
        pair = pair_of(feasts, f"polite-{number}", question=polite)
        for rater in people[:2]:
            rate(pair, rater, polite, *gold)
        rate(pair, judges[0], polite, *said)
        rate(pair, judges[1], polite, *gold)
    found = table(feasts, "judges-against-gold")
    # Said 1 of five that are 1 and of one of the three that are 0.
    expected = (2 * 5 / (6 + 5) + 2 * 2 / (2 + 3)) / 2
    assert value(found, "Nala", measure="accuracy") == 7 / 8
    assert value(found, "Nala", measure="macro-F1") == pytest.approx(expected)
    assert value(found, "Kiara", measure="macro-F1") == 1.0
    assert "the question's own scale" in found.recipe.as_json()["settings"]["classes"]
    compared = table(feasts, "judges-compared")
    said = {row.labels[0]: [one.value for one in row.figures] for row in compared.rows}
    assert sorted(said["macro-F1"][:2]) == pytest.approx(sorted((expected, 1.0)))


def test_order(feasts, simba):
    found = table(feasts, "judge-order")
    # Only the second pair has the same verdict in both orders.
    assert value(found, "Simba", measure="positional agreement") == pytest.approx(1 / 3)
    # Five verdicts decide. For the response shown first: the win of the first pair, and the second pair's loss when
    # its second response stood first.
    assert value(found, "Simba", measure="first-position rate") == pytest.approx(2 / 5)


def test_each_person_against_the_gold_of_the_rest(feasts, simba):
    ceiling = table(feasts, "judges-against-gold").ceilings
    # All agree on the first two pairs. On the third Mona says a tie against 4 : 3; Karim a tie, as the rest's 3 : 3
    # (of 3 and 4 the one nearer the middle of the scale); Salma a win against the rest's 3 : 3.
    assert ceiling["preference accuracy"].number == pytest.approx(7 / 9)
    assert ceiling["preference accuracy"].n == 9
    assert ceiling["accuracy"].n == 18


def test_an_expert_overrides_everybody(feasts, simba, pairs, formality):
    expert = Rater.objects.create(project=feasts, kind="human", name="Hana", is_expert=True)
    rate(pairs[0], expert, formality, 1, 5)
    found = table(feasts, "judges-against-gold")
    # The first pair is a loss now: Simba's win and tie are both wrong.
    assert value(found, "Simba", measure="preference accuracy") == pytest.approx(3 / 6)
    assert "expert" in found.recipe.gold_rule


def test_the_mean_as_the_rule_of_gold(feasts, simba):
    RatingSettings.objects.create(project=feasts, gold_rule="mean")
    found = table(feasts, "judges-against-gold")
    # Gold is 14/3 : 3, 2 : 13/3 and 11/3 : 10/3.
    errors = [1 / 3, 0, -2 / 3, 1, 0, -1 / 3, 0, -4 / 3, -2 / 3, 2 / 3, 4 / 3, -1 / 3]
    assert value(found, "Simba", measure="signed error") == pytest.approx(sum(errors) / 12)
    assert value(found, "Simba", measure="MAD") == pytest.approx(sum(map(abs, errors)) / 12)
    assert found.recipe.gold_rule.endswith("by mean")


@pytest.mark.parametrize(
    ("policy", "preference", "accuracy", "same"),
    # The last answer, a win, cannot be read: left out, wrong, or a tie where people see a win.
    [("excluded", 3 / 5, 5 / 10, 1 / 2), ("wrong", 3 / 6, 5 / 12, 1 / 3), ("tie", 3 / 6, 5 / 10, 1 / 3)],
)
def test_what_an_unreadable_verdict_counts_as(feasts, simba, pairs, policy, preference, accuracy, same):
    RatingSettings.objects.create(project=feasts, unparseable=policy)
    last = Rating.objects.filter(pair=pairs[2], rater=simba, is_swapped=True)
    last.update(first_grade=None, second_grade=None, is_unparseable=True)
    found = table(feasts, "judges-against-gold")
    assert value(found, "Simba", measure="preference accuracy") == pytest.approx(preference)
    assert value(found, "Simba", measure="accuracy") == pytest.approx(accuracy)
    assert value(found, "Simba", measure="scored") == pytest.approx(10 / 12)
    assert value(table(feasts, "judge-order"), "Simba", measure="positional agreement") == pytest.approx(same)
    assert found.recipe.as_json()["settings"]["unparseable"] == policy


def test_wins_and_how_far_a_judge_overstates_them(feasts, simba):
    found = table(feasts, "wins")
    assert found.title == "Nile-7B against Delta-9B"
    people = [value(found, "People", measure=name) for name in ("wins of the first", "ties", "losses")]
    assert people == pytest.approx([2 / 3, 0, 1 / 3])
    # +2, -2 and +1.
    assert value(found, "People", measure="difference in grades") == pytest.approx(1 / 3)
    # Halves of a pair where the orders differ: a win and a tie; two losses; a loss and a win.
    judge = [value(found, "Simba", measure=name) for name in ("wins of the first", "ties", "losses")]
    assert judge == pytest.approx([1 / 3, 1 / 6, 1 / 2])
    # +2 and 0, -2 and -1, -1 and +2 make +1, -1.5 and +0.5.
    assert value(found, "Simba", measure="difference in grades") == pytest.approx(0)
    assert value(found, "Simba", measure="overstated difference") == pytest.approx(-1 / 3)
    assert value(found, "Simba", measure="overstated wins") == pytest.approx(-1 / 6 - 1 / 3)
    assert figure(found, "People", measure="overstated wins").undefined == "people are the measure"


def test_the_two_target_models_may_be_turned_round(feasts, simba):
    found = table(feasts, "wins", model="Delta-9B", other_model="Nile-7B")
    assert found.title == "Delta-9B against Nile-7B"
    assert value(found, "People", measure="wins of the first") == pytest.approx(1 / 3)
    assert value(found, "Simba", measure="losses") == pytest.approx(1 / 3)
    assert value(found, "Simba", measure="overstated difference") == pytest.approx(1 / 3)


def test_a_judge_that_grades_one_by_one_prefers_by_its_two_grades(feasts, simba, pairs, formality):
    single = judge_of(feasts, "Nala")
    for pair, (first, second) in zip(pairs, ((5, 3), (3, 3), (4, 3)), strict=True):
        rate(pair.first, single, formality, first)
        rate(pair.second, single, formality, second)
    found = table(feasts, "judges-against-gold")
    assert value(found, "Nala", measure="preference accuracy") == pytest.approx(2 / 3)
    assert value(found, "Nala", measure="accuracy") == pytest.approx(4 / 6)
    order = figure(found := table(feasts, "judge-order"), "Simba", measure="first-position rate")
    assert order.n == 5
    assert [row.labels[0] for row in found.rows] == ["Simba"], "of grades given one by one there is no order"


def test_two_judges_compared_weigh_each_item_once(feasts, simba, pairs, formality):
    single = judge_of(feasts, "Nala")
    for pair, (first, second) in zip(pairs, ((5, 3), (3, 3), (4, 3)), strict=True):
        rate(pair.first, single, formality, first)
        rate(pair.second, single, formality, second)
    found = table(feasts, "judges-compared", setup="Nala", other_setup="Simba")
    assert found.summary.startswith("Nala, the first, beside Simba, the second.")
    first, second, difference, p = next(row for row in found.rows if row.labels == ("accuracy",)).figures
    assert (first.number, second.number) == pytest.approx((4 / 6, 6 / 12))
    assert difference.number == pytest.approx(4 / 6 - 6 / 12)
    assert difference.n == 6
    assert (p.value, p.undefined) == (None, "too few prompts"), "three prompts tell no two judges apart"
    assert table(feasts, "judges-compared").summary.startswith("Simba, the first"), "of equals the older judge first"


def test_answers_to_checks_and_earlier_rounds_stand_in_no_figure(feasts, people, pairs, formality):
    before = table(feasts, "ratings-by-dimension").rows
    other = Rater.objects.create(project=feasts, kind="human", name="Zaid")
    rate(pairs[0], other, formality, 1, 1, is_check=True)
    assert table(feasts, "ratings-by-dimension").rows == before
    rate(pairs[0], people[0], formality, 1, 1, round=2)
    found = table(feasts, "ratings-by-dimension")
    assert value(found, "Tone", measure="ratings") == 18
    assert value(found, "Tone", measure="mean grade") == pytest.approx((63 - 8 + 2) / 18)


def test_a_question_that_asks_for_a_preference_alone(feasts):
    which = question_type(feasts, "which", lowest=None, highest=None, dimension="choice")
    pair = pair_of(feasts, "c1", question=which)
    for name, said in (("Mona", "first"), ("Karim", "first"), ("Salma", "tie")):
        person = Rater.objects.create(project=feasts, kind="human", name=name)
        rate(pair, person, which, None, None, preference=said)
    rate(pair, judge_of(feasts, "Simba"), which, None, None, preference="first")
    found = table(feasts, "judges-against-gold")
    assert value(found, "Simba", measure="preference accuracy") == 1.0
    assert figure(found, "Simba", measure="accuracy").undefined == "no items"
    assert value(table(feasts, "wins"), "People", measure="wins of the first") == 1.0
    assert table(feasts, "ratings-by-dimension").rows == ()


def test_single_responses_without_pairs(feasts, formality, koshari):
    koshari.prompt.project.refresh_from_db()
    for name, grade in (("Mona", 4), ("Karim", 5), ("Salma", 4)):
        rate(koshari, Rater.objects.create(project=feasts, kind="human", name=name), formality, grade)
    rate(koshari, judge_of(feasts, "Simba"), formality, 5)
    found = table(feasts, "judges-against-gold")
    assert value(found, "Simba", measure="signed error") == 1.0
    assert figure(found, "Simba", measure="preference accuracy").undefined == "no items"
    assert table(feasts, "wins").rows == ()


def test_what_the_filters_keep(feasts, simba, formality):
    other = question_type(feasts, "coherence", dimension="fluency")
    pair = pair_of(feasts, "k1", question=other, tag="ar-IQ")
    rate(pair, Rater.objects.create(project=feasts, kind="human", name="Zaid"), other, 2, 2)

    def ratings(**filters) -> float:
        return table(feasts, "ratings-by-dimension", **filters).rows[-1].figures[5].number

    assert ratings() == 20
    assert ratings(dimension="fluency") == 2
    assert ratings(question="formality") == 18
    assert ratings(variety="ar-IQ") == 2
    assert table(feasts, "judges-against-gold", judge="nobody").rows == ()
    # No prompt is of a template: each stands on the side that its own words are drawn to.
    sides = [table(feasts, "ratings-by-dimension", split=side).rows for side in ("train", "validation", "test")]
    assert sum(rows[-1].figures[5].number for rows in sides if rows) == 20
    assert table(feasts, "ratings-by-dimension", dimension="fluency").recipe.filters == {"dimension": "fluency"}


def test_prediction_powered_mean_of_a_target_model(feasts, formality):
    judge, person = judge_of(feasts, "Simba"), Rater.objects.create(project=feasts, kind="human", name="Mona")
    grades = ((5, 4), (3, 3), (4, 4), (2, 1), (5, None), (4, None), (1, None), (3, None))
    for number, (by_judge, by_person) in enumerate(grades):
        pair = pair_of(feasts, f"m{number}", question=formality)
        rate(pair.first, judge, formality, by_judge)
        if by_person:
            rate(pair.first, person, formality, by_person)
    found = table(feasts, "prediction-powered")
    assert value(found, "Simba", "Nile-7B", measure="mean by people") == 3.0
    # lambda (1 - n / N) = cov(Y, f) / (var(f) (1 + n / others)) with n = 4 of 8: (5/3) / (var(f) * 2).
    of_judge, labels = np.array([one for one, _ in grades], dtype=float), np.array([4, 3, 4, 1], dtype=float)
    share = np.cov(labels, of_judge[:4], ddof=1)[0, 1] / (of_judge.var(ddof=1) * 2)
    expected = (labels - share * of_judge[:4]).mean() + share * of_judge[4:].mean()
    assert value(found, "Simba", "Nile-7B", measure="prediction-powered mean") == pytest.approx(expected)


def test_two_answers_to_a_prompt_make_the_mean_of_a_model_no_more_certain(feasts, formality):
    """Mona says 2, 3, 4, 2, 3 and 4 of the two answers to each of six prompts: as certain as six grades with a mean of
    3 and a variance of 4 / 5, so sqrt(4 / 5 / 6) times 2.571, Student's t with five degrees of freedom."""
    judge, mona = judge_of(feasts, "Simba"), Rater.objects.create(project=feasts, kind="human", name="Mona")
    for number, grade in enumerate((2, 3, 4, 2, 3, 4, None)):
        for response in answers_to_one_prompt(feasts, formality, f"m{number}", 2):
            rate(response, judge, formality, 3)
            if grade:
                rate(response, mona, formality, grade)
    mean = figure(table(feasts, "prediction-powered"), "Simba", "Nile-7B", measure="mean by people")
    assert (mean.value, mean.n) == (3.0, 12)
    half = 2.570582 * np.sqrt(4 / 5 / 6)
    assert mean.bounds == pytest.approx((3 - half, 3 + half), abs=1e-5)


def test_a_judge_may_stand_in_for_people_it_is_closer_to_the_rest_than(feasts, formality):
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim", "Salma")]
    twin, stranger = judge_of(feasts, "Twin"), judge_of(feasts, "Stranger")
    for number in range(15):
        pair = pair_of(feasts, f"t{number}", question=formality)
        for at, person in enumerate(people):
            rate(pair, person, formality, 4 if number % 3 == at else 3, 2)
        rate(pair, twin, formality, 3, 2)
        rate(pair, stranger, formality, 1, 5)
    found = table(feasts, "alternative-annotator")
    assert value(found, "Twin", measure="winning rate") == 1.0
    assert value(found, "Stranger", measure="winning rate") == 0.0
    assert found.summary == "These pass: Twin."
    assert found.recipe.settings["epsilon"] == 0.15


def test_thirty_answers_to_two_prompts_tell_no_more_of_a_judge_than_two_prompts(feasts, formality):
    """To the first prompt Mona says 2, Karim 4 and Twin 3, to the second all say 3: Twin is 1 from the other where a
    person is 2, then as near as the person.

    So d = -1 on the one and 0 on the other, its mean -0.5, and -1 or 0 without one of the two prompts: the standard
    error is sqrt(1/2 (0.25 + 0.25)) = 0.5, t = (-0.5 - 0.15) / 0.5 = -1.3 with one degree of freedom, p = 0.21.
    Thirty answers that stood for themselves would have t = -7, and Twin would pass.
    """
    mona, karim = (Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim"))
    twin = judge_of(feasts, "Twin")
    for key, (of_mona, of_karim) in (("one", (2, 4)), ("two", (3, 3))):
        for response in answers_to_one_prompt(feasts, formality, key, 15):
            rate(response, mona, formality, of_mona)
            rate(response, karim, formality, of_karim)
            rate(response, twin, formality, 3)
    found = table(feasts, "alternative-annotator")
    assert value(found, "Twin", measure="advantage") == 1.0
    assert figure(found, "Twin", measure="winning rate").n == 2
    assert value(found, "Twin", measure="winning rate") == 0.0
    assert found.summary == "No judge passes: a person is closer to the others than any of them."


def test_too_few_shared_items_are_said(feasts, simba):
    found = table(feasts, "alternative-annotator")
    assert figure(found, "Simba", measure="winning rate").undefined == "no rater with enough shared items"


def raters(project, **filters) -> Table:
    found = by_id(RATERS.figures(project, filters).tables(), "raters")
    assert found is not None
    return found


def test_a_person_beside_the_others(feasts, people):
    found = raters(feasts)
    row = next(row for row in found.rows if row.labels[0] == people[2].pseudonym)
    grades, near, error, experts, *_of_the_model = row.figures
    assert grades.number == 6
    assert near.number == 1.0
    # Salma against the mean of the other two: -1, 0, 0, +1, +0.5 and -0.5.
    assert error.number == pytest.approx(0.0)
    assert experts.undefined == "no items"
    assert "Mona" not in str(found.as_json()), "people stand here by pseudonym"


def test_people_who_share_nothing_are_told_so(feasts, formality):
    for number in (1, 2):
        person = Rater.objects.create(project=feasts, kind="human", name=f"Person {number}")
        rate(pair_of(feasts, f"u{number}", question=formality), person, formality, 4, 2)
    found = raters(feasts)
    assert {row.figures[4].undefined for row in found.rows} == {"not linked"}
    assert "2 share no response with anybody" in found.summary


def test_severities_are_the_drawn_ones():
    study = a_study("drawn", share=0.03)
    by_pseudonym = dict(study.project.raters.values_list("pseudonym", "id"))
    found = raters(study.project)
    known = [row for row in found.rows if row.figures[0].number >= 30]
    drawn = [study.severity[by_pseudonym[row.labels[0]]] for row in known]
    assert len(known) > 20
    assert np.corrcoef(drawn, [row.figures[4].number for row in known])[0, 1] > 0.95


def test_nothing_is_undefined_for_want_of_trying_in_an_empty_project(feasts):
    assert RATINGS.figures(feasts).tables() == []


def test_what_a_judge_was_asked_and_did_not_answer_is_counted(feasts, simba, pairs):
    provider = Provider.objects.create(name="near", base_url="http://127.0.0.1:9/v1")
    judge = Judge.objects.create(project=feasts, rater=simba, kind="pairwise", model="m", provider=provider)
    version = PromptVersion.objects.create(name="pairwise", version="v1", text="", text_sha256="")
    run = Run.objects.create(project=feasts, judge=judge, prompt_version=version)
    shard = Shard.objects.create(run=run, number=1, job=Job.objects.create(kind="judge_shard", queue="calls"))
    states = ("scored", "scored", "scored", "scored", "scored", "scored", "refused", "cancelled")
    for unit, state in enumerate(states):
        Call.objects.create(
            run=run,
            shard=shard,
            judge=judge,
            response=pairs[0].first,
            prompt_version=version,
            unit=unit,
            state=state,
        )
    found = figure(table(feasts, "judges-against-gold"), "Simba", measure="scored")
    # Seven pairs in an order were asked about, two grades each; one was refused.
    assert (found.detail["scored"], found.detail["planned"]) == (12, 14)
