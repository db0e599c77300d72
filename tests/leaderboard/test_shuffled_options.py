"""Nour has the options of her multiple choices shuffled: Nile knows the answers, Tigris takes the first option, Jordan
was not asked."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from benchmark.answering import receive
from benchmark.judged import newest_frozen, newest_ranked
from benchmark.models import QuestionSet, ShuffledSet
from benchmark.scoring import score_answers
from benchmark.shuffling import shuffle_set
from projects.models import AuditEvent, Prompt
from projects.problems import Invalid
from reports.dashboard.tables import by_id
from reports.leaderboard.dashboard import LEADERBOARD
from reports.leaderboard.standings import study_of
from tests.benchmark.boards import configuration, frozen_set
from tests.benchmark.sets import question_line
from tests.people import signed_in

pytestmark = pytest.mark.django_db

N = 24
LABELS = ["أ", "ب", "ج"]


def line(at):
    texts = [f"مدينة {at}", f"قرية {at}", f"جبل {at}"]
    options = [{"label": label, "text": text} for label, text in zip(LABELS, texts, strict=True)]
    # What is right is the first option of every third question, the second of the next, and so on.
    rules = [{"rule": "judge_choice"}]
    return question_line(f"q{at}", options=options, output=LABELS[at % 3], cluster=f"p{at // 2}", rules=rules)


@pytest.fixture
def choices(feasts):
    every = [*(line(at) for at in range(N)), line(99) | {"id": "odd", "options": ["شاي", "كل ما سبق"], "output": "A"}]
    return frozen_set(feasts, *every)


def right(question):
    return question.reference


def first(question):
    return LABELS[0]


def answer_all(row, question_set, how):
    for question in question_set.questions.select_related("prompt"):
        receive(row, question.prompt, how(question), reasoning="", is_cut=False, is_refusal=False)


def table(project):
    return by_id(LEADERBOARD.tables(project, {}), "shuffled")


def figures(project, measure):
    found = table(project)
    return {row.labels[0]: row.figures[found.measures.index(measure)] for row in found.rows}


def test_a_set_of_its_own_with_the_same_keys_labels_and_rules(feasts, choices, nour):
    made = shuffle_set(choices, 1, nour)
    assert (made.questions, dict(made.left_out)) == (N, {"an option speaks of other options": 1})
    assert made.question_set.is_frozen
    for question in made.question_set.questions.select_related("prompt"):
        before = choices.questions.get(key=question.key)
        assert [option["label"] for option in question.options] == LABELS
        texts, old = ([option["text"] for option in one.options] for one in (question, before))
        assert sorted(texts) == sorted(old)
        assert texts != old
        assert texts[LABELS.index(question.reference)] == old[LABELS.index(before.reference)]
        assert question.prompt != before.prompt
        assert [use.rule for use in question.rule_uses.all()] == ["judge_choice"]
        assert question.cluster == before.cluster
    assert AuditEvent.objects.get(action="question_set.shuffled").detail["questions"] == N
    # The same seed draws the same orders: the hash is that of the same set elsewhere.
    assert [q.metadata["order"] for q in made.question_set.questions.order_by("key")][:3] == [
        q.metadata["order"] for q in QuestionSet.objects.get(pk=made.question_set.pk).questions.order_by("key")
    ][:3]


def test_a_question_whose_shown_example_would_move_in_its_place_is_left_out(feasts):
    """The instruction shows an example with options of the same labels; those that are asked about stand in the
    passage. Moved would be the example's, and what was right under its old label would be right there still."""
    example = "مثال: أيها مشروب؟\nأ. شاي\nب. حجر\n\nأجب عن السؤال الآتي بحرف واحد."
    passage = "ما هي عاصمة الأردن؟\nأ. عمّان\nب. إربد"
    odd = question_line("odd", instruction=example, input=passage, options=..., output="أ")
    found = shuffle_set(frozen_set(feasts, line(0), odd), 1)
    assert found.left_out == {"the options cannot be told apart in the text": 1}
    assert [question.key for question in found.question_set.questions.all()] == ["q0"]


