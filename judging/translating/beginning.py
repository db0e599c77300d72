"""What a job of drafts is told, checked before anything is asked."""

from collections import Counter
from collections.abc import Collection, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from annotation.localising.speakers import spoken_varieties
from jobs.enqueuing import add_job
from jobs.models import Job
from judging.models import TargetEndpoint
from judging.translating.asking import PROMPT
from projects.among import Among
from projects.audit import record
from projects.models import (
    DraftOutcome,
    LanguageVariety,
    Localisation,
    LocalisationDraft,
    Project,
    PromptTemplate,
    User,
)
from projects.problems import Invalid, Problem
from providers.prices import price_of

TRANSLATING = "translating_prompts"


def translators(project: Project) -> QuerySet[TargetEndpoint]:
    """The models that can be asked: those of the project with a provider."""
    rows = TargetEndpoint.objects.filter(project=project, provider__isnull=False)
    return rows.select_related("provider__laboratory", "target_model__laboratory", "project")


def varieties_of(project: Project) -> list[LanguageVariety]:
    """Those into which native speakers put templates: nobody else could accept a draft."""
    return list(spoken_varieties(project.pk).order_by("tag"))


def waiting(project: Project, variety: LanguageVariety) -> QuerySet[PromptTemplate]:
    """The templates that nobody has put into the variety, that are not written in it, and that no model has drafted."""
    place = {"template": OuterRef("pk"), "variety": variety}
    there = [~Exists(model._default_manager.filter(**place)) for model in (Localisation, LocalisationDraft)]
    return PromptTemplate.objects.filter(*there, project=project).exclude(variety=variety).order_by("pk")


def begin_translating(
    project: Project,
    endpoint: TargetEndpoint | None,
    varieties: Sequence[LanguageVariety],
    money_limit: int | None = None,
    token_limit: int | None = None,
    by: User | None = None,
    *,
    wake: bool = True,
) -> Job:
    """The job that has the model draft what waits in these varieties; the one that is under way where there is one.

    money_limit  billionths of a US dollar that the job may cost. Raises Invalid with every problem.
    """
    if problems := problems_of(project, endpoint, varieties, money_limit):
        raise Invalid(problems)
    assert endpoint is not None
    options = {
        "endpoint": endpoint.pk,
        "model": endpoint.target_model.name,
        "varieties": [variety.pk for variety in varieties],
        "money_limit": money_limit,
        "token_limit": token_limit,
    }
    job = add_job(TRANSLATING, project, by, options=options, key=f"translating:{project.pk}", wake=wake)
    if job.options == options:
        tags = [variety.tag for variety in varieties]
        subject = endpoint.target_model.name
        record("prompts.drafting", actor=by, project=project, subject=subject, varieties=tags, prompt=PROMPT)
    return job


def problems_of(
    project: Project, endpoint: TargetEndpoint | None, varieties: Collection[LanguageVariety], money_limit: int | None
) -> list[Problem]:
    problems = []
    if endpoint is None:
        message = _("No target model of the project that is asked through a provider has this name.")
        problems.append(Problem("unknown_choice", message, "model"))
    elif money_limit is not None and price_of(endpoint) is None:
        message = _("Money can be limited only where the model has a price.")
        problems.append(Problem("no_price", message, "money_limit"))
    if not varieties or {variety.pk for variety in varieties} - {each.pk for each in varieties_of(project)}:
        message = _("Choose languages that people of the project annotate or write in: they look through the drafts.")
        problems.append(Problem("unknown_choice", message, "varieties"))
    elif not any(waiting(project, variety).exists() for variety in varieties):
        message = _("Every template is localised or drafted in these languages already.")
        problems.append(Problem("nothing_to_ask", message, "varieties"))
    return problems


def drafts_by_variety(project: Project, varieties: Sequence[LanguageVariety]) -> list[dict]:
    """By variety: how many templates wait for a draft, and what became of the drafts there are. Four statements."""
    written = Counter(PromptTemplate.objects.filter(project=project).order_by().values_list("variety", flat=True))
    there = Localisation.objects.filter(template=OuterRef("template"), variety=OuterRef("variety"))
    of_project = {"template__project": project, "variety__in": Among(variety.pk for variety in varieties)}
    localised = Counter(Localisation.objects.filter(**of_project).values_list("variety", flat=True))
    drafts = LocalisationDraft.objects.filter(**of_project).annotate(is_localised=Exists(there)).order_by()
    outcomes = Counter(drafts.values_list("variety", "outcome"))
    undone = Counter(drafts.filter(is_localised=False).values_list("variety", flat=True))
    return [
        {
            "variety": one,
            "waiting": written.total() - written[one.pk] - localised[one.pk] - undone[one.pk],
            "drafted": sum(n for (variety, _outcome), n in outcomes.items() if variety == one.pk),
            **{str(outcome): outcomes[one.pk, outcome] for outcome in DraftOutcome.values},
        }
        for one in varieties
    ]
