"""A study like Perle's, drawn from known numbers: how lenient each judge is, how severe each community's people are.

Every rubric has four positive criteria of the same weight, so a grade k from 0 to 4 of the model of agreement.facets
is a score of 25 k percent before penalties, and severities are recovered on the scale they were drawn on.
"""

from dataclasses import dataclass, field

import numpy as np
from django.utils import timezone
from scipy.special import expit

from projects.anchors import sha256
from projects.models import Laboratory, LanguageVariety, Project, Prompt, Rater, Response, TargetModel
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict
from tests.preset_parts import words_of

WEIGHT, CRITERIA = 5, 4
MAXIMUM = WEIGHT * CRITERIA
THRESHOLDS = np.array([-1.5, -0.5, 0.5, 1.5])
TYPES = words_of("rubrics").failure_types.slugs


@dataclass
class Judge:
    """Passes what the person failed or overlooks a recorded error with probability `lenient`, and fails what the
    person passed with probability `strict`."""

    name: str
    lenient: float
    strict: float
    laboratory: str = "elsewhere"


@dataclass
class Study:
    project: Project
    people: dict[str, list[Rater]] = field(default_factory=dict)
    judges: dict[str, Rater] = field(default_factory=dict)
    #: Of every person, as drawn.
    severity: dict[int, float] = field(default_factory=dict)
    #: Of each judge by name: what its signed error is expected to be, and the standard deviation of it.
    expected: dict[str, tuple[float, float]] = field(default_factory=dict)


JUDGES = (Judge("strict", 0.02, 0.10), Judge("even", 0.08, 0.08), Judge("lenient", 0.30, 0.02, "tower"))
TARGETS = {"Palm-1": "oasis", "Tower-2": "tower", "Reef-3": "reef"}
SEVERITY = {"ar-EG": -0.6, "ar-IQ": 0.6}
ABILITY = {"ar-EG": 0.8, "ar-IQ": -0.4}


def study(
    slug: str = "perle",
    prompts: int = 20,
    seed: int = 7,
    people: int = 4,
    judges: tuple[Judge, ...] = JUDGES,
    calibrated: int = 0,
    regraded: int = 0,
    errors: int = 1,
    is_generated: bool = False,
) -> Study:
    """`prompts` of each community, answered by three targets and graded once by a person of that community.

    calibrated  responses of each community that everybody grades; regraded  responses with a second grader of the
    same community; errors  mean number of recorded errors per response.
    """
    builder = _Builder(np.random.default_rng(seed), slug, people, is_generated, errors)
    for tag in SEVERITY:
        builder.add_texts(tag, prompts)
    builder.grade_first()
    builder.grade_again(regraded)
    builder.calibrate(calibrated)
    for judge in judges:
        builder.judge(judge)
    builder.store()
    return builder.study


