"""Nour sees how far the words of explanations give judges away, and that nothing else does."""

import pytest

from agreement.figures import Figure
from annotation.models import Span, SpanPart
from projects.models import Rater
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark
from tests.people import add_response

pytestmark = pytest.mark.django_db
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def told(project) -> dict[str, Figure]:
    [found] = [table for table in SPANS.tables(project) if table.id == "judges-told-apart"]
    assert found.recipe.metric == "auc_within_response"
    return dict(zip(("form", "words"), (row.figures[0] for row in found.rows), strict=True))


@pytest.fixture
def marked(project, mona, simba):
    """Twelve answers to as many prompts, each with three marks of Mona and three of a judge."""

    def make(of_mona, of_judge):
        for number in range(12):
            response = add_response(project, f"r{number}", f"{' '.join(WORDS)} {number}", "ar-EG")
            for rater, words, said in ((mona, WORDS[:3], of_mona), (simba, WORDS[3:6], of_judge)):
                for at, span in enumerate(mark(response, rater, *words)):
                    span.explanation = said[(number + at) % len(said)]
                    span.save()

    return make


def test_words_that_only_a_judge_uses_give_it_away(project, marked):
    marked(
        ("nobody here eats that", "we would never say so", "this was never true"),
        ("it is worth noting that", "the claim might mislead", "as a general matter"),
    )
    figures = told(project)
    assert figures["words"].value > 0.95
    assert figures["words"].low > 0.5
    assert figures["words"].detail["p"] == 1 / 100
    assert figures["words"].detail["prompts"] == 12


def test_the_same_words_do_not(project, marked):
    same = ("nobody here eats that", "we would never say so", "this was never true")
    marked(same, same)
    for figure in told(project).values():
        assert figure.value is None or figure.detail["p"] > 0.05


def test_a_full_stop_is_seen_without_reading(project, marked):
    same = ("nobody here eats that", "we would never say so", "this was never true")
    marked(same, tuple(f"{each}." for each in same))
    assert told(project)["form"].value == 1


def test_several_places_are_seen_without_reading(project, marked, mona):
    same = ("nobody here eats that", "we would never say so", "this was never true")
    marked(same, same)
    for span in Span.objects.filter(rater__in=mona.raters.all()).select_related("response"):
        start = span.response.text.index("ten")
        SpanPart.objects.create(span=span, start=start, end=start + 3, quote="ten")
    assert told(project)["form"].value == 1


def test_without_judges_there_is_nothing_to_tell(project, marked):
    marked(("so",), ("so",))
    Rater.objects.get(name__startswith="Simba").markings.all().delete()
    assert not [table for table in SPANS.tables(project) if table.id == "judges-told-apart"]


def languages(project) -> dict[str, list[float | None]]:
    [found] = [table for table in SPANS.tables(project) if table.id == "languages-of-explanations"]
    return {row.labels[0]: [figure.value for figure in row.figures] for row in found.rows}


def test_a_judge_that_explains_in_english_among_arabic_is_named(project, marked):
    """Of Simba's 36 explanations 24 are in English and 12 in Arabic; of Mona's twelve are too short to tell."""
    marked(
        ("لا أحد هنا يأكل هذا في العيد", "لم يكن هذا صحيحا قط", "لا"),
        ("nobody here eats that at the fair", "this was never true at all", "لا أحد هنا يأكل هذا في العيد"),
    )
    found = languages(project)
    assert found.pop("people") == [1, 0, 0, pytest.approx(2 / 3)]
    [simba] = found.values()
    assert simba == [pytest.approx(1 / 3), pytest.approx(2 / 3), 0, 1]


def test_a_third_language_is_another_and_code_is_none(project, marked):
    marked(("لا أحد هنا يأكل هذا في العيد",), ("여기서는 아무도 그것을 먹지 않습니다", "{}[]()<>=;|&^~#@$"))
    assert [value for name, value in languages(project).items() if name != "people"] == [[0, 0, 1, 0.5]]


def test_languages_are_told_without_people_beside_and_not_without_judges(project, marked, mona):
    marked(("so",), ("nobody here eats that at the fair",))
    mona.raters.get().markings.all().delete()
    assert [values[1] for values in languages(project).values()] == [1]
    Rater.objects.get(name__startswith="Simba").markings.all().delete()
    assert not [table for table in SPANS.tables(project) if table.id == "languages-of-explanations"]
