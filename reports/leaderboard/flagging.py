"""Flags and notes of a board, with what each rests on; the lead decides about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from agreement.contamination import CLEAR
from benchmark.models import Answer, Flag, FlagKind, ProbeKind, Question, QuestionSet
from benchmark.probing import deciding
from benchmark.scoring_jobs import begin_scoring
from jobs.models import OVER
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.leaderboard.reader import board_of, set_of
from reports.templatetags.board import p_value

PER_PAGE = 20
#: Answers shown of a flag.
EXAMPLES = 3
DECISIONS = (
    (deciding.CONFIRM, gettext_lazy("The flag stands")),
    (deciding.RANK, gettext_lazy("The flag stands, and the model is ranked")),
    (deciding.CLEAR, gettext_lazy("Clear the flag")),
)


@dataclass(frozen=True)
class Shown:
    """A flag as its page shows it: what it says in words, and some of the answers it is about."""

    flag: Flag
    words: Sequence[str]
    examples: Sequence[tuple[str, str]]
    decisions: Sequence[tuple[str, Any]]


def chosen_set(project: Project, request: SignedInRequest) -> QuestionSet | None:
    """The frozen version that the address names ("set" is its id), or the one on the board."""
    named = request.GET.get("set", "")
    if named.isdecimal() and len(named) < 18:
        return get_object_or_404(project.question_sets.filter(frozen_at__isnull=False), pk=int(named))
    return set_of(project, board_of(project))


@require_safe
@login_required
def flags(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    question_set = chosen_set(project, request)
    rows = Flag.objects.filter(question_set=question_set) if question_set else Flag.objects.none()
    rows = rows.select_related("configuration", "decided_by").order_by(
        "is_cleared", "is_note", "configuration__name", "kind"
    )
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "question_set": question_set,
        "sets": project.question_sets.filter(frozen_at__isnull=False).order_by("slug", "version"),
        "page": page,
        "shown": shown(list(page), question_set),
        "query": f"set={question_set.pk}" if question_set else "",
    }
    return render(request, "reports/leaderboard/flags.html", context)


def shown(rows: Sequence[Flag], question_set: QuestionSet | None) -> list[Shown]:
    """A number of statements that does not grow with the flags."""
    wanted = {flag.pk: keys_of(flag)[:EXAMPLES] for flag in rows}
    prompts = dict(
        Question.objects.filter(
            question_set=question_set, key__in={key for keys in wanted.values() for key in keys}
        ).values_list("key", "prompt_id")
    )
    answers = Answer.objects.filter(
        configuration__in={flag.configuration_id for flag in rows}, prompt__in=set(prompts.values())
    )
    texts = {(row.configuration_id, row.prompt_id): row.content for row in answers.select_related("response")}
    found = []
    for flag in rows:
        examples = [(key, texts.get((flag.configuration_id, prompts.get(key, 0)), "")) for key in wanted[flag.pk]]
        is_case = flag.kind == FlagKind.CONTAMINATED and flag.detail.get("verdict") == CLEAR
        decisions = [each for each in DECISIONS if each[0] != deciding.RANK or is_case]
        found.append(Shown(flag, words_of(flag), examples, decisions))
    return found


def keys_of(flag: Flag) -> list[str]:
    pairs = flag.detail.get("pairs") or []
    return list(flag.detail.get("questions") or (pairs[0]["questions"] if pairs else []))


def words_of(flag: Flag) -> list[str]:
    """What was found, in sentences."""
    detail = flag.detail
    said = [] if detail.get("is_found", True) else [_("It is no longer found in the answers there are.")]
    if flag.kind == FlagKind.CONTAMINATED:
        return said + words_of_probes(detail)
    if flag.kind == FlagKind.DUPLICATE:
        return said + [words_of_pair(pair) for pair in detail.get("pairs", [])]
    count, n = detail.get("count", 0), detail.get("n", 0)
    about = ngettext("%(count)d of %(n)d answers.", "%(count)d of %(n)d answers.", count) % {"count": count, "n": n}
    return [*said, about, *detail.get("found", [])[:1]]


def words_of_pair(pair: dict[str, Any]) -> str:
    numbers = {"count": pair["count"], "n": pair["n"], "other": pair["with"]}
    alike = _("%(count)d of %(n)d long answers are nearly those of %(other)s.") % numbers
    if pair["is_same_model"]:
        return f"{alike} {_('It is the same model run in another way: such answers are to be expected.')}"
    if pair["is_later"]:
        return f"{alike} {_('That one was there first.')}"
    return f"{alike} {_('This one was there first.')}"


def words_of_probes(detail: dict[str, Any]) -> list[str]:
    is_clear = detail.get("verdict") == CLEAR
    first = (
        _("The canary or two probes say that the model knows the questions: a clear case.")
        if is_clear
        else _("One probe says that the model knows the questions: a warning.")
    )
    lines = [
        f"{ProbeKind(kind).label}: {p_value(number['p'])}, n = {number['n']}"
        for kind, number in detail.get("probes", {}).items()
        if kind in ProbeKind.values and number.get("p") is not None
    ]
    return [first, *lines]


@require_POST
@login_required
def decide_flag(request: SignedInRequest, slug: str, flag: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    row = get_object_or_404(Flag, pk=flag, question_set__project=project)
    try:
        deciding.decide(row, request.user, request.POST.get("decision", ""), request.POST.get("reason", ""))
    except Invalid as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
    else:
        messages.success(request, _("Decided, and written down."))
    return back(request, slug)


@require_POST
@login_required
def find(request: SignedInRequest, slug: str) -> HttpResponse:
    """Score what is new and look for flags anew."""
    project = fetch_project(request.user, slug, "project.edit")
    question_set = chosen_set(project, request)
    if question_set is None:
        messages.error(request, _("No question set is frozen yet: freeze one first."))
        return redirect("board-flags", slug)
    job = begin_scoring(question_set, request.user, is_waited_for=True)
    if job.state not in OVER:
        return redirect("job", slug, job.uuid)
    if job.result is None:
        messages.error(request, job.problem)
    else:
        messages.success(request, _("The answers were looked through."))
    return back(request, slug)


def back(request: SignedInRequest, slug: str) -> HttpResponse:
    """To the version and the page of flags that the address names, where the lead was."""
    query = request.GET.urlencode()
    address = reverse("board-flags", args=[slug])
    return redirect(f"{address}?{query}" if query else address)
