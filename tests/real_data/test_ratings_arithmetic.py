"""Five published studies of ratings and preferences through the arithmetic alone: every reference number to 1e-9."""

import json
from itertools import combinations

import numpy as np
import pytest

from agreement import classes, kappa, order, preferences
from agreement.alpha import alpha, alpha_from_counts
from agreement.consensus import gold, value_counts
from agreement.correlation import spearman
from agreement.deviation import deviation, group_means
from agreement.within import agreement_within
from tests.real_data import llm_rubric, llmbar, pandalm, published, recipes_likert, squality
from tests.real_data.rating_lines import Rated, rated

pytestmark = pytest.mark.real_data


def exactly(number):
    return pytest.approx(number, abs=1e-9, rel=0)


def reference_numbers(name):
    return json.loads(published(f"reference/{name}.json").read_text(encoding="utf-8"))


# --- PandaLM: preferences of three people, two judges, unread verdicts --------------------------------


@pytest.fixture(scope="module")
def compared() -> Rated:
    return rated(pandalm.answers(published(pandalm.FOLDER)))


@pytest.fixture(scope="module")
def pandalm_numbers():
    return reference_numbers("pandalm")


@pytest.fixture(scope="module")
def people(compared) -> Rated:
    return compared.of(rater_kind="human")


@pytest.fixture(scope="module")
def majority(people):
    return gold(people.subject, people.preference, scale=(-1, 1))


CODES = {"0": preferences.TIE, "1": preferences.WIN, "2": preferences.LOSS}


def test_three_people_pair_by_pair(people, pandalm_numbers):
    said = {
        str(number): people.of(rater=name).by_subject(people.of(rater=name).preference, people.subjects)
        for number, name in enumerate(pandalm.PEOPLE, start=1)
    }
    counts = [{code: int((said[rater] == value).sum()) for code, value in CODES.items()} for rater in said]
    assert counts == pandalm_numbers["annotator_label_counts"]
    for one, other in combinations(said, 2):
        table = kappa.confusion(*(preferences.as_classes(said[rater]) for rater in (one, other)), 3)
        figure = kappa.cohen_kappa(table)
        assert figure.value == exactly(pandalm_numbers["cohen_kappa"][f"{one}-{other}"])
        assert figure.detail["observed_agreement"] == exactly(pandalm_numbers["raw_agreement"][f"{one}-{other}"])
        assert round(figure.value, 2) == pandalm_numbers["published_cohen_kappa"][f"{one}-{other}"]


def test_three_people_together(people, majority, pandalm_numbers):
    assert alpha(people.subject, people.preference, "nominal").value == exactly(pandalm_numbers["alpha_nominal"])
    # The order first, tie, second of the reference is that of preferences turned round, which alpha does not see.
    assert alpha(people.subject, people.preference).value == exactly(pandalm_numbers["alpha_ordinal_1_tie_2"])
    assert {code: int((majority.values == value).sum()) for code, value in CODES.items()} == pandalm_numbers["majority"]
    assert (majority.decided_by == 0).all(), "no pair is split three ways"
    for name, expected in zip(pandalm.PEOPLE, pandalm_numbers["single_annotator_vs_majority"], strict=True):
        one = people.of(rater=name)
        sides = majority.values, one.by_subject(one.preference, people.subjects)
        found = classes.figures(*map(preferences.as_classes, sides), 3, ["macro_f1"], interval=False)
        assert found["macro_f1"].value == exactly(expected)


