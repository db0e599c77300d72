"""What stands beside the scores of the project `abbl`: checks, people's scores, speeds, flags, probes, errata."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random

from django.utils import timezone

from benchmark.gaming import find_flags
from benchmark.models import (
    Answer,
    Configuration,
    ConfigurationKind,
    Decision,
    Erratum,
    ErratumState,
    Fault,
    Probe,
    ProbeKind,
    ProbeResult,
    QuestionCheck,
    QuestionSet,
    RuleScore,
    SpeedMeasurement,
    SpeedSample,
)
from benchmark.probing.asking import CHOICES, CHOSEN
from benchmark.probing.figures import figure_of
from benchmark.scoring_task.sampling import answers_of_models
from benchmark.wording import FIELDS
from demo.studies import abbl
from demo.studies.abbl_answers import Given
from projects.models import LanguageVariety, Project, Rater, RaterKind

CHECKERS = ("Generated checker 1", "Generated checker 2")
CHECKED_EVERY = 8
#: Of the answers that people score, so many of each skill; their errors in points.
SCORED_OF_SKILL = 12
PEOPLE = {"Generated scorer 1": 0.7, "Generated scorer 2": 0.9}
CALLS = 24
MEASURED = datetime(2025, 7, 21, 9, tzinfo=UTC)
HARDWARE = "Simulated accelerator, 80 GB"


def person(project: Project, name: str) -> Rater:
    rater = Rater.objects.create(project=project, kind=RaterKind.HUMAN, name=name)
    rater.varieties.set(LanguageVariety.objects.filter(tag="ar"))
    return rater


# --- Questions ---


def add_checks(question_set: QuestionSet, seed: int) -> list[QuestionCheck]:
    """Two people check a part of a draft. Returns one check each of what they repair and of what they drop."""
    raters = [person(question_set.project, name) for name in CHECKERS]
    rng = Random(f"{seed}:checks")
    corrected, _wrong = abbl.CORRECTED
    right = next(asked.line["output"] for asked in abbl.questions(seed) if asked.key == corrected)
    decided, checks = [], []
    for at, question in enumerate(question_set.questions.order_by("position")):
        if at % CHECKED_EVERY and question.key not in (abbl.DROPPED, corrected):
            continue
        for rater in raters:
            said: dict = {"decision": Decision.KEEP, "is_aligned": True}
            if question.key == abbl.DROPPED:
                said = {"decision": Decision.DROP, "fault": Fault.MISSING_CONTEXT, "is_aligned": False}
            elif question.key == corrected:
                said = {"decision": Decision.REPAIR, "fault": Fault.REFERENCE, "is_aligned": False}
                said["repaired_reference"] = right
            elif rater is raters[1] and rng.random() < 0.1:
                said = {"decision": Decision.DROP, "fault": Fault.AMBIGUOUS, "is_aligned": True}
            checked = {part: getattr(question, field) for part, field in FIELDS.items()}
            answer = right if question.key == corrected else question.reference
            check = QuestionCheck(question=question, rater=rater, answer=answer, checked=checked, **said)
            check.metadata = abbl.GENERATED
            checks.append(check)
            if question.key in (abbl.DROPPED, corrected) and rater is raters[0]:
                decided.append(check)
    QuestionCheck.objects.bulk_create(checks)
    return decided


def add_errata(project: Project, question_set: QuestionSet) -> None:
    """One that waits for the lead and one that was rejected."""
    doubted, kept = question_set.questions.filter(key__in=["science-007", "weekday-001"]).order_by("key")
    same = {"project": project, "reported_by": None}
    Erratum.objects.create(
        question=doubted,
        fault=Fault.AMBIGUOUS,
        words="Generated: is it clear that all of its hearts are meant?",
        **same,
    )
    Erratum.objects.create(
        question=kept,
        fault=Fault.REFERENCE,
        words="Generated: I count another day.",
        state=ErratumState.REJECTED,
        decided_at=timezone.now(),
        reason="Counted again: the reference is right.",
        **same,
    )


# --- People ---


def add_human_scores(
    project: Project, question_set: QuestionSet, given: dict[tuple[str, str], Given], seed: int
) -> None:
    """Two people score the same answers of each skill, blind to each other; each errs by itself."""
    raters = {person(project, name): error for name, error in PEOPLE.items()}
    questions = {row.prompt_id: row for row in question_set.questions.select_related("skill")}
    of_skill: dict[str, list[Answer]] = defaultdict(list)
    for answer in answers_of_models(project.pk).select_related("configuration"):
        of_skill[questions[answer.prompt_id].skill.slug].append(answer)
    rng = Random(f"{seed}:people")
    rows = []
    for answers in of_skill.values():
        for answer in rng.sample(answers, min(SCORED_OF_SKILL, len(answers))):
            question = questions[answer.prompt_id]
            quality = given[answer.configuration.slug, question.key].quality
            for rater, error in raters.items():
                value = float(max(0, min(10, round(quality + rng.gauss(0, error)))))
                same = {"answer": answer, "target_sha256": question.target_sha256, "metadata": abbl.GENERATED}
                rows.append(RuleScore(rater=rater, value=value, detail={"note": ""}, **same))
    RuleScore.objects.bulk_create(rows)


# --- Speed ---


def add_speeds(project: Project, seed: int) -> None:
    """A pass of each model, one call at a time: open ones on one machine, the others by API."""
    paces = {model.slug: model for model in abbl.MODELS}
    samples = []
    for at, row in enumerate(models_of(project)):
        model = paces[row.slug]
        rng = Random(f"{seed}:speed:{row.slug}")
        began = MEASURED + timedelta(hours=at)
        measurement = SpeedMeasurement.objects.create(
            configuration=row,
            is_local=model.is_open,
            hardware=HARDWARE if model.is_open else "",
            warm_up_calls=3,
            began_at=began,
            ended_at=began + timedelta(minutes=20),
        )
        for position in range(CALLS):
            words = rng.randint(12, 220)
            first = rng.uniform(0.05, 0.2) + 3 / model.pace
            seconds = first + words / (model.pace * rng.uniform(0.85, 1.15))
            samples.append(
                SpeedSample(
                    measurement=measurement,
                    position=position,
                    words=words,
                    characters=round(words * rng.uniform(5.2, 6.1)),
                    seconds=round(seconds, 4),
                    first_token_seconds=round(first, 4),
                )
            )
    SpeedSample.objects.bulk_create(samples)


def models_of(project: Project) -> list[Configuration]:
    return list(Configuration.objects.filter(project=project, kind=ConfigurationKind.MODEL).order_by("pk"))


# --- Flags and probes ---


def add_flags(question_set: QuestionSet) -> None:
    """What is found in the answers as they are."""
    find_flags(question_set)


def add_probes(project: Project, question_set: QuestionSet, seed: int) -> None:
    """Public questions against their held-back twins, from the scores that are there; and a quiz of one model."""
    rows = models_of(project)
    for row in rows:
        probed(row, question_set, ProbeKind.TWINS, seed)
    quizzed(rows[0], question_set, seed)


def quizzed(row: Configuration, question_set: QuestionSet, seed: int) -> None:
    """A model that picks the original by chance."""
    rng = Random(f"{seed}:quiz")
    keys = question_set.questions.filter(is_held_back=False).order_by("position").values_list("key", flat=True)
    choices = {
        key: {"place": rng.randrange(CHOICES), "chosen": rng.randrange(CHOICES), "way": "options", "reply": ""}
        for key in keys
    }
    probed(row, question_set, ProbeKind.QUIZ, seed, {key: {CHOSEN: choice} for key, choice in choices.items()})


def probed(
    row: Configuration, question_set: QuestionSet, kind: str, seed: int, results: Mapping[str, dict] | None = None
) -> None:
    probe = Probe.objects.create(configuration=row, question_set=question_set, kind=kind, seed=seed)
    ProbeResult.objects.bulk_create(
        ProbeResult(probe=probe, question_key=key, result=result) for key, result in (results or {}).items()
    )
    probe.figure, probe.ended_at = figure_of(probe).as_json(), timezone.now()
    probe.save(update_fields=["figure", "ended_at"])
