"""Rubrics and grades for the stories: frozen as the product freezes them, graded with the score they add up to."""

from collections.abc import Sequence
from itertools import count

from django.utils import timezone

from projects.models import Project, Prompt, Rater, Response
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256
from rubrics.models import Criterion, Grade, GradeRole, Rubric, Verdict, WeightBand
from tests.preset_parts import add_bands, add_failure_types

NUMBERS = count(1)


def make_rubrics_project(project: Project) -> Project:
    """The project as the preset of rubrics would have made it, without its stages."""
    Project.objects.filter(pk=project.pk).update(preset="rubrics", areas=["rubrics"])
    if not WeightBand.objects.filter(project=project).exists():
        add_bands(project)
    add_failure_types(project)
    project.refresh_from_db()
    return project


def frozen_rubric(
    prompt: Prompt,
    author: Rater,
    weights: Sequence[int] = (10, 8, 6, 8, 5),
    scope: str = "cultural",
    version: int = 1,
    text: str = "",
):
    """A frozen rubric with positive criteria c1, c2, ... of these weights; `text` stands in for all that is written."""
    rubric = Rubric.objects.create(
        project=prompt.project,
        prompt=prompt,
        author=author,
        scope=scope,
        version=version,
        supersedes=Rubric.objects.filter(prompt=prompt, version=version - 1).first(),
        gold_answer=text or f"What {prompt.key} asks for.",
    )
    criteria = [
        Criterion(
            rubric=rubric,
            key=f"c{number}",
            position=number,
            text=text or f"Names thing {number}.",
            weight=weight,
            objectivity="objective" if number % 2 else "subjective",
            explicitness="explicit" if number % 3 else "implicit",
        )
        for number, weight in enumerate(weights, start=1)
    ]
    Criterion.objects.bulk_create(criteria)
    rubric.sha256 = rubric_sha256(
        canonical_form(
            prompt_sha256=prompt.text_sha256,
            variety=prompt.variety.tag,
            scope=scope,
            gold_answer=rubric.gold_answer,
            criteria=[CanonicalCriterion(c.key, c.text, c.weight, "", c.objectivity, c.explicitness) for c in criteria],
        )
    )
    rubric.frozen_at = timezone.now()
    rubric.save(update_fields=["sha256", "frozen_at"])
    return rubric


def graded(
    response: Response,
    rater: Rater,
    rubric: Rubric,
    passed: Sequence[str],
    errors: Sequence[int] = (),
    role: str = GradeRole.REFERENCE,
    failure_type: str = "hallucination",
    round: int = 1,
) -> Grade:
    """A complete grade: the positive criteria of these keys passed, and one own negative criterion per weight."""
    positive = list(rubric.criteria.filter(weight__gt=0))
    raw = sum(criterion.weight for criterion in positive if criterion.key in passed) + sum(errors)
    maximum = sum(criterion.weight for criterion in positive)
    about = {"response": response, "rubric": rubric, "rater": rater, "round": round}
    grade = Grade.objects.create(**about, role=role, raw=raw, maximum=maximum)
    verdicts = [
        Verdict(grade=grade, criterion=criterion, value="pass" if criterion.key in passed else "fail")
        for criterion in positive
    ]
    for weight in errors:
        criterion = Criterion.objects.create(
            rubric=rubric,
            response=response,
            grade=grade,
            key=f"n{next(NUMBERS)}",
            text="Invents something.",
            weight=weight,
            objectivity="objective",
            explicitness="explicit",
            failure_type=failure_type,
        )
        verdicts.append(Verdict(grade=grade, criterion=criterion, value="present"))
    Verdict.objects.bulk_create(verdicts)
    return grade
