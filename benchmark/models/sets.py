"""Question sets (ABBL): what models are asked, what a good answer is, and the rules that score an answer.

A set is filled while it is a draft and then frozen; what changes later is a new version of it.
"""

import uuid
from typing import Any

from django.db import models, transaction
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchmark.prompting import beside_prompt
from formats.choices import QuestionFormat
from formats.limits import MAX_QUESTION_KEY
from projects.languages.tags import MAX_TAG
from projects.models import Project, Prompt
from projects.problems import Invalid, Problem

COPIED_AT_ONCE = 1000


class QuestionSet(models.Model):
    """One version of a set of questions. Frozen, nothing of it changes: the database refuses it (migration 0002).

    `sha256` is that of its canonical form (benchmark/canonical.py). `canary` stands in every file that the set leaves
    in: a model that can say it has seen one of them.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="question_sets")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    version = models.PositiveSmallIntegerField(default=1)
    supersedes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="superseded_by")
    licence = models.TextField(blank=True)
    canary = models.UUIDField(default=uuid.uuid4, editable=False)
    sha256 = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["slug", "version"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug", "version"], name="question_set_version_unique"),
            # Another project may hold a copy of the same files, with the same canary.
            models.UniqueConstraint(fields=["project", "canary"], name="question_set_canary_unique"),
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="question_set_named"),
            models.CheckConstraint(condition=Q(version__gte=1), name="question_set_version_positive"),
            models.CheckConstraint(
                condition=Q(supersedes=None) | Q(version__gte=2), name="question_set_first_supersedes_none"
            ),
            models.CheckConstraint(
                condition=Q(frozen_at=None, sha256="") | (Q(frozen_at__isnull=False) & ~Q(sha256="")),
                name="question_set_frozen_with_hash",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slug} v{self.version}"

    @property
    def is_frozen(self) -> bool:
        return self.frozen_at is not None

    @transaction.atomic
    def new_version(self) -> "QuestionSet":
        """A draft with all of this frozen version, which takes its place; it has a canary of its own.

        Questions keep their keys and prompts, so that what did not change keeps its answers and scores. Raises Invalid
        for a draft, and for a version that another one has followed.
        """
        self.check_is_newest_frozen(QuestionSet.objects.select_for_update())
        version = QuestionSet.objects.create(
            project=self.project,
            slug=self.slug,
            name=self.name,
            version=self.version + 1,
            supersedes=self,
            licence=self.licence,
        )
        copy_questions(self, version)
        return version

    def check_is_newest_frozen(self, rows: models.QuerySet["QuestionSet"]) -> None:
        """Raises Invalid where no version can follow this one; `rows` says whether the answer is held by a lock."""
        if not self.is_frozen:
            raise Invalid(Problem("not_frozen", gettext("This version is not frozen yet: change it as it is.")))
        newest = rows.filter(project=self.project, slug=self.slug)
        if newest.filter(version__gt=self.version).exists():
            raise Invalid(Problem("superseded", gettext("A later version has taken the place of this one.")))


class Skill(models.Model):
    """What questions of a set ask for. `counts_refusals`: a refusal is an answer that is scored, not a 0."""

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="skills")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    position = models.PositiveSmallIntegerField(default=0)
    counts_refusals = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["question_set", "slug"], name="skill_slug_unique"),
            models.UniqueConstraint(fields=["question_set", "name"], name="skill_name_unique"),
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="skill_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Source(models.Model):
    """Where questions of a set come from. `is_translated` is None where nobody said."""

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="sources")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=120)
    position = models.PositiveSmallIntegerField(default=0)
    is_translated = models.BooleanField(null=True, blank=True)
    licence = models.CharField(max_length=200, blank=True)
    link = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["question_set", "slug"], name="source_slug_unique"),
            models.UniqueConstraint(fields=["question_set", "name"], name="source_name_unique"),
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="source_named"),
        ]

    def __str__(self) -> str:
        return self.name


class Question(models.Model):
    """One question of a set. Its prompt holds what a model is sent: instruction, passage and options in one text."""

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    key = models.CharField(max_length=MAX_QUESTION_KEY, help_text=_("Unique in its set; the same in later versions"))
    position = models.PositiveIntegerField(default=0)
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="benchmark_questions")
    instruction = models.TextField()
    input_text = models.TextField(blank=True)
    # [{"label", "text"}] of a multiple choice; empty where the instruction lists them itself.
    options = models.JSONField(default=list, blank=True)
    reference = models.TextField(blank=True)
    # BCP 47; empty: an answer in any language.
    expected_language = models.CharField(max_length=MAX_TAG, blank=True)
    format = models.CharField(max_length=20, choices=QuestionFormat.choices)
    skill = models.ForeignKey(Skill, models.RESTRICT, related_name="questions")
    subcategory = models.CharField(max_length=120, blank=True)
    source = models.ForeignKey(Source, models.RESTRICT, null=True, blank=True, related_name="questions")
    # Questions of one passage are not independent of each other: they share this. Empty: alone.
    cluster = models.CharField(max_length=200, blank=True)
    # Of all that the score of an answer depends on, computed when the set is frozen (benchmark/targets.py). Versions in
    # which it is the same share their scores.
    target_sha256 = models.CharField(max_length=64, blank=True)
    is_held_back = models.BooleanField(default=False)
    twin_of = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="twins")
    metadata = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["question_set", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["question_set", "key"], name="question_key_unique"),
            models.UniqueConstraint(fields=["question_set", "prompt"], name="question_prompt_unique"),
            models.CheckConstraint(condition=~Q(key="") & ~Q(instruction=""), name="question_text_present"),
            models.CheckConstraint(condition=Q(format__in=QuestionFormat.values), name="question_format_known"),
            models.CheckConstraint(
                condition=Q(format=QuestionFormat.MCQ) | Q(options=[]), name="question_options_of_a_choice"
            ),
            models.CheckConstraint(condition=Q(twin_of=None) | ~Q(twin_of=F("id")), name="question_not_its_own_twin"),
        ]
        indexes = [
            models.Index(fields=["question_set", "position"], name="question_in_order"),
            models.Index(fields=["target_sha256"], name="question_by_target"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def options_beside(self) -> list[dict[str, str]]:
        """The options as far as the instruction does not list them with their labels: nothing is read twice."""
        return self.options if beside_prompt(self.instruction, "", self.options)[1] else []

    @property
    def answer_direction(self) -> str:
        """How an answer runs. One that names an option begins with its label, "A. الليرة", which says nothing of the
        words behind it: it runs as the question does. Any other runs as its own letters do."""
        return self.prompt.variety.direction if self.options else "auto"


class ShuffledSet(models.Model):
    """A set that holds the multiple choices of a frozen version with their options in another order, drawn by the seed.

    It is asked, answered and scored as any set is; no board ranks it, and no person is asked about it.
    """

    question_set = models.OneToOneField(QuestionSet, models.CASCADE, primary_key=True, related_name="shuffle")
    original = models.ForeignKey(QuestionSet, models.PROTECT, related_name="shuffles")
    seed = models.PositiveBigIntegerField()
    left_out = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["original", "seed"], name="shuffled_once_by_seed"),
            models.CheckConstraint(condition=~Q(question_set=F("original")), name="shuffled_set_is_another"),
        ]

    def __str__(self) -> str:
        return f"{self.question_set_id}, seed {self.seed}"


class RuleUse(models.Model):
    """A rule of agreement/answers/rules that scores answers to a question, with all its parameters."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="rule_uses")
    rule = models.SlugField(max_length=60)
    rule_version = models.PositiveSmallIntegerField()
    parameters = models.JSONField(default=dict, blank=True)
    parameters_sha256 = models.CharField(max_length=64)
    # As that of the question, of what this rule's score depends on.
    target_sha256 = models.CharField(max_length=64, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["question", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["question", "rule", "parameters_sha256"], name="rule_use_once"),
            models.CheckConstraint(condition=~Q(rule="") & ~Q(parameters_sha256=""), name="rule_use_named"),
            models.CheckConstraint(condition=Q(rule_version__gte=1), name="rule_use_version_positive"),
        ]
        indexes = [models.Index(fields=["target_sha256"], name="rule_use_by_target")]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.rule}"