class _Builder:
    def __init__(self, generator: np.random.Generator, slug: str, people: int, is_generated: bool, errors: int):
        self.generator, self.errors = generator, errors
        areas = ["rubrics"]
        project = Project.objects.create(
            slug=slug, name="Perle", preset="rubrics", areas=areas, is_generated=is_generated
        )
        self.study = Study(project)
        self.targets = []
        for name, laboratory in TARGETS.items():
            made, _ = Laboratory.objects.get_or_create(slug=laboratory, defaults={"name": laboratory.title()})
            self.targets.append(TargetModel.objects.get_or_create(name=name, defaults={"laboratory": made})[0])
        for tag, severity in SEVERITY.items():
            variety = LanguageVariety.objects.get(tag=tag)
            raters = []
            for number in range(people):
                rater = Rater.objects.create(project=project, kind="human", name=f"{tag} {number}")
                rater.varieties.add(variety)
                raters.append(rater)
                self.study.severity[rater.pk] = severity + float(self.generator.normal(0, 0.1))
            self.study.people[tag] = raters
        self.positive: dict[int, list[Criterion]] = {}  # by rubric
        self.rubrics: dict[int, Rubric] = {}  # by prompt
        self.responses: dict[str, list[Response]] = {}
        self.ability: dict[int, float] = {}
        self.first: dict[int, tuple[int, list[int]]] = {}  # by response: criteria passed, errors by type
        self.grades: list[tuple[Grade, list[bool], list[Criterion], list[bool]]] = []
        self.negatives: dict[int, list[Criterion]] = {}

    def add_texts(self, tag: str, prompts: int) -> None:
        project, variety = self.study.project, LanguageVariety.objects.get(tag=tag)
        made = Prompt.objects.bulk_create(
            Prompt(
                project=project,
                key=f"{tag}-{n}",
                text=f"What of {n}?",
                text_sha256=sha256(f"What of {n}?"),
                variety=variety,
            )
            for n in range(prompts)
        )
        author = self.study.people[tag][0]
        rubrics = Rubric.objects.bulk_create(
            Rubric(
                project=project,
                prompt=prompt,
                author=author,
                scope=("cultural", "linguistics")[n % 2],
                gold_answer="So.",
            )
            for n, prompt in enumerate(made)
        )
        criteria = Criterion.objects.bulk_create(
            Criterion(
                rubric=rubric,
                key=f"c{n}",
                position=n,
                text=f"Names thing {n}.",
                weight=WEIGHT,
                objectivity=("objective", "subjective")[n % 2],
                explicitness=("explicit", "implicit")[n // 2],
            )
            for rubric in rubrics
            for n in range(CRITERIA)
        )
        Rubric.objects.filter(pk__in=[rubric.pk for rubric in rubrics]).update(
            sha256="f" * 64, frozen_at=timezone.now()
        )
        for criterion in criteria:
            self.positive.setdefault(criterion.rubric_id, []).append(criterion)
        self.rubrics |= {rubric.prompt_id: rubric for rubric in rubrics}
        text = "It is so. And it is not so."
        self.responses[tag] = Response.objects.bulk_create(
            Response(
                project=project,
                prompt=prompt,
                target_model=target,
                variety=variety,
                key=f"{prompt.key} {target.name}",
                text=text,
                text_sha256=sha256(text),
            )
            for prompt in made
            for target in self.targets
        )
        drawn = self.generator.normal(ABILITY[tag], 1.2, len(self.responses[tag]))
        self.ability |= {one.pk: float(value) for one, value in zip(self.responses[tag], drawn, strict=True)}

    def grade(self, response: Response, rater: Rater) -> int:
        distance = self.ability[response.pk] - self.study.severity[rater.pk]
        return int((self.generator.random() < expit(distance - THRESHOLDS)).sum())

    def add(self, response: Response, rater: Rater, role: str, passed: list[bool], seen: list[bool]) -> Grade:
        rubric = self.rubrics[response.prompt_id]
        asked = self.negatives.get(response.pk, [])
        raw = WEIGHT * sum(passed) + sum(one.weight for one, is_seen in zip(asked, seen, strict=True) if is_seen)
        grade = Grade(response=response, rubric=rubric, rater=rater, role=role, raw=raw, maximum=MAXIMUM)
        self.grades.append((grade, passed, list(asked), seen))
        return grade

    def graded(self, grade: int) -> list[bool]:
        return [number < grade for number in range(CRITERIA)]

    def grade_first(self) -> None:
        for tag, responses in self.responses.items():
            for response in responses:
                rater = self.study.people[tag][int(self.generator.integers(len(self.study.people[tag])))]
                passed = self.graded(self.grade(response, rater))
                grade = self.add(response, rater, GradeRole.REFERENCE, passed, [])
                rubric = self.rubrics[response.prompt_id]
                self.negatives[response.pk] = [
                    Criterion(
                        rubric=rubric,
                        response=response,
                        grade=grade,
                        key=f"n-{response.pk}-{number}",
                        text="Invents something.",
                        weight=-int(self.generator.integers(1, 6)),
                        objectivity=("objective", "subjective")[number % 2],
                        explicitness=("explicit", "implicit")[number % 2],
                        failure_type=TYPES[int(self.generator.integers(len(TYPES) - 1))],
                    )
                    for number in range(int(self.generator.poisson(self.errors)))
                ]
                of_first = self.negatives[response.pk]
                grade.raw = WEIGHT * sum(passed) + sum(one.weight for one in of_first)
                self.grades[-1] = (grade, passed, of_first, [True] * len(of_first))
        self.firsts = {grade.response_id: (grade, passed) for grade, passed, _, _ in self.grades}

    def grade_again(self, count: int) -> None:
        """A second person of the community, who sees every recorded error with probability 0.8."""
        for tag, responses in self.responses.items():
            for response in responses[:count]:
                first = self.firsts[response.pk][0].rater_id
                others = [rater for rater in self.study.people[tag] if rater.pk != first]
                rater = others[int(self.generator.integers(len(others)))]
                seen = [bool(one) for one in self.generator.random(len(self.negatives[response.pk])) < 0.8]
                self.add(response, rater, GradeRole.REGRADE, self.graded(self.grade(response, rater)), seen)

    def calibrate(self, count: int) -> None:
        """The last responses of each community are graded by everybody who has not graded them yet, without errors."""
        everybody = [rater for raters in self.study.people.values() for rater in raters]
        for responses in self.responses.values():
            for response in responses[len(responses) - count :]:
                for rater in everybody:
                    if rater.pk != self.firsts[response.pk][0].rater_id:
                        passed = self.graded(self.grade(response, rater))
                        kept, self.negatives[response.pk] = self.negatives[response.pk], []
                        self.add(response, rater, GradeRole.CALIBRATION, passed, [])
                        self.negatives[response.pk] = kept

    def judge(self, judge: Judge) -> None:
        laboratory, _ = Laboratory.objects.get_or_create(slug=judge.laboratory, defaults={"name": judge.laboratory})
        rater = Rater.objects.create(
            project=self.study.project, kind="judge", name=judge.name, laboratory=laboratory, is_simulated=True
        )
        self.study.judges[judge.name] = rater
        means, variances = [], []
        for response in (one for responses in self.responses.values() for one in responses):
            if response.target_model.laboratory_id == laboratory.pk:
                continue
            _, passed = self.firsts[response.pk]
            negatives = self.negatives[response.pk]
            flips = self.generator.random(CRITERIA) < np.where(passed, judge.strict, judge.lenient)
            missed = self.generator.random(len(negatives)) < judge.lenient
            said = [one != flipped for one, flipped in zip(passed, flips.tolist(), strict=True)]
            self.add(response, rater, GradeRole.JUDGE, said, [not one for one in missed.tolist()])
            gains = [(judge.lenient, WEIGHT) for one in passed if not one]
            gains += [(judge.lenient, -one.weight) for one in negatives]
            gains += [(judge.strict, -WEIGHT) for one in passed if one]
            means.append(sum(chance * weight for chance, weight in gains) * 100 / MAXIMUM)
            variances.append(sum(chance * (1 - chance) * weight**2 for chance, weight in gains) * (100 / MAXIMUM) ** 2)
        spread = float(np.sqrt(sum(variances)) / len(variances))
        self.study.expected[judge.name] = (float(np.mean(means)), spread)

    def store(self) -> None:
        Grade.objects.bulk_create([grade for grade, *_ in self.grades], batch_size=500)
        Criterion.objects.bulk_create([one for own in self.negatives.values() for one in own], batch_size=500)
        verdicts = []
        for grade, passed, asked, seen in self.grades:
            values = [("fail", "pass")[one] for one in passed] + [("absent", "present")[one] for one in seen]
            criteria = [*self.positive[grade.rubric_id], *asked]
            verdicts += [
                Verdict(grade=grade, criterion=criterion, value=value, justification="As it reads.")
                for criterion, value in zip(criteria, values, strict=True)
            ]
        Verdict.objects.bulk_create(verdicts, batch_size=500)
