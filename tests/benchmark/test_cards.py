"""Nour describes the models of her benchmark: what each is, and how it was run."""

from typing import Any

import pytest

from benchmark.cards import (
    change_card,
    change_configuration,
    create_card,
    create_configuration,
    fingerprint,
    set_standing,
    withdraw,
)
from benchmark.models import Configuration, ModelCard, Standing
from projects.models import AuditEvent, Laboratory, TargetModel
from projects.problems import Invalid
from tests.benchmark.answered import answered, frozen_set
from tests.benchmark.sets import question_line

pytestmark = pytest.mark.django_db

NILE = {"name": "Nile 7B", "laboratory": "Delta Lab", "access": "open", "parameters_total": 7.2}


def refused(verb: Any, *arguments: Any) -> set[tuple[str, str]]:
    """(field, code) of every problem; nothing was stored."""
    before = [ModelCard.objects.count(), Configuration.objects.count(), TargetModel.objects.count()]
    before += [Laboratory.objects.count(), AuditEvent.objects.count()]
    with pytest.raises(Invalid) as invalid:
        verb(*arguments)
    after = [ModelCard.objects.count(), Configuration.objects.count(), TargetModel.objects.count()]
    assert before == [*after, Laboratory.objects.count(), AuditEvent.objects.count()]
    return {(problem.field, problem.code) for problem in invalid.value.problems}


@pytest.fixture
def card(project, nour) -> ModelCard:
    return create_card(project, NILE, nour)


@pytest.fixture
def row(project, card, nour) -> Configuration:
    return create_configuration(project, card, {"name": "Nile 7B, greedy", "sampling": {"temperature": 0}}, nour)


def test_a_card_has_what_was_said_and_nothing_else(project, nour, card):
    assert (card.slug, card.laboratory.slug, card.parameters_total) == ("nile-7b", "delta-lab", 7.2)
    assert (card.parameters_active, card.context_tokens, card.licence, card.thinking_tags) == (None, None, "", [])
    said = AuditEvent.objects.get(action="card.created")
    assert (said.actor, said.subject, said.detail["after"]) == (nour, "nile-7b", {**NILE, "slug": "nile-7b"})


def test_names_in_arabic_and_long_ones_have_a_short_name(project, nour):
    first = create_card(project, {**NILE, "name": "جيس ٧ب"}, nour)
    second = create_card(project, {**NILE, "name": "نجم ٧ب"}, nour)
    long = create_card(project, {**NILE, "name": "n" * 200}, nour)
    assert (first.slug, second.slug, long.slug) == ("model", "model-2", "n" * 72)
    assert refused(create_card, project, {**NILE, "name": "n" * 201}, nour) == {("name", "too_long")}


def test_all_that_is_wrong_with_a_card_is_said_at_once(project, nour, card):
    wrong = {
        "name": "Nile 7B",
        "laboratory": "",
        "access": "by post",
        "parameters_total": 0,
        "parameters_active": -1,
        "context_tokens": 0,
        "link": "javascript:alert(1)",
        "licence": "a\nb",
        "thinking_tags": [["[T]"]],
        "colour": "blue",
    }
    assert refused(create_card, project, wrong, nour) == {
        ("name", "name_taken"),
        ("laboratory", "missing"),
        ("access", "unknown_choice"),
        ("parameters_total", "out_of_range"),
        ("parameters_active", "out_of_range"),
        ("context_tokens", "out_of_range"),
        ("link", "not_an_address"),
        ("licence", "unstorable"),
        ("thinking_tags", "not_tags"),
        ("colour", "unknown_field"),
    }
    more_active = {**NILE, "name": "Other", "parameters_active": 8}
    assert refused(create_card, project, more_active, nour) == {("parameters_active", "out_of_range")}
    assert refused(create_card, project, {**NILE, "name": "O", "parameters_total": float("nan")}, nour) == {
        ("parameters_total", "not_a_number")
    }
    assert refused(create_card, project, {**NILE, "name": "O", "laboratory": "مختبر"}, nour) == {
        ("laboratory", "laboratory_name")
    }


def test_a_configuration_makes_its_target_model(project, nour, card, row):
    assert (row.slug, row.standing, row.kind, row.card) == ("nile-7b-greedy", "ranked", "model", card)
    assert (row.target_model.name, row.target_model.laboratory) == ("Nile 7B, greedy", card.laboratory)
    assert AuditEvent.objects.get(action="configuration.created").detail["after"]["sampling"] == {"temperature": 0}


