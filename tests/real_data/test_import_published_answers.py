"""What people marked in two published studies comes in through the product's commands, complete."""

import json
from collections import Counter

import pytest
from django.core.management import call_command
from django.db.models import Count, Q

from annotation.models import ErrorGroup, GoldError, Marking, Review, Span
from projects.models import Rater, Response
from tests.real_data import booookscore, mqm_sxs2023, published

pytestmark = [pytest.mark.django_db, pytest.mark.real_data]


def write(path, lines):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def bring(source, folder, project) -> None:
    """Through the commands, as a lead would."""
    path = published(source.FILE)
    call_command("import_items", project.slug, write(folder / "items.jsonl", source.items(path)), quiet=True)
    call_command("import_answers", project.slug, write(folder / "answers.jsonl", source.answers(path)), quiet=True)


def test_booookscore_comes_in_with_every_annotation_and_its_validation(project, tmp_path):
    reference = json.loads(published("reference/booookscore_validation.json").read_text())
    bring(booookscore, tmp_path, project)
    assert Response.objects.count() == reference["summaries"] == 88
    assert Span.objects.count() == reference["spans"] == 1595
    pairs = ErrorGroup.objects.annotate(size=Count("spans"))
    assert set(pairs.values_list("size", flat=True)) == {2}
    assert Span.objects.filter(group=None).count() + pairs.count() == reference["annotations"] == 1437
    # An annotation is validated once, whether it has one span or two: its first span stands for it.
    names = {verdict: label for label, verdict in booookscore.VERDICTS.items()}
    for detector, source in booookscore.DETECTORS.items():
        first_spans = Span.objects.filter(rater__name=source["rater"], key__endswith="-a")
        reviews = Review.objects.filter(span__in=first_spans)
        assert (
            Counter(names[verdict] for verdict in reviews.values_list("verdict", flat=True))
            == (reference[detector]["counts"])
        )
        assert set(reviews.values_list("rater__name", flat=True)) == {booookscore.VALIDATORS[detector]["rater"]}
    judge = Rater.objects.get(kind="judge")
    assert (judge.model, judge.laboratory.slug) == ("gpt-4", "openai")


def test_booookscore_becomes_gold_by_the_validators_verdicts(project, tmp_path):
    bring(booookscore, tmp_path, project)
    kept = Span.objects.filter(~Q(reviews__verdict="reject"))
    of_groups = kept.exclude(group=None).values("group").distinct().count()
    assert GoldError.objects.count() == kept.filter(group=None).count() + of_groups


def test_under_its_true_laboratory_what_gpt4_marked_of_gpt4_is_measured_and_no_gold(project, tmp_path):
    reference = json.loads(published("reference/booookscore_validation.json").read_text())
    path = published(booookscore.FILE)
    items = [{**item, "laboratory": "OpenAI"} for item in booookscore.items(path)]
    answers = write(tmp_path / "answers.jsonl", booookscore.answers(path))
    call_command("import_items", project.slug, write(tmp_path / "items.jsonl", items), quiet=True)
    call_command("import_answers", project.slug, answers, quiet=True)
    assert Span.objects.count() == reference["spans"]
    own = Response.objects.filter(target_model__laboratory__slug="openai")
    of_judge = Marking.objects.filter(rater__kind="judge")
    assert own.count() == reference["summaries"]
    assert of_judge.exists()
    assert not of_judge.filter(is_evaluation=False).exists()
    assert not Marking.objects.filter(rater__kind="human", is_evaluation=True).exists()
    assert not GoldError.objects.filter(spans__rater__kind="judge").exists()
    assert GoldError.objects.exists(), "what people marked is gold as before"


def test_three_raters_of_translations_come_in_with_penalties_and_omissions(project, tmp_path):
    reference = json.loads(published("reference/mqm_sxs2023_ende_sample.json").read_text())
    bring(mqm_sxs2023, tmp_path, project)
    assert Response.objects.count() == reference["items"] == 360
    assert Rater.objects.filter(project=project).count() == reference["raters"]
    assert Marking.objects.count() == reference["items"] * reference["raters_per_item"]
    assert Span.objects.filter(anchor="words").count() == reference["target_spans"] == 2036
    on_source = Span.objects.filter(anchor="response")
    assert on_source.exclude(metadata__category="Source issue").count() == reference["source_side_errors"]
    no_errors = Marking.objects.filter(no_errors=True)
    assert no_errors.filter(spans__isnull=False).count() == 0
    total = sum(Span.objects.values_list("penalty", flat=True))
    assert total / Marking.objects.count() == pytest.approx(reference["penalty_mean"], abs=1e-9)
