"""Responses that a person has graded by a frozen rubric, and judges that grade them too."""

from collections.abc import Collection, Mapping
from itertools import count

from django.utils import timezone

from judging.engine import runs
from judging.engine.shards import work_through
from judging.judges import add_judge
from judging.models import Judge, Run
from projects.anchors import sha256
from projects.models import Laboratory, LanguageVariety, Project, Prompt, Rater, Response, TargetModel
from providers.models import Provider
from rubrics.models import Criterion, Grade, GradeRole, Rubric
from rubrics.scoring.storing import GradeData, NegativeData, VerdictData, store_grades

NUMBERS = count(1)
LENTILS, RICE, VINEGAR = "Says «lentils».", "Says «rice» and «pasta».", "Says “vinegar”."
PHARAOHS, RAMADAN = "Claims that «Pharaohs» ate it.", "Claims it belongs to «Ramadan»."
RUBRIC = {LENTILS: 10, RICE: 8, VINEGAR: 6}
ERRORS = {PHARAOHS: -5, RAMADAN: -3}
KOSHARI = "It is lentils, rice and pasta, known since the Pharaohs."
# What is true of KOSHARI: 10 + 8 - 5 of 24 points.
TRUE_RAW, MAXIMUM = 13, 24


def target(name: str = "Nile-7B", laboratory: str = "delta-lab") -> TargetModel:
    maker, _new = Laboratory.objects.get_or_create(slug=laboratory, defaults={"name": laboratory})
    return TargetModel.objects.get_or_create(name=name, defaults={"laboratory": maker})[0]


def ask(project: Project, key: str = "koshari", text: str = "") -> Prompt:
    text = text or f"Question {key}?"
    variety = LanguageVariety.objects.get(tag="ar-EG")
    return Prompt.objects.create(project=project, key=key, text=text, text_sha256=sha256(text), variety=variety)


def respond(prompt: Prompt, text: str = KOSHARI, model: TargetModel | None = None) -> Response:
    model = model or target()
    return Response.objects.create(
        project=prompt.project,
        prompt=prompt,
        target_model=model,
        variety=prompt.variety,
        key=f"{prompt.key}-{model.name}",
        text=text,
        text_sha256=sha256(text),
    )


def freeze(
    prompt: Prompt,
    author: Rater,
    criteria: Mapping[str, int] = RUBRIC,
    hidden: str = "key",
    implicit: Collection[str] = (),
) -> Rubric:
    """The next version of the prompt's rubric: positive criteria by their text, with their weights.

    `hidden` stands in everything else that its author writes; criteria with the texts `implicit` are so.
    """
    before = Rubric.objects.filter(prompt=prompt).order_by("-version").first()
    rubric = Rubric.objects.create(
        project=prompt.project,
        prompt=prompt,
        author=author,
        scope="cultural",
        gold_answer=f"{hidden}: a dish of lentils, rice and pasta.",
        accepted_findings=[{"code": "stacked", "criterion": hidden, "words": hidden, "reason": hidden}],
        metadata={"note": hidden},
        version=before.version + 1 if before else 1,
        supersedes=before,
    )
    Criterion.objects.bulk_create(
        Criterion(
            rubric=rubric,
            key=f"{hidden}-{number}",
            position=number,
            text=text,
            weight=weight,
            objectivity="objective",
            explicitness="implicit" if text in implicit else "explicit",
        )
        for number, (text, weight) in enumerate(criteria.items(), start=1)
    )
    rubric.sha256, rubric.frozen_at = sha256(f"{prompt.pk} {rubric.version}"), timezone.now()
    rubric.save(update_fields=["sha256", "frozen_at"])
    return rubric


def reference(
    response: Response, rubric: Rubric, grader: Rater, passed: Collection[str] = (), errors: Mapping[str, int] = ERRORS
) -> Grade:
    """The first grading of a response: the criteria with these texts passed, and these errors were found."""
    return store_grades([reference_data(response, rubric, grader, passed, errors)])[0]


def reference_data(
    response: Response, rubric: Rubric, grader: Rater, passed: Collection[str], errors: Mapping[str, int]
) -> GradeData:
    positive = list(rubric.criteria.filter(weight__gt=0))
    return GradeData(
        response=response,
        rubric=rubric,
        rater=grader,
        role=GradeRole.REFERENCE,
        verdicts=[VerdictData(each, "pass" if each.text in passed else "fail") for each in positive],
        negatives=[
            NegativeData(f"own-{next(NUMBERS)}", text, weight, "hallucination", "objective", "explicit")
            for text, weight in errors.items()
        ],
    )


def graded_response(project: Project, grader: Rater, key: str = "koshari", text: str = KOSHARI) -> Grade:
    """A response with its frozen rubric and its reference grade."""
    prompt = ask(project, key)
    return reference(respond(prompt, text), freeze(prompt, grader), grader)


def grading_judge(project: Project, provider: Provider, model: str = "simulated-1", **settings) -> Judge:
    return add_judge(project, provider, model, kind="rubric", **settings)


def run_through(judge: Judge, round: int = 1) -> Run:
    run = runs.create_run(judge, Response.objects.filter(project=judge.project), round=round)
    for shard in runs.start_here(run):
        work_through(shard)
    run.refresh_from_db()
    return run
