"""Prompts, responses and judges' replies of a project as lengths; what no group of figures asks for is not read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform
from numpy.typing import NDArray

from agreement.words import words
from benchmark.models import Question
from judging.models import Call
from projects.derived import collected
from projects.models import LanguageVariety, Project, Prompt, Response, Segmentation
from reports.dashboard.columns import Floats, Integers, Rows, columns
from reports.dashboard.reader import Reading, fingerprints_of
from reports.dashboard.scope import ResponseScope
from rubrics.models import Rubric

#: What a group of figures may rest on, and the revisions that tell of it.
PARTS = {"texts": ("responses", "prompts", "rubrics", "leaderboard"), "replies": ("costs",)}
#: What prompts are counted by, where the project says it of any prompt.
DOMAIN, TASK, DIMENSION, QUESTION, SCOPE, SKILL = "domain", "task", "dimension", "question", "scope", "skill"
CELLS = (DOMAIN, TASK, DIMENSION, QUESTION, SCOPE, SKILL)


@dataclass(frozen=True, eq=False)
class Prompts(Rows):
    """Prompts with responses, shape (P,): id, id of the variety, words."""

    id: Integers
    variety: Integers
    words: Integers


@dataclass(frozen=True, eq=False)
class Responses(Rows):
    """What target models wrote, without texts made of it. Shape (R,): ids of prompt, variety and target model, words;
    tokens of prompt and response as the provider of the target model counted them, NaN where it was not asked from here
    or did not count."""

    prompt: Integers
    variety: Integers
    model: Integers
    words: Integers
    prompt_tokens: Floats
    tokens: Floats


@dataclass(frozen=True, eq=False)
class Replies(Rows):
    """What judges replied, shape (C,): ids of judge (as rater), prompt and variety; words and tokens, NaN where not
    counted."""

    judge: Integers
    prompt: Integers
    variety: Integers
    words: Floats
    tokens: Floats


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, with how question types and dimensions are called, for every
    variety with responses."""
    names = project.question_types.order_by("id").values_list("id", "name", "dimension__name")
    return fingerprints_of(project, PARTS, {"texts": list(names)})


def load(project: Project, varieties: Sequence[int], scope: ResponseScope) -> "Loaded":
    """The texts in these varieties (ids), as far as the scope takes them in."""
    return Loaded(project, varieties, scope)


class Loaded:
    """All of it, each part read where it is first asked for; `varieties` as asked for."""

    def __init__(self, project: Project, varieties: Sequence[int], scope: ResponseScope):
        self.project, self.varieties = project, varieties
        reading = Reading(project, varieties, scope)
        if scope.model:
            reading.chosen["target_model__name"] = scope.model
        self.reading = reading
        rules = LanguageVariety.objects.filter(id__in=list(varieties)).values_list("id", "segmentation")
        self.rule = {pk: Segmentation(segmentation).rule for pk, segmentation in rules}

    def _words(self, texts: NDArray[Any], variety: Integers) -> Integers:
        counts = (len(words(text, self.rule[pk])) for text, pk in zip(texts, variety.tolist(), strict=True))
        return np.fromiter(counts, dtype=np.int64, count=len(texts))

    @cached_property
    def responses(self) -> Responses:
        rows = collected(Response.objects.filter(**self.reading.chosen)).order_by("id")
        how = KeyTransform("collected", "metadata")
        counted = [KeyTransform(name, how) for name in ("prompt_tokens", "completion_tokens")]
        values = rows.values_list("prompt_id", "variety_id", "target_model_id", "text", *counted)
        prompt, variety, model, texts, *tokens = columns(values, "iiiooo")
        return Responses(prompt, variety, model, self._words(texts, variety), *(_numbers(one) for one in tokens))

    @cached_property
    def prompts(self) -> Prompts:
        """In the variety of its responses, which is the prompt's own."""
        rows = self._prompts().order_by("id").values_list("id", "variety_id", "text")
        pk, variety, texts = columns(rows, "iio")
        return Prompts(pk, variety, self._words(texts, variety))

    def _prompts(self) -> QuerySet[Prompt]:
        answered = Response.objects.filter(**self.reading.chosen)
        return Prompt.objects.filter(project=self.project, pk__in=answered.values("prompt"))

    @cached_property
    def cells(self) -> Mapping[str, NDArray[Any]]:
        """By name of CELLS, what the project says of each prompt, "" for nothing; of shape (P,)."""
        asked = ("question__dimension__name", "question__name")
        rows = self._prompts().order_by("id").values_list("domain", "task", *asked)
        said = dict(zip((DOMAIN, TASK, DIMENSION, QUESTION), columns(rows, "oooo"), strict=True))
        scopes = Rubric.objects.filter(project=self.project, frozen_at__isnull=False).order_by("version")
        frozen = {"question_set__project": self.project, "question_set__frozen_at__isnull": False}
        skills = Question.objects.filter(**frozen).order_by("id")
        for name, found in (
            (SCOPE, dict(scopes.values_list("prompt", "scope"))),
            (SKILL, dict(skills.values_list("prompt", "skill__name"))),
        ):
            said[name] = np.array([found.get(pk, "") for pk in self.prompts.id.tolist()], dtype=object)
        return {name: np.array([text or "" for text in texts], dtype=object) for name, texts in said.items()}

    @cached_property
    def replies(self) -> Replies:
        calls = Call.objects.filter(**self.reading.within("response"), run__project=self.project, words__isnull=False)
        names = ("judge__rater_id", "response__prompt_id", "response__variety_id", "words", "completion_tokens")
        return Replies(*columns(calls.order_by("id").values_list(*names), "iiiff"))


def _numbers(values: NDArray[Any]) -> Floats:
    """What came as a number, NaN for anything else that metadata hold."""
    kept = [float(value) if type(value) in (int, float) else np.nan for value in values]
    return np.array(kept, dtype=np.float64)
