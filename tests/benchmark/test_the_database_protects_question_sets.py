"""What no code may do to a question set, whatever its mistakes: the database refuses it."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from benchmark.freezing import freeze
from benchmark.models import Question, QuestionSet, RuleUse, Skill, Source
from projects.models import LanguageVariety, Project, Prompt
from tests.benchmark.sets import question_line, set_of

pytestmark = pytest.mark.django_db


def refused(act) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        act()


@pytest.fixture
def draft(project) -> QuestionSet:
    return set_of(project)


@pytest.fixture
def frozen(draft) -> QuestionSet:
    return freeze(draft)


def prompt_in(project: Project, key: str = "other") -> Prompt:
    variety = LanguageVariety.objects.get(tag="ar")
    return Prompt.objects.create(project=project, key=key, text="x", text_sha256="0" * 64, variety=variety)


def copy_of(question: Question, **changes) -> Question:
    fields = ("question_set", "instruction", "reference", "format", "skill", "source", "prompt")
    full = {name: getattr(question, name) for name in fields} | {"key": "another", **changes}
    return Question(**full)


# --- Frozen -----------------------------------------------------------------------------------------------


def test_nothing_of_a_frozen_set_changes(frozen):
    row = QuestionSet.objects.filter(pk=frozen.pk)
    refused(lambda: row.update(name="Another name"))
    refused(lambda: row.update(frozen_at=None, sha256=""))
    refused(lambda: row.update(licence="none"))
    refused(lambda: row.delete())


@pytest.mark.parametrize("model", [Skill, Source, Question, RuleUse])
def test_nothing_in_it_is_changed_or_removed(frozen, model):
    row = model.objects.order_by("pk")
    refused(lambda: model.objects.filter(pk=row[0].pk).update(position=99))
    refused(lambda: model.objects.filter(pk=row[0].pk)._raw_delete(using="default"))
    refused(lambda: frozen.project.delete())


def test_nothing_is_added_to_it(frozen, project):
    question = frozen.questions.first()
    refused(lambda: Skill.objects.create(question_set=frozen, slug="s", name="S"))
    refused(lambda: Source.objects.create(question_set=frozen, slug="s", name="S"))
    refused(lambda: copy_of(question, prompt=prompt_in(project)).save())
    refused(
        lambda: RuleUse.objects.create(question=question, rule="meteor", rule_version=1, parameters_sha256="0" * 64)
    )


def test_a_draft_of_the_same_project_is_still_free(frozen):
    second = frozen.new_version()
    second.questions.update(subcategory="other")
    second.questions.first().delete()
    QuestionSet.objects.filter(pk=second.pk).update(licence="other")
    second.delete()


# --- What belongs together --------------------------------------------------------------------------------


def test_the_parts_of_a_question_are_of_its_own_set(draft, project, other_project):
    other = QuestionSet.objects.create(project=project, slug="two", name="Two")
    skill = Skill.objects.create(question_set=other, slug="s", name="S")
    source = Source.objects.create(question_set=other, slug="s", name="S")
    question = draft.questions.first()
    fresh = prompt_in(project)
    twin = copy_of(question, question_set=other, skill=skill, source=source, prompt=fresh)
    twin.save()
    row = Question.objects.filter(pk=question.pk)
    for changes in ({"skill": skill}, {"source": source}, {"twin_of": twin}, {"prompt": prompt_in(other_project)}):
        refused(lambda changes=changes: copy_of(question, **{"prompt": prompt_in(project, "p"), **changes}).save())
        refused(lambda changes=changes: row.update(**changes))
    for moved in (row, Skill.objects.filter(pk=skill.pk), Source.objects.filter(pk=source.pk)):
        refused(lambda moved=moved: moved.update(question_set=draft if moved is not row else other))
    refused(lambda: QuestionSet.objects.filter(pk=draft.pk).update(project=other_project))


def test_a_version_follows_an_earlier_frozen_one_of_the_same_set(draft, project, other_project):
    def begin(**changes):
        full = {"project": project, "slug": "own", "name": "Own", "version": 2, "supersedes": draft, **changes}
        return QuestionSet.objects.create(**full)

    refused(begin)  # of a draft
    freeze(draft)
    refused(lambda: begin(slug="two"))
    refused(lambda: begin(project=other_project))
    refused(lambda: begin(version=1))
    second = begin()
    refused(lambda: begin(version=3))  # it has its follower
    refused(lambda: QuestionSet.objects.filter(pk=second.pk).update(slug="two"))


# --- Constraints ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 0},
        {"slug": ""},
        {"name": ""},
        {"sha256": "0" * 64},
        {"frozen_at": timezone.now()},
    ],
)
def test_a_set_is_what_a_set_can_be(draft, changes):
    refused(lambda: QuestionSet.objects.filter(pk=draft.pk).update(**changes))


def test_a_version_and_a_canary_stand_once_in_a_project(draft, project, other_project):
    refused(lambda: QuestionSet.objects.create(project=project, slug="own", name="Own"))
    refused(lambda: QuestionSet.objects.create(project=project, slug="two", name="Two", canary=draft.canary))
    QuestionSet.objects.create(project=other_project, slug="own", name="Own", canary=draft.canary)


@pytest.mark.parametrize(
    "changes",
    [
        {"key": ""},
        {"key": "tea"},
        {"instruction": ""},
        {"format": "essay"},
        {"format": "generation"},  # it has options
    ],
)
def test_a_question_is_what_a_question_can_be(draft, changes):
    refused(lambda: Question.objects.filter(key="capital").update(**changes))


def test_a_question_has_a_prompt_of_its_own_and_is_not_its_own_twin(draft):
    capital, tea = draft.questions.all()
    refused(lambda: Question.objects.filter(pk=tea.pk).update(prompt=capital.prompt))
    refused(lambda: Question.objects.filter(pk=tea.pk).update(twin_of=tea.pk))


@pytest.mark.parametrize("model", [Skill, Source])
def test_skills_and_sources_are_named_once(draft, model):
    row = model.objects.first()
    refused(lambda: model.objects.create(question_set=draft, slug=row.slug, name="Another"))
    refused(lambda: model.objects.create(question_set=draft, slug="another", name=row.name))
    refused(lambda: model.objects.create(question_set=draft, slug="", name="Another"))
    refused(lambda: model.objects.create(question_set=draft, slug="another", name=""))


def test_a_rule_scores_a_question_once_with_the_same_parameters(draft):
    use = RuleUse.objects.first()
    fields = {"question": use.question, "rule": use.rule, "rule_version": 1}
    refused(lambda: RuleUse.objects.create(**fields, parameters_sha256=use.parameters_sha256))
    refused(lambda: RuleUse.objects.create(**{**fields, "rule": ""}, parameters_sha256="1" * 64))
    refused(lambda: RuleUse.objects.create(**{**fields, "rule_version": 0}, parameters_sha256="1" * 64))
    RuleUse.objects.create(**fields, parameters_sha256="1" * 64)


def test_a_question_keeps_its_prompt(draft):
    from django.db.models import ProtectedError

    with pytest.raises(ProtectedError):
        Prompt.objects.filter(project=draft.project).delete()
    assert draft.questions.filter(key=question_line()["id"]).exists()