def test_all_that_is_wrong_with_a_configuration_is_said_at_once(project, other_project, nour, card, row):
    wrong = {
        "name": row.name,
        "slug": "nile 7b",
        "sampling": {"temperature": 0, "max_tokens": 5, "stream": True},
        "template_sha256": "abc",
        "token_limit": 0,
        "thinking_effort": "h" * 41,
        "standing": "first",
    }
    assert refused(create_configuration, project, card, wrong, nour) == {
        ("name", "name_taken"),
        ("slug", "not_a_slug"),
        ("sampling", "not_sampling"),
        ("template_sha256", "not_a_hash"),
        ("token_limit", "out_of_range"),
        ("thinking_effort", "too_long"),
        ("standing", "unknown_choice"),
    }
    same_model = {"name": "Other", "target_model": row.target_model.name}
    assert refused(create_configuration, project, card, same_model, nour) == {("target_model", "model_taken")}
    assert refused(create_configuration, other_project, card, {"name": "Other"}, nour) == {("card", "other_project")}


def test_what_is_known_of_a_model_can_change_at_any_time(nour, card):
    changed = change_card(card, {"licence": "MIT", "name": "Nile 7B"}, nour)
    assert (changed.licence, changed.parameters_total) == ("MIT", 7.2)
    said = AuditEvent.objects.get(action="card.changed").detail
    assert said == {"before": {"licence": None}, "after": {"licence": "MIT"}}
    assert refused(change_card, card, {"slug": "other"}, nour) == {("slug", "fixed")}
    change_card(card, {"licence": "MIT"}, nour)
    assert AuditEvent.objects.filter(action="card.changed").count() == 1


RUNS = {
    "provider": "Cloud",
    "revision": "abc",
    "precision": "bf16",
    "template_sha256": "a" * 64,
    "system_prompt": "أجب.",
    "sampling": {"temperature": 1},
    "thinking_effort": "high",
    "token_limit": 512,
    "target_model": "Another",
}


@pytest.mark.parametrize("field", RUNS)
def test_what_defines_a_run_stays_once_there_are_answers(project, nour, row, field):
    frozen_set(project, question_line())
    changed = change_configuration(row, {field: RUNS[field]}, nour)
    given = changed.target_model.name if field == "target_model" else getattr(changed, field)
    assert given == RUNS[field]
    answered(changed, "capital", "أ")
    back = {"sampling": {"temperature": 0}}.get(field, "")
    back = {"target_model": "Nile 7B, greedy", "token_limit": None}.get(field, back)
    assert refused(change_configuration, row, {field: back}, nour) == {(field, "has_answers")}
    assert change_configuration(row, {"name": "Nile", field: RUNS[field]}, nour).name == "Nile"


def test_tags_of_thinking_stay_once_there_are_answers(project, nour, card, row):
    change_card(card, {"thinking_tags": [["[T]", "[/T]"]]}, nour)
    frozen_set(project, question_line())
    answered(row, "capital", "أ")
    assert refused(change_card, card, {"thinking_tags": []}, nour) == {("thinking_tags", "has_answers")}
    assert change_card(card, {"licence": "MIT", "thinking_tags": [["[T]", "[/T]"]]}, nour).licence == "MIT"


def test_who_changes_what_somebody_else_has_changed_is_told(nour, card, row):
    seen = fingerprint(card)
    change_card(card, {"licence": "MIT"}, nour, seen)
    assert refused(change_card, card, {"licence": "Apache-2.0"}, nour, seen) == {("", "changed_meanwhile")}
    seen = fingerprint(row)
    change_configuration(row, {"revision": "a"}, nour, seen)
    assert refused(change_configuration, row, {"revision": "b"}, nour, seen) == {("", "changed_meanwhile")}
    row.refresh_from_db()
    assert row.revision == "a"


def test_a_decision_is_stored_with_its_reason(nour, row):
    assert refused(withdraw, row, "  ", nour) == {("reason", "required")}
    assert refused(set_standing, row, "first", "Why not", nour) == {("standing", "unknown_choice")}
    assert refused(set_standing, row, "ranked", "Why not", nour) == {("standing", "unchanged")}
    assert withdraw(row, "Its makers asked.", nour).standing == Standing.WITHDRAWN
    assert set_standing(row, Standing.RANKED, "They asked again.", nour).standing == Standing.RANKED
    decided = AuditEvent.objects.filter(action="configuration.decided").order_by("pk")
    assert [(event.detail["after"], event.detail["reason"]) for event in decided] == [
        ("withdrawn", "Its makers asked."),
        ("ranked", "They asked again."),
    ]


def test_a_target_model_that_is_known_keeps_its_laboratory(project, nour, card):
    other = Laboratory.objects.create(slug="other-lab", name="Other Lab")
    TargetModel.objects.create(name="Known", laboratory=other)
    row = create_configuration(project, card, {"name": "Known"}, nour)
    assert (row.target_model.laboratory, row.card.laboratory.name) == (other, "Delta Lab")
