"""What a job of probes is told, checked before anything is asked."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from django.utils.translation import gettext as _

from benchmark.models import Configuration, ConfigurationKind, ProbeKind, QuestionSet, Standing
from benchmark.probing.asking import QUESTIONS
from benchmark.scoring import check_frozen
from jobs.enqueuing import add_job
from jobs.models import Job
from judging.models import TargetEndpoint
from projects.among import Among
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from providers.prices import price_of

PROBING = "benchmark_probing"
#: Kinds that ask the model; the gap between twins is read from stored scores.
ASKING = (ProbeKind.COMPLETION.value, ProbeKind.QUIZ.value, ProbeKind.CANARY.value)
MOST_QUESTIONS = 2000
MOST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a job of probes does.

    kinds        of probes; questions  of a pass, drawn by the seed.
    clean        slugs of models known not to have seen the set, by whose figures the others are measured.
    paraphraser  name of the target model that writes paraphrases where people wrote none; "": none does.
    money_limit  billionths of a US dollar that all these probes may cost, what they cost already counted; token_limit
                 likewise. None: no limit.
    """

    kinds: Sequence[str] = tuple(ProbeKind.values)
    questions: int = QUESTIONS
    seed: int = 0
    clean: Sequence[str] = ()
    paraphraser: str = ""
    money_limit: int | None = None
    token_limit: int | None = None


def begin_probing(
    question_set: QuestionSet,
    configurations: Sequence[Configuration],
    wanted: Wanted,
    by: User | None = None,
    *,
    wake: bool = True,
) -> Job:
    """The job that puts these probes to these models; the one that is under way for the version where there is one.

    Without `wake` the caller does it. Raises Invalid for a draft, where nothing would be asked, for numbers out of
    range, or where money is limited and a model has no price.
    """
    check_frozen(question_set)
    problems = problems_of(question_set, configurations, wanted)
    if problems:
        raise Invalid(problems)
    options = {
        "question_set": question_set.pk,
        "name": str(question_set),
        "configurations": [row.pk for row in configurations],
        **asdict(wanted),
    }
    job = add_job(PROBING, question_set.project, by, options=options, key=f"probes:{question_set.pk}", wake=wake)
    if job.options == options:
        record(
            "probes.begun",
            actor=by,
            project=question_set.project,
            subject=str(question_set),
            models=[row.slug for row in configurations],
            kinds=list(wanted.kinds),
        )
    return job


def is_as_wanted(job: Job, configurations: Sequence[Configuration], wanted: Wanted) -> bool:
    """Whether a job does what was asked for: another one may have been under way for the version."""
    told = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(wanted).items()}
    told |= {"configurations": [row.pk for row in configurations]}
    does = {name: list(value) if isinstance(value, tuple) else value for name, value in job.options.items()}
    return all(does.get(name) == value for name, value in told.items())


def problems_of(question_set: QuestionSet, configurations: Sequence[Configuration], wanted: Wanted) -> list[Problem]:
    problems: list[Problem] = []
    if not configurations:
        problems.append(Problem("no_models", _("Choose a model at least."), "configurations"))
    if not wanted.kinds or set(wanted.kinds) - set(ProbeKind.values):
        problems.append(Problem("unknown_choice", _("There is no such probe."), "kinds"))
    if not 1 <= wanted.questions <= MOST_QUESTIONS:
        message = _("Between 1 and %(most)d questions can be asked about.")
        problems.append(Problem("out_of_range", message % {"most": MOST_QUESTIONS}, "questions"))
    if not 0 <= wanted.seed <= MOST_SEED:
        problems.append(Problem("out_of_range", _("A seed is a whole number from 0."), "seed"))
    endpoints = endpoints_of(question_set, configurations)
    if wanted.paraphraser and not paraphraser_of(question_set, wanted.paraphraser):
        message = _("No target model of the project that is asked through a provider has this name.")
        problems.append(Problem("unknown_choice", message, "paraphraser"))
    if configurations and ProbeKind.TWINS not in wanted.kinds and not endpoints:
        message = _("None of these models is asked through a provider here, so that nothing can be put to them.")
        problems.append(Problem("nothing_to_ask", message, "configurations"))
    if wanted.money_limit is not None:
        unpriced = [str(endpoint) for endpoint in endpoints.values() if price_of(endpoint) is None]
        if unpriced:
            message = _("Money can be limited only where every model has a price. Without one: %(models)s.")
            problems.append(Problem("no_price", message % {"models": ", ".join(unpriced)}, "money_limit"))
    return problems


def board_models(question_set: QuestionSet) -> list[Configuration]:
    """The models that can be probed, by name."""
    rows = Configuration.objects.filter(project=question_set.project_id, kind=ConfigurationKind.MODEL)
    return list(rows.exclude(standing=Standing.WITHDRAWN).select_related("card", "target_model").order_by("name"))


def endpoints_of(question_set: QuestionSet, configurations: Sequence[Configuration]) -> dict[int, TargetEndpoint]:
    """By configuration where it is asked in this project; those that are not are left out."""
    by_model = {
        endpoint.target_model_id: endpoint
        for endpoint in TargetEndpoint.objects.filter(
            project=question_set.project_id,
            provider__isnull=False,
            target_model__in=Among(row.target_model_id for row in configurations),
        ).select_related("provider__laboratory", "target_model__laboratory", "project")
    }
    return {row.pk: by_model[row.target_model_id] for row in configurations if row.target_model_id in by_model}


def paraphraser_of(question_set: QuestionSet, name: str) -> TargetEndpoint | None:
    rows = TargetEndpoint.objects.filter(
        project=question_set.project_id, target_model__name=name, provider__isnull=False
    )
    return rows.select_related("provider__laboratory", "target_model__laboratory", "project").first()
