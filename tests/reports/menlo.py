"""A study like MENLO's, drawn from known numbers: pairs of two target models, people who grade both sides, judges.

At full size 40,507 answers (81,014 grades) of 1,934 raters to 6,423 pairs in 47 varieties; 1,766 pairs are the test
set, which eight setups of one model judge, pairwise ones in both orders. A grade is the response's quality less the
rater's severity and an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # Django is set up first
    from projects.models import Project

PAIRS, ANSWERS, RATERS, VARIETIES, TEST_PAIRS = 6_423, 40_507, 1_934, 47, 1_766
EXPERTS_SHARE, EXPERTS_A_VARIETY = 0.12, 3
TARGETS = ("Baseline", "Post-trained")
DIMENSIONS = {"fluency": 4, "tone": 4, "localized-tone": 4, "localized-factuality": 3}
#: kind, error of a grade, shift towards the second model.
SETUPS = tuple(
    (f"{kind}{' with rubric' if rubric else ''}", pairwise, error - 0.1 * rubric, 0.3)
    for kind, pairwise, error in (
        ("pointwise", False, 1.1),
        ("pointwise, examples", False, 1.0),
        ("pairwise", True, 0.8),
        ("pairwise, examples", True, 0.75),
    )
    for rubric in (False, True)
)
BATCH = 5_000


@dataclass(frozen=True)
class Study:
    """`severity` of each person by id, in grades, as drawn: they are added to nobody's reported figures."""

    project: Project
    severity: dict[int, float]


def a_study(slug: str = "menlo", share: float = 1.0, seed: int = 4) -> Study:
    """The project in the database; `share` of MENLO's size, of the varieties too."""
    from django.db import transaction

    with transaction.atomic():
        study = _Study(slug, share, np.random.default_rng(seed))
        study.add_texts()
        study.add_people()
        study.add_judges()
    return Study(study.project, study.severity)


