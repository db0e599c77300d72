"""A mark of several parts is reviewed, settled, refined, told back and exported as the one error it is."""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from annotation.models import ErrorGroup, GoldError, Refinement, Span, SpanPart
from projects.models import Rater
from tests.annotation.marked import mark, rater_of, review
from tests.annotation.test_reviews_screen import open_page
from tests.people import signed_in
from workflow.models import Stage

pytestmark = pytest.mark.django_db
RICE, SUHOOR, PHARAOHS, RAMADAN = "الرز", "السحور", "الفراعنة", "رمضان"
TOGETHER = f"{RICE} … {SUHOOR} … {PHARAOHS}"


def divide(span: Span, *quotes: str) -> list[dict]:
    """Further parts at the first place of each of these words."""
    text = span.response.text
    parts = [{"start": text.index(quote), "end": text.index(quote) + len(quote), "quote": quote} for quote in quotes]
    SpanPart.objects.bulk_create(SpanPart(span=span, **part) for part in parts)
    return parts


@pytest.fixture
def divided(koshari, mona, karim) -> Span:
    """Mona's error at three places; Karim found no error."""
    [span] = mark(koshari, mona, RICE)
    divide(span, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    return span


def gold(response) -> GoldError:
    derive([response.pk])
    return GoldError.objects.get(response=response)


def test_a_reviewer_sees_every_part_and_nothing_more_of_a_mark_of_one(project, koshari, mona, karim, nour):
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, is_open=False)
    [span, _other] = mark(koshari, mona, RICE, RAMADAN)
    parts = divide(span, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/open/", {"open": "1"})
    _client, _html, task = open_page(karim, stage)
    shown = {each["quote"]: each.get("more") for each in task["spans"]}
    assert shown == {RICE: parts, RAMADAN: None}


def test_the_gold_has_the_parts_of_the_mark_that_speaks_for_it(koshari, karim, divided):
    review(divided, karim, "keep")
    error = gold(koshari)
    assert (error.quote, [part.quote for part in error.more]) == (RICE, [SUHOOR, PHARAOHS])
    assert derive([koshari.pk]) == 1
    assert GoldError.objects.get().pk == error.pk, "nothing is written where nothing changed"


def test_corrected_words_stand_for_all_parts(koshari, karim, divided):
    start = koshari.text.index(RAMADAN)
    review(divided, karim, "correct", start=start, end=start + len(RAMADAN), quote=RAMADAN)
    error = gold(koshari)
    assert (error.quote, error.more) == (RAMADAN, [])


def test_a_correction_of_anything_else_leaves_the_parts(koshari, karim, divided):
    review(divided, karim, "correct", criticality="low")
    assert len(gold(koshari).more) == 2


def test_refined_boundaries_stand_for_all_parts_a_refined_explanation_leaves_them(koshari, karim, mona, divided):
    review(divided, karim, "keep")
    derive([koshari.pk])
    rater = rater_of(karim, koshari.project)
    refined = Refinement.objects.create(span=divided, rater=rater, explanation="غلط")
    assert len(gold(koshari).more) == 2
    end = divided.start + 2
    Refinement.objects.filter(pk=refined.pk).update(
        start=divided.start, end=end, quote=koshari.text[divided.start : end]
    )
    assert gold(koshari).more == []


def test_of_a_group_the_mark_that_speaks_for_it_says_where_the_error_lies(koshari, mona, karim, simba, divided):
    Span.objects.filter(rater=rater_of(karim, koshari.project)).delete()
    [whole] = mark(koshari, simba, "من الرز والعدس")
    group = ErrorGroup.objects.create(response=koshari, key="g")
    Span.objects.filter(pk__in=[divided.pk, whole.pk]).update(group=group)
    for span in (divided, whole):
        review(span, karim, "keep")
    review(whole, mona, "keep")  # more verdicts keep the judge's, so it speaks
    error = gold(koshari)
    assert (error.quote, error.more) == ("من الرز والعدس", [])


def test_everybody_who_looks_at_the_response_sees_the_parts(koshari, nour, karim, divided, project):
    html = signed_in(nour).get(f"/p/feasts/responses/{koshari.uuid}/").content.decode()
    assert TOGETHER in html
    for words in (RICE, SUHOOR, PHARAOHS):
        assert f'<mark data-spans="1">{words}</mark>' in html


def test_a_page_of_many_marks_reads_their_parts_once(koshari, nour, mona, divided, django_assert_max_num_queries):
    client = signed_in(nour)
    address = f"/p/feasts/responses/{koshari.uuid}/"
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for number, quote in enumerate((RAMADAN, "العدس"), start=1):
        [span] = mark(koshari, Rater.objects.create(project=koshari.project, kind="human", name=f"R{number}"), quote)
        divide(span, PHARAOHS)
    with django_assert_max_num_queries(len(few)):
        client.get(address)


def test_the_annotator_is_told_what_became_of_all_of_it(koshari, mona, karim, divided):
    review(divided, karim, "keep")
    derive([koshari.pk])
    Stage.objects.create(project=koshari.project, kind="spans", name="Marking")
    html = signed_in(mona).get("/p/feasts/my-work/marks/").content.decode()
    assert TOGETHER in html


@pytest.mark.parametrize("name", ["label-studio", "doccano", "prodigy"])
def test_other_tools_are_given_each_part_as_a_mark(koshari, divided, tmp_path, name):
    file = tmp_path / "marks"
    call_command("export_marks", "feasts", format=name, to=str(file))
    written = file.read_text(encoding="utf-8")
    for part in [divided, *divided.more.all()]:
        assert f'"start": {part.start}' in written or f'"start":{part.start}' in written or f"[{part.start}," in written


def test_an_annotation_of_the_web_holds_all_parts_as_its_targets(koshari, divided, tmp_path):
    file = tmp_path / "marks"
    call_command("export_marks", "feasts", format="web-annotation", to=str(file))
    [written] = [each for each in json.loads(file.read_text()) if isinstance(each["target"], list)]
    sources = [target["source"] for target in written["target"]]
    assert (sources[0]["value"], sources[1:]) == (koshari.text, [f"urn:mizan:text:{koshari.key}"] * 2)
    assert [target["selector"][1]["exact"] for target in written["target"]] == [RICE, SUHOOR, PHARAOHS]