def test_models_are_asked_and_no_board_ranks_it(feasts, choices):
    made = shuffle_set(choices, 1)
    assert set(newest_frozen()) == {choices, made.question_set}
    assert set(newest_ranked()) == {choices}
    assert study_of(feasts).loaded.question_set == choices


def test_what_cannot_be_shuffled_leaves_nothing(feasts, choices):
    made = shuffle_set(choices, 1)
    counts = QuestionSet.objects.count(), Prompt.objects.count()
    for row, seed in ((choices, 1), (made.question_set, 2), (choices.new_version(), 3)):
        with pytest.raises(Invalid):
            shuffle_set(row, seed)
    assert (QuestionSet.objects.count(), Prompt.objects.count()) == (counts[0] + 1, counts[1])  # the draft alone


def test_scores_choices_and_places_beside_each_other(feasts, choices):
    made = shuffle_set(choices, 1).question_set
    for name, how in (("Nile", right), ("Tigris", first), ("Jordan", right)):
        row = configuration(feasts, name, made_by=f"{name} Lab")
        answer_all(row, choices, how)
        if name != "Jordan":
            answer_all(row, made, how)
    score_answers(choices)
    score_answers(made)
    before = choices.questions.exclude(key="odd")
    now = made.questions
    hits = [one.filter(reference=LABELS[0]).count() for one in (before, now)]
    assert hits[0] == N / 3
    scores = [figures(feasts, f"score in the {which} order") for which in ("usual", "other")]
    assert [one["Nile"].value for one in scores] == [10, 10]
    assert [one["Tigris"].value for one in scores] == [pytest.approx(10 * n / N) for n in hits]
    difference = figures(feasts, "difference")
    assert difference["Tigris"].value == pytest.approx(10 * (hits[1] - hits[0]) / N)
    assert difference["Tigris"].detail["units"] == N // 2, "two questions of a passage are one unit"
    moved = sum(
        question.options[0]["text"] != choices.questions.get(key=question.key).options[0]["text"]
        for question in made.questions.all()
    )
    changed = figures(feasts, "choices that changed")
    assert (changed["Nile"].value, changed["Tigris"].value) == (0, pytest.approx(moved / N))
    assert figures(feasts, "changed by a blind choice")["Nile"].value == pytest.approx(2 / 3)
    assert figures(feasts, "place in the other order")["Nile"].value == 1
    assert difference["Jordan"].undefined == "it has not answered the shuffled questions"
    assert "24 questions" in table(feasts).summary


def test_before_anybody_answered_it_says_what_to_do(feasts, choices):
    for name in ("Nile", "Tigris"):
        answer_all(configuration(feasts, name, made_by=f"{name} Lab"), choices, right)
    score_answers(choices)
    shuffle_set(choices, 1)
    assert "collect their answers" in table(feasts).summary


def test_nour_does_it_on_the_page_and_by_command(lead, feasts, choices):
    client, address = signed_in(lead), reverse("question-set", args=["feasts", choices.slug, 1])
    assert "Shuffle the options" in client.get(address).content.decode()
    shuffle = reverse("question-set-shuffle", args=["feasts", choices.slug, 1])
    assert "a seed is a whole number" in client.post(shuffle, {"seed": "x"}, follow=True).content.decode()
    html = client.post(shuffle, {"seed": "4"}, follow=True).content.decode()
    assert "24 questions are there" in html
    assert "(seed 4)" in html
    assert "seed 4; 1 left out" in client.get(address).content.decode()
    out = StringIO()
    call_command("shuffle_options", "feasts", choices.slug, seed=5, stdout=out)
    assert "24 questions, 1 left out" in out.getvalue()
    assert ShuffledSet.objects.filter(original=choices).count() == 2
    with pytest.raises(CommandError, match="seed already"):
        call_command("shuffle_options", "feasts", choices.slug, seed=5)