@pytest.mark.parametrize(
    ("judge", "policy", "part"),
    [
        (pandalm.GPT35, "tie", "gpt35_unparseable_as_tie"),
        (pandalm.GPT35, "excluded", "gpt35_unparseable_dropped"),
        (pandalm.PANDALM, "excluded", "pandalm7b"),
    ],
)
def test_judges_against_the_majority(compared, people, majority, pandalm_numbers, judge, policy, part):
    expected = pandalm_numbers[part]
    lines = compared.of(rater=judge["rater"])
    verdicts = lines.by_subject(lines.preference, people.subjects)
    accuracy = preferences.accuracy(majority.values, verdicts, unparseable=policy, interval=False)
    assert (accuracy.value, accuracy.n) == (exactly(expected["accuracy"]), expected["n"])
    sides = preferences.as_classes(majority.values), preferences.as_classes(verdicts, policy)
    names = ["macro_precision", "macro_recall", "macro_f1", "unweighted_kappa"]
    found = classes.figures(*sides, 3, names, interval=False)
    for name in names:
        assert found[name].value == exactly(expected["cohen_kappa" if name == "unweighted_kappa" else name])
    loss, tie, win = classes.of_each_class(*sides, 3, interval=False)
    for code, one in {"0": tie, "1": win, "2": loss}.items():
        for name in ("precision", "recall", "f1"):
            assert getattr(one, name).value == exactly(expected["per_class"][code][name])


def test_unread_verdicts_as_wrong_ones(compared, people, majority, pandalm_numbers):
    """The reference has the other two policies; wrong is what was right among all."""
    dropped, unread = pandalm_numbers["gpt35_unparseable_dropped"], pandalm_numbers["gpt35_unparseable"]
    lines = compared.of(rater=pandalm.GPT35["rater"])
    verdicts = lines.by_subject(lines.preference, people.subjects)
    accuracy = preferences.accuracy(majority.values, verdicts, unparseable="wrong", interval=False)
    assert accuracy.value == exactly(dropped["accuracy"] * dropped["n"] / (dropped["n"] + unread))
    assert accuracy.detail["unparseable"] == unread == 25
    sides = preferences.as_classes(majority.values), preferences.as_classes(verdicts)
    wrong = classes.of_each_class(*sides, 3, unparseable="wrong", interval=False)
    loss, tie, win = (pandalm_numbers["majority"][code] for code in ("2", "0", "1"))
    for one, code, there in zip(wrong, ("2", "0", "1"), (loss, tie, win), strict=True):
        assert one.precision.value == exactly(dropped["per_class"][code]["precision"]), "no class is charged with them"
        assert one.recall.n == there


# --- Recipes: alpha with sparse raters ----------------------------------------------------------------


@pytest.fixture(scope="module")
def recipes() -> Rated:
    return rated(recipes_likert.answers(published(recipes_likert.FOLDER)))


def test_recipes_alpha_of_sparse_raters(recipes):
    numbers = reference_numbers("recipes_likert")
    assert (len(recipes.subjects), len(recipes.raters)) == (numbers["items"], numbers["raters"])
    for name, expected in numbers["dimensions"].items():
        part = recipes.of(question=name)
        grades = part.numbers("grade")
        assert len(grades) == numbers["ratings_per_dimension"]
        counts = value_counts(part.subject, grades.astype(int) - 1, len(part.subjects), 6)
        for level in ("nominal", "ordinal", "interval"):
            assert alpha(part.subject, grades, level).value == exactly(expected[f"alpha_{level}"])
            assert alpha_from_counts(counts, np.arange(1, 7), level).value == exactly(expected[f"alpha_{level}"])
        assert alpha(part.subject, grades).value == pytest.approx(expected["published_alpha_judge_bench"], abs=1e-9)
        assert grades.mean() == exactly(expected["mean"])
        conditions = np.array([line["item"].split("|")[1] for line in part.lines])
        means = group_means(conditions, grades)
        assert {name: round(figure.number, 6) for name, figure in means.items()} == expected["mean_by_condition"]
        # Agreement within 1 is not in the reference: held against going through the pairs themselves.
        pairs = [
            abs(one - other) <= 1
            for item in range(len(part.subjects))
            for one, other in combinations(grades[part.subject == item], 2)
        ]
        within = agreement_within(counts, interval=False)
        assert (within.value, within.n) == (exactly(np.mean(pairs)), len(pairs))


# --- LLM-Rubric: grades of judges against people's ----------------------------------------------------


