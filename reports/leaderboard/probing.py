"""Probes of contamination: begun by the lead, their figures by model, and every reply of one."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from agreement.contamination import CANARY_LEVEL, LEVEL, PROBE_LEVEL, paired_power, quiz_power
from benchmark.models import Configuration, FlagKind, Probe, ProbeKind, QuestionSet
from benchmark.probing.asking import CHOICES, QUESTIONS
from benchmark.probing.figures import SHARE, pairs_of
from jobs.listing import entry_of
from jobs.models import OVER, Job
from judging.forms.sets import LimitsForm, show
from judging.models import TargetEndpoint
from judging.probing.beginning import (
    MOST_QUESTIONS,
    PROBING,
    Wanted,
    begin_probing,
    board_models,
    endpoints_of,
    is_as_wanted,
)
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.leaderboard.flagging import chosen_set

PER_PAGE = 50


class ModelsField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class ProbesForm(LimitsForm):
    configurations = ModelsField(
        label=_("Models"), queryset=Configuration.objects.none(), widget=forms.CheckboxSelectMultiple
    )
    kinds = forms.MultipleChoiceField(
        label=_("Probes"),
        choices=ProbeKind.choices,
        initial=ProbeKind.values,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("The gap between public questions and held-back twins asks nobody: it is read from stored scores."),
    )
    questions = forms.IntegerField(
        label=_("Questions of each probe"), min_value=1, max_value=MOST_QUESTIONS, initial=QUESTIONS
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
        help_text=_("Draws the questions and their copies. With the same seed, what was asked is not asked again."),
    )
    known_clean = ModelsField(
        label=_("Models known not to have seen the questions"),
        queryset=Configuration.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Made before the set was published. They are probed first, and the others measured by them."),
    )
    paraphraser = forms.ChoiceField(
        label=_("Who says questions in other words, where no person did"),
        required=False,
        help_text=_("It reads the questions. Left empty, only questions with a paraphrase or a held-back twin count."),
    )
    field_order = ("configurations", "kinds", "questions", "seed", "known_clean", "paraphraser", "money", "tokens")

    def __init__(self, question_set: QuestionSet, *args: Any, **options: Any):
        super().__init__(*args, **options)
        rows = Configuration.objects.filter(pk__in=[row.pk for row in board_models(question_set)]).order_by("name")
        for name in ("configurations", "known_clean"):
            field: Any = self.fields[name]
            field.queryset = rows
        names = TargetEndpoint.objects.filter(project=question_set.project_id, provider__isnull=False)
        paraphraser: Any = self.fields["paraphraser"]
        asked = list(names.values_list("target_model__name", flat=True))
        paraphraser.choices = [("", _("nobody")), *((name, name) for name in asked)]
        for name in ("questions", "seed", "money", "tokens"):
            self.fields[name].widget.attrs["class"] = "form-control"
        paraphraser.widget.attrs["class"] = "form-select"

    def wanted(self) -> Wanted:
        said = self.cleaned_data
        return Wanted(
            kinds=tuple(said["kinds"]),
            questions=said["questions"],
            seed=said["seed"],
            clean=tuple(row.slug for row in said["known_clean"]),
            paraphraser=said["paraphraser"],
            **self.limits,
        )


@dataclass(frozen=True)
class ModelLine:
    """A model with its newest pass of each kind, in the order of ProbeKind; None where there is none."""

    configuration: Configuration
    probes: list[Probe | None]
    verdict: str
    is_asked_here: bool


def lines_of(question_set: QuestionSet) -> list[ModelLine]:
    """A number of statements that does not grow with the models."""
    rows = board_models(question_set)
    newest: dict[tuple[int, str], Probe] = {}
    for probe in Probe.objects.filter(question_set=question_set).order_by("began_at", "pk"):
        newest[probe.configuration_id, probe.kind] = probe
    flags = dict(
        question_set.flags.filter(kind=FlagKind.CONTAMINATED, is_cleared=False).values_list(
            "configuration_id", "detail__verdict"
        )
    )
    endpoints = endpoints_of(question_set, rows)
    return [
        ModelLine(
            row,
            [newest.get((row.pk, kind)) for kind in ProbeKind.values],
            flags.get(row.pk) or "",
            row.pk in endpoints,
        )
        for row in rows
    ]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def probes(request: SignedInRequest, slug: str) -> HttpResponse:
    """The newest figures of each model, and the form that begins a pass."""
    project = fetch_project(request.user, slug, "judges.run")
    question_set = chosen_set(project, request)
    context: dict[str, Any] = {"project": project, "question_set": question_set, "kinds": ProbeKind.choices}
    if question_set is None:
        return render(request, "reports/leaderboard/probes.html", context)
    form = ProbesForm(question_set, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            rows = list(form.cleaned_data["configurations"])
            job = begin_probing(question_set, rows, form.wanted(), request.user)
        except Invalid as invalid:
            show(invalid, form)
        else:
            if not is_as_wanted(job, rows, form.wanted()):
                told = gettext(
                    "Another pass of probes is under way. Yours was not begun: send it when this one is over."
                )
                messages.warning(request, told)
            return redirect("job", slug, job.uuid)
    newest = Job.objects.newest(PROBING, f"probes:{question_set.pk}")
    n_twins = len(pairs_of(question_set))
    context |= {
        "form": form,
        "lines": lines_of(question_set),
        "job": newest,
        "entry": entry_of(newest) if newest and newest.state not in OVER else None,
        "n_twins": n_twins,
        "powers": [(n, quiz_power(n, SHARE, CHOICES)) for n in (30, QUESTIONS, 300)],
        # 7 points: answers are right or wrong; 4: they are graded, and twins are alike.
        "twin_powers": [(spread, paired_power(100, SHARE, 5, spread)) for spread in (4, 7)],
        "level": 100 * LEVEL,
        "probe_level": 100 * PROBE_LEVEL,
        "canary_level": CANARY_LEVEL,
        "share": round(100 * SHARE),
    }
    status = 422 if form.errors else 200
    return render(request, "reports/leaderboard/probes.html", context, status=status)


@require_safe
@login_required
def probe(request: SignedInRequest, slug: str, probe: int) -> HttpResponse:
    """One pass of a probe: its figure, and question by question what was replied."""
    project = fetch_project(request.user, slug, "judges.run")
    rows = Probe.objects.select_related("configuration", "question_set")
    row = get_object_or_404(rows, pk=probe, question_set__project=project)
    page = Paginator(row.results.order_by("question_key"), PER_PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "probe": row, "page": page, "results": list(page)}
    return render(request, "reports/leaderboard/probe.html", context)
