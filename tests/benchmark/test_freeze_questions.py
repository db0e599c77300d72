"""Nour freezes a set: only a whole one, only once, and from then on the database lets nobody change it."""

import pytest
from django.core.management import CommandError, call_command

from benchmark.freezing import freeze
from benchmark.models import Question, QuestionSet, RuleUse, Skill
from projects.models import AuditEvent
from projects.problems import Invalid
from tests.benchmark.sets import open_line, question_line, refused, set_of, stored

pytestmark = pytest.mark.django_db


def hindrances(question_set: QuestionSet) -> list[tuple]:
    with pytest.raises(Invalid) as raised:
        freeze(question_set)
    assert not QuestionSet.objects.get(pk=question_set.pk).is_frozen
    return [(problem.field, problem.code) for problem in raised.value.problems]


def test_a_frozen_set_has_a_hash_and_a_time(project, nour):
    frozen = freeze(set_of(project), nour)
    stored_set = QuestionSet.objects.get()
    assert (stored_set.sha256, stored_set.frozen_at) == (frozen.sha256, frozen.frozen_at)
    assert len(frozen.sha256) == 64
    event = AuditEvent.objects.get(action="question_set.frozen")
    assert (event.actor, event.subject, event.detail) == (nour, "own v1", {"sha256": frozen.sha256})
    with pytest.raises(Invalid, match="frozen already"):
        freeze(frozen)


def test_a_question_that_nothing_scores_is_named(project):
    assert hindrances(set_of(project, question_line(), open_line(rules=[]))) == [("tea", "no_rule")]


def test_a_rule_that_cannot_score_its_question_is_named(project):
    own = set_of(project)
    RuleUse.objects.filter(rule="rouge_l").update(rule="diacritization", parameters={"most_changed": 0.1})
    assert hindrances(own) == [("tea", "rule_cannot_apply")]


def test_a_question_without_a_reference_for_its_judge_is_named(project):
    own = set_of(project)
    Question.objects.filter(key="capital").update(reference="")
    assert hindrances(own) == [("capital", "no_reference")]


def test_a_rule_that_has_changed_since_is_named(project):
    own = set_of(project)
    RuleUse.objects.filter(rule="judge_choice").update(rule_version=99)
    assert hindrances(own) == [("capital", "other_rule_version")]


def test_an_empty_skill_is_named(project):
    own = set_of(project)
    Skill.objects.create(question_set=own, slug="coding", name="Coding", position=9)
    assert hindrances(own) == [("Coding", "empty_skill")]


def test_an_empty_set_is_not_frozen(project):
    assert hindrances(QuestionSet.objects.create(project=project, slug="own", name="Own")) == [("", "no_questions")]


def test_of_two_twins_one_is_held_back(project):
    assert hindrances(set_of(project, question_line(), question_line("b", twin_of="capital"))) == [("b", "twins_alike")]


def test_nothing_is_imported_into_a_frozen_set(project):
    freeze(set_of(project))
    assert refused(project, open_line("late")) == [(1, "", "frozen_set")]


def test_a_new_version_holds_the_same_questions_with_the_same_prompts(project):
    first = freeze(set_of(project, question_line(), open_line("b", twin_of="capital", held_back=True)))
    second = first.new_version()
    assert (second.version, second.supersedes, second.is_frozen) == (2, first, False)
    assert second.canary != first.canary
    facts = ("key", "prompt", "reference", "skill__slug", "source__slug", "position", "rule_uses__rule", "twin_of__key")
    assert list(second.questions.values_list(*facts)) == list(first.questions.values_list(*facts))
    assert not set(second.questions.values_list("skill")) & set(first.questions.values_list("skill"))
    assert second.questions.get(key="b").twin_of.question_set == second
    assert freeze(second).sha256 == first.sha256, "it says the same"
    with pytest.raises(Invalid, match="later version"):
        first.new_version()


def test_a_draft_has_no_later_version(project):
    with pytest.raises(Invalid, match="not frozen"):
        set_of(project).new_version()


def test_a_later_version_can_be_added_to_and_says_something_else(project):
    first = freeze(set_of(project))
    second = first.new_version()
    stored(project, open_line("poem"))
    assert (first.questions.count(), second.questions.count()) == (2, 3)
    assert freeze(second).sha256 != first.sha256


def test_the_command_freezes_or_names_what_is_in_the_way(project, capsys):
    own = set_of(project, question_line(), open_line(rules=[]))
    with pytest.raises(CommandError, match="not frozen"):
        call_command("freeze_questions", project.slug, "own")
    assert "tea: " in capsys.readouterr().err
    Question.objects.get(key="tea").delete()
    Skill.objects.get(name="Summarization").delete()
    call_command("freeze_questions", project.slug, "own")
    own.refresh_from_db()
    assert own.sha256 in capsys.readouterr().out
    with pytest.raises(CommandError, match="own v1"):
        call_command("freeze_questions", project.slug, "else")


def test_many_questions_are_read_in_few_statements(project, django_assert_max_num_queries):
    own = set_of(project, *(open_line(f"q{number}") for number in range(300)))
    with django_assert_max_num_queries(21):
        freeze(own)