@pytest.fixture(scope="module")
def conversations() -> Rated:
    return rated(llm_rubric.answers(published(llm_rubric.FOLDER)))


@pytest.fixture(scope="module")
def rubric_numbers():
    return reference_numbers("llm_rubric")


def against_people(conversations, judge, question):
    """The judge's grades and people's gold, on the conversations that a person graded on this question."""
    people = conversations.of(rater_kind="human", question=question)
    truth = gold(people.subject, people.numbers("grade"), scale=(1, 4)).values
    part = conversations.of(rater=llm_rubric.JUDGES[judge]["rater"], question=question)
    grades = part.by_subject(part.numbers("grade"), people.subjects)
    assert not np.isnan(grades).any()
    return grades, truth


def check_deviation(grades, truth, expected):
    found = deviation(grades, truth)
    assert found.n == expected["n"]
    assert found.mad.value == exactly(expected["mad"])
    assert found.signed_error.value == exactly(expected["signed_mean_error"])
    assert found.rmse.value == exactly(expected["rmse"])
    assert grades.mean() == exactly(expected["mean"])
    rank = spearman(grades, truth)
    if np.isnan(expected["spearman"]):
        assert rank.undefined == "no variation"
    else:
        assert rank.value == exactly(expected["spearman"])


@pytest.mark.parametrize("judge", list(llm_rubric.JUDGES))
def test_llm_rubric_overall_satisfaction(conversations, rubric_numbers, judge):
    check_deviation(*against_people(conversations, judge, "q0"), rubric_numbers["readme_Q0"][judge])


@pytest.mark.parametrize("question", list(llm_rubric.QUESTIONS))
def test_llm_rubric_question_by_question(conversations, rubric_numbers, question):
    expected = rubric_numbers["per_question"][question]
    check_deviation(*against_people(conversations, "expected_llm", question.lower()), expected["expected"])
    grades, truth = against_people(conversations, "argmax_llm", question.lower())
    check_deviation(grades, truth, expected["argmax"])
    assert truth.mean() == exactly(expected["human_mean"])
    names = ["accuracy", "macro_f1", "unweighted_kappa", "mad", "signed_error"]
    found = classes.figures(truth.astype(int) - 1, grades.astype(int) - 1, 4, names, interval=False)
    assert found["accuracy"].value == exactly(expected["argmax"]["accuracy"])
    assert found["macro_f1"].value == exactly(expected["argmax"]["macro_f1"])
    assert found["unweighted_kappa"].value == exactly(expected["argmax"]["cohen_kappa"])
    assert found["mad"].value == exactly(expected["argmax"]["mad"])
    assert found["signed_error"].value == exactly(expected["argmax"]["signed_mean_error"])


def test_llm_rubric_synthetic_conversations(rubric_numbers):
    numbers = rubric_numbers["synthetic_dialogues_3_raters"]
    folder = published(llm_rubric.FOLDER)
    lines = rated(llm_rubric.synthetic_answers(folder))
    assert len(list(llm_rubric.synthetic_items(folder))) == numbers["dialogues"]
    assert len(lines.raters) == numbers["raters"]
    for question in llm_rubric.QUESTIONS:
        part = lines.of(question=question.lower())
        assert len(part.lines) == numbers["ratings"][question]
        assert alpha(part.subject, part.numbers("grade")).value == exactly(numbers["alpha_ordinal"][question])


# --- SQuALITY: preferences inferred from grades -------------------------------------------------------


def test_squality_grades():
    numbers = reference_numbers("squality_human_eval")
    lines = rated(squality.answers(published(squality.FOLDER)))
    assert (len(lines.subjects), len(lines.raters)) == (numbers["responses"], numbers["raters"])
    for question in squality.QUESTIONS:
        part = lines.of(question=question)
        grades = part.numbers("grade")
        for level in ("interval", "ordinal"):
            assert alpha(part.subject, grades, level).value == exactly(numbers[f"alpha_{level}"][question])
        responses = gold(part.subject, grades, rule="mean").values
        systems = np.array([subject.split("/")[2] for subject in part.subjects])
        means = {name: round(figure.number, 4) for name, figure in group_means(systems, responses).items()}
        assert means == numbers["system_means"][question]


