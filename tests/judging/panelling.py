"""Judges of three laboratories who answered elsewhere, and panels made of them."""

from collections.abc import Mapping, Sequence

from annotation.models import Rating
from judging.ensembles.adding import add_panel
from judging.models import Panel
from projects.models import Laboratory, Project, QuestionType, Rater, Response, ResponsePair
from rubrics.models import Criterion, Grade, GradeRole
from rubrics.scoring.storing import GradeData, VerdictData, store_grades
from tests.annotation.rated import rate

NAMES = ("Amber", "Birch", "Cedar", "Damson", "Elder")


def judge(project: Project, name: str, laboratory: str = "") -> Rater:
    """An imported judge: its laboratory is its own unless one is named."""
    slug = laboratory or f"{name.lower()}-lab"
    maker, _new = Laboratory.objects.get_or_create(slug=slug, defaults={"name": slug})
    return Rater.objects.create(
        project=project, kind="judge", name=name, pseudonym=name.lower(), model=f"{name.lower()}-1", laboratory=maker
    )


def judges(project: Project, n: int = 3) -> list[Rater]:
    return [judge(project, name) for name in NAMES[:n]]


def panel_of(members: Sequence[Rater], kind: str, **settings) -> Panel:
    panel = add_panel(members[0].project, kind, members, **settings)
    panel.rater.pseudonym = f"panel-{panel.pk}"
    panel.rater.save(update_fields=["pseudonym"])
    return panel


def grade_as(rater: Rater, reference: Grade, said: Mapping[str, str], round: int = 1) -> Grade:
    """The judge's verdicts on all criteria that the reference grade was given by, by the criterion's text."""
    criteria = [*Criterion.objects.filter(rubric=reference.rubric, grade=None), *reference.negative_criteria.all()]
    verdicts = [VerdictData(each, said[each.text], f"{rater.name} on {each.text}") for each in criteria]
    [grade] = store_grades(
        [GradeData(reference.response, reference.rubric, rater, GradeRole.JUDGE, verdicts, round=round)]
    )
    return grade


def verdicts_of(grade: Grade) -> dict[str, str]:
    return dict(grade.verdicts.values_list("criterion__text", "value"))


def rates(
    rater: Rater,
    subject: ResponsePair | Response,
    question: QuestionType,
    first: float,
    second: float | None = None,
    **fields,
) -> Rating:
    return rate(subject, rater, question, first, second, **{"comment": f"{rater.name} thinks so", **fields})
