"""The probes as they are put together: real questions, changed copies, and replies as models write them."""

import random

import numpy as np
import pytest

from agreement.contamination import PROBE_LEVEL
from benchmark.models import ProbeKind
from benchmark.probing.asking import CHOSEN, asks, chosen_place, overlap, read_reply, split
from benchmark.probing.disturbing import NUMBERS, OPTIONS, SENTENCES, WAYS, WORDS, disturbed_copies
from benchmark.probing.figures import completion_figure, quiz_figure
from tests.judging.probed import published

FORMS = (
    "{}",
    "({})",
    "The answer is {}.",
    "**{}**",
    "الإجابة الصحيحة هي {}",
    "{}) because it reads well",
    "Answer: {}\n",
)
SCRIPTS = ("ABCD", "abcd", "أبجد")


@pytest.fixture
def towns(project):
    return published(project, 100)


def given(rows):
    return {one.key: {CHOSEN: reply} for one, reply in rows}


@pytest.mark.django_db
def test_a_clean_model_that_guesses_chooses_every_place_alike(towns):
    """400 passes of the same 100 questions: hits as the binomial distribution has them, and next to none accused."""
    drawn = random.Random(7)
    rows = [one for seed in range(4) for one in asks(towns, "quiz", seed, 100)]
    assert len(rows) == 400
    places = np.bincount([one.about["place"] for one in rows], minlength=4)
    assert ((places - 100) ** 2 / 100).sum() < 11.3, "chi squared, 3 degrees of freedom, 1 %"
    chosen, hits, accused = np.zeros(4), [], 0
    for _model in range(100):
        for seed in range(4):
            replies = []
            for one in rows[100 * seed : 100 * seed + 100]:
                letter = drawn.choice(SCRIPTS)[drawn.randrange(4)]
                reply = read_reply(ProbeKind.QUIZ, one, drawn.choice(FORMS).format(letter))
                chosen[reply["chosen"]] += 1
                replies.append((one, reply))
            figure = quiz_figure(given(replies))
            hits.append(figure.detail["hits"])
            accused += figure.detail["found"]
    assert chosen.sum() == 40_000, "every reply was read"
    assert ((chosen - 10_000) ** 2 / 10_000).sum() < 11.3
    # mean 25 and variance 18.75 of 400 passes: standard errors 0.217 and 1.33
    assert np.mean(hits) == pytest.approx(25, abs=0.6)
    assert np.var(hits) == pytest.approx(18.75, abs=4)
    assert accused <= 2, f"expected at most {400 * PROBE_LEVEL:.2f}"


@pytest.mark.django_db
def test_a_clean_model_that_completes_both_wordings_alike_is_not_accused(towns):
    """It writes words of other questions of the set: what all questions share counts for neither wording."""
    drawn = random.Random(11)
    rows = asks(towns, "completion", 0, 100)
    words = [word for one in rows for word in one.about["rest"].split()]
    accused = 0
    for model in range(120):
        results: dict = {}
        for one in rows:
            reply = " ".join(drawn.choices(words, k=12))
            results.setdefault(one.key, {})[one.part] = read_reply(ProbeKind.COMPLETION, one, reply)
        accused += completion_figure(results, {}, seed=model).detail["found"]
    assert accused <= 1, f"expected at most {120 * PROBE_LEVEL:.2f}"


@pytest.mark.django_db
def test_what_is_asked_follows_from_the_seed_alone(towns):
    assert asks(towns, "quiz", 3, 20) == asks(towns, "quiz", 3, 20)
    assert asks(towns, "quiz", 3, 20) == asks(towns, "quiz", 3, 50)[:20]
    assert [one.key for one in asks(towns, "quiz", 4, 20)] != [one.key for one in asks(towns, "quiz", 3, 20)]
    [first, *_rest] = asks(towns, "quiz", 3, 20)
    original = towns.questions.select_related("prompt").get(key=first.key).prompt.text
    assert first.text.count(original) == 1
    assert f"{'ABCD'[first.about['place']]})\n{original}" in first.text


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("B", 1), ("b.", 1), ("**D**", 3), ("ج", 2), ("الجواب: أ", 0), ("٢", 1), ("۴", 3), ("3.", 2), ("৩", 2),
        ("The original is C.", 2), ("النص الأصلي هو ج", 2), ("Original text: B", 1),
        ("I think the answer is (A).", 0), ("C\n\nBecause it sounds natural.", 2),
        ("", -1), ("0", -1), ("5", -1), ("E", -1), ("A or B", -1), ("I cannot tell.", -1), ("آسف، لا أستطيع.", -1),
    ],
)  # fmt: skip
def test_how_a_choice_is_read(reply, place):
    assert chosen_place(reply) == place


TEXT = "كم ثمن ٢٥ كتابا إذا كان ثمن الكتاب 12 درهما؟"
LIST = [{"label": label, "text": text} for label, text in zip("ABC", ("north", "south", "east"), strict=True)]


def test_copies_are_distinct_and_never_the_original():
    drawn = random.Random(1)
    way, copies = disturbed_copies(TEXT, [], ["مدينة", "شارع"], drawn)
    assert (way, len({*copies, TEXT})) == (NUMBERS, 4)
    assert all(len(copy) == len(TEXT) and copy.startswith("كم ثمن ") for copy in copies)
    asked = "Where?\n\nA. north\nB. south\nC. east"
    way, copies = disturbed_copies(asked, LIST, [], drawn)
    assert (way, len({*copies, asked})) == (OPTIONS, 4)
    assert all(sorted(copy.split()) == sorted(asked.split()) for copy in copies)
    story = "A man went out. He met a dog. The dog ran. They came home. Who ran?"
    way, copies = disturbed_copies(story, [], [], drawn)
    assert (way, all(copy.endswith("Who ran?") for copy in copies)) == (SENTENCES, True)
    way, copies = disturbed_copies("أين تقع مدينة البتراء", [], ["مكتبة", "شواطئ", "أنهار", "بحيرة"], drawn)
    assert (way, len(copies)) == (WORDS, 3)
    assert disturbed_copies("من؟", [], ["شيء"], drawn) == ("", [])
    assert set(WAYS) == {OPTIONS, NUMBERS, SENTENCES, WORDS}
    year = "Who ruled in 1258 over the land?"
    assert all("12" in copy for copy in disturbed_copies(year, [], [], drawn)[1])


def test_halves_and_overlap():
    assert split("one two three four five six seven eight") == ("one two three four", "five six seven eight")
    assert split("one two three four five six seven") == ("", "")
    assert split("") == ("", "")
    assert overlap("five six seven eight", "five six seven eight") == 1
    assert overlap("five six seven eight", "") == 0
    # Two of four words in both, in order: 2 * 2 / (4 + 2)
    assert overlap("five six seven eight", "five eight") == pytest.approx(2 / 3)
    assert overlap("؟!", "five") == 0
    assert overlap("five six seven eight", "five six seven eight " * 3000) < 0.7