@dataclass
class _Study:
    slug: str
    share: float
    generator: np.random.Generator

    def __post_init__(self) -> None:
        from projects.models import Dimension, LanguageVariety, Project, QuestionType

        areas = ["ratings"]
        self.project = Project.objects.create(slug=self.slug, name=self.slug, preset="ratings", areas=areas)
        self.n = {
            "pairs": round(PAIRS * self.share),
            "answers": round(ANSWERS * self.share),
            "raters": round(RATERS * self.share),
            "test": round(TEST_PAIRS * self.share),
        }
        wanted = max(1, round(VARIETIES * self.share))
        for number in range(LanguageVariety.objects.count(), wanted):
            LanguageVariety.objects.create(
                tag=f"en-x-{number:02}", language="en", script="Latn", name=f"Variety {number}", direction="ltr"
            )
        self.varieties = list(LanguageVariety.objects.order_by("pk")[:wanted])
        for position, (dimension, types) in enumerate(DIMENSIONS.items()):
            made = Dimension.objects.create(project=self.project, slug=dimension, name=dimension, position=position)
            for number in range(types):
                QuestionType.objects.create(
                    project=self.project,
                    dimension=made,
                    slug=f"{dimension}-{number}",
                    name=f"{dimension} {number}",
                    position=number,
                )
        self.questions = list(QuestionType.objects.filter(project=self.project))

    def add_texts(self) -> None:
        from projects.models import Laboratory, Prompt, PromptTemplate, Response, ResponsePair, TargetModel

        project, n = self.project, self.n["pairs"]
        house, _ = Laboratory.objects.get_or_create(name="drawn")
        targets = [TargetModel.objects.get_or_create(name=name, defaults={"laboratory": house})[0] for name in TARGETS]
        self.variety_of = np.arange(n) % len(self.varieties)
        self.question_of = (np.arange(n) // len(self.varieties)) % len(self.questions)
        self.in_test = np.arange(n) < self.n["test"]
        templates = {
            (place, split): PromptTemplate.objects.create(
                project=project, key=f"t{place}-{split}", question=question, text="Ask.", split=split
            )
            for place, question in enumerate(self.questions)
            for split in ("train", "test")
        }
        Prompt.objects.bulk_create(
            [
                Prompt(
                    project=project,
                    key=f"p{one}",
                    text=f"Prompt {one}",
                    text_sha256=f"p{one}",
                    variety=self.varieties[self.variety_of[one]],
                    question=self.questions[self.question_of[one]],
                    template=templates[int(self.question_of[one]), "test" if self.in_test[one] else "train"],
                )
                for one in range(n)
            ],
            batch_size=BATCH,
        )
        prompts = list(project.prompts.order_by("pk").values_list("pk", flat=True))
        Response.objects.bulk_create(
            [
                Response(
                    project=project,
                    prompt_id=prompt,
                    target_model=target,
                    variety=self.varieties[self.variety_of[one]],
                    key=f"p{one}-{target.name}",
                    text=f"Response {one}",
                    text_sha256=f"r{one}",
                )
                for one, prompt in enumerate(prompts)
                for target in targets
            ],
            batch_size=BATCH,
        )
        self.responses = np.array(project.responses.order_by("pk").values_list("pk", flat=True)).reshape(n, 2)
        ResponsePair.objects.bulk_create(
            [
                ResponsePair(
                    project=project,
                    key=f"p{one}",
                    prompt_id=prompt,
                    variety=self.varieties[self.variety_of[one]],
                    first_id=int(self.responses[one, 0]),
                    second_id=int(self.responses[one, 1]),
                )
                for one, prompt in enumerate(prompts)
            ],
            batch_size=BATCH,
        )
        self.pairs = list(project.pairs.order_by("pk").values_list("pk", flat=True))
        self.quality = self.generator.normal(3.6, 1.0, (n, 2)) + np.array([0.0, 0.3])

    def add_people(self) -> None:
        """Everybody answers pairs of one variety; about an eighth of the pairs have an expert's answer."""
        from projects.models import Rater

        n = self.n["raters"]
        home = np.arange(n) % len(self.varieties)
        is_expert = np.arange(n) // len(self.varieties) < EXPERTS_A_VARIETY
        raters = Rater.objects.bulk_create(
            Rater(project=self.project, kind="human", name=f"Rater {one}", is_expert=bool(is_expert[one]))
            for one in range(n)
        )
        severity = self.generator.normal(0, 0.5, n)
        self.severity = {rater.pk: float(value) for rater, value in zip(raters, severity, strict=True)}
        left = self.n["answers"]
        rows: list[Any] = []
        for one in range(self.n["pairs"]):
            here = np.flatnonzero(home == self.variety_of[one])
            people, experts = here[~is_expert[here]], here[is_expert[here]]
            wanted = min(len(people), round(left / (self.n["pairs"] - one)))
            chosen = list(self.generator.choice(people, wanted, replace=False))
            if self.generator.random() < EXPERTS_SHARE and wanted:
                chosen[0] = self.generator.choice(experts)
            left -= len(chosen)
            for rater in chosen:
                grades = self.quality[one] - severity[rater] + self.generator.normal(0, 0.5, 2)
                rows.append(self.rating(one, raters[rater].pk, grades, swapped=bool(self.generator.random() < 0.5)))
        self.store(rows)

    def add_judges(self) -> None:
        from projects.models import Rater

        for name, pairwise, error, shift in SETUPS:
            judge = Rater.objects.create(project=self.project, kind="judge", name=f"Harbor 9B, {name}")
            rows = []
            for one in np.flatnonzero(self.in_test).tolist():
                for swapped in (False, True) if pairwise else (False,):
                    grades = self.quality[one] + [0, shift] + self.generator.normal(0, error, 2)
                    if pairwise:
                        rows.append(self.rating(one, judge.pk, grades, swapped=swapped, is_of_both_orders=True))
                        continue
                    rows += [self.single(one, side, judge.pk, grades[side]) for side in (0, 1)]
            self.store(rows)

    def rating(self, one: int, rater: int, grades: Any, *, swapped: bool, **fields: Any) -> Any:
        from annotation.models import Rating

        first, second = np.clip(np.round(grades), 1, 5)
        question = self.questions[self.question_of[one]]
        return Rating(
            question=question,
            pair_id=self.pairs[one],
            rater_id=rater,
            first_grade=float(first),
            second_grade=float(second),
            is_swapped=swapped,
            **fields,
        )

    def single(self, one: int, side: int, rater: int, grade: float) -> Any:
        from annotation.models import Rating

        return Rating(
            question=self.questions[self.question_of[one]],
            response_id=int(self.responses[one, side]),
            rater_id=rater,
            first_grade=float(np.clip(np.round(grade), 1, 5)),
        )

    def store(self, rows: list[Any]) -> None:
        from annotation.models import Rating

        Rating.objects.bulk_create(rows, batch_size=BATCH)