def copy_questions(before: QuestionSet, after: QuestionSet) -> None:
    """Skills, sources, questions and their rules of one version into another, which has none yet."""
    skills = copies(Skill, before, after)
    sources = copies(Source, before, after)
    new_key: dict[int, int] = {}
    twins: dict[int, int] = {}
    last = 0
    while batch := list(before.questions.filter(pk__gt=last).order_by("pk")[:COPIED_AT_ONCE]):
        last = batch[-1].pk
        old_keys = [question.pk for question in batch]
        twins |= {question.pk: question.twin_of_id for question in batch if question.twin_of_id}
        uses = list(RuleUse.objects.filter(question__in=old_keys).order_by("pk"))
        for question in batch:
            question.pk, question.question_set, question.twin_of = None, after, None
            question.target_sha256 = ""
            question.skill_id = skills[question.skill_id]
            question.source_id = sources[question.source_id] if question.source_id else None
        made = Question.objects.bulk_create(batch)
        new_key |= {old: question.pk for old, question in zip(old_keys, made, strict=True)}
        for use in uses:
            use.pk, use.question_id, use.target_sha256 = None, new_key[use.question_id], ""
        RuleUse.objects.bulk_create(uses)
    pairs = [Question(pk=new_key[old], twin_of_id=new_key[twin]) for old, twin in twins.items()]
    Question.objects.bulk_update(pairs, ["twin_of"], batch_size=COPIED_AT_ONCE)


def copies(model: type[Skill] | type[Source], before: QuestionSet, after: QuestionSet) -> dict[int, int]:
    """Copy the rows of one version into another; by the key of each old row that of the new one."""
    rows: list[Any] = list(model.objects.filter(question_set=before).order_by("pk"))
    old_keys = [row.pk for row in rows]
    for row in rows:
        row.pk, row.question_set = None, after
    model.objects.bulk_create(rows)
    return {old: row.pk for old, row in zip(old_keys, rows, strict=True)}