def test_squality_preferences_that_grades_imply():
    expected = reference_numbers("squality_human_eval")["preference_from_overall_ratings"]
    lines = rated(squality.pair_answers(published(squality.FOLDER)))
    inferred = preferences.inferred(lines.numbers("first"), lines.numbers("second"))
    assert (len(lines.subjects), len(inferred)) == (expected["pairs"], expected["judgements"])
    found = preferences.rates(inferred, interval=False)
    assert found["tie"].value == exactly(expected["ties"] / expected["judgements"])
    for level in ("ordinal", "nominal"):
        assert alpha(lines.subject, inferred, level).value == exactly(expected[f"alpha_{level}"])
    counts = value_counts(lines.subject, preferences.as_classes(inferred), len(lines.subjects), 3)
    same = agreement_within(counts, distance=0, interval=False)
    assert same.value == exactly(expected["pairwise_rater_agreement"])


# --- LLMBar: judges in both orders --------------------------------------------------------------------


@pytest.fixture(scope="module")
def both_orders() -> Rated:
    return rated(llmbar.answers(published(llmbar.FOLDER)))


@pytest.mark.parametrize("name", ["ChatGPT/Rating", "GPT-4/Rating", "GPT-4/Vanilla", "LLaMA2/Vanilla"])
def test_llmbar_judges_in_both_orders(both_orders, name):
    expected = reference_numbers("llmbar_natural")[name]
    truth = both_orders.of(expert=True)
    verdicts = both_orders.of(rater=name, question="better")
    as_stored, swapped = (
        verdicts.of(swapped=side).by_subject(verdicts.of(swapped=side).preference, truth.subjects)
        for side in (False, True)
    )
    assert len(truth.subjects) == expected["n"]
    agreement = order.positional_agreement(as_stored, swapped, interval=False)
    assert 100 * agreement.number == exactly(expected["positional_agreement"])
    both = order.right_in_both(truth.preference, as_stored, swapped, interval=False)
    assert 100 * both.number == exactly(expected["both_correct"])
    each = preferences.accuracy(np.tile(truth.preference, 2), np.concatenate((as_stored, swapped)), interval=False)
    assert 100 * each.number == exactly(expected["accuracy_average"]) == exactly(expected["published_accuracy"])
    pairs = np.tile(np.arange(len(truth.subjects)), 2)
    is_swapped = np.repeat([False, True], len(truth.subjects))
    lean = order.first_position_rate(np.concatenate((as_stored, swapped)), is_swapped, pairs, interval=False)
    # A pair whose verdict turns with the order adds two for one place; the others add one for each.
    turned = as_stored != swapped
    for_first = 2 * (turned & (as_stored == preferences.WIN)).sum() + (~turned).sum()
    assert lean.value == exactly(for_first / (2 * expected["n"]))


@pytest.mark.parametrize("name", ["ChatGPT/Rating", "GPT-4/Rating"])
def test_llmbar_preferences_of_grading_judges(both_orders, name):
    expected = reference_numbers("llmbar_natural")[name]
    truth, grades = both_orders.of(expert=True), both_orders.of(rater=name, question="quality")
    inferred = preferences.inferred(grades.numbers("first"), grades.numbers("second"))
    said = both_orders.of(rater=llmbar.from_grades(name))
    assert (inferred == said.preference).all()
    strict = preferences.accuracy(truth.preference, inferred, ties="strict", interval=False)
    assert 100 * strict.number == exactly(expected["preference_from_grades_strict"])
    assert strict.detail["tied_predictions"] == expected["tied_grades"]
    # The source breaks ties by the order, once for each side: half credit is its average over both orders.
    lenient = preferences.accuracy(truth.preference, inferred, ties="half credit", interval=False)
    assert 100 * lenient.number == exactly(expected["accuracy_average"])
